#include "program/operation.h"

#include <gtest/gtest.h>

#include "program/barrier.h"
#include "program/lock.h"

namespace heddle {
namespace {

constexpr Address kPlace = 0x1000;

TEST(Operation, AccessesSayWhatTheyReadAndWrite) {
  const Operation load = Operation::load(kPlace, 2, Order::acquire).at(7);
  EXPECT_EQ(load.kind, OperationKind::load);
  EXPECT_EQ(load.address, kPlace);
  EXPECT_EQ(load.size, 2U);
  EXPECT_EQ(load.order, Order::acquire);
  EXPECT_EQ(load.source, 7U);

  const Operation store = Operation::store(kPlace, 8, Order::release, 5);
  EXPECT_EQ(store.kind, OperationKind::store);
  EXPECT_EQ(store.operand(), 5U);

  const Operation update = Operation::update(kPlace, 4, Order::acq_rel, RmwOp::bitOr, 6);
  EXPECT_EQ(update.kind, OperationKind::rmw);
  EXPECT_EQ(update.rmw, RmwOp::bitOr);
  EXPECT_EQ(update.operand(), 6U);
  EXPECT_FALSE(update.isAttempt());

  EXPECT_EQ(Operation::fence(Order::seq_cst).kind, OperationKind::fence);
  EXPECT_EQ(Operation::fence(Order::seq_cst).order, Order::seq_cst);
}

TEST(Operation, ACompareExchangeExpectsTheLowBytesOfAValue) {
  const Operation cas = Operation::cas(kPlace, 1, Order::acq_rel, Order::acquire, 0x102, 3);
  EXPECT_EQ(cas.kind, OperationKind::cas);
  EXPECT_EQ(cas.failureOrder, Order::acquire);
  EXPECT_EQ(cas.operand(), 3U);
  EXPECT_TRUE(cas.expects(2));
  EXPECT_FALSE(cas.expects(1));
  EXPECT_FALSE(cas.mayFailSpuriously);
  EXPECT_FALSE(cas.isAttempt());
}

// An exchange in vain has written what was there, so there is nothing to take back; one for what it equals is what every
// compare-exchange is.
TEST(Operation, AttemptsAreTakenBackUnlessTheyExchange) {
  const auto attempt = [](RmwOp rmw, Comparison comparison) {
    return Operation::attempt(kPlace, 4, Order::acquire, rmw, 1, comparison, 0);
  };
  EXPECT_TRUE(attempt(RmwOp::add, Comparison::equal).isAttempt());
  EXPECT_TRUE(attempt(RmwOp::add, Comparison::equal).isTakenBack());
  EXPECT_TRUE(attempt(RmwOp::exchange, Comparison::less).isAttempt());
  EXPECT_FALSE(attempt(RmwOp::exchange, Comparison::less).isTakenBack());
  EXPECT_FALSE(attempt(RmwOp::exchange, Comparison::equal).isAttempt());
  EXPECT_TRUE(attempt(RmwOp::add, Comparison::less).expects(0xffffffff));  // -1 < 0
  EXPECT_FALSE(attempt(RmwOp::add, Comparison::below).expects(0xffffffff));
  const auto bits = [](Comparison comparison) {
    return Operation::attempt(kPlace, 1, Order::acquire, RmwOp::add, 4, comparison, 3);
  };
  EXPECT_TRUE(bits(Comparison::noneOf).expects(0xfc));
  EXPECT_TRUE(bits(Comparison::noneOf).expects(0x100));
  EXPECT_FALSE(bits(Comparison::noneOf).expects(6));
  EXPECT_TRUE(bits(Comparison::anyOf).expects(6));
  EXPECT_FALSE(bits(Comparison::anyOf).expects(0xfc));
}

TEST(Operation, LocksSayWhatTheyWaitForAndWhatTheyArePartOf) {
  const Operation mutex = Operation::take(kPlace, LockOp::hold);
  EXPECT_EQ(mutex.kind, OperationKind::lock);
  EXPECT_EQ(mutex.order, Order::acquire);
  EXPECT_EQ(mutex.whole(), 0U);
  EXPECT_FALSE(mutex.isPoll());
  EXPECT_TRUE(Operation::take(kPlace, LockOp::poll).isPoll());
  EXPECT_TRUE(isLockOfMutex(mutex));
  EXPECT_EQ(Operation::unlock(kPlace).order, Order::release);

  const Operation member = Operation::take(kPlace, LockOp::join, 8, 4);
  EXPECT_EQ(member.order, Order::release);
  EXPECT_EQ(stateWritten(member, 2), 6U);
  EXPECT_TRUE(waitsInVain(Operation::take(kPlace, LockOp::leave, 8, 4), 2));

  const Operation taken = Operation::takePart(kPlace + 4, LockOp::hold, kPlace, 1);
  for (const Operation& part : {taken, Operation::unlockPart(kPlace + 4, kPlace, 1)}) {
    EXPECT_EQ(part.whole(), kPlace);
    EXPECT_EQ(part.part(), 1U);
  }
  const Operation leaving = Operation::leaveReading(kPlace, kPlace + 8);
  EXPECT_EQ(leaving.kind, OperationKind::rmw);
  EXPECT_EQ(leaving.whole(), kPlace + 8);
  EXPECT_EQ(applyRmw(leaving.rmw, 2 * kReader, leaving.operand(), leaving.size), kReader);

  EXPECT_FALSE(triesLock(Operation::tryTake(kPlace, LockOp::hold)));  // free for held, like any other compare-exchange
  EXPECT_TRUE(Operation::tryTake(kPlace, LockOp::hold).expects(kFree));
  EXPECT_EQ(Operation::tryTake(kPlace, LockOp::hold).operand(), kHeld);
  EXPECT_TRUE(triesLock(Operation::tryTake(kPlace, LockOp::read)));
}

TEST(Operation, ThreadsStartEndAndAreJoined) {
  const Operation spawn = Operation::spawn(3, 0x40, 0x50);
  EXPECT_EQ(spawn.kind, OperationKind::spawn);
  EXPECT_EQ(spawn.thread, 3U);
  EXPECT_EQ(spawn.function(), 0x40U);
  EXPECT_EQ(spawn.argument(), 0x50U);
  EXPECT_EQ(Operation::join(3).thread, 3U);
  EXPECT_FALSE(Operation::join(3).joinsRest);
  EXPECT_TRUE(Operation::joinOneOfTheRest().joinsRest);
  EXPECT_EQ(Operation::end(), Operation());
  EXPECT_FALSE(Operation::end().endsProgram);
  EXPECT_TRUE(Operation::endProgram().endsProgram);
  EXPECT_EQ(Operation::endProgram().kind, OperationKind::end);
}

TEST(Operation, BarriersHaveRounds) {
  const Value barrier = Value{9} << 32 | 2;
  const Operation arrival = Operation::arrive(kPlace, barrier, 2);
  EXPECT_EQ(arrival.weight(), 2U);
  EXPECT_EQ(firstExpected(arrival.barrier()), 2U);
  EXPECT_TRUE(isSameBarrier(arrival, Operation::depart(kPlace, barrier, 0)));
  EXPECT_FALSE(isSameBarrier(arrival, Operation::depart(kPlace, barrier + (Value{1} << 32), 0)));
  EXPECT_EQ(Operation::depart(kPlace, barrier, 0).round(), 0U);
  EXPECT_EQ(Operation::depart(kPlace, barrier, 5).round(), 5U);
  EXPECT_EQ(Operation::depart(kPlace, barrier, std::nullopt).round(), std::nullopt);
}

TEST(Operation, NotificationsAreNoChoices) {
  EXPECT_EQ(Operation::choose(3).choices(), 3U);
  EXPECT_EQ(Operation::notify(kPlace, true).kind, OperationKind::notify);
  EXPECT_TRUE(Operation::notify(kPlace, true).wakesOne);
  EXPECT_FALSE(Operation::notify(kPlace, false).wakesOne);
  EXPECT_EQ(Operation::stopWaiting(kPlace, 4).kind, OperationKind::stopWaiting);
  EXPECT_EQ(Operation::stopWaiting(kPlace, 4).waitedWith(), 4U);
}

TEST(Operation, WhatStopsAThreadHasANumber) {
  EXPECT_EQ(Operation::block(2).reason(), 2U);
  EXPECT_FALSE(Operation::block(2).mattersInItself);
  EXPECT_EQ(Operation::spin(3, 12).kind, OperationKind::block);
  EXPECT_EQ(Operation::spin(3, 12).began(), 12U);
  EXPECT_EQ(Operation::error(8).message(), 8U);
}

}  // namespace
}  // namespace heddle
