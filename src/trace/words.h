// The words for what a thread does, in every trace, message and object: those of C and C++.
//
// An atomic access is a load, a store, an exchange, a fetch_add, ...; one that is not atomic is a plain read or write.
#pragma once

#include <cstdint>

#include "program/operation.h"

namespace heddle::trace {

// The kinds of events, each with its word.
#define HEDDLE_TRACE_KINDS(ROW)                                       \
  ROW(none, "")                                                       \
  ROW(load, "load")                                                   \
  ROW(plainRead, "plain read")                                        \
  ROW(store, "store")                                                 \
  ROW(plainWrite, "plain write")                                      \
  ROW(exchange, "exchange")                                           \
  ROW(fetchAdd, "fetch_add")                                          \
  ROW(fetchSub, "fetch_sub")                                          \
  ROW(fetchAnd, "fetch_and")                                          \
  ROW(fetchOr, "fetch_or")                                            \
  ROW(fetchXor, "fetch_xor")                                          \
  ROW(fetchNand, "fetch_nand")                                        \
  ROW(fetchMax, "fetch_max")                                          \
  ROW(fetchMin, "fetch_min")                                          \
  ROW(compareExchange, "compare_exchange")                            \
  ROW(fence, "fence")                                                 \
  ROW(spawn, "spawn")                                                 \
  ROW(join, "join")                                                   \
  ROW(lock, "lock")                                                   \
  ROW(beginLock, "begin to lock")                                     \
  ROW(lockForReading, "lock for reading")                             \
  ROW(tryLock, "trylock")                                             \
  ROW(tryLockForReading, "trylock for reading")                       \
  ROW(unlock, "unlock")                                               \
  ROW(wait, "wait")                                                   \
  ROW(wakeUp, "wake up from")                                         \
  ROW(signal, "signal")                                               \
  ROW(broadcast, "broadcast")                                         \
  ROW(acquire, "acquire")                                             \
  ROW(arrive, "arrive")                                               \
  ROW(depart, "depart")                                               \
  ROW(choose, "choose")                                               \
  ROW(sleep, "sleep until woken")                                     \
  ROW(spuriousWakeUp, "spurious wake-up")                             \
  ROW(timeOut, "time-out")                                            \
  ROW(notify, "notify")                                               \
  ROW(stopWaiting, "stop waiting")                                    \
  ROW(beginRound, "begin round")                                      \
  ROW(beginTransaction, "begin transaction")                          \
  ROW(endTransaction, "end transaction")                              \
  ROW(abortTransaction, "abort transaction")                          \
  ROW(flush, "flush")                                                 \
  ROW(waitForFlushes, "wait for flushes")                             \
  ROW(persisted, "all before has persisted")                          \
  ROW(crash, "crash")                                                 \
  ROW(recover, "find")                                                \
  ROW(insertedFence, "inserted fence") /* from here on: of `prove` */ \
  ROW(halfExchange, "half of an exchange of")                         \
  ROW(threadEvent, "thread event")

#define HEDDLE_ENUMERATOR(kind, word) kind,
enum class Kind : std::uint8_t { HEDDLE_TRACE_KINDS(HEDDLE_ENUMERATOR) };
#undef HEDDLE_ENUMERATOR

const char* wordOf(Kind kind);

// "relaxed"; empty for plain accesses, whose kinds say so.
const char* orderName(Order order);
// Its order, or as models call it.
const char* fenceName(const Operation& fence);

const char* flushName(const Operation& flush);

constexpr Kind loadKind(Order order) { return order == Order::plain ? Kind::plainRead : Kind::load; }
constexpr Kind storeKind(Order order) { return order == Order::plain ? Kind::plainWrite : Kind::store; }

// `ofLock`: what is at the operation's address is a lock.
Kind kindOf(const Operation& operation, bool ofLock);

// A lock that a reader leaves, or that is tried.
bool isLockUpdate(const Operation& operation, bool ofLock);

}  // namespace heddle::trace
