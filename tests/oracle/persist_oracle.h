// The oracle for persistency: what recovery can find, by trying every total order of the events and every persisted set.
//
// It shares no code with the explorer or with src/persist, and none of their ideas: there are no graphs here, only total orders of
// all events, as the definitions have them.
//
//   px86      the order respects what x86 keeps in program order. A read finds the last write before it, or one of its own
//             thread that comes before it in program order. Then, of each cache line, the first so many writes have persisted (by
//             location: of each location); and if a write after a flush has, so have all writes of the line before the flush.
//   strict    the order respects program order (sc), and the first so many writes have persisted
//   weakest   the same, and of each location the first so many writes have persisted
//
//   ext4      the order respects program order (sc), all reads and writes synchronise, and what has persisted is closed under the
//             relation of persist/ext4.h, with blocks of two bytes
//
// In all of them what comes before an operation `persisted` in po | rf has persisted.
//
// Recovery runs on what is left, one operation after the other, and reads its own writes. If it writes it crashes, too: its operations are
// a program with one thread, of which something has persisted; and it runs again on that, on top of what the first crash has left.
//
// A key tells which write each read has found, the order of the writes to each location, and what recovery has found.
#pragma once

#include <set>
#include <string>

#include "oracle/persist_program.h"

namespace heddle::oracle {

enum class PersistModel { strict, weakest, px86, px86ByLocation, ext4Ordered, ext4Writeback, ext4Journal };

std::set<std::string> persistKeys(const PersistTest& test, PersistModel model);

// The key of an execution: what reads have returned, the values written to each location in coherence order, what recovery read.
std::string persistKey(const std::vector<std::vector<Value>>& results, const std::vector<std::vector<Value>>& coherence,
                       const std::vector<Value>& recovered);

}  // namespace heddle::oracle
