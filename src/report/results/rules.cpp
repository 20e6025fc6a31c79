#include "report/results/rules.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "abi/heddle_kinds.h"

namespace heddle::report {

namespace {

struct Row {
  std::string_view kind, text;
};

#define HEDDLE_TITLE(name, kind, title) {kind, title},
constexpr Row kTitles[] = {
    HEDDLE_ERROR_KINDS(HEDDLE_TITLE)  // and what is no error of a program
    {"claim", "a claim does not hold"},
    {"expectation", "not as expected"},
    {"required-verdict", "the verdict is not the required one"},
};
#undef HEDDLE_TITLE

constexpr Row kHelp[] = {
    {"claim", "The answer is not the one that the file claims. Look at the execution that is shown, then correct the claim, "
              "the test or the "
              "model."},
    {"expectation", "The result differs from what the file says about itself. If the new result is right, change the "
                    "expectation in the file."},
    {"required-verdict", "Not all executions were explored to their end: raise the bound of the loops, the time or the memory, "
                         "or make the test smaller."},
    {"assertion-failure",
     "Some execution that the memory model allows makes the assertion false. Follow the execution up to it."},
    {"abort", "Some execution calls abort or ends the program in the same way. Follow the execution up to the call."},
    {"uncaught-exception", "Some execution throws an exception that nobody catches. Catch it in the thread that throws it."},
    {"unreachable", "Some execution comes to code that is marked as unreachable. Follow the execution up to it."},
    {"division-by-zero", "Some execution divides by zero. Follow the execution to see where the zero comes from."},
    {"signed-overflow", "Some execution exceeds the range of a signed integer, which is undefined behaviour."},
    {"undefined-behaviour", "Some execution does what the language leaves undefined. The message says what."},
    {"data-race",
     "Two accesses to the same memory, at least one of them a write and at least one not atomic, are not ordered by "
     "happens-before. Order them, for instance by a release store and an acquire load in between or by a mutex, or make both "
     "atomic."},
    {"uninitialised-atomic", "An atomic is read before it has a value. Initialise it before other threads can see it."},
    {"uninitialised-read",
     "A value is used that was never written. Initialise the variable, or order the write before the read."},
    {"out-of-bounds", "An access lies outside of its object. Check the index, and who may change it meanwhile."},
    {"use-after-free", "Memory is used after it was freed. Free it only when no other thread can still have a pointer to it."},
    {"double-free", "The same memory is freed twice. Let one thread alone be responsible for freeing it."},
    {"invalid-free", "What is freed is not the beginning of a block of the heap, or was allocated in another way."},
    {"null-pointer", "A null pointer is followed. Look where the pointer is read, and which write it should have seen."},
    {"wild-pointer", "A pointer to no object is followed. Look where the pointer comes from."},
    {"dead-frame", "A local variable is used after its function or block has ended. Join the threads that use it first."},
    {"read-only-write", "Constant memory is written."},
    {"memory-leak", "Memory is not freed at the end. Free it, or keep a pointer to it."},
    {"deadlock",
     "Threads wait for each other, or for something that nobody does. Take locks in one order; notify every waiter."},
    {"non-termination", "A loop waits for a value that nobody will write. Look at the last write that the loop could see."},
    {"self-lock", "A thread locks a mutex that it already holds. Unlock it first, or use a recursive one."},
    {"unlock-not-held", "A thread unlocks a mutex that it does not hold."},
    {"destroy-in-use", "An object is destroyed while a thread still uses or holds it. Join that thread first."},
    {"joined-twice", "A thread is joined a second time."},
    {"invalid-join", "What is joined is not a thread that can be joined."},
    {"pure-virtual", "A pure virtual function is called while its object is made or destroyed."},
    {"wrong-annotation", "An annotation of heddle.h says something that does not hold. Correct it, or take it out."},
    {"recovery", "After a crash at some moment the recovery function finds what it must not find. Look which writes had "
                 "persisted and which were lost, and "
                 "flush or sync in between."},
    {"stack-overflow", "A thread needs more stack than there is. Look for a recursion without an end."},
    {"no-progress", "A thread runs for a long time without doing anything visible. Perhaps it never ends; see --stuck."},
    {"signal", "The program crashes. Follow the execution up to the crash."},
    {"forbidden-call",
     "Code that heddle does not see into makes a system call that the sandbox does not allow. Model the function, or stub it."},
    {"wild-call", "A call through a pointer goes to what is no function of the program. Look where the pointer comes from."},
    {"misuse", "A library function is called in a way that its documentation forbids. The message says how."},
    {"unsupported", "The program does something that heddle does not do. The message says what, and how to go on without it."},
};

std::string textOf(std::span<const Row> rows, const std::string& kind) {
  const auto found = std::ranges::find(rows, kind, &Row::kind);
  return found == rows.end() ? "" : std::string(found->text);
}

}  // namespace

std::string ruleTitle(const std::string& kind) { return textOf(kTitles, kind); }

std::string ruleHelp(const std::string& kind) { return textOf(kHelp, kind); }

}  // namespace heddle::report
