#include "oracle/persist_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "abi/heddle_disk.h"

namespace heddle::oracle {

Address PersistTest::addressOf(unsigned location) const {
  if (disk.empty()) return 0x1000 + location / perLine * 64 + location % perLine * 8;
  const DiskPlace& place = disk[location];
  const Address inode = kTestDisk + place.file * sizeof(heddle_inode);
  switch (place.kind) {
    case DiskPlace::Kind::data: return inode + place.number;
    case DiskPlace::Kind::size: return inode + offsetof(heddle_inode, size);
    case DiskPlace::Kind::entry: return kTestDisk + offsetof(heddle_disk_image, directory) + place.number * sizeof(int);
    case DiskPlace::Kind::journal: break;
  }
  return place.file == kTestFiles ? kTestDisk + offsetof(heddle_disk_image, journal) : inode + offsetof(heddle_inode, journal);
}

unsigned PersistTest::bytesOf(unsigned location) const {
  if (disk.empty() || disk[location].kind == DiskPlace::Kind::size) return 8;
  return disk[location].kind == DiskPlace::Kind::data ? 1 : 4;
}

// The value of a size has the range of data in it, so sizes have values from a list.
PersistTest randomDiskTest(std::mt19937_64& random) {
  using Kind = PersistOp::Kind;
  static constexpr std::array<std::pair<Value, Value>, 6> kRanges = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
  const auto below = [&](std::size_t n) { return static_cast<unsigned>(random() % n); };
  PersistTest test;
  for (unsigned file = 0; file < kTestFiles; ++file) {
    for (unsigned byte = 0; byte < 3; ++byte) test.disk.push_back({DiskPlace::Kind::data, file, byte});
    test.disk.push_back({DiskPlace::Kind::size, file});
    test.disk.push_back({DiskPlace::Kind::journal, file});
  }
  test.disk.push_back({DiskPlace::Kind::entry, kTestFiles, 0});
  test.disk.push_back({DiskPlace::Kind::entry, kTestFiles, 1});
  test.disk.push_back({DiskPlace::Kind::journal, kTestFiles});
  test.threads.resize(1 + below(2));
  std::vector<unsigned> used;
  Value value = 0;
  unsigned sizes = 0;
  const unsigned operations = 1 + below(7);
  for (unsigned i = 0; i < operations; ++i) {
    PersistOp op{.kind = Kind::store, .location = below(test.disk.size())};
    const unsigned dice = below(20);
    if (dice >= 11 && dice < 14 && !used.empty()) op = {.kind = Kind::load, .location = used[below(used.size())]};
    if (dice >= 14 && dice < 18) op = {.kind = Kind::fsync, .location = below(test.disk.size())};
    if (dice == 18) op.kind = Kind::sync;
    if (dice == 19 && below(3) == 0) op.kind = Kind::persisted;
    if (op.kind == Kind::store) {
      used.push_back(op.location);
      op.value = ++value;
      if (test.disk[op.location].kind == DiskPlace::Kind::size) {
        const auto [from, to] = kRanges[sizes++ % kRanges.size()];
        op.value = from << 32 | to;
      }
    }
    test.threads[below(test.threads.size())].push_back(op);
  }
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  test.recovery = used;
  std::ranges::shuffle(test.recovery, random);
  test.recovery.resize(below(used.size() + 1));
  return test;
}

PersistTest randomPersistTest(std::mt19937_64& random, const PersistProfile& profile) {
  using Kind = PersistOp::Kind;
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  PersistTest test;
  test.perLine = 1 + below(2);
  test.threads.resize(1 + below(profile.threads));
  const unsigned locations = 1 + below(profile.locations);
  const unsigned operations = 1 + below(profile.operations);
  Value value = 0;
  for (unsigned i = 0; i < operations; ++i) {
    PersistOp op{.kind = Kind::store, .location = below(locations)};
    const unsigned dice = below(20);
    if (dice >= 9 && dice < 13) op.kind = Kind::load;
    if (dice == 13) op.kind = Kind::exchange;
    if (dice == 14) op.kind = Kind::mfence;
    if (profile.flushes && dice == 15) op.kind = Kind::sfence;
    if (profile.flushes && (dice == 16 || dice == 17)) op.kind = Kind::clflush;
    if (profile.flushes && dice == 18) op.kind = Kind::clwb;
    if (dice == 19 && below(4) == 0) op.kind = Kind::persisted;
    if (op.kind == Kind::store || op.kind == Kind::exchange) op.value = ++value;
    test.threads[below(static_cast<unsigned>(test.threads.size()))].push_back(op);
  }
  for (unsigned location = 0; location < locations; ++location) test.recovery.push_back(location);
  std::ranges::shuffle(test.recovery, random);
  test.recovery.resize(below(locations + 1));
  if (below(4) == 0 && !test.recovery.empty()) test.recovery.push_back(test.recovery.front());
  return test;
}

std::string toText(const PersistTest& test) {
  static constexpr const char* kNames[] = {"store",   "load", "exchange",  "mfence", "sfence",
                                           "clflush", "clwb", "persisted", "fsync",  "sync"};
  std::string text = fmt::format("{} on a line\n", test.perLine);
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    text += fmt::format("thread {}:", t);
    for (const PersistOp& op : test.threads[t]) {
      text += fmt::format(" {} x{}", kNames[static_cast<unsigned>(op.kind)], op.location);
      if (op.value != 0) text += fmt::format(" = {}", op.value);
      text += ';';
    }
    text += '\n';
  }
  return text + fmt::format("recovery: x{}\n", fmt::join(test.recovery, ", x"));
}

PersistProgram::PersistProgram(const PersistTest& test)
    : test_(test), next_(test.threads.size() + 1), recovered_(test.recovery.size()) {}

void PersistProgram::reset() {
  std::ranges::fill(next_, 0);
  marks_.clear();
}

Operation PersistProgram::advance(ThreadId thread) {
  using Kind = PersistOp::Kind;
  const unsigned next = next_[thread];
  if (thread == recovery()) {
    if (next == test_.recovery.size()) return Operation::end();
    return Operation::recover(test_.addressOf(test_.recovery[next]), test_.bytesOf(test_.recovery[next]));
  }
  if (next == test_.threads[thread].size()) return Operation::end();
  const PersistOp& op = test_.threads[thread][next];
  const Address address = test_.addressOf(op.location);
  const unsigned bytes = test_.bytesOf(op.location);
  const bool isDisk = !test_.disk.empty();
  switch (op.kind) {
    case Kind::store: return Operation::store(address, bytes, isDisk ? Order::release : Order::relaxed, op.value);
    case Kind::load: return Operation::load(address, bytes, isDisk ? Order::acquire : Order::relaxed);
    case Kind::exchange: return Operation::update(address, 8, Order::relaxed, RmwOp::exchange, op.value);
    case Kind::mfence: return Operation::fence(Order::seq_cst);
    case Kind::sfence: return Operation::flush(Flush::wait);
    case Kind::clflush: return Operation::flush(Flush::line, address);
    case Kind::clwb: return Operation::flush(Flush::lineLater, address);
    case Kind::persisted: return Operation::flush(Flush::everything);
    case Kind::fsync: return Operation::flush(Flush::file, address);
    case Kind::sync: return Operation::flush(Flush::files, address);
  }
  return Operation::end();
}

Mark PersistProgram::mark(ThreadId thread) {
  marks_.push_back({thread, next_[thread]});
  return static_cast<Mark>(marks_.size() - 1);
}

}  // namespace heddle::oracle
