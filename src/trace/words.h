// The words for what a thread does, in every trace, message and object: those of C and C++.
//
// An atomic access is a load, a store, an exchange, a fetch_add, ...; one that is not atomic is a plain read or write.
#pragma once

#include <string>

#include "program/operation.h"

namespace heddle::trace {

inline constexpr const char* kSpawn = "spawn";
inline constexpr const char* kJoin = "join";
inline constexpr const char* kFence = "fence";

// "relaxed"; empty for plain accesses, whose kinds say so.
const char* orderName(Order order);

const char* loadName(Order order);   // "load", "plain read"
const char* storeName(Order order);  // "store", "plain write"
const char* rmwName(RmwOp op);       // "exchange", "fetch_add", ...

// The kind of an operation: "load", "compare_exchange", "lock for reading", ... `ofLock`: what is at its address is a lock.
std::string kindName(const Operation& operation, bool ofLock);

// A lock that a reader leaves, or that is tried.
bool isLockUpdate(const Operation& operation, bool ofLock);

}  // namespace heddle::trace
