/* Numbers that heddle and the code of a checked program agree on: the kinds of errors, of locks, and of heap blocks, and how
 * many threads there may be.
 *
 * Plain C, because it is also part of checked programs: the library models (src/native/library) and the headers that a
 * program sees (src/native/overlay) include it. Each list is a macro that is given a macro for a row.
 */
#pragma once

/* In one program, with the one that it starts with. Thread numbers have 8 bits in the shadow (src/memory/shadow.h). */
#define HEDDLE_MOST_THREADS 256

/* What can be wrong with a program: ErrorKind of src/runtime/error.h. A row has the name in JSON and the words for people.
 * The errors of memory stand together, from dataRace to readOnlyWrite (isOfMemory). */
#define HEDDLE_ERROR_KINDS(ROW)                                                                                       \
  ROW(assertion, "assertion-failure", "assertion failure")                                                            \
  ROW(abort, "abort", "abort")                                                                                        \
  ROW(uncaughtException, "uncaught-exception", "uncaught exception")                                                  \
  ROW(unreachable, "unreachable", "unreachable code is reached")                                                      \
  ROW(divisionByZero, "division-by-zero", "division by zero")                                                         \
  ROW(signedOverflow, "signed-overflow", "signed overflow")                                                           \
  ROW(undefinedBehaviour, "undefined-behaviour", "undefined behaviour") /* the other checks of --ub */                \
  ROW(dataRace, "data-race", "data race")                                                                             \
  ROW(uninitialisedAtomic, "uninitialised-atomic", "use of an uninitialised atomic")                                  \
  ROW(uninitialisedRead, "uninitialised-read", "use of an uninitialised value")                                       \
  ROW(outOfBounds, "out-of-bounds", "out-of-bounds access")                                                           \
  ROW(useAfterFree, "use-after-free", "use after free")                                                               \
  ROW(doubleFree, "double-free", "double free")                                                                       \
  ROW(invalidFree, "invalid-free", "invalid free")                                                                    \
  ROW(nullPointer, "null-pointer", "null pointer access")                                                             \
  ROW(wildPointer, "wild-pointer", "wild pointer access")                                                             \
  ROW(deadFrame, "dead-frame", "use of a dead stack frame")                                                           \
  ROW(readOnlyWrite, "read-only-write", "write to constant memory")                                                   \
  ROW(memoryLeak, "memory-leak", "memory leak")                                                                       \
  ROW(deadlock, "deadlock", "deadlock")                                                                               \
  ROW(nonTermination, "non-termination", "a loop never ends")                                                         \
  ROW(selfLock, "self-lock", "lock of a mutex that the thread already holds")                                         \
  ROW(unlockNotHeld, "unlock-not-held", "unlock of a mutex that is not held")                                         \
  ROW(destroyInUse, "destroy-in-use", "destruction of an object in use")                                              \
  ROW(joinedTwice, "joined-twice", "thread joined twice")                                                             \
  ROW(invalidJoin, "invalid-join", "invalid join")                                                                    \
  ROW(pureVirtual, "pure-virtual", "call of a pure virtual function")                                                 \
  ROW(recovery, "recovery", "error in recovery")                          /* after a crash; the message says which */ \
  ROW(wrongAnnotation, "wrong-annotation", "an annotation does not hold") /* of heddle.h; the message says how */     \
  ROW(stackOverflow, "stack-overflow", "stack overflow")                                                              \
  ROW(noProgress, "no-progress", "no progress")                 /* no visible operation for a long time */            \
  ROW(signal, "signal", "crash")                                /* of native code */                                  \
  ROW(forbiddenCall, "forbidden-call", "forbidden system call") /* by code that heddle does not see into */           \
  ROW(wildCall, "wild-call", "call through a wild pointer")                                                           \
  ROW(misuse, "misuse", "misuse of a library function") /* the message says how */                                    \
  ROW(unsupported, "unsupported", "not supported")      /* something heddle does not do: the message says what */

/* What an operation on a lock waits for, and what it does then: LockOp of src/program/operation.h. */
#define HEDDLE_LOCK_OPS(ROW)                                                                                      \
  ROW(hold)    /* waits for: free              and then holds it */                                               \
  ROW(read)    /* waits for: not held          one reader more */                                                 \
  ROW(join)    /* waits for: not held          adds `operand` to the set */                                       \
  ROW(leave)   /* waits for: `operand` in it   takes `operand` out of the set */                                  \
  ROW(wakeOne) /* waits for: not held          empties a set of one, holds one of several, leaves an empty one */ \
  ROW(wakeAll) /* waits for: not held          empties the set, if it is not empty */                             \
  ROW(down)    /* waits for: a positive count  one fewer */                                                       \
  ROW(poll)    /* waits for: not held          and then holds it, to look at what it protects */

/* Who has allocated a block of the heap, and so has to free it. */
#define HEDDLE_HEAP_KINDS(ROW) \
  ROW(malloc)                  \
  ROW(newScalar)               \
  ROW(newArray)                \
  ROW(mapping)    /* mmap */   \
  ROW(persistent) /* heddle_pmem_alloc */

/* Fences of the Linux kernel, by the names of EventTag (src/program/event_tag.h): include/heddle/linux.h. */
#define HEDDLE_KERNEL_FENCES(ROW) \
  ROW(mb)                         \
  ROW(rmb)                        \
  ROW(wmb)                        \
  ROW(barrier)                    \
  ROW(beforeAtomic)               \
  ROW(afterAtomic)                \
  ROW(afterSpinlock)              \
  ROW(afterUnlockLock)            \
  ROW(afterSrcuReadUnlock)        \
  ROW(rcuLock)                    \
  ROW(rcuUnlock)                  \
  ROW(syncRcu)                    \
  ROW(srcuLock)                   \
  ROW(srcuUnlock)                 \
  ROW(syncSrcu)

/* What an annotation says of the writes in it, a bit each (include/heddle/heddle.h, which has the numbers, too). */
enum { heddle_mark_local = 1, heddle_mark_final = 2 };

/* What the arguments of a call depend on; those beyond it share the last place (src/runtime/dependencies.h). */
#define HEDDLE_TRACKED_ARGUMENTS 32
typedef unsigned heddle_argument_sets[HEDDLE_TRACKED_ARGUMENTS];

/* heddle_lock_down, heddle_heap_malloc, ...: for code that has no enumeration of its own. */
#define HEDDLE_LOCK_NUMBER(name) heddle_lock_##name,
#define HEDDLE_HEAP_NUMBER(name) heddle_heap_##name,
#define HEDDLE_FENCE_NUMBER(name) heddle_fence_##name,
enum { HEDDLE_LOCK_OPS(HEDDLE_LOCK_NUMBER) };
enum { HEDDLE_HEAP_KINDS(HEDDLE_HEAP_NUMBER) };
enum { HEDDLE_KERNEL_FENCES(HEDDLE_FENCE_NUMBER) };
#undef HEDDLE_LOCK_NUMBER
#undef HEDDLE_HEAP_NUMBER
#undef HEDDLE_FENCE_NUMBER
