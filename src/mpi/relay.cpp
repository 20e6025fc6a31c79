// heddle-mpi: lets the processes of heddle that MPI has started on several machines send texts to each other.
//
//     mpirun -n 4 heddle check --mpi queue.cpp
//
// heddle does not know MPI. With --mpi it becomes this program, which starts it once more and passes texts between it and the
// other ranks. So runs without --mpi are not linked with MPI, a checked program never runs in a process of MPI's, and neither
// the sandbox nor a crash of heddle comes between MPI and its ranks.
//
//     heddle, rank 0                                    heddle, rank 1
//       | a pair of sockets                               | a pair of sockets
//     heddle-mpi, rank 0  ---------- MPI ----------  heddle-mpi, rank 1
//
// On the sockets a text is preceded by two numbers of 32 bits: its length with the second number, and a rank. To heddle that is
// where the text comes from, from heddle where it goes to. The first text that heddle gets is the number of ranks; it comes from
// its own rank. Rank 0's heddle ends the run: when it has ended, the others get the end of their input.
//
// MPI's own way to wait is to look again and again, which takes a whole core. So this looks a few thousand times a second.
//
// heddle-mpi COMMAND...: the command is run with HEDDLE_RELAY in its environment, the number of its descriptor.
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <list>
#include <string>
#include <vector>

namespace {

constexpr int kText = 1, kEnd = 2, kGone = 3;                     // tags of messages
constexpr long kShortestWait = 50'000, kLongestWait = 2'000'000;  // in nanoseconds, between two looks at MPI
constexpr int kPatience = 10;                                     // seconds for heddle to end after its input has

volatile sig_atomic_t terminated = 0;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "heddle-mpi: %s: %s\n", what, std::strerror(errno));
  std::exit(4);
}

std::string numbered(std::uint32_t rank, const std::string& text) {
  const auto length = static_cast<std::uint32_t>(text.size() + sizeof rank);
  std::string bytes(sizeof length + sizeof rank, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  std::memcpy(bytes.data() + sizeof length, &rank, sizeof rank);
  return bytes + text;
}

class Relay {
 public:
  Relay(pid_t heddle, int socket) : heddle_(heddle), socket_(socket) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    outbox_ = numbered(static_cast<std::uint32_t>(rank_), std::to_string(ranks_));
  }

  // Until the run has ended. Returns the exit code of this rank.
  int run() {
    long wait = kShortestWait;
    while (!ended_) {
      if (terminated != 0 && rank_ == 0) {
        kill(heddle_, SIGTERM);  // it writes its checkpoint, and ends
        terminated = 0;
      }
      const bool moved = waitForHeddle(wait) | receive() | forgetSent();
      wait = moved ? kShortestWait : std::min(2 * wait, kLongestWait);
    }
    shutdown(socket_, SHUT_RDWR);
    const int code = heddlesEnd();
    while (!sent_.empty()) forgetSent();
    return rank_ == 0 ? code : 0;
  }

 private:
  // True: something has come or gone.
  bool waitForHeddle(long nanoseconds) {
    pollfd descriptor{.fd = hasEnded_ ? -1 : socket_, .events = POLLIN, .revents = 0};
    if (!outbox_.empty()) descriptor.events |= POLLOUT;
    const timespec time{.tv_sec = 0, .tv_nsec = nanoseconds};
    if (ppoll(&descriptor, 1, &time, nullptr) <= 0) return false;
    if ((descriptor.revents & POLLOUT) != 0) write();
    if ((descriptor.revents & ~POLLOUT) != 0) read();
    return true;
  }

  void write() {
    const ssize_t count = send(socket_, outbox_.data(), outbox_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) outbox_.erase(0, static_cast<std::size_t>(count));
  }

  void read() {
    char buffer[1 << 16];
    const ssize_t count = recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return heddleHasEnded();
    inbox_.append(buffer, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    std::uint32_t length = 0, to = 0;
    while (inbox_.size() - begin >= sizeof length + sizeof to) {
      std::memcpy(&length, inbox_.data() + begin, sizeof length);
      if (inbox_.size() - begin < sizeof length + length) break;
      std::memcpy(&to, inbox_.data() + begin + sizeof length, sizeof to);
      sendTo(static_cast<int>(to), kText, inbox_.substr(begin + sizeof length + sizeof to, length - sizeof to));
      begin += sizeof length + length;
    }
    inbox_.erase(0, begin);
  }

  // Rank 0's ends the run. Without one of the others it goes on.
  void heddleHasEnded() {
    hasEnded_ = true;
    outbox_.clear();
    if (rank_ != 0) return sendTo(0, kGone, "");
    for (int other = 1; other < ranks_; ++other) sendTo(other, kEnd, "");
    ended_ = true;
  }

  void sendTo(int rank, int tag, std::string text) {
    if (rank < 0 || rank >= ranks_ || rank == rank_) return;
    Sent& sent = sent_.emplace_back(Sent{std::move(text), MPI_REQUEST_NULL});
    MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD, &sent.request);
  }

  bool forgetSent() {
    bool any = false;
    for (auto sent = sent_.begin(); sent != sent_.end();) {
      int done = 0;
      MPI_Test(&sent->request, &done, MPI_STATUS_IGNORE);
      any = any || done != 0;
      sent = done != 0 ? sent_.erase(sent) : std::next(sent);
    }
    return any;
  }

  bool receive() {
    bool any = false;
    while (!ended_) {
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
      if (there == 0) break;
      any = true;
      int length = 0;
      MPI_Get_count(&status, MPI_BYTE, &length);
      std::string text(static_cast<std::size_t>(length), '\0');
      MPI_Recv(text.data(), length, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (status.MPI_TAG == kEnd) ended_ = true;
      if (status.MPI_TAG == kGone) text = "gone";
      if (status.MPI_TAG != kEnd && !hasEnded_) outbox_ += numbered(static_cast<std::uint32_t>(status.MPI_SOURCE), text);
    }
    return any;
  }

  int heddlesEnd() const {
    int status = 0;
    for (int waited = 0; waitpid(heddle_, &status, WNOHANG) == 0; ++waited) {
      if (rank_ != 0 && waited == kPatience * 100) kill(heddle_, SIGKILL);
      usleep(10'000);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  struct Sent {
    std::string text;
    MPI_Request request;
  };

  pid_t heddle_;
  int socket_;
  int rank_ = 0, ranks_ = 1;
  bool hasEnded_ = false, ended_ = false;  // heddle here; the run
  std::string inbox_, outbox_;             // from heddle, to it
  std::list<Sent> sent_;                   // and perhaps not yet arrived
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr,
                 "usage: heddle-mpi COMMAND...\nheddle starts this program itself: mpirun -n 4 heddle check --mpi FILE\n");
    return 2;
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  const pid_t parent = getpid();
  const pid_t heddle = fork();  // before MPI begins: what is forked later must not call it
  if (heddle < 0) fail("fork");
  if (heddle == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(4);
    setenv("HEDDLE_RELAY", std::to_string(ends[1]).c_str(), 1);
    execvp(argv[1], argv + 1);
    fail(argv[1]);
  }
  close(ends[1]);
  // Whoever ends the job asks all processes to end. The heddle of rank 0 does what is to be done then.
  struct sigaction action{};
  action.sa_handler = [](int) { terminated = 1; };
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  MPI_Init(&argc, &argv);
  const int code = Relay(heddle, ends[0]).run();
  MPI_Finalize();
  return code;
}
