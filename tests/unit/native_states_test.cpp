#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "runtime/fiber.h"
#include "runtime/states.h"

namespace heddle::runtime {
namespace {

class StatesTest : public ::testing::Test {
 protected:
  static constexpr ThreadId kThread = 1;

  StatesTest() {
    mapStacks(memory::kThreads);
    fill(0);
    root = states.addRoot(kThread, at(1), context());
    states.take(root);
  }
  ~StatesTest() override {
    for (State* state : taken) states.drop(state);
    states.drop(root);
  }

  // The stack is 256 bytes of this.
  static Context context() {
    Context context;
    context.sp = reinterpret_cast<void*>(stackTop(kThread) - 256);
    return context;
  }
  static void fill(int byte) { std::memset(context().sp, byte, 256); }
  static int stackByte() { return *static_cast<const unsigned char*>(context().sp); }
  static Operation at(std::uint32_t source) { return Operation::load(0, 4, Order::relaxed).at(source); }

  // The thread has run, and has this on its stack.
  State* add(State* from, Value value, int byte, std::uint32_t source, std::vector<PlainAccess> accesses = {}) {
    fill(byte);
    return states.add(from, {.value = value}, accesses, at(source), context());
  }
  State* find(State* from, Value value, bool success = true) {
    return states.find(from, {.value = value, .success = success}, [](const Edge&) { return true; });
  }
  void take(State* state) {
    states.take(state);
    taken.push_back(state);
  }

  States states;
  State* root = nullptr;
  std::vector<State*> taken;
};

TEST_F(StatesTest, StepsAreFoundByTheirResults) {
  std::vector<State*> children;
  for (Value value = 0; value < 200; ++value) children.push_back(add(root, value * value, static_cast<int>(value), 2));
  for (Value value = 0; value < 200; ++value) EXPECT_EQ(find(root, value * value), children[value]);
  EXPECT_EQ(find(root, 2), nullptr);
  EXPECT_EQ(find(root, 4, false), nullptr);
  EXPECT_EQ(find(children[0], 0), nullptr);
}

TEST_F(StatesTest, StepsToTheSameStackAndOperationLeadToOneState) {
  State* const child = add(root, 1, 7, 2);
  EXPECT_EQ(add(root, 2, 7, 2), child);
  EXPECT_NE(add(root, 3, 7, 3), child);
  EXPECT_NE(add(root, 4, 8, 2), child);
  EXPECT_EQ(find(root, 2), child);
}

TEST_F(StatesTest, WhoeverAsksDecidesWhetherTheAccessesAreTheSame) {
  const auto read = [](Value value) {
    return PlainAccess{.address = 8, .value = value, .source = 0, .size = 4, .kind = PlainAccess::Kind::read};
  };
  State* const one = add(root, 5, 1, 2, {read(1)});
  State* const two = add(root, 5, 2, 2, {read(2)});
  const auto reading = [&](Value value) {
    return states.find(root, {.value = 5}, [&](const Edge& edge) { return edge.accesses[0].value == value; });
  };
  EXPECT_EQ(reading(1), one);
  EXPECT_EQ(reading(2), two);
  EXPECT_EQ(reading(3), nullptr);
}

TEST_F(StatesTest, StacksArePutBack) {
  State* const one = add(root, 1, 1, 2);
  State* const two = add(root, 2, 2, 3);
  states.restore(one);
  EXPECT_EQ(stackByte(), 1);
  states.restore(two);
  EXPECT_EQ(stackByte(), 2);
  states.restore(root);
  EXPECT_EQ(stackByte(), 0);
}

TEST_F(StatesTest, AnEraForgetsSteps) {
  add(root, 1, 1, 2);
  states.beginEra();
  EXPECT_EQ(find(root, 1), nullptr);
  State* const again = add(root, 1, 3, 4);
  EXPECT_EQ(find(root, 1), again);
}

TEST_F(StatesTest, CuttingBackKeepsTheStatesInUse) {
  State* const kept = add(add(root, 1, 1, 2), 2, 2, 3);
  take(kept);
  Value value = 10;
  for (; !states.areLarge(); ++value) add(root, value, static_cast<int>(value), 2 + static_cast<std::uint32_t>(value));
  for (State* state : {root, kept}) states.keep(state);
  for (State* state : {root, kept}) states.cut(state);
  EXPECT_FALSE(states.areLarge());
  EXPECT_EQ(find(root, value - 1), nullptr);
  fill(99);
  states.restore(kept);
  EXPECT_EQ(stackByte(), 2);
  EXPECT_EQ(kept->operation, at(3));
  State* const next = add(kept, 4, 5, 6);
  EXPECT_EQ(find(kept, 4), next);
}

TEST_F(StatesTest, AFreedStateIsNotTakenForTheStackOfAnother) {
  fill(5);
  State* const other = states.addRoot(kThread, at(9), context());
  states.take(other);
  states.drop(other);
  fill(6);
  State* const reused = states.addRoot(kThread, at(9), context());
  take(reused);
  states.restore(root);
  EXPECT_EQ(stackByte(), 0);
  states.restore(reused);
  EXPECT_EQ(stackByte(), 6);
}

}  // namespace
}  // namespace heddle::runtime
