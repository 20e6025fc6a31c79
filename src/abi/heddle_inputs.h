/* Which inputs of a checked program are explored (--explore). Plain C, because both sides know it: the models of functions that give
 * them (src/native/library), and those who read the command line. */
#pragma once

struct heddle_explored_inputs {
  unsigned long random; /* random numbers: each call gives each number below this one; 0: a fixed sequence */
  int environment;      /* getenv finds nothing, or "1" */
  int nondet;           /* __VERIFIER_nondet_int and the like: each number from ... to ... */
  long long least, most;
};
