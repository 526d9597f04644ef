// Commands refuse a policy that was changed after planning, or whose environment was replaced.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class DamagedPolicy : public test::SmallGyreFixture {
 protected:
  DamagedPolicy() {
    make_once("damaged policy", [&] {
      make_gyre("gyre.h5");
      write_mission("gyre.h5", "run", 2);
      run({"plan", "m.toml", "-q"});
    });
  }

  /// Changes the run's policy, expects that all commands which read it refuse it, and restores it.
  void expect_refusals(const std::string& error, const std::function<void(Hdf5File&)>& change) {
    const std::string original = test::bytes_of(policy());
    {
      Hdf5File file = Hdf5File::open_to_change(policy());
      change(file);
      file.close();
    }
    for (const Words& words :
         {Words{"rollout", "run"}, {"research", "refine", "run"}, {"compare", "run", "run"}}) {
      EXPECT_THAT(refused(words), test::has_code_of(error)) << words.front();
    }
    std::ofstream(policy(), std::ios::binary) << original;
  }

  fs::path policy() const { return folder_ / "run/policy.h5"; }
};

TEST_F(DamagedPolicy, IsRefusedByEveryCommand) {
  const Extents shape = Hdf5File::open(policy()).shape("action");
  const Extents level{1, shape[1], shape[2]};
  const std::size_t cells = shape[1] * shape[2];
  expect_refusals("action [policy_without_actions]", [&](Hdf5File& file) {
    const std::vector<std::int16_t> no_actions(cells, -1);
    for (std::uint64_t k = 0; k < shape[0]; ++k)
      file.write("action", {k, 0, 0}, level, no_actions.data());
  });
  expect_refusals("[policy_without_mission]",
                  [&](Hdf5File& file) { file.set_attribute("/", "mission", ""); });
}

/// These checks need the policy's mission.
TEST_F(DamagedPolicy, MustMatchItsMission) {
  const std::string original = test::bytes_of(policy());
  {
    Hdf5File file = Hdf5File::open_to_change(policy());
    const double speed = 1.25;
    file.write("speed", {0}, {1}, &speed);
    file.close();
  }
  EXPECT_THAT(refused({"rollout", "run"}), test::has_code("policy_actions_differ"));
  std::ofstream(policy(), std::ios::binary) << original;
  {
    Hdf5File file = Hdf5File::open_to_change(policy());
    const std::vector<std::int16_t> no_actions(900, -1);
    file.write("action", {9, 0, 0}, {1, 30, 30}, no_actions.data());
    file.close();
  }
  EXPECT_THAT(refused({"rollout", "run"}), test::has_code("policy_actions_missing"));
  EXPECT_THAT(refused({"research", "refine", "run"}), test::has_code("policy_actions_missing"));
}

/// Older versions did not record the environment's fingerprint.
TEST_F(DamagedPolicy, WarnsIfItRecordsNoEnvironment) {
  {
    Hdf5File file = Hdf5File::open_to_change(policy());
    file.set_attribute("/", "environment_fingerprint", "");
    file.close();
  }
  EXPECT_THAT(run({"rollout", "run", "--out", "flown"}).errors,
              HasSubstr("warning: run/policy.h5: does not record what environment"));
}

TEST_F(DamagedPolicy, IsRefusedIfItsEnvironmentFileWasReplaced) {
  run({"rollout", "run", "--out", "before", "-q"});
  // Another environment with the same cells and times under the same name.
  fs::rename(folder_ / "gyre.h5", folder_ / "old.h5");
  run({"env", "double-gyre", "--out", "gyre.h5", "--nx", "30", "--ny", "30", "--nt", "45",
       "--modes", "3", "--realizations", "60", "--seed", "99", "-q"});
  for (const Words& words :
       {Words{"rollout", "run"}, {"research", "refine", "run"}, {"compare", "run", "run"}}) {
    EXPECT_THAT(refused(words), test::has_code("environment_changed")) << words.front();
  }
  // The error message recommends this option.
  run({"rollout", "run", "--environment", "gyre.h5", "--out", "in_new_environment", "-q"});
  const auto new_summary = summary("in_new_environment");
  EXPECT_TRUE(new_summary.contains("planned_on"));
  // A copy of the old environment has the same content, and so is accepted.
  fs::copy_file(folder_ / "old.h5", folder_ / "gyre.h5", fs::copy_options::overwrite_existing);
  run({"rollout", "run", "--out", "after", "-q"});
  const auto restored_summary = summary("after");
  EXPECT_FALSE(restored_summary.contains("planned_on"));
  EXPECT_EQ(restored_summary["rollout"], summary("before")["rollout"]);
}

}  // namespace
}  // namespace tidewise
