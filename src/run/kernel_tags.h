// C11's memory orders in the words of the Linux kernel: which tags an atomic access has under a model of the kernel.
//
// Relaxed is READ_ONCE and WRITE_ONCE; acquire and release are smp_load_acquire and smp_store_release; a seq_cst fence is smp_mb().
// A seq_cst access has an smp_mb() before and after it, as the kernel's xchg() has. What is no atomic is a plain access.
#pragma once

#include "program/event_tag.h"
#include "program/operation.h"

namespace heddle::run {

inline EventTags tagsOfRead(Order order) {
  const bool acquires = order == Order::acquire || order == Order::acq_rel;
  return order == Order::plain ? 0 : tagBit(acquires ? EventTag::acquire : EventTag::once);
}

inline EventTags tagsOfWrite(Order order) {
  const bool releases = order == Order::release || order == Order::acq_rel;
  return order == Order::plain ? 0 : tagBit(releases ? EventTag::release : EventTag::once);
}

}  // namespace heddle::run
