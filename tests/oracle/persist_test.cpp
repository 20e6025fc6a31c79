// Crashes: random programs against the oracle, known counts, and the oracle itself.

#include <gtest/gtest.h>

#include "oracle/persist_check.h"

namespace heddle::oracle {
namespace {

using Kind = PersistOp::Kind;

std::size_t count(const PersistTest& test, PersistModel model) {
  const std::size_t explored = exploredPersistKeys(test, model, PersistWay::whole, 0).size();
  EXPECT_EQ(explored, persistKeys(test, model).size());
  return explored;
}

PersistTest writes(unsigned n) {
  PersistTest test;
  test.threads.resize(1);
  for (unsigned i = 0; i < n; ++i) {
    test.threads[0].push_back({Kind::store, i, i + 1});
    test.readInRecovery(i);
  }
  return test;
}

TEST(Persistency, WritesOfOneThread) {
  for (unsigned n = 0; n <= 6; ++n) {
    EXPECT_EQ(count(writes(n), PersistModel::strict), n + 1);
    EXPECT_EQ(count(writes(n), PersistModel::weakest), std::size_t{1} << n);
  }
}

// Only what recovery reads counts.
TEST(Persistency, WhatRecoveryDoesNotReadCostsNothing) {
  PersistTest test = writes(4);
  test.recovery = {{Kind::load, 3}};
  EXPECT_EQ(count(test, PersistModel::weakest), 2u);
  EXPECT_EQ(count(test, PersistModel::strict), 2u);
  test.recovery = {};
  EXPECT_EQ(count(test, PersistModel::weakest), 1u);
}

// Recovery reads the second first, then the first.
TEST(Persistency, TwoWritesInOrder) {
  PersistTest test = writes(2);
  test.recovery = {{Kind::load, 1}, {Kind::load, 0}};
  EXPECT_EQ(count(test, PersistModel::strict), 3u);
  EXPECT_EQ(count(test, PersistModel::weakest), 4u);
}

// Of two writes of recovery those that persist when it crashes are those that would if the program had made them.
TEST(Persistency, RecoveryThatWrites) {
  PersistTest test;
  test.threads.resize(1);
  test.recovery = {{Kind::load, 1}, {Kind::load, 0}, {Kind::store, 0, 1}, {Kind::store, 1, 2}};
  EXPECT_EQ(count(test, PersistModel::strict), 3u);
  EXPECT_EQ(count(test, PersistModel::weakest), 4u);
  EXPECT_EQ(count(test, PersistModel::px86), 4u);
  test.recovery.insert(test.recovery.begin() + 3, {Kind::clflush, 0});
  EXPECT_EQ(count(test, PersistModel::px86), 3u);
}

TEST(Persistency, RandomPrograms) {
  std::size_t executions = 0;
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    const auto difference = comparePersistency(seed, executions);
    ASSERT_FALSE(difference) << *difference;
  }
  EXPECT_GT(executions, 30'000u);
}

}  // namespace
}  // namespace heddle::oracle
