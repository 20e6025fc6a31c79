// Lets one call of heddle's fail, once: a library for LD_PRELOAD (scripts/check-faults.py).
//
//     HEDDLE_FAULT=write:3      the third write of the run fails; processes that it starts count on together
//     HEDDLE_FAULT_RECORD=FILE  how many calls of each kind there were, and with HEDDLE_FAULT_PLACES where the one that failed was made
//
// The functions of the C library that heddle calls are replaced by others that count, and ask the library for all calls but that
// one. What the C library calls itself is not seen: so a stream's functions are here as well as those of files. Nor are calls
// that heddle makes without the library, within the sandbox; with `--sandbox off` it makes them here.
//
// The record is memory that all processes share, mapped before the first of them does anything: within the sandbox nothing
// could be opened. Nothing here allocates.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum Kind : unsigned { kAlloc, kOpen, kRead, kWrite, kShort, kFork, kSocket, kMap, kRename, kSync, kClock, kKinds };
constexpr const char* kNames[kKinds] = {"alloc",  "open", "read",   "write", "short", "fork",
                                        "socket", "map",  "rename", "sync",  "clock"};

// As scripts/check-faults.py reads it.
struct Record {
  std::atomic<std::uint64_t> counts[15];
  std::atomic<std::int64_t> jump;        // of the clock, in seconds
  std::atomic<std::uint64_t> failed;     // is it done?
  std::atomic<std::uint64_t> hasPlaces;  // are there places?
  void* places[32];
};

Record own;  // where nobody wants a record
Record* record = &own;
unsigned wanted = kKinds;
std::uint64_t number = 0;

// Is it this call's turn to fail?
bool fails(Kind kind, int error) {
  const std::uint64_t count = record->counts[kind].fetch_add(1) + 1;
  if (kind != wanted || count != number) return false;
  record->failed.store(1);
  if (record != &own && std::getenv("HEDDLE_FAULT_PLACES") != nullptr) record->hasPlaces.store(backtrace(record->places, 32));
  errno = error;
  return true;
}

template <class Function>
Function* real(Function*& function, const char* name) {
  if (function == nullptr) function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return function;
}

// The constructors of a preloaded library come before all of the program's.
__attribute__((constructor)) void begin() {
  if (const char* const text = std::getenv("HEDDLE_FAULT")) {
    const char* const colon = std::strchr(text, ':');
    for (unsigned kind = 0; colon != nullptr && kind < kKinds; ++kind) {
      if (std::strlen(kNames[kind]) != static_cast<std::size_t>(colon - text)) continue;
      if (std::strncmp(kNames[kind], text, static_cast<std::size_t>(colon - text)) != 0) continue;
      number = std::strtoull(colon + 1, nullptr, 10);
      wanted = kind;
    }
  }
  if (std::getenv("HEDDLE_FAULT_PLACES") != nullptr) {
    void* places[2];
    backtrace(places, 2);  // the first one loads a library
  }
  const char* const file = std::getenv("HEDDLE_FAULT_RECORD");
  if (file == nullptr) return;
  const int descriptor = static_cast<int>(open(file, O_RDWR | O_CLOEXEC));
  void* const shared =
      descriptor < 0 ? MAP_FAILED : mmap(nullptr, sizeof(Record), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (descriptor >= 0) close(descriptor);
  if (shared == MAP_FAILED) {
    static constexpr char kMessage[] = "faults: the record cannot be mapped\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
    _exit(99);
  }
  record = static_cast<Record*>(shared);
  for (auto& count : record->counts) count.store(0);  // what came before heddle
}

}  // namespace

extern "C" {

// ---- Memory

void* malloc(std::size_t size) { return fails(kAlloc, ENOMEM) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return fails(kAlloc, ENOMEM) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* memory, std::size_t size) { return fails(kAlloc, ENOMEM) ? nullptr : __libc_realloc(memory, size); }
void* memalign(std::size_t alignment, std::size_t size) {
  return fails(kAlloc, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(kAlloc, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (fails(kAlloc, ENOMEM)) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result != nullptr ? 0 : ENOMEM;
}

#define CALL(name, ...)                      \
  static decltype(name)* function = nullptr; \
  return real(function, #name)(__VA_ARGS__)

void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  if (fails(kMap, ENOMEM)) return MAP_FAILED;
  CALL(mmap, address, size, protection, flags, file, offset);
}
void* mmap64(void* address, std::size_t size, int protection, int flags, int file, off64_t offset) noexcept {
  if (fails(kMap, ENOMEM)) return MAP_FAILED;
  CALL(mmap64, address, size, protection, flags, file, offset);
}
int mprotect(void* address, std::size_t size, int protection) noexcept {
  if (fails(kMap, ENOMEM)) return -1;
  CALL(mprotect, address, size, protection);
}

// ---- Files

// A mode is there if the flags say so.
#define MODE(flags)                                                     \
  mode_t mode = 0;                                                      \
  if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE) { \
    va_list rest;                                                       \
    va_start(rest, flags);                                              \
    mode = va_arg(rest, mode_t);                                        \
    va_end(rest);                                                       \
  }

int open(const char* path, int flags, ...) {
  MODE(flags)
  if (fails(kOpen, EMFILE)) return -1;
  CALL(open, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE(flags)
  if (fails(kOpen, EMFILE)) return -1;
  CALL(open64, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE(flags)
  if (fails(kOpen, EMFILE)) return -1;
  CALL(openat, folder, path, flags, mode);
}
std::FILE* fopen(const char* path, const char* mode) {
  if (fails(kOpen, EMFILE)) return nullptr;
  CALL(fopen, path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) {
  if (fails(kOpen, EMFILE)) return nullptr;
  CALL(fopen64, path, mode);
}
std::FILE* tmpfile() {
  if (fails(kOpen, EMFILE)) return nullptr;
  CALL(tmpfile);
}

ssize_t read(int file, void* bytes, std::size_t size) {
  if (fails(kRead, EIO)) return -1;
  CALL(read, file, bytes, size);
}
ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) {
  if (fails(kRead, EIO)) return -1;
  CALL(pread, file, bytes, size, offset);
}
ssize_t pread64(int file, void* bytes, std::size_t size, off64_t offset) {
  if (fails(kRead, EIO)) return -1;
  CALL(pread64, file, bytes, size, offset);
}
// A stream remembers that it has failed; there is a bit for it.
constexpr int kHasFailed = 0x20;
std::size_t fread(void* bytes, std::size_t size, std::size_t count, std::FILE* stream) {
  if (fails(kRead, EIO)) {
    stream->_flags |= kHasFailed;
    return 0;
  }
  CALL(fread, bytes, size, count, stream);
}

// A write may also write less than it is asked to.
ssize_t write(int file, const void* bytes, std::size_t size) {
  if (fails(kWrite, ENOSPC)) return -1;
  if (size > 1 && fails(kShort, 0)) size /= 2;
  CALL(write, file, bytes, size);
}
ssize_t writev(int file, const iovec* parts, int count) {
  if (fails(kWrite, ENOSPC)) return -1;
  if (count > 1 && fails(kShort, 0)) --count;
  CALL(writev, file, parts, count);
}
std::size_t fwrite(const void* bytes, std::size_t size, std::size_t count, std::FILE* stream) {
  if (fails(kWrite, ENOSPC)) {
    stream->_flags |= kHasFailed;
    return 0;
  }
  CALL(fwrite, bytes, size, count, stream);
}
int fflush(std::FILE* stream) {
  if (fails(kWrite, ENOSPC)) {
    if (stream != nullptr) {
      __fpurge(stream);
      stream->_flags |= kHasFailed;
    }
    return EOF;
  }
  CALL(fflush, stream);
}
int rename(const char* from, const char* to) noexcept {
  if (fails(kRename, EIO)) return -1;
  CALL(rename, from, to);
}
int fsync(int file) {
  if (fails(kSync, EIO)) return -1;
  CALL(fsync, file);
}

// ---- Clocks. The system's clock does not fail: it is put forward, or back.

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  constexpr std::int64_t kJump = 300'000'000;
  static decltype(clock_gettime)* function = nullptr;
  const int result = real(function, "clock_gettime")(clock, now);
  if (clock != CLOCK_REALTIME || result != 0) return result;
  if (fails(kClock, errno)) record->jump.store(number % 2 == 0 ? kJump : -kJump);
  now->tv_sec += record->jump.load();
  return 0;
}
time_t time(time_t* result) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

// ---- Processes

pid_t fork() noexcept {
  if (fails(kFork, EAGAIN)) return -1;
  CALL(fork);
}
int pipe2(int* ends, int flags) noexcept {
  if (fails(kSocket, EMFILE)) return -1;
  CALL(pipe2, ends, flags);
}
int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  if (fails(kSocket, EMFILE)) return -1;
  CALL(socketpair, domain, type, protocol, ends);
}
ssize_t send(int socket, const void* bytes, std::size_t size, int flags) {
  if (fails(kSocket, ENOBUFS)) return -1;
  if (size > 1 && fails(kShort, 0)) size /= 2;
  CALL(send, socket, bytes, size, flags);
}
ssize_t recv(int socket, void* bytes, std::size_t size, int flags) {
  if (fails(kSocket, ENOMEM)) return -1;
  CALL(recv, socket, bytes, size, flags);
}

}  // extern "C"
