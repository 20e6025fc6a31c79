#include "lkmm_program.h"

#include <fmt/format.h>

#include <random>

namespace heddle::oracle {

bool KernelStatement::reads() const {
  switch (op) {
    case KernelOp::load:
    case KernelOp::fetchAdd:
    case KernelOp::exchange:
    case KernelOp::compareExchange:
    case KernelOp::tryLock:
    case KernelOp::isLocked:
    case KernelOp::srcuLock: return true;
    default: return false;
  }
}

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  KernelProgramTable program() {
    theme_ = below(5);
    const unsigned threads = chance(70) ? 2 : 3;
    KernelProgramTable result(threads);
    for (auto& thread : result) fill(thread, threads == 2 ? 4 : 3);
    return result;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  // 0: accesses and fences; 1: RCU; 2: SRCU; 3: locks; 4: read-modify-writes.
  void fill(std::vector<KernelStatement>& thread, unsigned most) {
    const unsigned count = 2 + below(most - 1);
    const bool inSection = theme_ == 1 && chance(50), inSrcu = theme_ == 2 && chance(55), inLock = theme_ == 3 && chance(65);
    if (inSection) thread.push_back(fence("rcu-lock"));
    if (inSrcu) thread.push_back({.op = KernelOp::srcuLock, .tag = {}, .location = kSrcu});
    if (inLock) thread.push_back({.op = KernelOp::lock, .tag = {}, .location = kLock});
    const auto section = static_cast<int>(thread.size()) - 1;
    for (unsigned i = 0; i < count; ++i) {
      if (i > 0 && chance(45)) thread.push_back(between(inSection || inSrcu || inLock));
      thread.push_back(access(thread));
    }
    if (inSection) thread.push_back(fence("rcu-unlock"));
    if (inSrcu) thread.push_back({.op = KernelOp::srcuUnlock, .tag = {}, .location = kSrcu, .value = 0, .valueFrom = section});
    if (inLock && chance(90)) thread.push_back({.op = KernelOp::unlock, .tag = {}, .location = kLock});
    if (inSrcu && chance(20)) thread.push_back(fence("after-srcu-read-unlock"));
    if ((inSection || inSrcu || inLock) && chance(25)) thread.push_back(access(thread));
  }

  static KernelStatement fence(const char* tag) { return {.op = KernelOp::fence, .tag = tag}; }

  KernelStatement between(bool inSection) {
    if (theme_ == 1 && !inSection && chance(60)) return fence("sync-rcu");
    if (theme_ == 2 && !inSection && chance(60)) return {.op = KernelOp::syncSrcu, .tag = {}, .location = kSrcu};
    if (theme_ == 3 && inSection && chance(30)) return fence("after-spinlock");
    if (theme_ == 4 && chance(35)) return fence(chance(50) ? "before-atomic" : "after-atomic");
    static constexpr const char* kFences[] = {"mb", "mb", "rmb", "wmb", "barrier"};
    return fence(kFences[below(5)]);
  }

  KernelStatement access(const std::vector<KernelStatement>& before) {
    KernelStatement s;
    s.location = below(kDataLocations);
    s.value = 1 + static_cast<int>(below(2));
    const unsigned kind = below(100);
    if (theme_ == 3 && kind < 12) {
      s.op = kind < 6 ? KernelOp::tryLock : KernelOp::isLocked;
      s.location = kLock;
    } else if (theme_ == 4 && kind < 45) {
      static constexpr KernelOp kUpdates[] = {KernelOp::add, KernelOp::fetchAdd, KernelOp::exchange, KernelOp::compareExchange};
      static constexpr const char* kStrengths[] = {"", "relaxed", "acquire", "release"};
      s.op = kUpdates[below(4)];
      if (s.op != KernelOp::add) s.tag = kStrengths[below(4)];
      s.expected = static_cast<int>(below(2));
    } else if (kind < 75) {
      s.op = chance(50) ? KernelOp::load : KernelOp::store;
      const bool ordered = chance(25);
      const bool plain = !ordered && chance(30);
      s.tag = plain ? "" : !ordered ? "once" : s.op == KernelOp::load ? "acquire" : "release";
    } else {
      s.op = chance(50) ? KernelOp::load : KernelOp::store;
      s.tag = "once";
    }
    depend(s, before);
    return s;
  }

  void depend(KernelStatement& s, const std::vector<KernelStatement>& before) {
    std::vector<int> registers;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].op == KernelOp::load && before[i].guard < 0) registers.push_back(static_cast<int>(i));
    }
    const bool isAccess = s.op == KernelOp::load || s.op == KernelOp::store;
    if (registers.empty() || !isAccess) return;
    const auto pick = [&] { return registers[below(static_cast<unsigned>(registers.size()))]; };
    if (s.op == KernelOp::store && chance(30)) s.valueFrom = pick();
    if (chance(20)) s.addressFrom = pick();
    if (before.back().guard >= 0 && chance(50)) {
      s.guard = before.back().guard;
      s.guardValue = before.back().guardValue;
    } else if (chance(25)) {
      s.guard = pick();
      s.guardValue = static_cast<int>(below(3));
    }
  }

  std::mt19937_64 random_;
  unsigned theme_ = 0;
};

std::string fenceText(const std::string& tag) {
  if (tag == "mb" || tag == "rmb" || tag == "wmb") return fmt::format("smp_{}()", tag);
  if (tag == "barrier") return "barrier()";
  if (tag == "rcu-lock") return "rcu_read_lock()";
  if (tag == "rcu-unlock") return "rcu_read_unlock()";
  if (tag == "sync-rcu") return "synchronize_rcu()";
  std::string name = tag;
  for (char& c : name) c = c == '-' ? '_' : c;
  return fmt::format("smp_mb__{}()", name);
}

std::string statementText(const KernelStatement& s, std::size_t index) {
  const std::string name = kLocationNames[s.location];
  const std::string pointer = s.addressFrom < 0 ? name : fmt::format("({} + (r{} & 0))", name, s.addressFrom);
  const std::string value = s.valueFrom < 0 ? std::to_string(s.value) : fmt::format("{} + r{}", s.value, s.valueFrom);
  const std::string suffix = s.tag.empty() ? "" : "_" + s.tag;
  const std::string result = s.reads() ? fmt::format("r{} = ", index) : "";
  switch (s.op) {
    case KernelOp::load:
      if (s.tag.empty()) return fmt::format("{}*{}", result, pointer);
      return result + (s.tag == "once" ? fmt::format("READ_ONCE(*{})", pointer) : fmt::format("smp_load_acquire({})", pointer));
    case KernelOp::store:
      if (s.tag.empty()) return fmt::format("*{} = {}", pointer, value);
      return s.tag == "once" ? fmt::format("WRITE_ONCE(*{}, {})", pointer, value)
                             : fmt::format("smp_store_release({}, {})", pointer, value);
    case KernelOp::fence: return fenceText(s.tag);
    case KernelOp::add: return fmt::format("atomic_add({}, {})", value, pointer);
    case KernelOp::fetchAdd: return fmt::format("{}atomic_fetch_add{}({}, {})", result, suffix, value, pointer);
    case KernelOp::exchange: return fmt::format("{}xchg{}({}, {})", result, suffix, pointer, value);
    case KernelOp::compareExchange: return fmt::format("{}cmpxchg{}({}, {}, {})", result, suffix, pointer, s.expected, value);
    case KernelOp::lock: return fmt::format("spin_lock({})", name);
    case KernelOp::unlock: return fmt::format("spin_unlock({})", name);
    case KernelOp::tryLock: return fmt::format("{}spin_trylock({})", result, name);
    case KernelOp::isLocked: return fmt::format("{}spin_is_locked({})", result, name);
    case KernelOp::srcuLock: return fmt::format("{}srcu_read_lock({})", result, name);
    case KernelOp::srcuUnlock: return fmt::format("srcu_read_unlock({}, r{})", name, s.valueFrom);
    case KernelOp::syncSrcu: return fmt::format("synchronize_srcu({})", name);
  }
  return {};
}

}  // namespace

KernelProgramTable randomKernelProgram(std::uint64_t seed) { return Generator(seed).program(); }

std::vector<std::string> kernelLines(const std::vector<KernelStatement>& thread) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < thread.size();) {
    const KernelStatement& first = thread[i];
    if (first.guard < 0) {
      lines.push_back(statementText(first, i) + ";");
      ++i;
      continue;
    }
    lines.push_back(fmt::format("if (r{} == {}) {{", first.guard, first.guardValue));
    for (; i < thread.size() && thread[i].guard == first.guard && thread[i].guardValue == first.guardValue; ++i) {
      lines.back() += fmt::format(" {};", statementText(thread[i], i));
    }
    lines.back() += " }";
  }
  return lines;
}

std::string litmusText(const KernelProgramTable& program) {
  std::string text = "C random\n{}\n", observed;
  for (std::size_t t = 0; t < program.size(); ++t) {
    text += fmt::format("P{}(int *x, int *y, spinlock_t *l, struct srcu_struct *s)\n{{\n", t);
    for (std::size_t i = 0; i < program[t].size(); ++i) {
      if (!program[t][i].reads()) continue;
      text += fmt::format("  int r{};\n", i);
      observed += fmt::format("{}:r{}; ", t, i);
    }
    for (const std::string& line : kernelLines(program[t])) text += fmt::format("  {}\n", line);
    text += "}\n";
  }
  return text + fmt::format("locations [{}x; y;]\nexists (x=0)\n", observed);
}

}  // namespace heddle::oracle
