// The restart folder of a gyre's computation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "base/error.h"
#include "env/gyre/checkpoint_file.h"
#include "support/error_code.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise::gyre {
namespace {

namespace fs = std::filesystem;
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
    EnvironmentOptions gyre;
    gyre.uncertainty.seed = static_cast<std::uint64_t>(seed);
    return named_options(gyre);
  }

  const test::TemporaryFolder folder_;
  const StaggeredGrid grid_{5, 4};
  Checkpoint checkpoint_{
      {VelocityField(grid_), {2, VelocityField(grid_)}, std::vector<double>(14), 7},
      3,
      20,
      1.0 / 3};
};

TEST_F(GyreRestartTest, PreservesAllBits) {
  const RestartFolder folder(out(), options(), Restart::go_on);
  EXPECT_FALSE(folder.checkpoint(grid_));
  EXPECT_FALSE(folder.spun_up(grid_));
  folder.keep(checkpoint_);
  folder.keep_spun_up(checkpoint_.state.mean);
  const auto loaded = folder.checkpoint(grid_);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->stretches_done, 3);
  EXPECT_EQ(loaded->levels_done, 20);
  EXPECT_EQ(loaded->velocity_scale, 1.0 / 3);
  EXPECT_EQ(loaded->state.realization_count, 7U);
  EXPECT_EQ(loaded->state.coefficient, checkpoint_.state.coefficient);
  EXPECT_EQ(loaded->state.mean.values(), checkpoint_.state.mean.values());
  ASSERT_EQ(loaded->state.mode_count(), 2U);
  EXPECT_EQ(loaded->state.modes[1].values(), checkpoint_.state.modes[1].values());
  EXPECT_EQ(folder.spun_up(grid_)->values(), checkpoint_.state.mean.values());
}

TEST_F(GyreRestartTest, BelongsToItsOptions) {
  {
    const RestartFolder folder(out(), options(), Restart::go_on);
    folder.keep(checkpoint_);
  }
  EXPECT_EQ(find_progress(out(), options())->levels_done, 20);
  EXPECT_THAT([&] { find_progress(out(), options(2)); },
              ThrowsMessage<InputError>(
                  test::has_code("restart_of_other_options", "stored: --seed 1, given: --seed 2")));
  EXPECT_THAT([&] { RestartFolder(out(), options(2), Restart::go_on); },
              ThrowsMessage<InputError>(test::has_code("restart_of_other_options")));
  EXPECT_TRUE(RestartFolder(out(), options(), Restart::go_on).checkpoint(grid_));
  EXPECT_FALSE(RestartFolder(out(), options(2), Restart::begin_anew).checkpoint(grid_));
}

TEST_F(GyreRestartTest, AcceptsAnyOptionsBeforeWorkIsStored) {
  { const RestartFolder folder(out(), options(), Restart::go_on); }
  EXPECT_FALSE(find_progress(out(), options(2)));
  {
    const RestartFolder folder(out(), options(2), Restart::go_on);
    folder.keep_spun_up(checkpoint_.state.mean);
  }
  EXPECT_THAT([&] { RestartFolder(out(), options(), Restart::go_on); },
              ThrowsMessage<InputError>(
                  test::has_code("restart_of_other_options", "stored: --seed 2, given: --seed 1")));
}

TEST_F(GyreRestartTest, KeepsWorkForOtherOptions) {
  fs::create_directory(restart_path(out()));
  std::ofstream(restart_path(out()) / "options.txt") << "buy or sell";
  EXPECT_THAT([&] { RestartFolder(out(), options(), Restart::go_on); },
              ThrowsMessage<InputError>(test::has_code("restart_of_other_options")));
}

TEST_F(GyreRestartTest, IsLockedByOneProcess) {
  const RestartFolder folder(out(), options(), Restart::go_on);
  EXPECT_THAT([&] { RestartFolder(out(), options(), Restart::go_on); },
              ThrowsMessage<InputError>(test::has_code("restart_folder_in_use")));
}

TEST_F(GyreRestartTest, KeepsForeignFolders) {
  fs::create_directory(restart_path(out()));
  std::ofstream(restart_path(out()) / "thesis.txt") << "years of work";
  for (const auto restart : {Restart::go_on, Restart::begin_anew}) {
    EXPECT_THAT([&] { RestartFolder(out(), options(), restart); },
                ThrowsMessage<InputError>(test::has_code("restart_folder_foreign", "thesis.txt")));
  }
  EXPECT_TRUE(fs::exists(restart_path(out()) / "thesis.txt"));
}

TEST_F(GyreRestartTest, IsRemovedWithItsContent) {
  RestartFolder folder(out(), options(), Restart::go_on);
  folder.keep(checkpoint_);
  for (const int n : {0, 1, 7}) std::ofstream(folder.segment(n)) << "levels";
  // A killed process leaves such a temporary folder.
  const fs::path leftover = folder.path() / ".levels_000002.h5.0123456789abcdef.tmp";
  fs::create_directory(leftover);
  std::ofstream(leftover / ".lock") << "process 1 on host\n";
  std::ofstream(leftover / "levels_000002.h5") << "half";
  folder.remove();
  EXPECT_FALSE(fs::exists(folder.path()));
}

TEST_F(GyreRestartTest, KeepsForeignHiddenFiles) {
  RestartFolder folder(out(), options(), Restart::go_on);
  folder.keep(checkpoint_);
  fs::create_directory(folder.path() / ".git");
  std::ofstream(folder.path() / ".git/config") << "the user's";
  folder.remove();
  EXPECT_TRUE(fs::exists(folder.path() / ".git/config"));
}

TEST_F(GyreRestartTest, RefusesALinkInPlaceOfTheFolder) {
  fs::create_directory(folder_ / "user");
  fs::create_directory_symlink(folder_ / "user", restart_path(out()));
  EXPECT_THROW(RestartFolder(out(), options(), Restart::begin_anew), InputError);
  EXPECT_TRUE(fs::is_empty(folder_ / "user"));
}

TEST_F(GyreRestartTest, RefusesAStateOfAnotherGrid) {
  const RestartFolder folder(out(), options(), Restart::go_on);
  folder.keep(checkpoint_);
  EXPECT_THAT(
      [&] {
        folder.checkpoint({6, 4});
      },
      ThrowsMessage<InputError>(test::has_code("checkpoint_damaged")));
}

/// Replaces the content of a file by `bytes`.
void replace(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST_F(GyreRestartTest, RefusesDamagedFiles) {
  const RestartFolder folder(out(), options(), Restart::go_on);
  folder.keep(checkpoint_);
  folder.keep_spun_up(checkpoint_.state.mean);
  replace(folder.segment(0), "levels of a flow");
  folder.keep_segment(0);
  EXPECT_EQ(folder.kept_segment(0), folder.segment(0));
  const auto refused = ThrowsMessage<InputError>(test::has_code("checkpoint_damaged"));
  const auto read = [&](const fs::path& path) {
    if (path == folder.segment(0)) {
      (void)folder.kept_segment(0);
    } else if (path.filename() == "checkpoint.h5") {
      (void)folder.checkpoint(grid_);
    } else {
      (void)folder.spun_up(grid_);
    }
  };
  std::mt19937_64 random(7);
  for (const fs::path& path :
       {folder.path() / "checkpoint.h5", folder.path() / "spun_up.h5", folder.segment(0)}) {
    const std::string original = test::bytes_of(path);
    for (int n = 0; n < 200; ++n) {
      std::string damaged = original;
      damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
      replace(path, damaged);
      EXPECT_THAT([&] { read(path); }, refused) << path << " " << n;
    }
    for (const std::string& damaged : {std::string(), original.substr(0, original.size() / 2),
                                       original.substr(0, original.size() - 1), original + "x"}) {
      replace(path, damaged);
      EXPECT_THAT([&] { read(path); }, refused) << path << " of " << damaged.size();
    }
    // Flips the signs of two numbers, which a plain product of words would not detect.
    std::string flipped = original;
    if (flipped.size() > 2048) {
      flipped[1031] = static_cast<char>(flipped[1031] ^ 0x80);
      flipped[2047] = static_cast<char>(flipped[2047] ^ 0x80);
      replace(path, flipped);
      EXPECT_THAT([&] { read(path); }, refused) << path;
    }
    replace(path, original);
    EXPECT_NO_THROW(read(path));
  }
  fs::remove(folder.segment(0));
  EXPECT_THROW(folder.kept_segment(0), InputError);
}

TEST_F(GyreRestartTest, RefusesACheckpointOfOtherOptions) {
  const fs::path other_out = folder_ / "elsewhere.h5";
  const RestartFolder other(other_out, options(2), Restart::go_on);
  other.keep(checkpoint_);
  other.keep_spun_up(checkpoint_.state.mean);
  replace(other.segment(0), "levels");
  other.keep_segment(0);
  const RestartFolder folder(out(), options(), Restart::go_on);
  for (const auto& entry : fs::directory_iterator(other.path())) {
    const std::string name = entry.path().filename().string();
    if (name != "options.txt" && name != ".lock") fs::copy(entry.path(), folder.path() / name);
  }
  const auto refused = ThrowsMessage<InputError>(test::has_code("checkpoint_damaged"));
  EXPECT_THAT([&] { folder.checkpoint(grid_); }, refused);
  EXPECT_THAT([&] { folder.spun_up(grid_); }, refused);
  EXPECT_THAT([&] { folder.kept_segment(0); }, refused);
  EXPECT_THAT([&] { find_progress(out(), options()); }, refused);
}

}  // namespace
}  // namespace tidewise::gyre
