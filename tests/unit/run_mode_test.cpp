// The mode of an exploration (run/mode.h): as a text, and what happens when it is wrong.
#include <gtest/gtest.h>

#include <vector>

#include "run/mode.h"

namespace heddle::run {
namespace {

TEST(Mode, IsTheSameAfterAJourney) {
  Mode mode;
  mode.mixedSizes = true;
  mode.attempts = false;
  mode.redoneStores = false;
  mode.repeatedStores = false;
  mode.guards = false;
  mode.polls = false;
  mode.orderedArrivals = true;
  mode.gracePeriodsHang = true;
  mode.plainLoads = true;
  mode.threads = 32;
  mode.racyBytes.add({64, 4}, {64, 400});
  mode.overlap = "x is accessed with 1 byte,\nand x with 4";
  mode.noticed = "\"quoted\"";
  mode.symmetry = true;
  mode.toldApart = "a.c:1: why";
  for (const Mode& sent : {Mode(), mode}) {
    const Mode received = Mode::parse(sent.toText());
    EXPECT_EQ(received.mixedSizes, sent.mixedSizes);
    EXPECT_EQ(received.attempts, sent.attempts);
    EXPECT_EQ(received.redoneStores, sent.redoneStores);
    EXPECT_EQ(received.repeatedStores, sent.repeatedStores);
    EXPECT_EQ(received.guards, sent.guards);
    EXPECT_EQ(received.polls, sent.polls);
    EXPECT_EQ(received.orderedArrivals, sent.orderedArrivals);
    EXPECT_EQ(received.gracePeriodsHang, sent.gracePeriodsHang);
    EXPECT_EQ(received.plainLoads, sent.plainLoads);
    EXPECT_EQ(received.threads, sent.threads);
    EXPECT_EQ(received.racyBytes.toText(), sent.racyBytes.toText());
    EXPECT_EQ(received.overlap, sent.overlap);
    EXPECT_EQ(received.noticed, sent.noticed);
    EXPECT_EQ(received.symmetry, sent.symmetry);
    EXPECT_EQ(received.toldApart, sent.toldApart);
  }
  for (const char* text : {"", "{}", "[]", "words"}) EXPECT_THROW(Mode::parse(text), std::exception) << text;
}

TEST(Mode, EachIsTriedUntilOneIsRight) {
  std::vector<unsigned> tried;
  const unsigned right = inRightMode({}, [&](const Mode& mode) {
    tried.push_back(mode.threads);
    Mode next = mode;
    next.threads *= 2;
    if (mode.threads < 64) throw parallel::WrongMode(next.toText());
    return mode.threads;
  });
  EXPECT_EQ(right, 64u);
  EXPECT_EQ(tried, (std::vector<unsigned>{8, 16, 32, 64}));
}

TEST(Mode, OtherExceptionsComeOut) {
  EXPECT_THROW(inRightMode({}, [](const Mode&) { throw LimitError("too many"); }), LimitError);
}

}  // namespace
}  // namespace heddle::run
