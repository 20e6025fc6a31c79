#include "parallel/local_transport.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "parallel/worker.h"
#include "sandbox/sandbox.h"
#include "util/memory_use.h"

namespace heddle::parallel {

namespace {

constexpr int kOutOfMemoryStatus = 3;

std::string deathText(int status) {
  if (WIFSIGNALED(status)) return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemoryStatus) return "out of memory";
  return fmt::format("ended with status {}", WIFEXITED(status) ? WEXITSTATUS(status) : status);
}

int waitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

class LocalPort final : public Port {
 public:
  LocalPort(Channel channel, Request& request) : channel_(std::move(channel)), request_(request) {}
  std::optional<std::string> receive() override { return channel_.receive(); }
  bool send(const std::string& message) override { return channel_.send(message); }
  Request& request() override { return request_; }

 private:
  Channel channel_;
  Request& request_;
};

constexpr char kQuestion = '?';  // what a message begins with that is one

[[noreturn]] void runWorker(Task& task, Port& port) {
  try {
    serve(task, port);
  } catch (const std::bad_alloc&) {
    _exit(kOutOfMemoryStatus);
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

LocalTransport::LocalTransport(Task& task, unsigned workers, OtherMachines others)
    : task_(task), others_(std::move(others)), workers_(workers) {
  void* const shared = mmap(nullptr, sizeof(Request) * workers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  requests_ = static_cast<Request*>(shared);
  for (std::size_t i = 0; i < workers; ++i) new (&requests_[i]) Request;
}

LocalTransport::~LocalTransport() {
  LocalTransport::endAll();
  munmap(requests_, sizeof(Request) * workers_.size());
}

bool LocalTransport::start(std::size_t worker) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  Channel here(ends[0]), there(ends[1]);
  requests_[worker].wants = 0;
  requests_[worker].attention = false;
  std::fflush(nullptr);  // or it would be printed twice
  const pid_t parent = getpid();
  const pid_t process = sandbox::forkProcess();
  if (process < 0) return false;
  if (process == 0) {
    // The run decides what an interrupt means, and its end is ours.
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    for (Worker& other : workers_) other.channel.reset();
    { const Channel unused = std::move(here); }
    if (others_.descriptor >= 0) close(others_.descriptor);
    sandbox::leaveHelper();
    LocalPort port(std::move(there), requests_[worker]);
    if (others_.settle) {
      task_.setSettler([&port](const std::string& question) {
        const std::optional<std::string> answer = port.send(kQuestion + question) ? port.receive() : std::nullopt;
        if (!answer) _exit(0);
        return *answer;
      });
    }
    runWorker(task_, port);
  }
  workers_[worker] = {.process = process, .channel = std::move(here)};
  return true;
}

// A worker that has not heard all of it would wait for ever. Its end will be news.
void LocalTransport::send(std::size_t worker, const std::string& message) {
  requests_[worker].wants = 0;
  if (!workers_[worker].channel->send(message)) kill(workers_[worker].process, SIGKILL);
}

std::vector<News> LocalTransport::receive(double seconds) {
  std::vector<pollfd> descriptors;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (!workers_[i].channel) continue;
    descriptors.push_back({.fd = workers_[i].channel->descriptor(), .events = POLLIN, .revents = 0});
    indices.push_back(i);
  }
  if (others_.descriptor >= 0) descriptors.push_back({.fd = others_.descriptor, .events = POLLIN, .revents = 0});
  std::vector<News> news;
  if (poll(descriptors.data(), descriptors.size(), static_cast<int>(seconds * 1000)) <= 0) return news;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (descriptors[k].revents != 0) receiveFrom(indices[k], news);
  }
  return news;
}

std::uint64_t LocalTransport::memoryInUse() const {
  std::uint64_t bytes = 0;
  for (const Worker& worker : workers_) bytes += worker.process > 0 ? util::memoryOf(worker.process) : 0;
  return bytes;
}

// In the sandbox it is the helper that kills (sandbox.h), which may be gone: those who are asked to stop, and find nobody to
// report to, end by themselves.
void LocalTransport::endAll() {
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i].process <= 0) continue;
    requests_[i].ask(Request::kStop);
    workers_[i].channel.reset();
    kill(workers_[i].process, SIGKILL);
  }
  for (Worker& worker : workers_) {
    if (worker.process > 0) waitFor(worker.process);
    worker = {};
  }
}

void LocalTransport::receiveFrom(std::size_t index, std::vector<News>& news) {
  Worker& worker = workers_[index];
  const bool alive = worker.channel->read();
  while (std::optional<std::string> message = worker.channel->take()) {
    if (message->starts_with(kQuestion)) {
      worker.channel->send(others_.settle(message->substr(1)));
      continue;
    }
    news.push_back({.worker = index, .ended = false, .text = std::move(*message)});
  }
  if (alive) return;
  // Nobody can hear it any more, whether it is still there or not.
  requests_[index].ask(Request::kStop);
  worker.channel.reset();
  kill(worker.process, SIGKILL);
  news.push_back({.worker = index, .ended = true, .text = deathText(waitFor(worker.process))});
  worker = {};
}

std::unique_ptr<Transport> localTransport(Task& task, unsigned workers) {
  return std::make_unique<LocalTransport>(task, workers);
}

}  // namespace heddle::parallel
