// The end of a program: atexit, destructors of static and thread_local objects, exit, abort.
//
// exit runs the destructors of the calling thread's thread_locals, then what was registered, last first; then the
// execution is over, whatever other threads are doing. What is registered is one list of all threads, under a lock. A
// second thread that calls exit waits for the end. What the exiting thread registers meanwhile it runs next; what others
// register is run in the end, if it comes in time. As long as the main thread is alone, and in programs in which it
// alone has to do with all this (native/compile/link.cpp), none of that is an event.

#include <stdlib.h>
#include <unistd.h>

#include "failure.h"
#include "thread_end.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::threadEnd;

namespace {

struct Node {
  void (*call)(const Node& node, int code);
  void* function;
  void* argument;
  Node* next;
};

Node* newNode(const Node& contents) {
  auto* node = static_cast<Node*>(heddle_allocate(sizeof(Node), alignof(Node), heddle_heap_malloc));
  *node = contents;
  return node;
}

// Functions may register others.
void runAll(Node*& list, int code) {
  while (Node* node = list) {
    const Node copy = *node;
    list = copy.next;
    heddle_free(node, heddle_heap_malloc);
    copy.call(copy, code);
  }
}

Node* atExit;
Node* atQuickExit;
uint32_t lock;     // of these lists and of `exits`
uint32_t exiting;  // held by the thread that exits, for good
struct {
  uint32_t thread;  // the one that exits, plus one
  Node** list;      // whose functions it runs
  Node* rest;       // those that are still to run
} exits;
__thread Node* atThreadEnd;

void destroyThreadLocals() { runAll(atThreadEnd, 0); }

bool isAlone() { return heddle_self() == 0 && threadEnd.spawned == 0; }

void add(Node*& list, void (*call)(const Node&, int), void* function, void* argument) {
  const bool alone = isAlone();
  if (!alone) heddle_lock(&lock);
  Node*& first = exits.thread == heddle_self() + 1 && exits.list == &list ? exits.rest : list;
  first = newNode({call, function, argument, first});
  heddle_note(kNotedAtExit);
  if (!alone) heddle_unlock(&lock);
}

// Takes all functions of the list. False: there are none.
bool takeAll(Node*& list, bool shared) {
  if (shared) heddle_lock(&lock);
  exits.thread = heddle_self() + 1;
  exits.list = &list;
  exits.rest = list;
  list = nullptr;
  if (shared) heddle_unlock(&lock);
  return exits.rest != nullptr;
}

// `shared`: other threads may be at it, too.
[[noreturn]] void leave(Node*& list, int code, bool shared) {
  if (shared || (heddle_noted() & kNotedAtExit)) {
    while (takeAll(list, shared)) runAll(exits.rest, code);
  }
  heddle_end_program(code);
}

// Only one thread gets past this.
bool enter() {
  if (isAlone()) return false;
  heddle_lock(&exiting);
  return true;
}

void callAlone(const Node& node, int) { reinterpret_cast<void (*)()>(node.function)(); }
void callWithArgument(const Node& node, int) { reinterpret_cast<void (*)(void*)>(node.function)(node.argument); }
void callWithCode(const Node& node, int code) { reinterpret_cast<void (*)(int, void*)>(node.function)(code, node.argument); }

}  // namespace

extern "C" {

int __cxa_atexit(void (*function)(void*), void* argument, void*) {
  add(atExit, callWithArgument, reinterpret_cast<void*>(function), argument);
  return 0;
}

int __cxa_thread_atexit(void (*function)(void*), void* argument, void*) {
  atThreadEnd = newNode({callWithArgument, reinterpret_cast<void*>(function), argument, atThreadEnd});
  if (!threadEnd.destroyThreadLocals) threadEnd.destroyThreadLocals = destroyThreadLocals;
  heddle_note(kNotedThreadEnd);
  return 0;
}

int atexit(void (*function)(void)) {
  add(atExit, callAlone, reinterpret_cast<void*>(function), nullptr);
  return 0;
}

int on_exit(void (*function)(int, void*), void* argument) {
  add(atExit, callWithCode, reinterpret_cast<void*>(function), argument);
  return 0;
}

void exit(int code) {
  const bool shared = enter();
  heddle::library::destroyThreadLocals();
  leave(atExit, code, shared);
}

// The same where nobody registers functions.
[[noreturn]] void heddle_bare_exit(int code) {
  heddle::library::destroyThreadLocals();
  heddle_end_program(code);
}

// The same where the main thread alone registers functions and exits.
[[noreturn]] void heddle_simple_exit(int code) {
  heddle::library::destroyThreadLocals();
  leave(atExit, code, false);
}

void quick_exit(int code) {
  const bool shared = enter();
  leave(atQuickExit, code, shared);
}

void _exit(int code) { heddle_end_program(code); }
void _Exit(int code) { heddle_end_program(code); }
void abort(void) { fail(Failure::abort, "abort is called"); }

}  // extern "C"

// The header gives it a C++ linkage and C's name.
int at_quick_exit(void (*function)(void)) noexcept {
  add(atQuickExit, callAlone, reinterpret_cast<void*>(function), nullptr);
  return 0;
}
