// The profiles and the generator. Sizes are tuned so that most programs have four to seven events: past that the
// oracle's work explodes and few new bugs appear.
#include "random_program.h"

#include <algorithm>
#include <array>

namespace heddle::oracle {

namespace {

// How often a feature appears: weights for kinds of statement and of order, percentages for the rest.
struct Profile {
  const char* name;
  unsigned odds;
  unsigned minThreads, maxThreads;
  unsigned minLocations, maxLocations;
  unsigned minEvents, maxEvents;
  unsigned load, store, rmw, cas, fence, branch, assume, critical, choose;
  unsigned relaxed, acquireRelease, sequential;
  unsigned plainPercent;
  unsigned spawned;  // at most so many threads are spawned rather than started
};

// clang-format off
constexpr std::array<Profile, 11> profiles = {{
    //                       odds thr   loc   events  ld st rm cs fe br as cr ch  rlx ar sc  plain spawned
    {"relaxed",                12, 2, 4, 2, 3, 5, 9,   9, 9, 1, 1, 0, 2, 0, 0, 0,  1, 0, 0,   0, 0},
    {"mixed orders",           14, 2, 4, 2, 3, 5, 9,   9, 9, 2, 1, 1, 2, 1, 0, 1,  2, 3, 2,   0, 0},
    {"sequential",             12, 2, 4, 2, 3, 5, 9,   9, 9, 2, 1, 2, 1, 0, 0, 0,  1, 1, 6,   0, 0},
    {"rmw on one location",    10, 2, 4, 1, 1, 4, 9,   2, 4, 8, 5, 0, 2, 1, 0, 0,  3, 3, 1,   0, 0},
    {"fences",                 12, 2, 4, 2, 3, 6, 11,  8, 8, 1, 1, 7, 1, 0, 0, 0,  5, 1, 1,   0, 0},
    {"locks",                   8, 2, 3, 1, 2, 5, 10,  6, 7, 1, 0, 0, 2, 1, 7, 0,  3, 1, 1,  40, 0},
    {"spawn and join",         12, 2, 4, 1, 3, 4, 8,   9, 8, 2, 1, 1, 2, 0, 0, 1,  3, 2, 1,  15, 2},
    {"writes to one location",  6, 2, 4, 1, 1, 4, 7,   5, 9, 2, 1, 0, 1, 0, 0, 0,  3, 2, 1,   0, 0},
    {"plain and atomic",       10, 2, 3, 2, 3, 5, 9,   9, 9, 1, 1, 1, 3, 0, 0, 0,  1, 4, 1,  50, 0},
    {"control",                10, 2, 4, 2, 3, 4, 9,   8, 7, 2, 2, 1, 7, 2, 0, 2,  3, 2, 1,   0, 0},
    {"everything",             10, 2, 4, 1, 3, 5, 9,   8, 8, 2, 2, 2, 3, 1, 2, 1,  2, 2, 2,  15, 1},
}};
// clang-format on

const Profile& pickProfile(Random& random) {
  std::vector<unsigned> odds;
  for (const Profile& profile : profiles) odds.push_back(profile.odds);
  return profiles[random.weighted(odds)];
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed), profile_(pickProfile(random_)) {}

  RandomProgram generate() {
    program_.profile = profile_.name;
    const unsigned locations = random_.between(profile_.minLocations, profile_.maxLocations);
    for (unsigned i = 0; i < locations; ++i) {
      program_.locations.push_back({random_.percent(profile_.plainPercent), random_.percent(8) ? 1u : 0u});
    }
    const unsigned threads = random_.between(profile_.minThreads, profile_.maxThreads);
    const unsigned spawned = profile_.spawned == 0 ? 0 : random_.between(1, std::min(profile_.spawned, threads - 1));
    program_.initialThreads = threads - spawned;
    const std::vector<unsigned> budgets =
        shareOut(std::max(threads, random_.between(profile_.minEvents, profile_.maxEvents)), threads);
    for (unsigned t = 0; t < threads; ++t) {
      nextRegister_ = 0;
      registers_.clear();
      unsigned budget = budgets[t];
      program_.threads.push_back(block(budget, 0, false));
    }
    for (unsigned t = program_.initialThreads; t < threads; ++t) addSpawn(t);
    return std::move(program_);
  }

 private:
  // At least one event for each thread, the rest anywhere, but rather where there are few.
  std::vector<unsigned> shareOut(unsigned events, unsigned threads) {
    std::vector<unsigned> budgets(threads, 1);
    for (unsigned i = threads; i < events; ++i) {
      const unsigned first = random_.below(threads);
      const unsigned second = random_.below(threads);
      ++budgets[budgets[first] < budgets[second] ? first : second];
    }
    return budgets;
  }

  // Statements for up to `budget` events; takes what they cost off it.
  Block block(unsigned& budget, unsigned depth, bool locked) {
    Block result;
    while (budget > 0) {
      result.push_back(statement(budget, depth, locked));
      if (depth > 0 && random_.percent(45)) break;
    }
    return result;
  }

  Statement statement(unsigned& budget, unsigned depth, bool locked) {
    const bool atomics = std::ranges::any_of(program_.locations, [](const Location& l) { return !l.plain; });
    const bool known = !registers_.empty();
    const Profile& p = profile_;
    const std::vector<unsigned> odds = {
        p.load,
        p.store,
        atomics && budget >= 2 ? p.rmw : 0,
        atomics && budget >= 2 ? p.cas : 0,
        p.fence,
        known && depth < 2 ? p.branch : 0,
        known ? p.assume : 0,
        !locked && depth == 0 && budget >= 4 ? p.critical : 0,
        p.choose,
    };
    switch (random_.weighted(odds)) {
      case 0: return load(budget);
      case 1: return store(budget);
      case 2: return rmw(budget);
      case 3: return cas(budget);
      case 4: return fence(budget);
      case 5: return branch(budget, depth, locked);
      case 6: return assume();
      case 7: return critical(budget, depth);
      default: return choose();
    }
  }

  Statement load(unsigned& budget) {
    --budget;
    Statement s{.kind = StatementKind::load, .location = anyLocation()};
    s.order = order(s.location, Order::acquire);
    s.reg = newRegister();
    return s;
  }

  Statement store(unsigned& budget) {
    --budget;
    Statement s{.kind = StatementKind::store, .location = anyLocation(), .value = operand()};
    s.order = order(s.location, Order::release);
    return s;
  }

  Statement rmw(unsigned& budget) {
    static constexpr std::array<RmwOp, 6> ops = {RmwOp::add,    RmwOp::exchange, RmwOp::bitOr,
                                                 RmwOp::bitXor, RmwOp::bitAnd,   RmwOp::sub};
    budget -= 2;
    Statement s{.kind = StatementKind::rmw, .location = atomicLocation(), .order = updateOrder()};
    s.op = ops[random_.weighted({10, 6, 3, 3, 3, 1})];
    s.value = operand();
    s.reg = newRegister();
    return s;
  }

  Statement cas(unsigned& budget) {
    budget -= 2;
    Statement s{.kind = StatementKind::cas, .location = atomicLocation(), .order = updateOrder()};
    s.failureOrder = atomicOrder(Order::acquire);
    s.weak = random_.percent(40);
    s.expected = random_.below(3) == 2 ? 1 : random_.below(2);
    s.value = operand();
    s.expectedReg = newRegister();
    s.reg = newRegister();
    return s;
  }

  Statement fence(unsigned& budget) {
    static constexpr std::array<Order, 5> orders = {Order::acquire, Order::release, Order::acq_rel, Order::seq_cst,
                                                    Order::relaxed};
    --budget;
    return {.kind = StatementKind::fence, .order = orders[random_.weighted({4, 4, 3, 6, 1})]};
  }

  Statement branch(unsigned& budget, unsigned depth, bool locked) {
    Statement s{.kind = StatementKind::branch, .condition = condition()};
    const std::vector<int> outside = registers_;
    unsigned first = budget;
    s.body = block(first, depth + 1, locked);
    registers_ = outside;
    unsigned second = budget;
    if (random_.percent(35)) s.otherwise = block(second, depth + 1, locked);
    registers_ = outside;
    budget = std::min(first, second);
    return s;
  }

  Statement assume() { return {.kind = StatementKind::assume, .condition = condition()}; }

  Statement critical(unsigned& budget, unsigned depth) {
    budget -= 3;
    Statement s{.kind = StatementKind::critical};
    unsigned inside = std::min(budget, random_.between(1, 2));
    budget -= inside;
    s.body = block(inside, depth, true);
    return s;
  }

  Statement choose() { return {.kind = StatementKind::choose, .reg = newRegister()}; }

  // Puts the spawn of a thread somewhere in an earlier one, often behind what that one has read; the statements
  // that follow it may go between it and its join.
  void addSpawn(unsigned thread) {
    Block* target = &program_.threads[random_.below(thread)];
    while (true) {
      std::vector<Block*> inner;
      for (Statement& s : *target) {
        if (s.kind == StatementKind::branch || s.kind == StatementKind::spawn) inner.push_back(&s.body);
      }
      if (inner.empty() || random_.percent(50)) break;
      target = inner[random_.below(static_cast<unsigned>(inner.size()))];
    }
    const auto at = target->begin() + random_.below(static_cast<unsigned>(target->size()) + 1);
    const auto end = at + random_.below(static_cast<unsigned>(target->end() - at) + 1);
    Statement s{.kind = StatementKind::spawn, .thread = thread, .joined = random_.percent(65)};
    s.body.assign(at, end);
    target->insert(target->erase(at, end), s);
  }

  // Mostly another location than the access before: weak behaviour is between locations.
  unsigned anyLocation() {
    const unsigned count = static_cast<unsigned>(program_.locations.size());
    unsigned location = random_.below(count);
    if (location == lastLocation_ && random_.percent(60)) location = random_.below(count);
    return lastLocation_ = location;
  }

  unsigned atomicLocation() {
    unsigned location = anyLocation();
    while (program_.locations[location].plain) location = anyLocation();
    return location;
  }

  Order order(unsigned location, Order middle) {
    return program_.locations[location].plain ? Order::plain : atomicOrder(middle);
  }

  Order atomicOrder(Order middle) {
    const std::array<Order, 3> orders = {Order::relaxed, middle, Order::seq_cst};
    return orders[random_.weighted({profile_.relaxed, profile_.acquireRelease, profile_.sequential})];
  }

  Order updateOrder() {
    static constexpr std::array<Order, 3> middle = {Order::acquire, Order::release, Order::acq_rel};
    return atomicOrder(middle[random_.below(3)]);
  }

  Operand operand() {
    if (!registers_.empty() && random_.percent(25)) return {anyRegister(), random_.below(2)};
    return {-1, random_.percent(10) ? 0u : random_.between(1, 2)};
  }

  Condition condition() { return {anyRegister(), random_.percent(65), random_.below(2)}; }

  int newRegister() {
    registers_.push_back(nextRegister_);
    return nextRegister_++;
  }

  int anyRegister() { return registers_[random_.below(static_cast<unsigned>(registers_.size()))]; }

  Random random_;
  const Profile& profile_;
  RandomProgram program_;
  int nextRegister_ = 0;
  unsigned lastLocation_ = 0;
  std::vector<int> registers_;  // those in scope
};

}  // namespace

std::size_t Random::weighted(const std::vector<unsigned>& weights) {
  unsigned total = 0;
  for (const unsigned weight : weights) total += weight;
  unsigned ticket = below(total);
  std::size_t i = 0;
  while (ticket >= weights[i]) ticket -= weights[i++];
  return i;
}

RandomProgram randomProgram(std::uint64_t seed) {
  return Generator(seed).generate();
}

}  // namespace heddle::oracle
