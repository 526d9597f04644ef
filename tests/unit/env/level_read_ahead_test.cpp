#include "env/levels/level_read_ahead.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/error.h"
#include "env/levels/level_stream.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

/// Levels of 4 × 3 cells whose mean velocity is the level's number.
class LevelReadAheadTest : public testing::Test {
 protected:
  explicit LevelReadAheadTest(Obstacles obstacles = Obstacles::moving) {
    auto info = test::plain_info(4, 3, 9);
    info.obstacles = obstacles;
    test::write_environment(folder_ / "a.h5", info, [](TimeLevel k, LevelFields<>& fields) {
      std::fill(fields.u_mean.begin(), fields.u_mean.end(), static_cast<float>(k.value));
      fields.masked[0] = 1;
    });
    reader_.emplace(folder_ / "a.h5");
    for (int n = 0; n < 3; ++n) memory_.emplace_back(reader_->info());
    for (auto& fields : memory_) places_.push_back({fields.views()});
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<LevelFields<>> memory_;
  std::vector<ReadingPlace> places_;
};

TEST_F(LevelReadAheadTest, GivesLevelsInOrderAndNeverAPlaceThatIsTaken) {
  std::atomic<int> taken = -1;  // the place
  LevelReadAhead reading(
      *reader_, levels_between(TimeLevel(8), TimeLevel(0)), places_,
      [&](std::size_t place) { EXPECT_NE(static_cast<int>(place), taken.load()); });
  for (std::int32_t k = 8; k >= 0; --k) {
    const std::size_t place = reading.take();
    taken = static_cast<int>(place);
    EXPECT_EQ(memory_[place].u_mean[5], static_cast<float>(k));
    EXPECT_EQ(memory_[place].masked[0], 1);
    taken = -1;
    reading.give_back();
  }
  EXPECT_FALSE(reading.ready());
}

TEST_F(LevelReadAheadTest, StopsMidway) {
  for (int taken = 0; taken < 4; ++taken) {
    LevelReadAhead reading(*reader_, levels_between(TimeLevel(0), TimeLevel(8)), places_,
                           [](std::size_t) {});
    for (int n = 0; n < taken; ++n) {
      reading.wait();
      EXPECT_TRUE(reading.ready());
      EXPECT_EQ(memory_[reading.take()].u_mean[0], static_cast<float>(n));
      if (n > 0) reading.give_back();
    }
  }
}

TEST_F(LevelReadAheadTest, ThrowsWhatItsThreadMetAfterTheLevelsBefore) {
  int calls = 0;
  LevelReadAhead reading(*reader_, levels_between(TimeLevel(0), TimeLevel(8)), places_,
                         [&](std::size_t) {
                           if (++calls == 3) throw RunError("gone");
                         });
  EXPECT_EQ(memory_[reading.take()].u_mean[0], 0.0F);
  EXPECT_EQ(memory_[reading.take()].u_mean[0], 1.0F);
  reading.wait();
  EXPECT_FALSE(reading.ready());
  EXPECT_THROW(reading.take(), RunError);
  EXPECT_THROW(reading.take(), RunError);
}

class LevelReadAheadOfAFixedMask : public LevelReadAheadTest {
 protected:
  LevelReadAheadOfAFixedMask() : LevelReadAheadTest(Obstacles::fixed) {}
};

TEST_F(LevelReadAheadOfAFixedMask, ReadsItOnceForEachPlace) {
  LevelReadAhead reading(*reader_, levels_between(TimeLevel(0), TimeLevel(8)), places_,
                         [](std::size_t) {});
  for (std::int32_t k = 0; k < 9; ++k) {
    auto& fields = memory_[reading.take()];
    EXPECT_EQ(fields.masked[0], k < 3 ? 1 : 9) << k;
    fields.masked[0] = 9;  // stays, as it is not read again
    reading.give_back();
  }
}

}  // namespace
}  // namespace tidewise
