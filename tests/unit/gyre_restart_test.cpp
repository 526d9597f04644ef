// What a gyre's making keeps beside its file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "base/error.h"
#include "env/gyre/gyre_checkpoint_file.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class GyreRestartTest : public testing::Test {
 protected:
  GyreRestartTest() {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (double& value : checkpoint_.state.mean.values()) value = normal(random) / 3;
    for (auto& mode : checkpoint_.state.modes) {
      for (double& value : mode.values()) value = normal(random) / 3;
    }
    for (double& value : checkpoint_.state.coefficient) value = normal(random) / 3;
  }

  fs::path out() const { return folder_ / "ocean.h5"; }
  NamedOptions options(int seed = 1) const {
    GyreEnvironmentOptions gyre;
    gyre.uncertainty.seed = static_cast<std::uint64_t>(seed);
    return named_options(gyre);
  }

  const test::TemporaryFolder folder_;
  const StaggeredGrid grid_{5, 4};
  GyreCheckpoint checkpoint_{
      {VelocityField(grid_), {2, VelocityField(grid_)}, std::vector<double>(14), 7},
      3,
      20,
      1.0 / 3};
};

TEST_F(GyreRestartTest, GivesBackTheSameBits) {
  const GyreRestartFolder folder(out(), options(), GyreRestart::go_on);
  EXPECT_FALSE(folder.checkpoint(grid_));
  EXPECT_FALSE(folder.spun_up(grid_));
  folder.keep(checkpoint_);
  folder.keep_spun_up(checkpoint_.state.mean);
  const auto kept = folder.checkpoint(grid_);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->stretches_done, 3);
  EXPECT_EQ(kept->levels_done, 20);
  EXPECT_EQ(kept->velocity_scale, 1.0 / 3);
  EXPECT_EQ(kept->state.realization_count, 7U);
  EXPECT_EQ(kept->state.coefficient, checkpoint_.state.coefficient);
  EXPECT_EQ(kept->state.mean.values(), checkpoint_.state.mean.values());
  ASSERT_EQ(kept->state.mode_count(), 2U);
  EXPECT_EQ(kept->state.modes[1].values(), checkpoint_.state.modes[1].values());
  EXPECT_EQ(folder.spun_up(grid_)->values(), checkpoint_.state.mean.values());
}

TEST_F(GyreRestartTest, BelongsToItsOptionsAlone) {
  {
    const GyreRestartFolder folder(out(), options(), GyreRestart::go_on);
    folder.keep(checkpoint_);
  }
  EXPECT_EQ(find_gyre_standing(out(), options())->levels_done, 20);
  EXPECT_THAT([&] { find_gyre_standing(out(), options(2)); },
              ThrowsMessage<InputError>(HasSubstr("--seed 1 there, --seed 2 here")));
  EXPECT_THAT([&] { GyreRestartFolder(out(), options(2), GyreRestart::go_on); },
              ThrowsMessage<InputError>(HasSubstr("--restart-over")));
  EXPECT_TRUE(GyreRestartFolder(out(), options(), GyreRestart::go_on).checkpoint(grid_));
  EXPECT_FALSE(GyreRestartFolder(out(), options(2), GyreRestart::begin_anew).checkpoint(grid_));
}

TEST_F(GyreRestartTest, IsAnybodysWhileThereIsNothingToGoOnFrom) {
  { const GyreRestartFolder folder(out(), options(), GyreRestart::go_on); }
  EXPECT_FALSE(find_gyre_standing(out(), options(2)));
  {
    const GyreRestartFolder folder(out(), options(2), GyreRestart::go_on);
    folder.keep_spun_up(checkpoint_.state.mean);
  }
  EXPECT_THAT([&] { GyreRestartFolder(out(), options(), GyreRestart::go_on); },
              ThrowsMessage<InputError>(HasSubstr("--seed 2 there, --seed 1 here")));
}

TEST_F(GyreRestartTest, LeavesOthersOptionsAlone) {
  fs::create_directory(gyre_restart_path(out()));
  std::ofstream(gyre_restart_path(out()) / "options.txt") << "buy or sell";
  EXPECT_THAT([&] { GyreRestartFolder(out(), options(), GyreRestart::go_on); },
              ThrowsMessage<InputError>(HasSubstr("another environment")));
}

TEST_F(GyreRestartTest, IsOneProcessesAtATime) {
  const GyreRestartFolder folder(out(), options(), GyreRestart::go_on);
  EXPECT_THAT([&] { GyreRestartFolder(out(), options(), GyreRestart::go_on); },
              ThrowsMessage<InputError>(HasSubstr("another process")));
}

TEST_F(GyreRestartTest, LeavesOthersFoldersAlone) {
  fs::create_directory(gyre_restart_path(out()));
  std::ofstream(gyre_restart_path(out()) / "thesis.txt") << "years of work";
  for (const auto restart : {GyreRestart::go_on, GyreRestart::begin_anew}) {
    EXPECT_THAT([&] { GyreRestartFolder(out(), options(), restart); },
                ThrowsMessage<InputError>(HasSubstr("thesis.txt")));
  }
  EXPECT_TRUE(fs::exists(gyre_restart_path(out()) / "thesis.txt"));
}

TEST_F(GyreRestartTest, GoesWithAllThatItHolds) {
  GyreRestartFolder folder(out(), options(), GyreRestart::go_on);
  folder.keep(checkpoint_);
  for (const int n : {0, 1, 7}) std::ofstream(folder.segment(n)) << "levels";
  std::ofstream(folder.path() / ".levels_000002.h5.1.tmp") << "half";
  folder.remove();
  EXPECT_FALSE(fs::exists(folder.path()));
}

TEST_F(GyreRestartTest, RefusesAStateOfAnotherGrid) {
  const GyreRestartFolder folder(out(), options(), GyreRestart::go_on);
  folder.keep(checkpoint_);
  EXPECT_THAT(
      [&] {
        folder.checkpoint({6, 4});
      },
      ThrowsMessage<InputError>(HasSubstr("--restart-over")));
}

}  // namespace
}  // namespace tidewise
