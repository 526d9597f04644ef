// Simulates policies in another environment than the one of the plan, by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "env/file/writer.h"
#include "env/mask.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/environment_part.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class OtherEnvironment : public test::SmallGyreFixture {
 protected:
  OtherEnvironment() { write_mission("gyre.h5", "flow", 2); }

  void make_flows() const {
    make_once("flows", [&] {
      make_gyre("gyre.h5");
      test::write_part(folder_ / "gyre.h5", folder_ / "still.h5", {.flow = test::PartFlow::still});
      test::write_part(folder_ / "gyre.h5", folder_ / "mean.h5", {.flow = test::PartFlow::mean});
    });
  }
  void plan(const std::string& environment, const std::string& out,
            const std::string& objective = "time") const {
    run({"plan", "m.toml", "--set", "environment.file=" + environment, "--set",
         "mission.objective=" + objective, "--out", out, "--overwrite", "-q"});
  }
};

TEST_F(OtherEnvironment, PlanThatIgnoresTheFlowIsNeverBetterInIt) {
  make_flows();
  for (const auto& [objective, flow] :
       {std::pair<std::string, std::string>{"time", "mean"}, {"net_energy", "still"}}) {
    SCOPED_TRACE(objective + " " + flow);
    plan("gyre.h5", "flow", objective);
    const json best = summary("flow");
    plan(flow + ".h5", flow, objective);
    run({"rollout", flow, "--environment", "gyre.h5", "--out", "flown", "--overwrite", "-q"});
    const json rollout_summary = summary("flown");
    EXPECT_LT(rollout_summary["value_at_start"].get<double>(),
              best["value_at_start"].get<double>());
    EXPECT_NE(rollout_summary["expected"]["time"], best["expected"]["time"]);
    EXPECT_NE(rollout_summary["expected"], summary(flow)["expected"]);
    EXPECT_EQ(rollout_summary["rollout"]["trajectories"], 60);
    EXPECT_EQ(rollout_summary["problem"]["realizations"], 60);
    // The prediction in the planning environment is kept under planned_on.
    EXPECT_EQ(rollout_summary["planned_on"]["value_at_start"], summary(flow)["value_at_start"]);
    EXPECT_EQ(rollout_summary["planned_on"]["open_states_without_action"], 0);
    EXPECT_THAT(rollout_summary["planned_on"]["environment"], HasSubstr(flow + ".h5"));
    EXPECT_THAT(rollout_summary["planned_on"]["policy"], HasSubstr(flow + "/policy.h5"));
    EXPECT_THAT(rollout_summary["mission"]["environment"]["file"], HasSubstr("gyre.h5"));
    const Hdf5File file = Hdf5File::open(folder_ / "flown/trajectories.nc");
    EXPECT_THAT(file.text_attribute("/", "planned_on").value_or(""), HasSubstr(flow + ".h5"));

    // 'compare' evaluates an old plan in a new forecast: the same figures by other code.
    run({"compare", flow, "flow", "--cost", "flown", "--out", "c.json", "-q"});
    const json old = json::parse(std::ifstream(folder_ / "c.json"))["comparisons"][0]["old_plan"];
    EXPECT_EQ(old["expected"]["value"]["old_plan"], rollout_summary["value_at_start"]);
    EXPECT_EQ(old["expected"]["net_energy"]["old_plan"], rollout_summary["expected"]["net_energy"]);
    EXPECT_EQ(old["rollout"]["mean_total_reward"]["old_plan"],
              rollout_summary["rollout"]["mean_total_reward"]);
  }
}

TEST_F(OtherEnvironment, PlanningEnvironmentChangesNothing) {
  make_flows();
  plan("gyre.h5", "flow");
  run({"rollout", "flow", "--environment", "gyre.h5", "--out", "own", "-q"});
  EXPECT_FALSE(summary("own").contains("planned_on"));
  for (const char* key : {"value_at_start", "expected", "rollout"}) {
    EXPECT_EQ(summary("own")[key], summary("flow")[key]) << key;
  }
  // A copy counts as another environment. It gives the same values, apart from the rounding of the
  // backward pass.
  fs::copy_file(folder_ / "gyre.h5", folder_ / "copy.h5");
  run({"rollout", "flow", "--environment", "copy.h5", "--out", "copied", "-q"});
  EXPECT_EQ(summary("copied")["expected"], summary("flow")["expected"]);
  EXPECT_EQ(summary("copied")["rollout"], summary("flow")["rollout"]);
  EXPECT_NEAR(summary("copied")["value_at_start"].get<double>(),
              summary("flow")["value_at_start"].get<double>(), 1e-3);
}

/// 6 × 2 cells, 3 levels. In the planning environment, still water, one step east reaches the
/// target from the start. In the other one, a current holds the vehicle back in one of two
/// realizations, which has three quarters of the weight.
TEST_F(OtherEnvironment, MatchesAHandCalculation) {
  EnvironmentInfo info = test::plain_info(6, 2, 3);
  // Cell 11 is closed in the planning environment and open in the other; it is off the path.
  test::write_environment(folder_ / "still.h5", info,
                          [](TimeLevel, LevelFields<>& fields) { fields.masked[11] = 1; });
  info.realization_count = 2;
  info.realization_weight = {weight_total / 4, weight_total / 4 * 3};
  test::write_environment(folder_ / "flow.h5", info, [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
    fields.coefficient[1] = -1;
  });
  std::ofstream(folder_ / "m.toml") << R"([environment]
file = "still.h5"
[vehicle]
speeds = [1.0]
headings = 4
energy = { c_f = 2.0, c_t = 0.5 }
[mission]
start = [2.5, 0.5]
target = [3.5, 0.5]
target_radius = 0
[planner]
landing = "cell"
[output]
directory = "still"
)";
  run({"plan", "m.toml", "-q"});
  EXPECT_EQ(summary("still")["value_at_start"], 99.0);
  const auto report = run({"rollout", "still", "--environment", "flow.h5", "-q", "--value"});
  EXPECT_THAT(report.output, HasSubstr("still.h5, with a predicted value of 99"));
  EXPECT_THAT(report.output, HasSubstr("no action in 2 of 22 states"));
  const json rollout_summary = summary("still/rollout_1");
  // The vehicle arrives with probability 1/4 in the first step and 3/16 in the second; else the
  // deadline passes when it is one step from the target.
  EXPECT_EQ(rollout_summary["value_at_start"], 99.0 / 4 + 98 * 3.0 / 16 - 1002 * 9.0 / 16);
  EXPECT_EQ(rollout_summary["expected"]["arrival_probability"], 7.0 / 16);
  EXPECT_NEAR(rollout_summary["expected"]["time"].get<double>(), 10.0 / 7, 1e-12);
  EXPECT_NEAR(rollout_summary["expected"]["energy"].get<double>(), 2.5 * 10.0 / 7, 1e-12);
  EXPECT_EQ(rollout_summary["rollout"]["arrival_rate"], 0.25);
  EXPECT_EQ(rollout_summary["planned_on"]["value_at_start"], 99.0);
  EXPECT_EQ(rollout_summary["planned_on"]["open_states"], 22);
  EXPECT_EQ(rollout_summary["planned_on"]["open_states_without_action"], 2);
  // By its weighted mean, the current cancels three quarters of the motion: less than half a cell
  // remains.
  test::write_part(folder_ / "flow.h5", folder_ / "mean.h5", {.flow = test::PartFlow::mean});
  run({"rollout", "still", "--environment", "mean.h5", "-q"});
  EXPECT_EQ(summary("still/rollout_2")["expected"]["arrival_probability"], 0.0);
  EXPECT_TRUE(summary("still/rollout_2")["expected"]["time"].is_null());
}

TEST_F(OtherEnvironment, VariableNamesApplyToTheOtherFile) {
  EnvironmentInfo info = test::plain_info(6, 4, 8);
  test::write_environment(folder_ / "gyre.h5", info);
  run({"plan", "m.toml", "--set", "mission.start=[1.5, 1.5]", "--set", "mission.target=[4.5, 1.5]",
       "--set", "environment.names.scalar_mean=sun", "-q"});
  // The planning file without --name counts as the planning environment, with the run's names.
  run({"rollout", "flow", "--environment", "gyre.h5", "--out", "own", "-q"});
  EXPECT_EQ(summary("own")["mission"]["environment"]["names"]["scalar_mean"], "sun");
  run({"rollout", "flow", "--environment", "gyre.h5", "--name", "scalar_mean=sun", "--out", "same",
       "-q"});
  EXPECT_FALSE(summary("same").contains("planned_on"));
  run({"rollout", "flow", "--environment", "gyre.h5", "--name", "scalar_mean=scalar_mean", "--out",
       "other", "-q"});
  EXPECT_TRUE(summary("other").contains("planned_on"));
  EXPECT_EQ(summary("other")["mission"]["environment"]["names"]["scalar_mean"], "scalar_mean");
  EXPECT_THAT(refused({"rollout", "flow", "--name", "u_mean=u"}),
              test::has_code("names_without_environment"));
}

TEST_F(OtherEnvironment, RejectsOtherCellsTimesAndUnits) {
  make_flows();
  plan("still.h5", "still");
  const auto refusal = [&](const std::string& environment) {
    return refused({"rollout", "still", "--environment", environment});
  };
  EXPECT_THAT(refusal("nowhere.h5"), HasSubstr("no such file"));
  EXPECT_THAT(refusal(""), HasSubstr("--environment: its value is empty"));
  run({"env", "double-gyre", "--out", "wide.h5", "--nx", "31", "--ny", "30", "--nt", "45",
       "--modes", "1", "--realizations", "3", "-q"});
  EXPECT_THAT(refusal("wide.h5"),
              HasSubstr("30 × 30 cells in the policy, 31 × 30 in the environment"));
  test::write_part(folder_ / "gyre.h5", folder_ / "short.h5", {.levels = IndexRange{0, 20}});
  EXPECT_THAT(refusal("short.h5"),
              HasSubstr("45 levels in the policy, only 21 in the environment"));

  EnvironmentInfo info = test::plain_info(30, 30, 45);
  info.time.step = 2;
  test::write_environment(folder_ / "slow.h5", info);
  EXPECT_THAT(refusal("slow.h5"), HasSubstr("its times differ"));
  info = test::plain_info(30, 30, 45);
  info.grid.x_first = 1.5;
  test::write_environment(folder_ / "east.h5", info);
  EXPECT_THAT(refusal("east.h5"), HasSubstr("its cells have other positions"));
  info = test::plain_info(30, 30, 45);
  info.units = Units::metric;
  info.time_units = "s";
  test::write_environment(folder_ / "metric.h5", info);
  EXPECT_THAT(refusal("metric.h5"),
              HasSubstr("units of 1 in the policy, metres and seconds in the environment"));
  // The start must be in the water of the flown environment.
  info = test::plain_info(30, 30, 45);
  test::write_environment(folder_ / "land.h5", info,
                          [](TimeLevel, LevelFields<>& fields) { fields.masked[6 * 30 + 15] = 1; });
  EXPECT_THAT(refusal("land.h5"), HasSubstr("start in open water"));
}

/// A current carries the vehicle out of the forecast, or onto land: the plans are the same, and the
/// reports of the flights differ.
TEST_F(OtherEnvironment, ReportsLeavingTheForecastSeparatelyFromObstacles) {
  const auto write_stream = [&](const std::string& name, std::uint8_t mask) {
    test::write_environment(folder_ / name, test::plain_info(30, 30, 45),
                            [mask](TimeLevel, LevelFields<>& fields) {
                              for (std::size_t cell = 0; cell < 900; ++cell) {
                                fields.u_mean[cell] = 3;
                                if (cell % 30 >= 22) fields.masked[cell] = mask;
                              }
                            });
  };
  write_stream("end.h5", beyond_forecast);
  write_stream("coast.h5", closed_by_obstacle);
  plan("end.h5", "end");
  plan("coast.h5", "coast");
  for (const char* variable : {"value", "action"}) {
    EXPECT_EQ(Hdf5File::open(folder_ / "end/policy.h5").read_all<double>(variable),
              Hdf5File::open(folder_ / "coast/policy.h5").read_all<double>(variable));
  }
  const json end = summary("end");
  const json coast = summary("coast");
  EXPECT_EQ(end["rollout"]["failures"]["out_of_forecast"], 1);
  EXPECT_EQ(end["rollout"]["failures"]["obstacle"], 0);
  EXPECT_EQ(coast["rollout"]["failures"]["out_of_forecast"], 0);
  EXPECT_EQ(coast["rollout"]["failures"]["obstacle"], 1);
  EXPECT_EQ(end["rollout"]["mean_total_reward"], coast["rollout"]["mean_total_reward"]);
  EXPECT_EQ(end["expected"], coast["expected"]);
  EXPECT_THAT(end["warnings"].dump(), HasSubstr("1 of 1 flights leave the forecast"));
  EXPECT_THAT(coast["warnings"].dump(), Not(HasSubstr("leave the forecast")));
  const auto outcome = [&](const std::string& run) {
    return Hdf5File::open(folder_ / run / "trajectories.nc")
        .read_all<std::uint8_t>("outcome")
        .at(0);
  };
  EXPECT_EQ(outcome("end"), 6);
  EXPECT_EQ(outcome("coast"), 1);
  EXPECT_THAT(run({"rollout", "end", "--out", "again"}).output, HasSubstr("1 left the forecast"));
  EXPECT_THAT(run({"rollout", "coast", "--out", "again", "--overwrite"}).output,
              HasSubstr("1 hit an obstacle"));
  EXPECT_THAT(refused({"rollout", "end", "--at-xy", "25.5,6.5"}),
              test::has_code("start_closed", "the forecast's source has no data there"));
  run({"view", "end", "--out", "end.html", "-q"});
}

TEST_F(OtherEnvironment, RefusesOtherDatesAndPlanes) {
  EnvironmentInfo info = test::plain_info(6, 4, 8);
  info.units = Units::metric;
  info.time_units = "seconds since 2024-10-28 00:00:00";
  info.projection = "+proj=stere +lat_0=1 +lon_0=180";
  const auto write = [&](const std::string& name) {
    test::write_environment(folder_ / name, info);
  };
  write("gyre.h5");
  run({"plan", "m.toml", "--set", "mission.start=[1.5, 1.5]", "--set", "mission.target=[4.5, 1.5]",
       "-q"});
  info.time_units = "seconds since 2024-10-29 00:00:00";
  write("later.h5");
  EXPECT_THAT(refused({"rollout", "flow", "--environment", "later.h5"}),
              test::has_code("other_environment_differs", "2024-10-29"));
  info.time_units = "seconds since 2024-10-28";
  write("same.h5");
  run({"rollout", "flow", "--environment", "same.h5", "-q"});
  info.projection = "+proj=stere +lat_0=2 +lon_0=180";
  write("plane.h5");
  EXPECT_THAT(refused({"rollout", "flow", "--environment", "plane.h5"}),
              test::has_code("other_environment_differs", "plane.h5"));
}

}  // namespace
}  // namespace tidewise
