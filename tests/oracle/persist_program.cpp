#include "oracle/persist_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "abi/heddle_disk.h"

namespace heddle::oracle {

namespace {

// The disk has a wider place for a byte of a file than a byte: it also says that the byte was written.
constexpr unsigned kDataBytes = sizeof heddle_inode{}.data[0];

}  // namespace

Address PersistTest::addressOf(unsigned location) const {
  if (disk.empty()) return 0x1000 + location / perLine * 64 + location % perLine * 8;
  const DiskPlace& place = disk[location];
  const Address inode = kTestDisk + place.file * sizeof(heddle_inode);
  switch (place.kind) {
    case DiskPlace::Kind::data: return inode + offsetof(heddle_inode, data) + place.number * kDataBytes;
    case DiskPlace::Kind::size: return inode + offsetof(heddle_inode, size);
    case DiskPlace::Kind::entry: return kTestDisk + offsetof(heddle_disk_image, directory) + place.number * sizeof(int);
    case DiskPlace::Kind::journal: break;
  }
  return place.file == kTestFiles ? kTestDisk + offsetof(heddle_disk_image, journal) : inode + offsetof(heddle_inode, journal);
}

unsigned PersistTest::bytesOf(unsigned location) const {
  if (disk.empty() || disk[location].kind == DiskPlace::Kind::size) return 8;
  return disk[location].kind == DiskPlace::Kind::data ? kDataBytes : 4;
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
  std::ranges::shuffle(used, random);
  used.resize(below(used.size() + 1));
  for (const unsigned location : used) test.readInRecovery(location);
  if (below(4) != 0 || used.empty()) return test;
  // Recovery writes: to what was written, or to something else.
  const unsigned writes = 1 + below(3);
  for (unsigned i = 0; i < writes; ++i) {
    PersistOp op{.kind = Kind::store, .location = below(2) == 0 ? used[below(used.size())] : below(test.disk.size())};
    op.value = ++value;
    if (test.disk[op.location].kind == DiskPlace::Kind::size) op.value = (value % 3) << 32 | (value + 100);
    test.recovery.insert(test.recovery.begin() + below(test.recovery.size() + 1), op);
  }
  if (below(2) == 0)
    test.recovery.insert(test.recovery.begin() + 1, {.kind = Kind::fsync, .location = below(test.disk.size())});
  return test;
}

// A write of a block: the transaction is open while the block is written, and on the disk when the call ends. What changes the directory has a
// transaction, too, with an fsync before it and after it. Recovery reads data, then whether the transaction of the file is closed; and
// a name after that of the directory.
PersistTest randomJournalTest(std::mt19937_64& random) {
  using Kind = PersistOp::Kind;
  const auto below = [&](std::size_t n) { return static_cast<unsigned>(random() % n); };
  PersistTest test;
  // A file has two bytes, a size and a journal; then the directory: two names and a journal.
  for (unsigned file = 0; file < kTestFiles; ++file) {
    test.disk.push_back({DiskPlace::Kind::data, file, 0});
    test.disk.push_back({DiskPlace::Kind::data, file, 1});
    test.disk.push_back({DiskPlace::Kind::size, file});
    test.disk.push_back({DiskPlace::Kind::journal, file});
  }
  const unsigned names = 4 * kTestFiles, ofDirectory = names + 2;
  for (unsigned name = 0; name < 2; ++name) test.disk.push_back({DiskPlace::Kind::entry, kTestFiles, name});
  test.disk.push_back({DiskPlace::Kind::journal, kTestFiles});
  test.threads.resize(1 + below(2));
  Value value = 0;
  const auto newValue = [&](unsigned remainder) {
    do ++value;
    while (value % 2 != remainder);
    return value;
  };
  unsigned operations = 0;
  while (operations < 4) {
    std::vector<PersistOp>& thread = test.threads[below(test.threads.size())];
    const std::size_t before = thread.size();
    const unsigned file = below(kTestFiles), base = 4 * file;
    switch (below(4)) {
      case 0:
      case 1: {
        const bool grows = below(2) == 0;
        thread.push_back({Kind::store, base + 3, newValue(1)});
        thread.push_back({Kind::store, base + below(2), ++value});
        if (grows) thread.push_back({Kind::store, base + 2, ++value});
        thread.push_back({Kind::store, base + 3, newValue(0)});
        if (operations + (grows ? 5 : 4) <= 7) thread.push_back({Kind::fsync, base});
        break;
      }
      case 2:
        thread.push_back({Kind::fsync, names});
        thread.push_back({Kind::store, names + below(2), ++value});
        thread.push_back({Kind::fsync, names});
        break;
      default:
        thread.push_back({Kind::store, ofDirectory, newValue(1)});
        thread.push_back({Kind::store, names, ++value});
        thread.push_back({Kind::store, names + 1, ++value});
        thread.push_back({Kind::store, ofDirectory, newValue(0)});
        break;
    }
    operations += static_cast<unsigned>(thread.size() - before);
  }
  const auto readFile = [&](unsigned file) {
    if (below(2) == 0) test.readInRecovery(4 * file + 2);
    test.readInRecovery(4 * file + below(2));
    test.recovery.push_back({Kind::closed, 4 * file + 3});
  };
  const auto lookUp = [&] {
    test.recovery.push_back({Kind::closed, ofDirectory});
    test.readInRecovery(names + below(2));
  };
  for (unsigned i = 0; i < 2; ++i) {
    if (below(3) == 0) {
      lookUp();
    } else {
      readFile(below(kTestFiles));
    }
  }
  return test;
}

bool PersistTest::recoveryWrites() const {
  return std::ranges::find(recovery, PersistOp::Kind::store, &PersistOp::kind) != recovery.end();
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
    if (dice == 14) op.kind = profile.flushes && below(2) == 0 ? Kind::failing : Kind::mfence;
    if (profile.flushes && dice == 15) op.kind = Kind::sfence;
    if (profile.flushes && (dice == 16 || dice == 17)) op.kind = Kind::clflush;
    if (profile.flushes && dice == 18) op.kind = Kind::clwb;
    if (dice == 19 && below(4) == 0) op.kind = Kind::persisted;
    if (op.kind == Kind::store || op.kind == Kind::exchange) op.value = ++value;
    test.threads[below(static_cast<unsigned>(test.threads.size()))].push_back(op);
  }
  for (unsigned location = 0; location < locations; ++location) test.readInRecovery(location);
  std::ranges::shuffle(test.recovery, random);
  test.recovery.resize(below(locations + 1));
  if (below(4) == 0 && !test.recovery.empty()) test.recovery.push_back(test.recovery.front());
  if (below(4) != 0) return test;
  // Recovery writes, flushes and fences, too.
  const unsigned writes = 1 + below(3);
  for (unsigned i = 0; i < writes; ++i) {
    const unsigned place = below(static_cast<unsigned>(test.recovery.size()) + 1);
    test.recovery.insert(test.recovery.begin() + place, {Kind::store, below(locations), ++value});
  }
  static constexpr Kind kWaits[] = {Kind::clflush, Kind::clwb, Kind::sfence, Kind::mfence};
  for (unsigned i = 0; profile.flushes && i < 2; ++i) {
    const unsigned place = below(static_cast<unsigned>(test.recovery.size()) + 1);
    test.recovery.insert(test.recovery.begin() + place, {kWaits[below(4)], below(locations)});
  }
  return test;
}

std::string toText(const PersistTest& test) {
  static constexpr const char* kNames[] = {"store",   "load", "exchange",  "failing", "mfence", "sfence",
                                           "clflush", "clwb", "persisted", "fsync",   "sync",   "closed"};
  const auto add = [](const std::vector<PersistOp>& operations) {
    std::string text;
    for (const PersistOp& op : operations) {
      text += fmt::format(" {} x{}", kNames[static_cast<unsigned>(op.kind)], op.location);
      if (op.value != 0) text += fmt::format(" = {}", op.value);
      text += ';';
    }
    return text + '\n';
  };
  std::string text = fmt::format("{} on a line\n", test.perLine);
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    const bool waits = !test.waits.empty() && test.waits[t];
    text += fmt::format("thread {}{}:", t, waits ? ", which waits in the end" : "") + add(test.threads[t]);
  }
  return text + "recovery:" + add(test.recovery);
}

PersistProgram::PersistProgram(const PersistTest& test)
    : test_(test), next_(test.threads.size() + 1), recovered_(2 * test.recovery.size() + 1) {}

std::vector<Value> PersistProgram::recovered() const {
  std::vector<Value> values = recovered_;
  std::fill(values.begin() + next_[recovery()], values.end(), 0);
  return values;
}

void PersistProgram::reset() {
  std::ranges::fill(next_, 0);
  marks_.clear();
}

Operation PersistProgram::advanceRecovery(unsigned step) const {
  using Kind = PersistOp::Kind;
  const auto count = static_cast<unsigned>(test_.recovery.size());
  if (step == count) return test_.recoveryWrites() ? Operation::crash() : Operation::end();
  if (step == 2 * count + 1) return Operation::end();
  const unsigned place = step > count ? step - count - 1 : step;
  if (place > 0 && test_.recovery[place - 1].kind == Kind::closed && recovered_[step - 1] % 2 != 0) return Operation::block(0);
  const PersistOp& op = test_.recovery[place];
  const Address address = test_.addressOf(op.location);
  switch (op.kind) {
    case Kind::store: return Operation::store(address, test_.bytesOf(op.location), Order::plain, op.value);
    case Kind::mfence: return Operation::fence(Order::seq_cst);
    case Kind::sfence: return Operation::flush(Flush::wait);
    case Kind::clflush: return Operation::flush(Flush::line, address);
    case Kind::clwb: return Operation::flush(Flush::lineLater, address);
    case Kind::fsync: return Operation::flush(Flush::file, address);
    default: return Operation::recover(address, test_.bytesOf(op.location));
  }
}

Operation PersistProgram::advance(ThreadId thread) {
  using Kind = PersistOp::Kind;
  const unsigned next = next_[thread];
  if (thread == recovery()) return advanceRecovery(next);
  if (next == test_.threads[thread].size()) {
    return !test_.waits.empty() && test_.waits[thread] ? Operation::block(0) : Operation::end();
  }
  const PersistOp& op = test_.threads[thread][next];
  const Address address = test_.addressOf(op.location);
  const unsigned bytes = test_.bytesOf(op.location);
  const bool isDisk = !test_.disk.empty();
  switch (op.kind) {
    case Kind::store: return Operation::store(address, bytes, isDisk ? Order::release : Order::relaxed, op.value);
    case Kind::load: return Operation::load(address, bytes, isDisk ? Order::acquire : Order::relaxed);
    case Kind::exchange: return Operation::update(address, 8, Order::relaxed, RmwOp::exchange, op.value);
    case Kind::failing: return Operation::cas(address, 8, Order::relaxed, Order::relaxed, ~Value{0}, 0);
    case Kind::mfence: return Operation::fence(Order::seq_cst);
    case Kind::sfence: return Operation::flush(Flush::wait);
    case Kind::clflush: return Operation::flush(Flush::line, address);
    case Kind::clwb: return Operation::flush(Flush::lineLater, address);
    case Kind::persisted: return Operation::flush(Flush::everything);
    case Kind::fsync: return Operation::flush(Flush::file, address);
    case Kind::sync: return Operation::flush(Flush::files, address);
    case Kind::closed: break;  // of recovery alone
  }
  return Operation::end();
}

Mark PersistProgram::mark(ThreadId thread) {
  marks_.push_back({thread, next_[thread]});
  return static_cast<Mark>(marks_.size() - 1);
}

}  // namespace heddle::oracle
