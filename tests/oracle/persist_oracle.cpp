#include "oracle/persist_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace heddle::oracle {

namespace {

using Kind = PersistOp::Kind;

struct OracleEvent {
  unsigned thread, index;  // in its thread
  PersistOp op;
  bool isWrite() const { return op.kind == Kind::store || op.kind == Kind::exchange; }
  bool isRead() const { return op.kind == Kind::load || op.kind == Kind::exchange || op.kind == Kind::failing; }
  bool isFlush() const { return op.kind == Kind::clflush || op.kind == Kind::clwb; }
};

// The table of x86, by rows and columns: R, W, full (exchange, mfence), sfence, clwb, clflush. '+': kept; 'l': of the same line.
constexpr const char* kTable[] = {
    "++++++",  // R
    "-+++l+",  // W
    "++++++",  // full
    "-+++++",  // sfence
    "--++-l",  // clwb
    "-+++l+",  // clflush
};

unsigned rowOf(Kind kind) {
  switch (kind) {
    case Kind::load:
    case Kind::failing: return 0;
    case Kind::store: return 1;
    case Kind::exchange:
    case Kind::mfence: return 2;
    case Kind::sfence: return 3;
    case Kind::clwb: return 4;
    case Kind::clflush: return 5;
    default: break;
  }
  return 6;  // a word of the program, no event of the machine
}

class PersistOracle {
 public:
  PersistOracle(const PersistTest& test, PersistModel model) : test_(test), model_(model) {
    for (unsigned t = 0; t < test.threads.size(); ++t) {
      for (unsigned i = 0; i < test.threads[t].size(); ++i) events_.push_back({t, i, test.threads[t][i]});
      results_.emplace_back(test.threads[t].size());
    }
    used_.resize(events_.size());
  }

  std::set<std::string> keys() {
    if (test_.recoveryWrites()) findRewritten();
    leaves_ = [&](const std::vector<Value>& content) { recover(content); };
    extend();
    return std::move(keys_);
  }

  // What crashes may leave: for each location the last value that has persisted, or 0.
  std::set<std::vector<Value>> contents() {
    std::set<std::vector<Value>> all;
    leaves_ = [&](const std::vector<Value>& content) { all.insert(content); };
    extend();
    return all;
  }

 private:
  unsigned locations() const {
    unsigned most = 0;
    for (const OracleEvent& event : events_) most = std::max(most, event.op.location);
    for (const PersistOp& op : test_.recovery) most = std::max(most, op.location);
    return most + 1;
  }

  // What a crash may leave of recovery's own writes.
  void findRewritten() {
    PersistTest alone;
    alone.perLine = test_.perLine;
    alone.disk = test_.disk;
    alone.threads.emplace_back();
    for (const PersistOp& op : test_.recovery) {
      if (op.kind != Kind::load && op.kind != Kind::closed) alone.threads[0].push_back(op);
    }
    for (std::vector<Value> content : PersistOracle(alone, model_).contents()) {
      content.resize(locations());
      rewritten_.insert(std::move(content));
    }
  }

  // Recovery's operations on some content, which it changes. False: it has not come to its end.
  bool run(std::vector<Value>& content, std::vector<Value>& found) const {
    for (const PersistOp& op : test_.recovery) {
      const bool reads = op.kind == Kind::load || op.kind == Kind::closed;
      found.push_back(reads ? content[op.location] : 0);
      if (op.kind == Kind::store) content[op.location] = op.value;
      if (op.kind == Kind::closed && content[op.location] % 2 != 0) return false;
    }
    return true;
  }

  void recover(std::vector<Value> content) {
    content.resize(locations());
    std::vector<Value> found, changed = content;
    const bool ends = run(changed, found);
    const std::size_t all = 2 * test_.recovery.size() + 1;
    const auto add = [&](std::vector<Value> recovered) {
      recovered.resize(all);
      keys_.insert(persistKey(results_, coherence_, recovered));
    };
    if (!ends || !test_.recoveryWrites()) return add(found);
    for (const std::vector<Value>& rewritten : rewritten_) {
      std::vector<Value> left = content, again = found;
      for (std::size_t i = 0; i < left.size(); ++i) {
        if (rewritten[i] != 0) left[i] = rewritten[i];
      }
      again.push_back(0);  // the crash
      run(left, again);
      add(again);
    }
  }
  unsigned lineOf(unsigned location) const { return location / test_.perLine; }

  bool isKept(const OracleEvent& earlier, const OracleEvent& later) const {
    if (model_ != PersistModel::px86 && model_ != PersistModel::px86ByLocation) return true;
    if (rowOf(earlier.op.kind) == 6 || rowOf(later.op.kind) == 6) return false;
    // A compare-exchange that fails is a read, and an sfence at the same place.
    if (later.op.kind != Kind::load && later.op.kind != Kind::failing) {
      for (const OracleEvent& between : events_) {
        if (between.op.kind != Kind::failing || between.thread != later.thread) continue;
        if (earlier.index < between.index && between.index < later.index) return true;
      }
    }
    const char entry = kTable[rowOf(earlier.op.kind)][rowOf(later.op.kind)];
    return entry == '+' || (entry == 'l' && lineOf(earlier.op.location) == lineOf(later.op.location));
  }

  // All total orders.
  void extend() {
    if (order_.size() == events_.size()) return judge();
    for (unsigned e = 0; e < events_.size(); ++e) {
      if (used_[e]) continue;
      bool first = true;
      for (unsigned other = 0; other < events_.size(); ++other) {
        const bool before = events_[other].thread == events_[e].thread && events_[other].index < events_[e].index;
        if (before && !used_[other] && isKept(events_[other], events_[e])) first = false;
      }
      if (!first) continue;
      used_[e] = true;
      order_.push_back(e);
      extend();
      order_.pop_back();
      used_[e] = false;
    }
  }

  // The write that a read finds, as its place in the order; or -1.
  int sourceOf(unsigned place) const {
    const OracleEvent& read = events_[order_[place]];
    for (int p = static_cast<int>(order_.size()) - 1; p >= 0; --p) {
      const OracleEvent& write = events_[order_[static_cast<unsigned>(p)]];
      if (!write.isWrite() || write.op.location != read.op.location || static_cast<unsigned>(p) == place) continue;
      const bool own = write.thread == read.thread && write.index < read.index;
      if (static_cast<unsigned>(p) < place || own) return p;
    }
    return -1;
  }

  void judge() {
    const auto count = static_cast<unsigned>(order_.size());
    auto& porf = porf_;
    porf.assign(count, std::vector<bool>(count));
    for (unsigned p = 0; p < count; ++p) {
      const OracleEvent& event = events_[order_[p]];
      for (unsigned q = 0; q < count; ++q) {
        const OracleEvent& other = events_[order_[q]];
        if (other.thread == event.thread && other.index < event.index) porf[q][p] = true;
      }
      if (!event.isRead()) continue;
      const int source = sourceOf(p);
      results_[event.thread][event.index] = source < 0 ? 0 : events_[order_[static_cast<unsigned>(source)]].op.value;
      if (source >= 0) porf[static_cast<unsigned>(source)][p] = true;
    }
    for (unsigned k = 0; k < count; ++k)
      for (unsigned i = 0; i < count; ++i)
        for (unsigned j = 0; j < count; ++j)
          if (porf[i][k] && porf[k][j]) porf[i][j] = true;
    known_.assign(count, false);
    for (unsigned p = 0; p < count; ++p) {
      if (events_[order_[p]].op.kind != Kind::persisted) continue;
      for (unsigned q = 0; q < count; ++q)
        if (porf[q][p] && events_[order_[q]].isWrite()) known_[q] = true;
    }
    persisted_.assign(count, false);
    if (isExt4()) relateFiles();
    choosePersisted(0);
  }

  // All sets of writes; most are no good.
  void choosePersisted(unsigned place) {
    while (place < order_.size() && !events_[order_[place]].isWrite()) ++place;
    if (place == order_.size()) {
      if (isClosed()) addKey();
      return;
    }
    persisted_[place] = true;
    choosePersisted(place + 1);
    persisted_[place] = false;
    if (!known_[place]) choosePersisted(place + 1);
  }

  bool isExt4() const { return model_ >= PersistModel::ext4Ordered; }

  // The relation of ext4 between the writes, line by line, with all that follows from it.
  void relateFiles() {
    using Place = DiskPlace::Kind;
    const auto count = static_cast<unsigned>(order_.size());
    files_.assign(count, std::vector<bool>(count));
    for (unsigned a = 0; a < count; ++a) {
      for (unsigned b = 0; b < count; ++b) {
        const OracleEvent &first = events_[order_[a]], &second = events_[order_[b]];
        if (!first.isWrite() || !second.isWrite() || a == b) continue;
        const DiskPlace &from = test_.disk[first.op.location], &to = test_.disk[second.op.location];
        const bool same = from.file == to.file;
        bool related = first.op.location == second.op.location && a < b;
        if (porf_[a][b]) {
          related |= same && from.kind == Place::data && to.kind == Place::data && from.number / 2 == to.number / 2;
          related |= from.kind == Place::entry && to.kind == Place::size;
          related |= same && from.kind == Place::journal && to.kind != Place::journal;
          related |= same && from.kind != Place::journal && to.kind == Place::journal;
          const bool inRange = from.number >= second.op.value >> 32 && from.number < (second.op.value & 0xffffffff);
          related |=
              model_ == PersistModel::ext4Ordered && same && from.kind == Place::data && to.kind == Place::size && inRange;
        }
        for (unsigned f = 0; f < count; ++f) {
          const PersistOp& fence = events_[order_[f]].op;
          const bool reaches =
              fence.kind == Kind::sync || (fence.kind == Kind::fsync && test_.disk[fence.location].file == from.file);
          related |= reaches && porf_[a][f] && porf_[f][b];
        }
        files_[a][b] = related;
      }
    }
    for (unsigned k = 0; k < count; ++k)
      for (unsigned i = 0; i < count; ++i)
        for (unsigned j = 0; j < count; ++j)
          if (files_[i][k] && files_[k][j]) files_[i][j] = true;
  }

  // Does the write at `first` persist before the one at `second`, which comes later?
  bool persistsBefore(unsigned first, unsigned second) const {
    if (isExt4()) return files_[first][second];
    const PersistOp &a = events_[order_[first]].op, &b = events_[order_[second]].op;
    switch (model_) {
      case PersistModel::strict: return true;
      case PersistModel::weakest: return a.location == b.location;
      case PersistModel::px86ByLocation:
        if (a.location == b.location) return true;
        break;
      default:
        if (lineOf(a.location) == lineOf(b.location)) return true;
        break;
    }
    for (unsigned p = first + 1; p < second; ++p) {
      const OracleEvent& between = events_[order_[p]];
      if (between.isFlush() && lineOf(between.op.location) == lineOf(a.location)) return true;
    }
    return false;
  }

  bool isClosed() const {
    for (unsigned second = 0; second < order_.size(); ++second) {
      if (!persisted_[second]) continue;
      for (unsigned first = 0; first < second; ++first) {
        if (events_[order_[first]].isWrite() && !persisted_[first] && persistsBefore(first, second)) return false;
      }
    }
    return true;
  }

  void addKey() {
    std::vector<std::vector<Value>>& coherence = coherence_;
    coherence.clear();
    std::vector<Value> last;
    for (unsigned p = 0; p < order_.size(); ++p) {
      const PersistOp& op = events_[order_[p]].op;
      if (!events_[order_[p]].isWrite()) continue;
      coherence.resize(std::max<std::size_t>(coherence.size(), op.location + 1));
      coherence[op.location].push_back(op.value);
      last.resize(std::max<std::size_t>(last.size(), op.location + 1));
      if (persisted_[p]) last[op.location] = op.value;
    }
    leaves_(last);
  }

  const PersistTest& test_;
  PersistModel model_;
  std::vector<OracleEvent> events_;
  std::vector<bool> used_;
  std::vector<unsigned> order_;                  // events
  std::vector<bool> persisted_, known_;          // by place in the order
  std::vector<std::vector<bool>> porf_, files_;  // likewise
  std::vector<std::vector<Value>> results_, coherence_;
  std::set<std::vector<Value>> rewritten_;
  std::function<void(const std::vector<Value>&)> leaves_;  // is told what a crash leaves
  std::set<std::string> keys_;
};

}  // namespace

std::set<std::string> persistKeys(const PersistTest& test, PersistModel model) { return PersistOracle(test, model).keys(); }

std::string persistKey(const std::vector<std::vector<Value>>& results, const std::vector<std::vector<Value>>& coherence,
                       const std::vector<Value>& recovered) {
  std::string key;
  for (const auto& thread : results) key += fmt::format("[{}]", fmt::join(thread, " "));
  key += '|';
  for (std::size_t location = 0; location < coherence.size(); ++location) {
    if (!coherence[location].empty()) key += fmt::format("{}:{};", location, fmt::join(coherence[location], " "));
  }
  return key + fmt::format("|{}", fmt::join(recovered, " "));
}

}  // namespace heddle::oracle
