#include "lkmm_oracle.h"

#include <algorithm>
#include <optional>

#include "lkmm_axioms.h"

namespace heddle::oracle {

namespace {

constexpr unsigned kMostCandidates = 20000;

struct OracleEvent {
  enum class Kind : std::uint8_t { read, write, fence } kind = Kind::fence;
  int thread = -1;
  int statement = -1;
  std::vector<std::string> tags;
  int location = -1;
  bool isUpdate = false;
  int updates = -1;  // the read of a read-modify-write
  std::optional<int> value = {};
};

// How each statement with a choice goes: is it run, does it succeed?
struct Outcome {
  bool runs = true, succeeds = true;
};

class Brute {
 public:
  explicit Brute(const KernelProgramTable& program) : program_(program), outcomes_(program.size()) {
    for (std::size_t t = 0; t < program.size(); ++t) outcomes_[t].resize(program[t].size());
  }

  KernelOutcome run() {
    chooseOutcomes(0, 0);
    return result_;
  }

 private:
  // ---- Which statements run, and which succeed

  void chooseOutcomes(std::size_t t, std::size_t i) {
    if (t == program_.size()) return makeEvents();
    if (i == program_[t].size()) return chooseOutcomes(t + 1, 0);
    const KernelStatement& s = program_[t][i];
    const bool mayFail = s.op == KernelOp::compareExchange || s.op == KernelOp::tryLock;
    for (const bool runs : {true, false}) {
      if (!runs && s.guard < 0) continue;
      for (const bool succeeds : {true, false}) {
        if (!succeeds && (!mayFail || !runs)) continue;
        outcomes_[t][i] = {runs, succeeds};
        chooseOutcomes(t, i + 1);
      }
    }
  }

  // ---- Events

  int add(OracleEvent::Kind kind, std::vector<std::string> tags, int location, bool isUpdate = false, int updates = -1) {
    OracleEvent event;
    event.kind = kind;
    event.thread = thread_;
    event.statement = statement_;
    event.tags = std::move(tags);
    event.location = location;
    event.isUpdate = isUpdate;
    event.updates = updates;
    events_.push_back(std::move(event));
    return static_cast<int>(events_.size()) - 1;
  }

  void makeEvents() {
    using Kind = OracleEvent::Kind;
    events_.clear();
    thread_ = statement_ = -1;
    for (unsigned l = 0; l < kAllLocations; ++l)
      events_[static_cast<std::size_t>(add(Kind::write, {}, static_cast<int>(l)))].value = 0;
    for (thread_ = 0; thread_ < static_cast<int>(program_.size()); ++thread_) {
      const auto& statements = program_[static_cast<std::size_t>(thread_)];
      for (statement_ = 0; statement_ < static_cast<int>(statements.size()); ++statement_) {
        const Outcome& outcome = outcomes_[static_cast<std::size_t>(thread_)][static_cast<std::size_t>(statement_)];
        if (outcome.runs) addStatement(statements[static_cast<std::size_t>(statement_)], outcome.succeeds);
      }
    }
    reads_.clear();
    for (unsigned e = 0; e < events_.size(); ++e) {
      if (events_[e].kind == Kind::read) reads_.push_back(e);
    }
    source_.assign(events_.size(), 0);
    chooseSources(0);
  }

  void addStatement(const KernelStatement& s, bool succeeds) {
    using Kind = OracleEvent::Kind;
    const int at = static_cast<int>(s.location);
    const auto tag = [](const std::string& name) { return name.empty() ? std::vector<std::string>{} : std::vector{name}; };
    switch (s.op) {
      case KernelOp::load: add(Kind::read, tag(s.tag), at); break;
      case KernelOp::store: add(Kind::write, tag(s.tag), at); break;
      case KernelOp::fence: add(Kind::fence, {s.tag}, -1); break;
      case KernelOp::add: add(Kind::write, {"once"}, at, true, add(Kind::read, {"noreturn"}, at, true)); break;
      case KernelOp::fetchAdd:
      case KernelOp::exchange:
      case KernelOp::compareExchange: {
        if (!succeeds) {
          add(Kind::read, {"once"}, at, true);
          break;
        }
        if (s.tag.empty()) add(Kind::fence, {"mb"}, -1);
        const int read = add(Kind::read, {s.tag == "acquire" ? "acquire" : "once"}, at, true);
        add(Kind::write, {s.tag == "release" ? "release" : "once"}, at, true, read);
        if (s.tag.empty()) add(Kind::fence, {"mb"}, -1);
        break;
      }
      case KernelOp::lock: add(Kind::write, {"LKW"}, at, false, add(Kind::read, {"LKR"}, at)); break;
      case KernelOp::tryLock:
        if (succeeds) {
          add(Kind::write, {"LKW"}, at, false, add(Kind::read, {"LKR"}, at));
        } else {
          add(Kind::read, {"LF"}, at);
        }
        break;
      case KernelOp::unlock: add(Kind::write, {"UL"}, at); break;
      case KernelOp::isLocked: add(Kind::read, {"looks"}, at); break;
      case KernelOp::srcuLock: add(Kind::read, {"srcu-lock"}, at); break;
      case KernelOp::srcuUnlock: add(Kind::write, {"srcu-unlock"}, at); break;
      case KernelOp::syncSrcu: add(Kind::fence, {"sync-srcu"}, at); break;
    }
  }

  // ---- A write for each read, and the values that follow

  void chooseSources(std::size_t r) {
    if (result_.tooLarge) return;
    if (r == reads_.size()) return solve();
    for (unsigned w = 0; w < events_.size(); ++w) {
      if (events_[w].kind != OracleEvent::Kind::write || events_[w].location != events_[reads_[r]].location) continue;
      source_[reads_[r]] = w;
      chooseSources(r + 1);
    }
  }

  const KernelStatement& statementOf(const OracleEvent& e) const {
    return program_[static_cast<std::size_t>(e.thread)][static_cast<std::size_t>(e.statement)];
  }

  // The event that gives a register its value, if its statement is run.
  int readOf(int thread, int statement) const {
    for (unsigned e = 0; e < events_.size(); ++e) {
      if (events_[e].thread == thread && events_[e].statement == statement && events_[e].kind == OracleEvent::Kind::read) {
        return static_cast<int>(e);
      }
    }
    return -1;
  }

  std::optional<int> registerValue(int thread, int statement) const {
    const int read = readOf(thread, statement);
    if (read < 0) return 0;
    const std::optional<int> value = events_[static_cast<std::size_t>(read)].value;
    if (!value) return std::nullopt;
    const KernelOp op = program_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(statement)].op;
    if (op == KernelOp::tryLock) return *value == 0;
    if (op == KernelOp::isLocked) return *value != 0;
    return value;
  }

  std::optional<int> writtenValue(const OracleEvent& e) const {
    const KernelStatement& s = statementOf(e);
    const bool hasTag = !e.tags.empty();
    if (hasTag && e.tags[0] == "LKW") return 1;
    if (hasTag && e.tags[0] == "UL") return 0;
    std::optional<int> value = s.value;
    if (s.valueFrom >= 0) {
      const auto more = registerValue(e.thread, s.valueFrom);
      if (!more) return std::nullopt;
      *value += *more;
    }
    if (s.op == KernelOp::add || s.op == KernelOp::fetchAdd) {
      const auto old = events_[static_cast<std::size_t>(e.updates)].value;
      if (!old) return std::nullopt;
      *value += *old;
    }
    return value;
  }

  void solve() {
    for (unsigned e = kAllLocations; e < events_.size(); ++e) events_[e].value.reset();
    for (bool again = true; again;) {
      again = false;
      for (unsigned e = kAllLocations; e < events_.size(); ++e) {
        OracleEvent& event = events_[e];
        if (event.kind == OracleEvent::Kind::fence || event.value) continue;
        event.value = event.kind == OracleEvent::Kind::read ? events_[source_[e]].value : writtenValue(event);
        again |= event.value.has_value();
      }
    }
    for (const OracleEvent& event : events_) {
      if (event.kind != OracleEvent::Kind::fence && !event.value) return;  // a value that comes from itself
    }
    if (outcomesAreTrue()) makeGraph();
  }

  bool outcomesAreTrue() const {
    for (int t = 0; t < static_cast<int>(program_.size()); ++t) {
      for (int i = 0; i < static_cast<int>(program_[static_cast<std::size_t>(t)].size()); ++i) {
        const KernelStatement& s = program_[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)];
        const Outcome& outcome = outcomes_[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)];
        if (s.guard >= 0 && (*registerValue(t, s.guard) == s.guardValue) != outcome.runs) return false;
        if (!outcome.runs) continue;
        const int read = readOf(t, i);
        const int found = read < 0 ? 0 : *events_[static_cast<std::size_t>(read)].value;
        if (s.op == KernelOp::compareExchange && (found == s.expected) != outcome.succeeds) return false;
        if (s.op == KernelOp::tryLock && (found == 0) != outcome.succeeds) return false;
        if (s.op == KernelOp::lock && found != 0) return false;
      }
    }
    return true;
  }

  // ---- The graph

  void makeGraph() {
    const auto n = static_cast<unsigned>(events_.size());
    KernelGraph g;
    g.size = n;
    g.po = g.rf = g.co = g.rmw = g.loc = g.internal = g.addr = g.data = g.ctrl = Relation(n);
    for (unsigned a = 0; a < n; ++a) {
      const OracleEvent& event = events_[a];
      if (event.thread < 0) g.initial |= singleton(a);
      if (event.kind == OracleEvent::Kind::read) g.reads |= singleton(a), g.rf.add(source_[a], a);
      if (event.kind == OracleEvent::Kind::write) g.writes |= singleton(a);
      if (event.isUpdate) g.updates |= singleton(a);
      if (event.updates >= 0) g.rmw.add(static_cast<unsigned>(event.updates), a);
      for (const std::string& tag : event.tags) {
        const std::string name = tag != "looks" ? tag : *event.value != 0 ? "RL" : "RU";
        g.tagged[name] |= singleton(a);
      }
      for (unsigned b = 0; b < n; ++b) {
        if (event.location >= 0 && event.location == events_[b].location) g.loc.add(a, b);
        if (a == b || (event.thread >= 0 && event.thread == events_[b].thread)) g.internal.add(a, b);
        if (a < b && event.thread >= 0 && event.thread == events_[b].thread) g.po.add(a, b);
      }
      addDependencies(g, a);
    }
    orderLocations(g, 0);
  }

  void addDependencies(KernelGraph& g, unsigned e) const {
    const OracleEvent& event = events_[e];
    if (event.thread < 0) return;
    const KernelStatement& s = statementOf(event);
    const auto from = [&](int reg, Relation& relation) {
      const int read = reg < 0 ? -1 : readOf(event.thread, reg);
      if (read >= 0) relation.add(static_cast<unsigned>(read), e);
    };
    from(s.guard, g.ctrl);
    from(s.addressFrom, g.addr);
    if (event.kind != OracleEvent::Kind::write) return;
    from(s.valueFrom, g.data);
    if (event.updates >= 0 && (s.op == KernelOp::add || s.op == KernelOp::fetchAdd))
      g.data.add(static_cast<unsigned>(event.updates), e);
    if (s.op == KernelOp::compareExchange) g.ctrl.add(static_cast<unsigned>(event.updates), e);
  }

  void orderLocations(KernelGraph& g, unsigned location) {
    if (location == kAllLocations) return finish(g);
    std::vector<unsigned> writes;
    for (unsigned e = kAllLocations; e < events_.size(); ++e) {
      if (events_[e].kind == OracleEvent::Kind::write && events_[e].location == static_cast<int>(location)) writes.push_back(e);
    }
    const Relation others = g.co;
    do {
      g.co = others;
      unsigned before = location;  // its initial write
      for (std::size_t i = 0; i < writes.size(); ++i) {
        for (std::size_t j = i; j < writes.size(); ++j) g.co.add(before, writes[j]);
        before = writes[i];
      }
      last_[location] = before;
      orderLocations(g, location + 1);
    } while (std::ranges::next_permutation(writes).found);
    g.co = others;
  }

  void finish(const KernelGraph& g) {
    if (++candidates_ > kMostCandidates) result_.tooLarge = true;
    if (result_.tooLarge || !isCoherentAndAtomic(g)) return;
    const KernelVerdict verdict = judge(g);
    if (!verdict.allowed) return;
    result_.race |= verdict.race;
    std::string state;
    for (std::size_t t = 0; t < program_.size(); ++t) {
      for (std::size_t i = 0; i < program_[t].size(); ++i) {
        if (program_[t][i].reads()) state += std::to_string(*registerValue(static_cast<int>(t), static_cast<int>(i))) + ' ';
      }
    }
    for (unsigned l = 0; l < kDataLocations; ++l) state += std::to_string(*events_[last_[l]].value) + ' ';
    ++result_.states[state];
    if (!(g.addr | g.data | g.ctrl | g.rf).isAcyclic()) return;
    ++result_.grounded[state];
    result_.groundedRace |= verdict.race;
  }

  const KernelProgramTable& program_;
  std::vector<std::vector<Outcome>> outcomes_;
  std::vector<OracleEvent> events_;
  std::vector<unsigned> reads_, source_;
  unsigned last_[kAllLocations] = {};
  int thread_ = -1, statement_ = -1;
  unsigned candidates_ = 0;
  KernelOutcome result_;
};

}  // namespace

KernelOutcome kernelOutcome(const KernelProgramTable& program) { return Brute(program).run(); }

}  // namespace heddle::oracle
