// Compares runs on two cycles of one forecast by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/ocean/environment_part.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Cycle 1: levels 0 … 20 of a longer gyre; cycle 2: levels 6 … 26, with other realizations.
class Compare : public test::SmallGyreFixture {
 protected:
  Compare() {
    make_once("compare", [&] {
      write_mission("cycle_1.h5", "run_1", 0);
      make_gyre("long.h5");
      test::write_part(folder_ / "long.h5", folder_ / "cycle_1.h5", {.levels = IndexRange{0, 20}});
      test::write_part(
          folder_ / "long.h5", folder_ / "cycle_2.h5",
          {.levels = IndexRange{6, 26}, .realizations = test::some_realizations(20, 3)});
      run({"plan", "m.toml", "-q"});
      run({"plan", "m.toml", "--set", "environment.file=cycle_2.h5", "--out", "run_2", "-q"});
    });
  }

  test::ProgramResult compare(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "compare");
    arguments.insert(arguments.end(), {"--out", "c.json", "-q"});
    return run(arguments);
  }
  json comparison(std::size_t n = 0) const {
    return json::parse(std::ifstream(folder_ / "c.json"))["comparisons"][n];
  }
  std::string refused(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "compare");
    return SmallGyreFixture::refused(arguments);
  }
};

TEST_F(Compare, OldPlanIsNeverBetterInTheNewModel) {
  const auto report = compare({"run_1", "run_2", "--cost", "flown"});
  EXPECT_THAT(report.output, HasSubstr("in B's forecast, exactly"));
  EXPECT_THAT(report.output, HasSubstr("environment.file"));
  const json result = comparison();
  const json& old_plan = result["old_plan"];
  EXPECT_GE(old_plan["expected"]["value"]["cost"], -1e-4);
  EXPECT_LT(old_plan["expected"]["value"]["old_plan"], old_plan["expected"]["value"]["own_plan"]);
  const json summary = json::parse(std::ifstream(folder_ / "run_2/summary.json"));
  EXPECT_NEAR(old_plan["expected"]["value"]["own_plan"], summary["value_at_start"], 1e-3);
  EXPECT_EQ(old_plan["expected"]["time"]["own_plan"], summary["expected"]["time"]);
  EXPECT_EQ(old_plan["rollout"]["arrival_rate"]["own_plan"], summary["rollout"]["arrival_rate"]);
  // A ends at time 20, B at 26: A has no action at six of B's twenty levels.
  EXPECT_EQ(result["policy"]["levels"].size(), 14u);
  EXPECT_EQ(result["policy"]["levels"][0]["time"], 6.0);
  EXPECT_GT(old_plan["coverage"]["out_of_time"], 0);
  EXPECT_EQ(old_plan["coverage"]["outside"], 0);
  EXPECT_EQ(old_plan["coverage"]["out_of_time"], old_plan["coverage"]["without_action"]);
  EXPECT_GT(result["policy"]["changed"], 0);
  EXPECT_TRUE(result["mission_differences"].contains("environment.file"));
  EXPECT_FALSE(result["mission_differences"].contains("mission.objective"));
}

TEST_F(Compare, FindsNoDifferenceBetweenARunAndItself) {
  compare({"run_1", "run_1", "--cost", "flown"});
  const json result = comparison();
  for (const auto& part : {"expected", "rollout"}) {
    for (const auto& [key, row] : result["old_plan"][part].items()) {
      EXPECT_EQ(row["cost"], 0.0) << key;
    }
  }
  EXPECT_EQ(result["old_plan"]["coverage"]["without_action"], 0);
  EXPECT_GT(result["policy"]["states"], 0);
  EXPECT_EQ(result["policy"]["changed"], 0);
  EXPECT_EQ(result["policy"]["mean_value_magnitude"], 0.0);
  EXPECT_TRUE(result["mission_differences"].empty());
}

TEST_F(Compare, WritesTheChangesOfThePolicies) {
  compare({"run_1", "run_2", "--out", "change.nc"});
  const json result = comparison();
  const Hdf5File change = Hdf5File::open(folder_ / "change.nc");
  const Hdf5File first = Hdf5File::open(folder_ / "run_1/policy.h5");
  const Hdf5File second = Hdf5File::open(folder_ / "run_2/policy.h5");
  const auto state = change.read_all<std::int32_t>("action_changed");
  const auto value = change.read_all<float>("value_change");
  const auto a = first.read_all<std::int32_t>("action");
  const auto b = second.read_all<std::int32_t>("action");
  const auto value_a = first.read_all<float>("value");
  const auto value_b = second.read_all<float>("value");
  ASSERT_EQ(state.size(), 14u * 900);
  EXPECT_EQ(std::count(state.begin(), state.end(), 1), result["policy"]["changed"]);
  for (std::size_t n = 0; n < state.size(); ++n) {
    const std::size_t m = n + 6u * 900;  // the same time in run_1
    const bool both = a[m] >= 0 && b[n] >= 0;
    EXPECT_EQ(state[n] < 2, both);
    EXPECT_EQ(std::isnan(value[n]), !both);
    if (!both) continue;
    EXPECT_EQ(state[n] == 1, a[m] != b[n]);
    EXPECT_EQ(value[n], value_b[n] - value_a[m]);
  }
}

TEST_F(Compare, ComparesACropCellByCell) {
  test::write_part(folder_ / "cycle_1.h5", folder_ / "box.h5",
                   {.columns = IndexRange{3, 26}, .rows = IndexRange{2, 27}});
  run({"plan", "m.toml", "--set", "environment.file=box.h5", "--out", "run_box", "-q"});
  compare({"run_1", "run_box"});
  json result = comparison();
  EXPECT_GE(result["old_plan"]["expected"]["value"]["cost"], -1e-4);
  EXPECT_EQ(result["old_plan"]["coverage"]["without_action"], 0);
  compare({"run_box", "run_1"});
  result = comparison();
  EXPECT_GT(result["old_plan"]["coverage"]["outside"], 0);
  EXPECT_GE(result["old_plan"]["expected"]["value"]["cost"], -1e-4);
}

TEST_F(Compare, ComparesSeveralRunsWithTheFirst) {
  const auto report = compare({"run_1", "run_2", "run_1/policy.h5"});
  EXPECT_THAT(report.output, HasSubstr("C compared with A"));
  EXPECT_EQ(comparison(1)["policy"]["changed"], 0);
}

TEST_F(Compare, DisjointPoliciesHaveNoGreatestChange) {
  test::write_part(folder_ / "long.h5", folder_ / "end.h5", {.levels = IndexRange{30, 44}});
  run({"plan", "m.toml", "--set", "environment.file=end.h5", "--out", "run_end", "-q"});
  compare({"run_1", "run_end", "--cost", "none"});
  EXPECT_EQ(comparison()["policy"]["states"], 0);
  EXPECT_TRUE(comparison()["policy"]["greatest_value_change_at"].is_null());
}

TEST_F(Compare, ComparesPoliciesWithoutEnvironments) {
  std::filesystem::remove(folder_ / "cycle_1.h5");
  std::filesystem::remove(folder_ / "cycle_2.h5");
  compare({"run_1", "run_2", "--cost", "none"});
  EXPECT_TRUE(comparison()["old_plan"].is_null());
  EXPECT_GT(comparison()["policy"]["changed"], 0);
  EXPECT_THAT(refused({"run_1", "run_2", "--out", "c.nc"}),
              test::has_code("file_missing", "cycle_2.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.nc"));
}

TEST_F(Compare, ReadsObjectivesFromThePolicies) {
  run({"plan", "m.toml", "--set", "mission.objective=energy", "--out", "run_energy", "-q"});
  // Users may edit the summary; the policy holds the mission of the plan.
  std::ofstream(folder_ / "run_energy/summary.json")
      << R"({"value_at_start": 1, "mission": {"mission": {"objective": 7}}})";
  EXPECT_THAT(compare({"run_1", "run_energy"}).output,
              HasSubstr("two objectives: A's plan, for time: "));
}

TEST_F(Compare, RecommendsNothingForDifferentTargets) {
  run({"plan", "m.toml", "--set", "mission.target=[20.5, 20.5]", "--out", "elsewhere", "-q"});
  EXPECT_THAT(compare({"run_1", "elsewhere"}).output,
              testing::StartsWith("two targets: A's plan does not go to B's"));
  // A replanned run begins at its own departure, and a plan of a later forecast at the start of
  // that forecast.
  run({"replan", "run_1", "--at-xy", "13.7,12.2", "--time", "9", "--out", "replanned", "-q"});
  for (const char* later : {"replanned", "run_2"}) {
    EXPECT_THAT(
        compare({later, "run_1"}).output,
        testing::StartsWith("A's plan begins after B's departure and cannot be evaluated from "
                            "there; name run_1 first"));
    EXPECT_THAT(compare({"run_1", later}).output, testing::Not(HasSubstr("cannot be evaluated")));
  }
}

TEST_F(Compare, RefusesWhatCannotBeCompared) {
  EXPECT_THAT(refused({"run_1"}), test::has_code("compare_run_count"));
  EXPECT_THAT(refused({"run_1", "nowhere"}), test::has_code("run_missing"));
  EXPECT_THAT(refused({"run_1", "run_2", "--out", "c.nc", "--out", "d.nc"}),
              test::has_code("output_ending_twice", "--out d.nc: c.nc"));
  EXPECT_THAT(refused({"run_1", "run_2", "--out", "c.txt"}),
              test::has_code("output_ending_unknown", ".nc or .json"));
  EXPECT_THAT(refused({"run_1", "run_2", "run_1", "--out", "c.nc"}),
              test::has_code("compare_out_needs_pair"));
  EXPECT_THAT(refused({"run_1", "run_2", "--out", "run_1/trajectories.nc"}),
              test::has_code("output_is_input"));
  run({"plan", "m.toml", "--set", "vehicle.headings=8", "--out", "run_8", "-q"});
  EXPECT_THAT(refused({"run_1", "run_8"}), test::has_code("actions_differ"));
  std::filesystem::remove(folder_ / "run_8/summary.json");
  EXPECT_THAT(refused({"run_1", "run_8"}), test::has_code("summary_missing"));
}

}  // namespace
}  // namespace tidewise
