#include "env/levels/level_read_ahead.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "env/levels/level_stream.h"

namespace tidewise {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t places = 5;

/// Threads that begin levels in order, and finish them in another order.
class ReadAhead : public testing::TestWithParam<std::size_t> {
 protected:
  ReadingWidth width() const { return {GetParam(), places}; }
  void read(TimeLevel level, std::size_t place) {
    EXPECT_EQ(readers_[place].fetch_add(1), 0) << "two threads read to one place";
    std::this_thread::sleep_for((level.value % 3) * 1ms);
    level_[place] = level.value;
    --readers_[place];
  }

  std::array<std::atomic<int>, places> readers_ = {};
  std::array<int, places> level_ = {};
};

INSTANTIATE_TEST_SUITE_P(Threads, ReadAhead, testing::Values(1, 2, 4), [](const auto& threads) {
  return std::to_string(threads.param) + "_threads";
});

TEST_P(ReadAhead, ReturnsLevelsInOrderInFreePlaces) {
  std::atomic<int> place_in_use = -1;
  LevelReadAhead reading(levels_between(TimeLevel(30), TimeLevel(0)), width(),
                         [&](TimeLevel level, std::size_t place) {
                           EXPECT_NE(static_cast<int>(place), place_in_use.load());
                           read(level, place);
                         });
  for (int k = 30; k >= 0; --k) {
    const std::size_t place = reading.take();
    place_in_use = static_cast<int>(place);
    EXPECT_EQ(level_[place], k);
    place_in_use = -1;
    reading.give_back();
  }
  EXPECT_FALSE(reading.ready());
}

TEST_P(ReadAhead, StopsMidway) {
  for (int levels_taken = 0; levels_taken < 6; ++levels_taken) {
    LevelReadAhead reading(levels_between(TimeLevel(0), TimeLevel(30)), width(),
                           [&](TimeLevel level, std::size_t place) { read(level, place); });
    for (int n = 0; n < levels_taken; ++n) {
      reading.wait();
      EXPECT_TRUE(reading.ready());
      EXPECT_EQ(level_[reading.take()], n);
      if (n > 0) reading.give_back();
    }
  }
}

TEST_P(ReadAhead, ThrowsTheFirstLevelsErrorAfterThePreviousLevels) {
  LevelReadAhead reading(levels_between(TimeLevel(0), TimeLevel(8)), width(),
                         [&](TimeLevel level, std::size_t place) {
                           if (level.value == 2) {
                             std::this_thread::sleep_for(20ms);
                             throw RunError("gone");
                           }
                           if (level.value == 3) throw std::logic_error("later, and sooner");
                           read(level, place);
                         });
  EXPECT_EQ(level_[reading.take()], 0);
  EXPECT_EQ(level_[reading.take()], 1);
  reading.wait();
  EXPECT_FALSE(reading.ready());
  EXPECT_THROW(reading.take(), RunError);
  EXPECT_THROW(reading.take(), RunError);
}

TEST(ReadingWidth, HoldsFewLargeLevels) {
  const ReadingWidth large = ReadingWidth::of(1'000'000'000, 2);
  EXPECT_EQ(large.places, 2U);
  EXPECT_EQ(large.threads, 1U);
  const ReadingWidth small = ReadingWidth::of(1000, 4);
  EXPECT_GE(small.places, 4U);
  EXPECT_GE(small.threads, 1U);
  EXPECT_LT(small.threads, small.places);
}

}  // namespace
}  // namespace tidewise
