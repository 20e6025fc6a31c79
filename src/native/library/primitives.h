// The primitives that library models are made of.
//
// The models in this folder are ordinary C++, compiled to bitcode and instrumented together with the checked program:
// their atomics are events, their other accesses are checked plain memory, their thread_locals are rewound. What they
// cannot say in C++ they say with calls of the primitives, which abi/hooks.def lists and explains. A call's source position is
// that of the program's call of the model, so that reports point into the program and not in here.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "heddle_kinds.h"

// Few of them throw. To the compiler of the models that is worth knowing: a third of the code of a model would be what is to be
// done if they did.
#define NOTHROW __attribute__((nothrow))

extern "C" {

#define HEDDLE_RETURNS NOTHROW
#define HEDDLE_NORETURN [[noreturn]] NOTHROW
#define HEDDLE_THROWS
#define HEDDLE_THROWS_ONLY [[noreturn]]
#define PRIMITIVE(how, result, name, parameters, traits) HEDDLE_##how result name parameters;
#include "hooks.def"
#undef HEDDLE_RETURNS
#undef HEDDLE_NORETURN
#undef HEDDLE_THROWS
#undef HEDDLE_THROWS_ONLY

// Of pthread_cond.cpp. Waits at condition variables may wake up by themselves, so often in a row; 0: they do not. And what the
// loop that a wait is in knows about it (wait_loops.h).
extern int heddle_spurious_wakeups;
void heddle_wait_again(uint32_t again);
}

#undef NOTHROW

// The bits of heddle_note.
enum { kNotedThreadEnd = 1, kNotedAtExit = 2 };
