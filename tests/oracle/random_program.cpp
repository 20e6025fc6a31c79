// The profiles and the generator. Sizes are tuned so that most programs have four to seven events: past that the
// oracle's work explodes and few new bugs appear.
#include "random_program.h"

#include <algorithm>
#include <array>
#include <functional>

namespace heddle::oracle {

namespace {

// How often a feature appears: weights for kinds of statement and of order, percentages for the rest.
struct Profile {
  const char* name;
  unsigned odds;
  unsigned minThreads, maxThreads;
  unsigned minLocations, maxLocations;
  unsigned minEvents, maxEvents;
  unsigned load, store, rmw, cas, fence, branch, assume, critical, choose, assertion, attempt;
  unsigned relaxed, acquireRelease, sequential;
  unsigned plainPercent;   // of locations: plain in every thread
  unsigned mixedPercent;   // of the other locations, in a thread: plain there
  unsigned narrowPercent;  // of locations: not four bytes
  unsigned spawned;        // at most so many threads are spawned rather than started
  unsigned mutexes;
  unsigned views = 0;  // 1: mixed sizes
  unsigned await = 0;
  unsigned readingPercent = 0;  // of locks: taken for reading
  unsigned looks = 0;           // 1: the first thread starts all others, joins them, and looks at every location
  unsigned dependent = 0;       // percentage of operands, and of indices, that come from registers
  unsigned arrays = 0;          // percentage of locations that are arrays
  unsigned confirming = 0;      // percentage of loops that wait: they load a value and exchange it
};

// clang-format off
constexpr std::array<Profile, 43> profiles = {{
    //                       odds thr   loc   events  ld st rm cs fe br as cr ch at try  rlx ar sc  pla mix nar  sp mu
    {"relaxed",                12, 2, 4, 2, 3, 5, 9,   9, 9, 1, 1, 0, 2, 0, 0, 0, 0, 0,  1, 0, 0,   0,  0,  5,  0, 0},
    {"mixed orders",           14, 2, 4, 2, 3, 5, 9,   9, 9, 2, 1, 1, 2, 1, 0, 1, 0, 0,  2, 3, 2,   0,  0,  5,  0, 0},
    {"sequential",             12, 2, 4, 2, 3, 5, 9,   9, 9, 2, 1, 2, 1, 0, 0, 0, 0, 0,  1, 1, 6,   0,  0,  0,  0, 0},
    {"rmw on one location",    10, 2, 4, 1, 1, 4, 9,   2, 4, 8, 5, 0, 2, 1, 0, 0, 1, 0,  3, 3, 1,   0,  0, 20,  0, 0},
    {"fences",                 12, 2, 4, 2, 3, 6, 11,  8, 8, 1, 1, 7, 1, 0, 0, 0, 0, 0,  5, 1, 1,   0,  5,  0,  0, 0},
    {"locks",                   8, 2, 3, 1, 2, 5, 10,  6, 7, 2, 0, 0, 2, 1, 12, 0, 0, 0,  3, 1, 1,  30, 10,  0,  0, 1},
    {"two mutexes",            10, 2, 3, 1, 2, 6, 11,  3, 4, 1, 0, 0, 2, 0, 25, 0, 0, 0, 3, 1, 1,  20, 10,  0,  0, 2},
    {"locks and threads",       8, 2, 3, 1, 2, 5, 10,  4, 5, 2, 1, 0, 2, 0, 20, 0, 1, 0,  3, 1, 1,  20, 10,  0,  1, 2},
    {"trylocks",               12, 2, 4, 1, 2, 5, 10,  4, 5, 1, 0, 0, 2, 1, 8, 0, 1, 14,  3, 1, 1,  25, 10,  0,  0, 1},
    {"trylocks of two",         8, 2, 3, 1, 2, 6, 11,  2, 3, 1, 0, 0, 2, 0, 12, 0, 0, 16, 3, 1, 1,  20, 10,  0,  0, 2},
    {"trylocks and threads",    8, 2, 4, 1, 2, 5, 10,  4, 5, 1, 1, 0, 2, 0, 9, 0, 1, 14,  3, 1, 1,  20, 10,  0,  2, 2},
    {"readers",                 8, 2, 3, 1, 2, 4, 7,   6, 7, 2, 0, 0, 2, 1, 14, 0, 0, 0,  3, 1, 1,  30, 10,  0,  0, 1, 0, 0, 60},
    {"readers of two",          5, 2, 3, 1, 2, 4, 7,   3, 4, 1, 0, 0, 2, 0, 25, 0, 0, 0,  3, 1, 1,  20, 10,  0,  1, 2, 0, 0, 55},
    {"attempts to read",        8, 2, 3, 1, 2, 4, 8,   4, 5, 1, 0, 0, 2, 1, 9, 0, 1, 12,  3, 1, 1,  25, 10,  0,  0, 1, 0, 0, 60},
    {"spawn and join",         12, 2, 4, 1, 3, 4, 8,   9, 8, 2, 1, 1, 2, 0, 0, 1, 1, 0,  3, 2, 1,  15,  5,  0,  2, 0},
    {"races of updates",        8, 3, 4, 1, 2, 5, 9,   7, 6, 9, 1, 0, 3, 0, 0, 0, 0, 0,  3, 5, 0,   5, 30,  0,  2, 0},
    {"writes to one location",  6, 2, 4, 1, 1, 4, 7,   5, 9, 2, 1, 0, 1, 0, 0, 0, 0, 0,  3, 2, 1,   0, 10, 10,  0, 0},
    {"plain and atomic",       12, 2, 3, 2, 3, 5, 9,   9, 9, 1, 1, 1, 3, 0, 0, 0, 0, 0,  1, 4, 1,  30, 25,  5,  0, 0},
    {"control",                12, 2, 4, 2, 3, 4, 9,   8, 7, 2, 2, 1, 9, 2, 0, 2, 2, 0,  3, 2, 1,   0,  0,  5,  0, 0},
    {"narrow and wide",         6, 2, 4, 1, 2, 4, 9,   6, 7, 7, 4, 0, 3, 0, 0, 0, 1, 0,  3, 2, 1,   0,  5, 85,  0, 0},
    {"everything",             12, 2, 4, 1, 3, 5, 10,  8, 8, 2, 2, 2, 3, 1, 3, 1, 1, 3,  2, 2, 2,  10, 10, 15,  1, 2},
    // That wait in loops; the last column.
    {"waiting",                 8, 2, 4, 1, 3, 5, 9,   4, 9, 2, 1, 1, 2, 0, 1, 0, 1, 0,  3, 3, 1,   0,  0,  5,  0, 1, 0, 8},
    {"waiting threads",         6, 2, 4, 1, 2, 5, 9,   3, 8, 3, 2, 0, 3, 1, 4, 0, 1, 2,  3, 2, 1,  10,  0,  5,  2, 1, 0, 6},
    // Whose loops that wait change what they have loaded, or wait for what is only updated. Only where they are asked for.
    {"confirming",              0, 2, 4, 1, 2, 5, 9,   2, 3, 4, 2, 0, 1, 0, 0, 0, 1, 0,  3, 3, 1,   0,  0,  5,  0, 0, 0, 9, 0, 0,  0,  0, 75},
    {"overtaking",              0, 2, 4, 1, 2, 5, 9,   2, 0, 7, 3, 0, 1, 1, 0, 0, 1, 0,  3, 3, 1,   0,  0,  5,  1, 0, 0, 9, 0, 0,  0,  0, 30},
    {"confirming and looking",  0, 3, 4, 1, 2, 4, 8,   4, 4, 3, 2, 0, 1, 0, 0, 0, 0, 0,  2, 4, 1,  25, 15,  0,  0, 0, 0, 8, 0, 1,  0,  0, 75},
    // Whose first thread looks at the end. Only where they are asked for.
    {"looking",                 0, 3, 4, 1, 2, 3, 7,   3, 9, 3, 2, 1, 1, 0, 0, 0, 1, 0,  3, 2, 2,   0,  0, 10,  0, 0, 0, 0, 0, 1},
    {"waiting and looking",     0, 3, 4, 1, 2, 3, 7,   2, 9, 3, 2, 0, 1, 0, 2, 0, 0, 1,  3, 2, 2,   0,  0,  5,  0, 1, 0, 7, 0, 1},
    // With dependencies; the last two columns. Only where they are asked for.
    {"dependent",               0, 2, 3, 2, 3, 4, 8,   9, 9, 0, 0, 0, 2, 0, 0, 0, 0, 0,  1, 0, 0,   0,  0,  0,  0, 0, 0, 0, 0, 0, 70,  0},
    {"dependent addresses",     0, 2, 3, 1, 2, 4, 8,   9, 9, 1, 0, 0, 1, 0, 0, 0, 0, 0,  8, 1, 0,   0,  0,  0,  0, 0, 0, 0, 0, 0, 70, 70},
    {"dependent orders",        0, 2, 3, 2, 3, 4, 8,   9, 9, 1, 0, 3, 2, 0, 0, 0, 0, 0,  4, 2, 1,   0,  0,  0,  0, 0, 0, 0, 0, 0, 60, 15},
    {"dependent updates",       0, 2, 3, 1, 3, 5, 9,   5, 6, 5, 4, 1, 1, 0, 0, 0, 0, 0,  5, 2, 1,   0,  0,  0,  0, 0, 0, 0, 0, 0, 60, 15},
    {"dependent control",       0, 2, 3, 2, 3, 4, 8,   9, 8, 1, 1, 1, 8, 2, 0, 2, 2, 0,  6, 1, 1,   0,  0,  0,  0, 0, 0, 0, 0, 0, 55, 15},
    {"dependent threads",       0, 2, 3, 1, 3, 4, 8,   9, 8, 1, 1, 1, 2, 0, 0, 1, 1, 0,  6, 1, 1,   0,  0,  0,  2, 0, 0, 0, 0, 0, 60, 15},
    {"dependent locks",         0, 2, 3, 1, 2, 5, 9,   7, 8, 1, 0, 0, 2, 0, 9, 0, 0, 3,  6, 1, 1,   0,  0,  0,  0, 1, 0, 0, 0, 0, 60, 15},
    {"dependent readers",       0, 3, 3, 2, 2, 6, 8,  10, 7, 1, 0, 0, 2, 0, 0, 0, 0, 0,  8, 1, 0,   0,  0,  0,  0, 0, 0, 0, 0, 0, 55, 25},
    {"dependent everything",    0, 2, 3, 1, 3, 4, 9,   8, 8, 2, 2, 2, 3, 1, 2, 1, 1, 1,  6, 2, 1,   0,  0,  0,  1, 1, 0, 0, 0, 0, 60, 25},
    // Of mixed sizes; the column `views` says so.
    {"mixed",                  1, 2, 4, 1, 2, 6, 10,  9, 9, 3, 2, 1, 1, 0, 0, 0, 0, 0, 3, 3, 2,   0,  0,  0,  0, 0, 1},
    {"mixed updates",          1, 2, 4, 1, 1, 6, 10,  3, 4, 7, 6, 0, 1, 0, 0, 0, 0, 0, 3, 3, 1,   0,  0,  0,  0, 0, 1},
    {"mixed fences",           1, 2, 3, 1, 2, 7, 11,  9, 9, 1, 0, 5, 0, 0, 0, 0, 0, 0, 4, 1, 1,   0,  0,  0,  0, 0, 1},
    {"mixed sequential",       1, 2, 4, 1, 2, 6, 9,   9, 9, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 6,   0,  0,  0,  0, 0, 1},
    {"mixed locks",            1, 2, 3, 1, 2, 6, 10,  5, 5, 1, 0, 0, 1, 0, 8, 0, 0, 6, 2, 2, 1,  10, 10,  0,  0, 1, 1, 0, 40},
    {"mixed everything",       1, 2, 4, 1, 2, 6, 10,  8, 8, 2, 2, 1, 3, 1, 2, 1, 1, 2, 2, 2, 2,  10, 10,  0,  1, 1, 1},
}};
// clang-format on

const Profile& pickProfile(Random& random, const std::string& name) {
  std::vector<unsigned> odds;
  for (const Profile& profile : profiles) {
    odds.push_back(!name.empty() ? name == profile.name : profile.views == 0 ? profile.odds : 0);
  }
  return profiles[random.weighted(odds)];
}

// The same mix in a program that the oracle could not look through.
Profile enlarged(Profile profile) {
  profile.minThreads = 2;
  profile.maxThreads = 5;
  profile.maxLocations += 1;
  profile.minEvents = 8;
  profile.maxEvents = 14;
  profile.choose = 0;
  return profile;
}

class Generator {
 public:
  Generator(std::uint64_t seed, const std::string& profile, bool large)
      : random_(seed), profile_(pickProfile(random_, profile)) {
    if (large) profile_ = enlarged(profile_);
  }

  RandomProgram generate() {
    program_.profile = profile_.name;
    program_.mixedSizes = profile_.views != 0;
    const unsigned locations = random_.between(profile_.minLocations, profile_.maxLocations);
    std::vector<bool> plain;
    for (unsigned i = 0; i < locations; ++i) {
      plain.push_back(random_.percent(profile_.plainPercent));
      program_.locations.push_back(location());
    }
    const unsigned threads = random_.between(profile_.minThreads, profile_.maxThreads);
    if (profile_.looks != 0) return looking(threads, plain);
    const unsigned spawned = profile_.spawned == 0 ? 0 : random_.between(1, std::min(profile_.spawned, threads - 1));
    program_.initialThreads = threads - spawned;
    const std::vector<unsigned> budgets =
        shareOut(std::max(threads, random_.between(profile_.minEvents, profile_.maxEvents)), threads);
    for (unsigned t = 0; t < threads; ++t) {
      std::vector<bool> here = plain;
      for (unsigned i = 0; i < locations; ++i) here[i] = here[i] || random_.percent(profile_.mixedPercent);
      program_.threads.push_back(thread(budgets[t], here));
    }
    for (unsigned t = program_.initialThreads; t < threads; ++t) addSpawn(t);
    return std::move(program_);
  }

 private:
  // `plain`: by location, in this thread.
  Block thread(unsigned budget, const std::vector<bool>& plain) {
    nextRegister_ = 0;
    registers_.clear();
    plain_ = plain;
    return block(budget, 0, 0);
  }

  // All threads but the first do something; that one starts and joins them, and then reads each location, mostly plainly.
  RandomProgram looking(unsigned threads, const std::vector<bool>& plain) {
    program_.initialThreads = 1;
    program_.threads.emplace_back();
    const std::vector<unsigned> budgets =
        shareOut(std::max(threads - 1, random_.between(profile_.minEvents, profile_.maxEvents)), threads - 1);
    Block first;
    for (unsigned t = 1; t < threads; ++t) {
      program_.threads.push_back(thread(budgets[t - 1], plain));
      first = {{.kind = StatementKind::spawn, .thread = t, .joined = true, .body = first}};
    }
    nextRegister_ = 0;
    registers_.clear();
    for (unsigned l = 0; l < program_.locations.size(); ++l) {
      plain_.assign(plain.size(), random_.percent(80));
      first.push_back({.kind = StatementKind::load, .reg = newRegister(), .location = l, .order = order(l, Order::acquire)});
    }
    if (random_.percent(40)) first.push_back(assertion());
    program_.threads[0] = std::move(first);
    return std::move(program_);
  }

  // One that is narrow or wide often starts right before it wraps around.
  Location location() {
    static constexpr std::array<unsigned, 3> sizes = {1, 2, 8};
    static constexpr std::array<unsigned, 3> wordSizes = {2, 4, 8};
    Location result;
    if (profile_.views != 0) return {.initial = random_.percent(15) ? 1 : 0, .size = wordSizes[random_.weighted({5, 4, 2})]};
    if (profile_.arrays != 0 && random_.percent(profile_.arrays)) return {.elements = 2};
    if (random_.percent(profile_.narrowPercent)) result.size = sizes[random_.below(3)];
    if (random_.percent(8)) result.initial = 1;
    if (result.size != 4 && random_.percent(40)) result.initial = -1;
    return result;
  }

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

  // Statements for up to `budget` events; takes what they cost off it. `held`: the mutexes of the enclosing critical
  // sections, a bit for each.
  Block block(unsigned& budget, unsigned depth, unsigned held) {
    Block result;
    while (budget > 0) {
      result.push_back(statement(budget, depth, held));
      if (depth > 0 && random_.percent(45)) break;
    }
    return result;
  }

  Statement statement(unsigned& budget, unsigned depth, unsigned held) {
    const bool atomics = std::ranges::find(plain_, false) != plain_.end();
    const bool known = !registers_.empty();
    const Profile& p = profile_;
    const std::vector<unsigned> odds = {
        p.load,
        p.store,
        atomics && budget >= 2 ? p.rmw : 0,
        atomics && budget >= 2 ? p.cas : 0,
        p.fence,
        known && depth < 3 ? p.branch : 0,
        known ? p.assume : 0,
        depth < 2 && budget >= 2 ? p.critical : 0,
        p.choose,
        known ? p.assertion : 0,
        depth < 3 && budget >= 2 ? p.attempt : 0,
        atomics ? p.await : 0,
    };
    switch (random_.weighted(odds)) {
      case 0: return load(budget);
      case 1: return store(budget);
      case 2: return rmw(budget);
      case 3: return cas(budget);
      case 4: return fence(budget);
      case 5: return branch(budget, depth, held);
      case 6: return {.kind = StatementKind::assume, .condition = condition()};
      case 7: return critical(budget, depth, held);
      case 8: return {.kind = StatementKind::choose, .reg = newRegister()};
      case 9: return assertion();
      case 10: return attempt(budget, depth, held);
      default: return await(budget);
    }
  }

  Statement load(unsigned& budget) {
    --budget;
    Statement s{.kind = StatementKind::load, .location = anyLocation()};
    chooseView(s);
    s.order = order(s.location, Order::acquire);
    s.reg = newRegister();
    return s;
  }

  Statement store(unsigned& budget) {
    --budget;
    Statement s{.kind = StatementKind::store, .location = anyLocation()};
    chooseView(s);
    s.order = order(s.location, Order::release);
    s.value = operand(s);
    return s;
  }

  Statement rmw(unsigned& budget) {
    static constexpr std::array<RmwOp, 6> ops = {RmwOp::add,    RmwOp::exchange, RmwOp::bitOr,
                                                 RmwOp::bitXor, RmwOp::bitAnd,   RmwOp::sub};
    budget -= 2;
    Statement s{.kind = StatementKind::rmw, .location = atomicLocation(), .order = updateOrder()};
    chooseView(s);
    s.op = ops[random_.weighted({10, 6, 3, 3, 3, 1})];
    s.value = operand(s);
    s.reg = newRegister();
    return s;
  }

  Statement cas(unsigned& budget) {
    budget -= 2;
    Statement s{.kind = StatementKind::cas, .location = atomicLocation(), .order = updateOrder()};
    s.failureOrder = atomicOrder(Order::acquire);
    s.weak = random_.percent(40);
    s.expected.constant = random_.below(3) == 2 ? 1 : random_.below(2);
    chooseView(s);
    if (profile_.views != 0 && random_.percent(50)) s.expected.constant = pattern(s.size);
    if (usesRegister()) s.expected = {.reg = anyRegister(), .use = anyUse()};
    s.value = operand(s);
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

  Statement branch(unsigned& budget, unsigned depth, unsigned held) {
    Statement s{.kind = StatementKind::branch, .condition = condition()};
    const std::vector<int> outside = registers_;
    unsigned first = budget;
    s.body = block(first, depth + 1, held);
    registers_ = outside;
    unsigned second = budget;
    if (random_.percent(35)) s.otherwise = block(second, depth + 1, held);
    registers_ = outside;
    budget = std::min(first, second);
    return s;
  }

  // Mostly one that holds.
  Statement assertion() {
    Statement s{.kind = StatementKind::assertion, .condition = condition()};
    s.condition.equal = random_.percent(15) != (s.condition.use == RegisterUse::zero);
    return s;
  }

  // Of a mutex that is not held, if there is one; a thread that takes one twice is stuck for certain.
  Statement critical(unsigned& budget, unsigned depth, unsigned held) {
    const unsigned mutexes = std::max(1u, profile_.mutexes);
    Statement s{.kind = StatementKind::critical, .mutex = random_.below(mutexes)};
    s.reading = isForReading();
    if ((held >> s.mutex & 1) != 0 && mutexes > 1) s.mutex = 1 - s.mutex;
    if ((held >> s.mutex & 1) != 0 && !random_.percent(5)) return random_.percent(50) ? load(budget) : store(budget);
    budget -= 2;  // of three events, but few orders of them are possible
    fillCritical(s, budget, depth, held);
    return s;
  }

  // Draws only where there is a choice, so that the programs of other profiles stay what they are.
  bool isForReading() { return profile_.readingPercent != 0 && random_.percent(profile_.readingPercent); }

  void fillCritical(Statement& s, unsigned& budget, unsigned depth, unsigned held) {
    unsigned inside = std::min(budget, random_.between(0, profile_.mutexes > 1 ? 4 : 3));
    budget -= inside;
    s.body = block(inside, depth, held | 1u << s.mutex);
    budget += inside;
    if (random_.percent(15)) {
      s.unlock = Unlock::never;
    } else if (!registers_.empty() && random_.percent(12)) {
      s.unlock = Unlock::conditional;
      s.condition = condition();
    }
  }

  // Sometimes of a mutex that the thread holds itself, which fails for certain. What follows a failure is often another
  // attempt, or a lock.
  Statement attempt(unsigned& budget, unsigned depth, unsigned held) {
    const unsigned mutexes = std::max(1u, profile_.mutexes);
    Statement s{.kind = StatementKind::attempt, .mutex = random_.below(mutexes)};
    s.reading = isForReading();
    if ((held >> s.mutex & 1) != 0 && mutexes > 1) s.mutex = 1 - s.mutex;
    if ((held >> s.mutex & 1) != 0 && !random_.percent(20)) return random_.percent(50) ? load(budget) : store(budget);
    budget -= 2;
    s.reg = newRegister();
    const std::vector<int> outside = registers_;
    unsigned first = budget;
    fillCritical(s, first, depth + 1, held);
    registers_ = outside;
    unsigned second = budget;
    if (random_.percent(40)) s.otherwise = block(second, depth + 1, held);
    registers_ = outside;
    budget = std::min(first, second);
    return s;
  }

  // For a value, for two locations to have certain values, or for a compare-exchange to succeed; what is read by the way
  // is used later.
  Statement await(unsigned& budget) {
    Statement s{.kind = StatementKind::await};
    if (profile_.confirming != 0 && budget >= 3 && random_.percent(profile_.confirming)) return confirmation(budget);
    const bool updates = budget >= 2 && random_.percent(35);
    if (!updates || (budget >= 3 && random_.percent(30))) s.body.push_back(atomicLoad(budget));
    if (updates) s.body.push_back(cas(budget));
    if (!updates && budget >= 1 && random_.percent(30)) s.body.push_back(atomicLoad(budget));
    const Statement& last = s.body.back();
    s.condition = {last.reg, updates || random_.percent(50), updates ? 1 : std::int64_t{random_.below(3)}};
    return s;
  }

  // Loads a value and exchanges it, until nobody has been faster; sometimes with another look in between, which may race. The new
  // value is often a new one, and often one that has been there before.
  Statement confirmation(unsigned& budget) {
    Statement s{.kind = StatementKind::await};
    s.body.push_back(atomicLoad(budget));
    const Statement seen = s.body.front();
    if (budget >= 3 && random_.percent(25)) s.body.push_back(load(budget));
    Statement exchange = cas(budget);
    exchange.location = seen.location;
    exchange.index = seen.index;
    exchange.expected = {.reg = seen.reg};
    if (random_.percent(50)) exchange.value = {.reg = seen.reg, .constant = 1};
    s.body.push_back(exchange);
    s.condition = {exchange.reg, true, 1};
    return s;
  }

  Statement atomicLoad(unsigned& budget) {
    --budget;
    Statement s{.kind = StatementKind::load, .location = atomicLocation(), .order = atomicOrder(Order::acquire)};
    s.reg = newRegister();
    return s;
  }

  // Puts the spawn of a thread somewhere in an earlier one, often behind what that one has read; the statements
  // that follow it may go between it and its join.
  void addSpawn(unsigned thread) {
    Block* target = &program_.threads[random_.below(thread)];
    while (true) {
      std::vector<Block*> inner;
      for (Statement& s : *target) {
        if (s.kind == StatementKind::branch || s.kind == StatementKind::spawn || s.kind == StatementKind::critical ||
            s.kind == StatementKind::attempt) {
          inner.push_back(&s.body);
        }
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
    while (plain_[location]) location = anyLocation();
    return location;
  }

  Order order(unsigned location, Order middle) { return plain_[location] ? Order::plain : atomicOrder(middle); }

  Order atomicOrder(Order middle) {
    const std::array<Order, 3> orders = {Order::relaxed, middle, Order::seq_cst};
    return orders[random_.weighted({profile_.relaxed, profile_.acquireRelease, profile_.sequential})];
  }

  Order updateOrder() {
    static constexpr std::array<Order, 3> middle = {Order::acquire, Order::release, Order::acq_rel};
    return atomicOrder(middle[random_.below(3)]);
  }

  // Of a part of its location: rather the low bytes of a word, so that accesses meet.
  void chooseView(Statement& s) {
    if (program_.locations[s.location].elements > 1) s.index = index();
    if (profile_.views == 0) return;
    const unsigned whole = program_.locations[s.location].size;
    do s.size = 1u << random_.weighted({4, 4, 3, 2});
    while (s.size > whole);
    const unsigned places = whole / s.size;
    s.offset = s.size * random_.below(places > 2 && random_.percent(60) ? places / 2 : places);
  }

  // A value whose bytes tell something: the same in each byte, or one in the lowest or the highest.
  std::int64_t pattern(unsigned size) {
    const std::int64_t byte = random_.between(1, 2);
    const unsigned kind = random_.below(4);
    if (kind == 0) return byte;
    if (kind == 1) return byte << (8 * (size - 1));
    std::int64_t value = 0;
    for (unsigned i = 0; i < size; ++i) value |= byte << (8 * i);
    return value;
  }

  // Draws only where there are dependencies.
  bool usesRegister() { return profile_.dependent != 0 && !registers_.empty() && random_.percent(profile_.dependent); }

  RegisterUse anyUse() {
    static constexpr std::array<RegisterUse, 3> uses = {RegisterUse::value, RegisterUse::lowBit, RegisterUse::zero};
    return uses[random_.weighted({4, 2, 4})];
  }

  // 0 or 1.
  Operand index() {
    if (!usesRegister()) return {.constant = random_.below(2)};
    if (random_.percent(50)) return {.reg = anyRegister(), .use = RegisterUse::lowBit};
    return {.reg = anyRegister(), .constant = random_.below(2), .use = RegisterUse::zero};
  }

  // Mostly small, so that there are few values.
  Operand dependentOperand() {
    if (random_.percent(8) && registers_.size() > 1) return {.reg = anyRegister(), .otherReg = anyRegister()};
    Operand result{.reg = anyRegister(), .use = anyUse()};
    const bool adds = result.use == RegisterUse::zero || random_.percent(10);
    if (adds) result.constant = random_.between(1, 2);
    return result;
  }

  Operand operand(const Statement& s) {
    if (usesRegister()) return dependentOperand();
    if (profile_.dependent != 0) return {.constant = random_.percent(10) ? 0 : random_.between(1, 2)};
    if (!registers_.empty() && random_.percent(25)) {
      if (registers_.size() > 1 && random_.percent(30)) return {.reg = anyRegister(), .otherReg = anyRegister()};
      return {.reg = anyRegister(), .constant = random_.below(2)};
    }
    if (profile_.views != 0) return {.constant = random_.percent(12) ? 0 : pattern(s.size)};
    const unsigned size = program_.locations[s.location].size;
    if (size != 4 && random_.percent(20)) return {.constant = size == 8 ? std::int64_t{1} << 32 : -1};
    return {.constant = random_.percent(10) ? 0 : random_.between(1, 2)};
  }

  Condition condition() {
    Condition result{anyRegister(), random_.percent(65), random_.below(2)};
    if (profile_.views != 0 && random_.percent(40)) result.constant = pattern(1u << random_.below(3));
    if (profile_.dependent != 0) result.use = anyUse();
    if (result.use == RegisterUse::zero) result.constant = 0;
    return result;
  }

  int newRegister() {
    registers_.push_back(nextRegister_);
    return nextRegister_++;
  }

  int anyRegister() { return registers_[random_.below(static_cast<unsigned>(registers_.size()))]; }

  Random random_;
  Profile profile_;
  RandomProgram program_;
  int nextRegister_ = 0;
  unsigned lastLocation_ = 0;
  std::vector<int> registers_;  // those in scope
  std::vector<bool> plain_;     // by location, in the current thread
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

std::vector<std::string> profileNames() {
  std::vector<std::string> names;
  for (const Profile& profile : profiles) names.push_back(profile.name);
  return names;
}

std::vector<std::string> mixedProfileNames() {
  std::vector<std::string> names;
  for (const Profile& profile : profiles) {
    if (profile.views != 0) names.push_back(profile.name);
  }
  return names;
}

std::vector<std::string> dependentProfileNames() {
  std::vector<std::string> names;
  for (const Profile& profile : profiles) {
    if (profile.dependent != 0) names.push_back(profile.name);
  }
  return names;
}

RandomProgram randomProgram(std::uint64_t seed, const std::string& profile) {
  return Generator(seed, profile, false).generate();
}

RandomProgram largeProgram(std::uint64_t seed, const std::string& profile) { return Generator(seed, profile, true).generate(); }

RandomProgram renumberThreads(const RandomProgram& program, const std::vector<unsigned>& names) {
  RandomProgram result = program;
  const auto padding = *std::ranges::max_element(names) + 1 - static_cast<unsigned>(names.size());
  result.threads.assign(names.size() + padding, {});
  result.initialThreads += padding;
  const std::function<void(Block&)> rename = [&](Block& block) {
    for (Statement& s : block) {
      if (s.kind == StatementKind::spawn) s.thread = names.at(s.thread);
      rename(s.body);
      rename(s.otherwise);
    }
  };
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    result.threads.at(names.at(t)) = program.threads[t];
    rename(result.threads.at(names.at(t)));
  }
  return result;
}

}  // namespace heddle::oracle
