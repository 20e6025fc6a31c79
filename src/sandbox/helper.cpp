#include "sandbox/helper.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

#include "sandbox/sandbox.h"

namespace heddle::sandbox {

namespace {

constexpr std::size_t kMostBytes = 1 << 15;  // of a message

enum class Kind : std::uint32_t { connect, sources, outputs, reading, seal, open, unlink, rename, kill };

struct Request {
  Kind kind = Kind::open;
  int number = 0;  // flags, or a process
  unsigned mode = 0;
  unsigned first = 0;  // the length of the first of two names
};

// ---- Messages

struct Message {
  Request request;
  std::array<char, kMostBytes> text;
  std::size_t length = 0;
  int descriptor = -1;

  std::string_view name() const { return {text.data(), length}; }
};

union Control {
  cmsghdr header;
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

// Two parts, of which the second may be empty, and perhaps a descriptor.
bool sendAll(int to, const void* head, std::size_t headSize, const char* text, std::size_t size, int descriptor) {
  std::array<iovec, 2> parts = {iovec{const_cast<void*>(head), headSize}, iovec{const_cast<char*>(text), size}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = size != 0 ? 2 : 1;
  Control control{};
  if (descriptor >= 0) {
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  }
  ssize_t sent = 0;
  do {
    sent = call(SYS_sendmsg, to, reinterpret_cast<long>(&message), MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(headSize + size);
}

// The length of what has come; 0: nobody is there any more.
std::size_t receiveAll(int from, void* head, std::size_t headSize, char* text, std::size_t size, int& descriptor) {
  std::array<iovec, 2> parts = {iovec{head, headSize}, iovec{text, size}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = size != 0 ? 2 : 1;
  Control control{};
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  ssize_t count = 0;
  do {
    count = call(SYS_recvmsg, from, reinterpret_cast<long>(&message), MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  descriptor = -1;
  if (count <= 0) return 0;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof descriptor)) {
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  }
  return static_cast<std::size_t>(count);
}

// ---- The helper's side

// The parent of a process, by /proc; 0 if there is none.
int parentOf(int process) {
  std::array<char, 64> name;
  std::snprintf(name.data(), name.size(), "/proc/%d/stat", process);
  const int file = open(name.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 512> text{};
  const ssize_t size = read(file, text.data(), text.size() - 1);
  close(file);
  if (size <= 0) return 0;
  const char* const rest = std::strrchr(text.data(), ')');  // the name before it may be anything
  int parent = 0;
  char state = 0;
  return rest != nullptr && std::sscanf(rest + 1, " %c %d", &state, &parent) == 2 ? parent : 0;
}

class Client {
 public:
  explicit Client(int connection) : connection_(connection) {}
  int connection() const { return connection_; }

  void answer(const Message& message) {
    int descriptor = -1;
    const int result = perform(message, descriptor);
    if (message.request.kind < Kind::open) return;  // nobody waits for an answer to these
    sendAll(connection_, &result, sizeof result, nullptr, 0, descriptor);
    if (descriptor >= 0) close(descriptor);
  }

 private:
  int perform(const Message& message, int& descriptor) {
    switch (message.request.kind) {
      case Kind::sources: return add(sources_, message.name());
      case Kind::outputs: return add(outputs_, message.name());
      case Kind::reading: return sealed_ ? -EACCES : (readsFiles_ = true, 0);
      case Kind::seal: sealed_ = true; return 0;
      case Kind::open: return openFile(std::string(message.name()), message.request, descriptor);
      case Kind::unlink: {
        const std::string path(message.name());
        return isOutput(path) && unlink(path.c_str()) == 0 ? 0 : failure();
      }
      case Kind::rename: {
        if (message.request.first > message.length) return -EINVAL;
        const std::string from(message.name().substr(0, message.request.first));
        const std::string to(message.name().substr(message.request.first));
        return isOutput(from) && isOutput(to) && rename(from.c_str(), to.c_str()) == 0 ? 0 : failure();
      }
      case Kind::kill: return end(message.request.number);
      case Kind::connect: break;
    }
    return -EINVAL;
  }

  static int failure() { return errno == 0 ? -EACCES : -errno; }

  int add(std::set<std::string, std::less<>>& names, std::string_view text) const {
    if (sealed_) return -EACCES;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\0'), text.size());
      names.emplace(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return 0;
  }

  // A file that was named, or one beside it whose name goes on after a dot.
  bool isOutput(const std::string& path) const {
    errno = 0;
    for (const std::string& name : outputs_) {
      if (path == name) return true;
      if (path.starts_with(name) && path[name.size()] == '.' && path.find('/', name.size()) == std::string::npos) return true;
    }
    return false;
  }

  bool isFolderOfOutput(const std::string& path) const {
    return std::ranges::any_of(outputs_, [&](const std::string& name) {
      const std::size_t slash = name.rfind('/');
      return path == (slash == std::string::npos ? "." : name.substr(0, slash + 1));
    });
  }

  // /proc/123/statm, of a process that descends from ours.
  bool isMemoryUse(const std::string& path) const {
    int process = 0, length = 0;
    if (std::sscanf(path.c_str(), "/proc/%d/statm%n", &process, &length) != 1) return false;
    return static_cast<std::size_t>(length) == path.size() && isOurs(process);
  }

  int openFile(const std::string& path, const Request& request, int& descriptor) const {
    constexpr int kWays =
        O_RDONLY | O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_LARGEFILE | O_DIRECTORY | O_NONBLOCK;
    const int flags = request.number;
    if ((flags & ~(kWays | 0100000)) != 0) return -EACCES;  // the bit that O_LARGEFILE is for the kernel
    const bool reads = (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) == O_RDONLY;
    const bool may =
        isOutput(path) || (reads && (readsFiles_ || isFolderOfOutput(path) || sources_.contains(path) || isMemoryUse(path)));
    if (!may) return -EACCES;
    descriptor = open(path.c_str(), flags | O_CLOEXEC | (reads ? 0 : O_NOFOLLOW), request.mode);
    return descriptor >= 0 ? 0 : -errno;
  }

  static bool isOurs(int process) {
    const int helper = getpid(), first = getppid();
    if (process == helper) return false;
    for (int depth = 0; process > 1 && depth < 8; ++depth) {
      if (process == first) return true;
      process = parentOf(process);
    }
    return false;
  }

  static int end(int process) {
    if (process <= 1 || process == getppid() || !isOurs(process)) return -EPERM;
    return kill(process, SIGKILL) == 0 ? 0 : -errno;
  }

  int connection_;
  bool sealed_ = false, readsFiles_ = false;
  std::set<std::string, std::less<>> sources_, outputs_;
};

bool receive(int from, Message& message) {
  const std::size_t size =
      receiveAll(from, &message.request, sizeof message.request, message.text.data(), message.text.size(), message.descriptor);
  if (size < sizeof message.request) return false;
  message.length = size - sizeof message.request;
  return true;
}

[[noreturn]] void serve(int base) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM}) signal(number, SIG_IGN);
  prctl(PR_SET_NAME, "heddle-helper");
  std::vector<Client> clients;
  bool isWanted = true;  // new clients may come
  static Message message;
  while (isWanted || !clients.empty()) {
    std::vector<pollfd> waits;
    const std::size_t before = clients.size();
    for (const Client& client : clients) waits.push_back({client.connection(), POLLIN, 0});
    if (isWanted) waits.push_back({base, POLLIN, 0});
    if (poll(waits.data(), waits.size(), -1) < 0) continue;
    if (isWanted && waits.back().revents != 0) {
      if (!receive(base, message)) {
        isWanted = false;
      } else if (message.descriptor >= 0) {
        clients.emplace_back(message.descriptor);
      }
    }
    for (std::size_t i = before; i-- > 0;) {
      if (waits[i].revents == 0) continue;
      if (receive(clients[i].connection(), message)) {
        clients[i].answer(message);
        if (message.descriptor >= 0) close(message.descriptor);
      } else {
        close(clients[i].connection());
        clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }
  _exit(0);
}

// ---- The client's side

int base = -1;  // of the helper that every process of this run shares
int helperProcess = 0, startedBy = 0;

int ask(int connection, const Request& request, const char* text, std::size_t size, int* opened = nullptr) {
  if (connection < 0) return -EACCES;
  if (size > kMostBytes) return -ENAMETOOLONG;
  if (!sendAll(connection, &request, sizeof request, text, size, -1)) return -EACCES;
  int result = 0, descriptor = -1;
  if (receiveAll(connection, &result, sizeof result, nullptr, 0, descriptor) != sizeof result) return -EACCES;
  if (opened != nullptr) *opened = descriptor;
  return result;
}

void tell(int connection, Kind kind, const std::string& text = "") {
  const Request request{.kind = kind};
  sendAll(connection, &request, sizeof request, text.data(), text.size(), -1);
}

void sendNames(int connection, Kind kind, const std::vector<std::string>& names) {
  std::string text;
  const auto flush = [&] {
    if (!text.empty()) tell(connection, kind, text);
    text.clear();
  };
  for (const std::string& name : names) {
    if (name.size() >= kMostBytes) continue;
    if (text.size() + name.size() + 1 > kMostBytes) flush();
    text.append(name).push_back('\0');
  }
  flush();
}

}  // namespace

void startHelper() {
  if (base >= 0 || !isPossible()) return;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  const pid_t process = fork();
  if (process == 0) {
    // Whoever waits for the end of our output does not wait for the helper's.
    const int own = ends[1] == 3 ? 3 : dup2(ends[1], 3);
    close_range(4, ~0U, 0);
    for (int standard = 0; standard < 3; ++standard) close(standard);
    serve(own);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return;
  }
  base = ends[0];
  helperProcess = process;
  startedBy = getpid();
}

void awaitHelper() {
  leaveHelper();
  if (base >= 0) close(base);
  base = -1;
  if (helperProcess <= 0 || startedBy != getpid()) return;
  // It ends at once, unless another process is still there that may need it.
  constexpr int kTries = 2000;
  constexpr useconds_t kMicroseconds = 20;
  int status = 0;
  for (int i = 0; i < kTries && waitpid(helperProcess, &status, WNOHANG) == 0; ++i) usleep(kMicroseconds);
  helperProcess = 0;
}

int connectHelper(const Access& access) {
  if (base < 0) return -1;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return -1;
  const Request request{.kind = Kind::connect};
  const bool sent = sendAll(base, &request, sizeof request, nullptr, 0, ends[1]);
  close(ends[1]);
  close(base);  // what this process may do is settled now
  base = -1;
  if (!sent) {
    close(ends[0]);
    return -1;
  }
  sendNames(ends[0], Kind::sources, access.sources);
  sendNames(ends[0], Kind::outputs, access.outputs);
  if (access.readsFiles) tell(ends[0], Kind::reading);
  tell(ends[0], Kind::seal);
  return ends[0];
}

int openByHelper(int connection, const char* path, int flags, unsigned mode) {
  int descriptor = -1;
  const int result = ask(connection, {.kind = Kind::open, .number = flags, .mode = mode}, path, std::strlen(path), &descriptor);
  if (result < 0) return result;
  return descriptor >= 0 ? descriptor : -EACCES;
}

int unlinkByHelper(int connection, const char* path) {
  return ask(connection, {.kind = Kind::unlink}, path, std::strlen(path));
}

int renameByHelper(int connection, const char* from, const char* to) {
  std::array<char, 2 * 4096> both;
  const std::size_t first = std::strlen(from), second = std::strlen(to);
  if (first + second > both.size()) return -ENAMETOOLONG;
  std::memcpy(both.data(), from, first);
  std::memcpy(both.data() + first, to, second);
  return ask(connection, {.kind = Kind::rename, .first = static_cast<unsigned>(first)}, both.data(), first + second);
}

int killByHelper(int connection, int process) { return ask(connection, {.kind = Kind::kill, .number = process}, nullptr, 0); }

}  // namespace heddle::sandbox
