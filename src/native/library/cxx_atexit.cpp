// The end of a program: atexit, destructors of static and thread_local objects, exit, abort.
//
// exit runs the destructors of the calling thread's thread_locals, then what was registered, last first; then the
// execution is over, whatever other threads are doing. What is registered is one list of all threads. As long as the
// main thread is alone it needs no lock.

#include <stdlib.h>
#include <unistd.h>

#include "failure.h"
#include "thread_end.h"

using heddle::library::Failure;
using heddle::library::fail;
using heddle::library::threadEnd;

namespace {

struct Node {
  void (*function)(void*);
  void* argument;
  Node* next;
};

Node* newNode(void (*function)(void*), void* argument, Node* next) {
  auto* node = static_cast<Node*>(heddle_allocate(sizeof(Node), alignof(Node), 0));
  *node = {function, argument, next};
  return node;
}

// Functions may register others.
void runAll(Node*& list) {
  while (Node* node = list) {
    void (*const function)(void*) = node->function;
    void* const argument = node->argument;
    list = node->next;
    heddle_free(node, 0);
    function(argument);
  }
}

Node* atExit;
Node* atQuickExit;
uint32_t lock;
__thread Node* atThreadEnd;

void destroyThreadLocals() { runAll(atThreadEnd); }

void add(Node*& list, void (*function)(void*), void* argument) {
  const bool alone = heddle_self() == 0 && threadEnd.spawned == 0;
  if (!alone) heddle_lock(&lock);
  list = newNode(function, argument, list);
  heddle_note(kNotedAtExit);
  if (!alone) heddle_unlock(&lock);
}

void callWithoutArgument(void* function) { reinterpret_cast<void (*)()>(function)(); }

}  // namespace

extern "C" {

int __cxa_atexit(void (*function)(void*), void* argument, void*) {
  add(atExit, function, argument);
  return 0;
}

int __cxa_thread_atexit(void (*function)(void*), void* argument, void*) {
  atThreadEnd = newNode(function, argument, atThreadEnd);
  if (!threadEnd.destroyThreadLocals) threadEnd.destroyThreadLocals = destroyThreadLocals;
  heddle_note(kNotedThreadEnd);
  return 0;
}

int atexit(void (*function)(void)) {
  add(atExit, callWithoutArgument, reinterpret_cast<void*>(function));
  return 0;
}

void exit(int code) {
  heddle::library::destroyThreadLocals();
  if (heddle_noted() & kNotedAtExit) runAll(atExit);
  heddle_end_program(code);
}

void quick_exit(int code) {
  runAll(atQuickExit);
  heddle_end_program(code);
}

void _exit(int code) { heddle_end_program(code); }
void _Exit(int code) { heddle_end_program(code); }
void abort(void) { fail(Failure::abort, "abort is called"); }

}  // extern "C"

// The header gives it a C++ linkage and C's name.
int at_quick_exit(void (*function)(void)) noexcept {
  add(atQuickExit, callWithoutArgument, reinterpret_cast<void*>(function));
  return 0;
}
