// A batch that is killed at random moments ends like an undisturbed one, and no finished mission is
// repeated.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <random>

#include "batch_fixture.h"
#include "support/campaign.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using test::Contents;

using KilledBatch = test::BatchFixture;

/// Returns the inode number and modification time of every file of finished missions.
Contents finished(const fs::path& batch) {
  Contents files;
  if (!fs::exists(batch)) return files;
  for (const auto& run : fs::directory_iterator(batch)) {
    if (!fs::exists(run.path() / "summary.json")) continue;
    for (const char* name : {"policy.h5", "trajectories.nc", "summary.json"}) {
      struct stat status {};
      const fs::path file = run.path() / name;
      if (::stat(file.c_str(), &status) != 0) {
        ADD_FAILURE() << file << " is missing beside a summary";
        continue;
      }
      files[file.string()] = std::to_string(status.st_ino) + " " +
                             std::to_string(status.st_mtim.tv_sec) + "." +
                             std::to_string(status.st_mtim.tv_nsec);
    }
  }
  return files;
}

/// Expects the files of finished missions to be unchanged.
void expect_unchanged(const Contents& before, const Contents& after) {
  for (const auto& [file, identity] : before) {
    const auto now = after.find(file);
    ASSERT_NE(now, after.end()) << file << " is gone";
    EXPECT_EQ(now->second, identity) << file << " was written again";
  }
}

TEST_F(KilledBatch, ResumesToTheSameResults) {
  write("b.toml", R"([batch]
mission = "m.toml"
[vary]
vehicle = [{ speeds = [0.7] }, { speeds = [0.9] }, { speeds = [1.1] }, { speeds = [1.3] }]
mission.objective = ["time", "energy"]
mission.departure = [0, 2, 24]
)");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(batch({"--out", "undisturbed"}).status, 1);  // departures from the last level fail
  const std::chrono::duration<double> undisturbed = std::chrono::steady_clock::now() - begin;
  const Contents expected = test::contents_of_batch(folder_ / "undisturbed");

  std::mt19937 random(20);
  // At most a third of that time, so that every batch is killed several times.
  std::uniform_real_distribution<double> moment(0.0, undisturbed.count() / 3);
  int kills = 0;
  int batches = 0;
  const int all_kills = test::is_night() ? 20 : 6;
  while (kills < all_kills) {
    const std::string out = "batch" + std::to_string(batches++);
    Contents before;
    for (bool killed = true; killed && kills < all_kills;) {
      const auto after = std::chrono::milliseconds(static_cast<int>(1000 * moment(random)));
      const auto result = test::kill_tidewise({"batch", "b.toml", "-q", "--out", out, "--resume"},
                                              folder_.path(), after);
      killed = result.status == 128 + SIGKILL;
      ASSERT_TRUE(killed || result.status == 1) << result.status << result.errors;
      kills += killed ? 1 : 0;
      const Contents now = finished(folder_ / out);
      expect_unchanged(before, now);
      before = now;
    }
    const auto result = batch({"--out", out, "--resume"});
    EXPECT_EQ(result.status, 1) << result.errors;
    expect_unchanged(before, finished(folder_ / out));
    EXPECT_THAT(test::differences(test::contents_of_batch(folder_ / out), expected),
                testing::IsEmpty());
    fs::remove_all(folder_ / out);
  }
  RecordProperty("batches", batches);
}

}  // namespace
}  // namespace tidewise
