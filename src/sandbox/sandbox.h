// The sandbox: what a checked program cannot do to the world outside, whatever its code is.
//
// A checked program is native code in a process of heddle's. From its first instruction on this process, and every process that
// is forked from it, can do little more than compute:
//
//   no_new_privs, and limits of memory, files and core dumps     setrlimit, prctl
//   no file can be opened, no socket connected, nobody outside be sent a signal      Landlock, where the kernel has it
//   no system call but those of a list (filter.cpp)              seccomp
//
// A system call that the filter does not let pass raises SIGSYS. Two parties may have made it, and the handler tells them apart:
//
//   the program    The exploration is told (setProgramHandler). It abandons the thread and reports the call as an error.
//   heddle         The handler makes the call again, with a secret number in the sixth argument, which no such call uses. The filter
//                  knows the number, and lets pass what an exploration needs: writing to what is open, other processes that
//                  explore, timers. Files that heddle needs now (source lines for a report, a checkpoint) are opened by the
//                  helper (helper.h), which is outside, and only if they were named before.
//
// So the code of heddle is the same within the sandbox and without. Compilation is over when the sandbox is entered; machine code that
// is generated later (native/jit/later_functions.h) needs no file.
//
// The secret number is a hurdle, no wall: native code that reads heddle's memory can find it. What the filter then still refuses is
// the wall (docs/security.md).
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::sandbox {

enum class Wanted : std::uint8_t { off, on, require };

// --sandbox=require, and this machine cannot.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What heddle itself still needs once the program runs.
struct Access {
  std::vector<std::string> sources;  // files that a report may quote
  std::vector<std::string> outputs;  // files that are written and replaced: each with whatever follows a dot after its name
  bool readsFiles = false;  // the program is compiled again later (--suggest, run/bounded_search.h): any file may be read
};

// For the time of compilation, and for good: files can be written in these folders only. Nothing happens where the kernel has no
// Landlock, which enter() reports.
void restrictToReading(const std::vector<std::string>& writable);

// Enters the sandbox, for good; once is enough. Throws Unavailable.
void enter(Wanted wanted, const Access& access);
// What was missing then and is worth a warning, a sentence each. That there is no Landlock is not: the filter stops the same calls.
const std::vector<std::string>& missingLayers();
bool isEntered();
// No debugger, valgrind or sanitizer is there, which need what the sandbox stops.
bool isPossible();

// In place of fork, for a process that explores.
int forkProcess();
// In such a process: it opens no files.
void leaveHelper();

// A system call of heddle's at a moment when the program's code may be running: as syscall(2). Five arguments at most.
long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0);

// While one exists, system calls are heddle's, though a thread of the program may be running.
class OwnCode {
 public:
  OwnCode();
  ~OwnCode();
  OwnCode(const OwnCode&) = delete;
  OwnCode& operator=(const OwnCode&) = delete;

 private:
  bool before_;
};

// Called in a signal handler for a call that the filter has refused. True: the program has made it, and will not go on from there.
using ProgramHandler = bool (*)(ucontext_t& context, int number);
void setProgramHandler(ProgramHandler handler);

// "mkdir", or a number in words.
std::string nameOfCall(int number);

}  // namespace heddle::sandbox
