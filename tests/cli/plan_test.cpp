// Plans and simulates missions end to end by the program, on a small double gyre.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "base/memory/device.h"
#include "output/run/policy_file.h"
#include "support/error_code.h"
#include "support/ocean/environment_part.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class Plan : public test::SmallGyreFixture {
 protected:
  Plan() {
    write_mission("gyre.h5", "out", 2);
    make_gyre("gyre.h5");
  }

  test::ProgramResult plan(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments{"plan", "m.toml", "-q", "--overwrite"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }

  template <class T>
  std::vector<T> policy(const std::string& run, const std::string& variable) const {
    return Hdf5File::open(folder_ / run / "policy.h5").read_all<T>(variable);
  }
};

TEST_F(Plan, WritesConsistentPolicyFlightsAndSummary) {
  const auto result = plan();
  EXPECT_EQ(result.errors, "");
  EXPECT_THAT(result.output,
              testing::ContainsRegex(
                  "^Heading [0-9]+° \\(counter-clockwise from \\+x\\), speed "
                  "[0-9.]+, until time [0-9.]+\\.\nArrival after [0-9.]+, 90 % from "
                  "[0-9.]+ to [0-9.]+, probability (over )?[0-9.]+ % \\(60 flights\\)\\.\n"
                  "Steering straight at the target: [^\n]+\\.\nWritten to out; more "
                  "figures with --details\\.\n$"));
  EXPECT_THAT(result.output, testing::Not(HasSubstr("value")));
  EXPECT_THAT(result.output, testing::Not(testing::ContainsRegex("[0-9]e[+-]")));
  EXPECT_THAT(plan({"--value", "--out", "again"}).output, HasSubstr("\nvalue at start "));
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_ / "out"))
    names.push_back(entry.path().filename());
  EXPECT_THAT(names, testing::UnorderedElementsAre("policy.h5", "trajectories.nc", "summary.json"));

  const json run_summary = summary("out");
  const double arrival = run_summary["expected"]["arrival_probability"];
  EXPECT_GT(arrival, 0.99);
  // Only time has a cost in this mission, so that its parts add up to the value.
  const double value =
      arrival * (100.0 - run_summary["expected"]["time"].get<double>()) + (1 - arrival) * -1000;
  EXPECT_NEAR(run_summary["value_at_start"].get<double>(), value, 60 * (1 - arrival) + 1e-3);
  EXPECT_EQ(run_summary["rollout"]["trajectories"], 60);
  EXPECT_GT(run_summary["rollout"]["arrival_rate"].get<double>(), 0.8);
  EXPECT_NEAR(run_summary["rollout"]["time"]["mean"].get<double>(),
              run_summary["expected"]["time"].get<double>(),
              0.35 * run_summary["expected"]["time"].get<double>());
  EXPECT_EQ(run_summary["problem"]["levels"], 45);
  EXPECT_EQ(run_summary["problem"]["transitions"],
            run_summary["problem"]["rows"].get<std::int64_t>() * 60);
  EXPECT_EQ(run_summary["backend"], device_count() > 0 ? "cuda" : "cpu");
  EXPECT_EQ(run_summary["mission"]["mission"]["horizon"], 42);

  const PolicyFile stored(folder_ / "out/policy.h5");
  std::vector<float> level(30 * 30);
  stored.read_value(TimeLevel(2), level);
  EXPECT_EQ(level[6 * 30 + 15], run_summary["value_at_start"].get<float>());
  const Hdf5File flights = Hdf5File::open(folder_ / "out/trajectories.nc");
  const auto x = flights.read_all<double>("x");
  EXPECT_EQ(x.size() % 60, 0u);
  EXPECT_EQ(x.front(), 15.5);
}

TEST_F(Plan, ChainRolloutsAgreeWithValueAtStart) {
  plan({"--set", "rollout.mode=chain", "--set", "rollout.flights=4000"});
  const json run_summary = summary("out");
  EXPECT_EQ(run_summary["rollout"]["trajectories"], 4000);
  EXPECT_NEAR(run_summary["rollout"]["mean_total_reward"].get<double>(),
              run_summary["value_at_start"].get<double>(),
              5 * run_summary["rollout"]["standard_error"].get<double>() + 1e-3);
}

TEST_F(Plan, WritesTheSameBytesAgain) {
  plan();
  const std::string policy = test::bytes_of(folder_ / "out/policy.h5");
  const std::string flights = test::bytes_of(folder_ / "out/trajectories.nc");
  for (const std::vector<std::string>& threads :
       {std::vector<std::string>{}, {"--threads", "1"}, {"--threads", "3"}}) {
    plan(threads);
    EXPECT_EQ(test::bytes_of(folder_ / "out/policy.h5"), policy);
    EXPECT_EQ(test::bytes_of(folder_ / "out/trajectories.nc"), flights);
  }
}

TEST_F(Plan, PlansEveryObjectiveInOneEnvironment) {
  for (const std::string objective : {"time", "energy", "net_energy", "weighted"}) {
    plan({"--set", "mission.objective=" + objective, "--out", objective});
    EXPECT_GT(summary(objective)["expected"]["arrival_probability"].get<double>(), 0.9)
        << objective;
    EXPECT_EQ(summary(objective)["mission"]["mission"]["objective"], objective);
  }
  const auto expected = [&](const std::string& run, const char* quantity) {
    return summary(run)["expected"][quantity].get<double>();
  };
  EXPECT_LT(expected("time", "time"), expected("energy", "time"));
  EXPECT_LT(expected("energy", "energy"), expected("time", "energy"));
  EXPECT_LT(expected("net_energy", "net_energy"), expected("energy", "net_energy"));
  EXPECT_LE(expected("time", "time"), expected("weighted", "time") + 1e-9);
  EXPECT_LE(expected("energy", "energy"), expected("weighted", "energy") + 0.1);
}

TEST_F(Plan, RolloutEvaluatesOtherStartsAndDepartures) {
  plan();
  run({"rollout", "out", "--at-xy", "20.5,8.5", "--time", "7", "-q"});
  const json rollout_summary = summary("out/rollout_1");
  plan({"--set", "mission.start=[20.5, 8.5]", "--set", "mission.departure=7", "--out", "fresh"});
  const json planned = summary("fresh");
  EXPECT_EQ(rollout_summary["value_at_start"], planned["value_at_start"]);
  EXPECT_EQ(rollout_summary["expected"], planned["expected"]);
  EXPECT_EQ(rollout_summary["rollout"], planned["rollout"]);
  EXPECT_FALSE(fs::exists(folder_ / "out/rollout_1/policy.h5"));

  // The planned start, from the policy file and into a named folder.
  run({"rollout", "out/policy.h5", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["rollout"], summary("out")["rollout"]);
  EXPECT_EQ(summary("again")["value_at_start"], summary("out")["value_at_start"]);
  run({"rollout", "out", "--mode", "chain", "--flights", "50", "-q"});
  EXPECT_EQ(summary("out/rollout_2")["rollout"]["trajectories"], 50);
}

TEST_F(Plan, LeavesNoTrajectoriesOfAnotherRunBehind) {
  plan();
  plan({"--set", "rollout.mode=none"});
  EXPECT_FALSE(fs::exists(folder_ / "out/trajectories.nc"));
  EXPECT_TRUE(summary("out")["rollout"].is_null());
}

TEST_F(Plan, LeavesNoExportsOfTheRunThatItReplaces) {
  EXPECT_THAT(run({"plan", "m.toml"}).errors, testing::Not(HasSubstr("did not write")));
  run({"export", "out", "--format", "csv,policy", "--plane", "-q"});
  run({"view", "out", "-q"});
  run({"reach", "out", "--out", "out/reach.nc", "-q"});
  for (const char* file : {"out/export/notes.txt", "out/notes.txt"}) {
    std::ofstream(folder_ / file) << "of the first plan";
  }
  const std::string errors = run({"plan", "m.toml", "--overwrite"}).errors;
  EXPECT_THAT(errors, HasSubstr("did not write stay: export/notes.txt;"));
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out")) {
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("policy.h5", "trajectories.nc", "summary.json",
                                                   "notes.txt", "notes.txt"));
}

TEST_F(Plan, KeepsAnEarlierRunWhenItFails) {
  plan();
  const std::string before = test::bytes_of(folder_ / "out/policy.h5");
  // The last level is read first and is valid; the first level is read last and holds a NaN.
  fs::permissions(folder_ / "gyre.h5", fs::perms::owner_all);
  {
    const Hdf5Handle file(H5Fopen((folder_ / "gyre.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                          H5Fclose);
    const Hdf5Handle field(H5Dopen2(file.id(), "u_mean", H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(H5Dget_space(field.id()), H5Sclose);
    const hsize_t first[3] = {0, 0, 0};
    H5Sselect_elements(space.id(), H5S_SELECT_SET, 1, first);
    const hsize_t size = 1;
    const Hdf5Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const float nan = std::nanf("");
    H5Dwrite(field.id(), H5T_NATIVE_FLOAT, memory.id(), space.id(), H5P_DEFAULT, &nan);
  }
  const std::string listing = test::listing(folder_ / "out");
  const auto result = test::run_tidewise({"plan", "m.toml", "-q", "--overwrite"}, folder_.path());
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.errors, test::has_code("field_not_finite", "NaN"));
  EXPECT_EQ(test::listing(folder_ / "out"), listing);
  EXPECT_EQ(test::bytes_of(folder_ / "out/policy.h5"), before);
}

TEST_F(Plan, LeavesNothingWhenInterrupted) {
  const std::string before = test::listing(folder_.path());
  const auto result = test::interrupt_tidewise(
      {"plan", "m.toml", "-q", "--set", "planner.engine=paper", "--set", "vehicle.headings=400"},
      folder_.path(), [this] { return fs::exists(folder_ / "out"); });
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.errors, "tidewise: error: interrupted; nothing was written\n");
  EXPECT_EQ(test::listing(folder_.path()), before);
}

TEST_F(Plan, ChecksAndDescribesWithoutWriting) {
  const std::string before = test::listing(folder_.path());
  const auto check =
      run({"check", "--details", "m.toml", "--set", "vehicle.headings=32", "--backend", "cpu"});
  EXPECT_THAT(check.output, HasSubstr("ready to plan"));
  EXPECT_THAT(check.output, HasSubstr("hold every move"));
  EXPECT_THAT(check.output, HasSubstr("estimated from a sample of its cells"));
  const auto warned = run({"check", "--details", "m.toml", "--set", "vehicle.speeds=[0.2]", "--set",
                           "mission.horizon=3", "--set", "mission.failure_penalty=98"});
  EXPECT_THAT(warned.output, HasSubstr("moves the vehicle 0.20 cells in a step"));
  EXPECT_THAT(warned.output,
              HasSubstr("use the simulated figures, or import the forecast for this vehicle"));
  EXPECT_THAT(warned.output, HasSubstr("vehicle.headings is 12; below 32"));
  EXPECT_THAT(warned.output, HasSubstr("the target cannot be reached within 3 steps"));
  EXPECT_THAT(warned.output, HasSubstr("can be planned, but no flight can arrive"));
  EXPECT_THAT(warned.output, HasSubstr("the vehicle may prefer to fail"));
  const auto unusual = run(
      {"check", "m.toml", "--set", "vehicle.speeds=[35]", "--set", "mission.target_radius=0.1"});
  EXPECT_THAT(unusual.output, HasSubstr("35, moves the vehicle 35 cells in a step; is it in"));
  EXPECT_THAT(unusual.output, HasSubstr("misses so small a target; give 1 or more"));
  EXPECT_THAT(check.output, testing::Not(HasSubstr("at its target already")));
  const auto at_target =
      run({"check", "--details", "m.toml", "--set", "mission.start=[15.5, 23.5]"});
  EXPECT_THAT(at_target.output,
              HasSubstr("the vehicle is at its target already: it starts 1 from it, within "
                        "mission.target_radius, 1.5; give a smaller one"));
  EXPECT_THAT(at_target.output, HasSubstr("can be planned, with "));
  const auto near_target =
      run({"check", "--details", "m.toml", "--set", "mission.start=[15.5, 22.5]"});
  EXPECT_THAT(near_target.output, testing::Not(HasSubstr("at its target already")));
  EXPECT_THAT(run({"env", "info", "gyre.h5"}).output, HasSubstr("30 × 30 cells"));
  const json info = json::parse(run({"env", "info", "gyre.h5", "--json"}).output);
  EXPECT_EQ(info["modes"], 3);
  EXPECT_EQ(info["obstacles"], "moving");
  EXPECT_GE(info["flow_bound"].get<double>(), 2.4);
  EXPECT_EQ(test::listing(folder_.path()), before);
}

TEST_F(Plan, WarnsIfFlightsMissThePrediction) {
  // The plan with nearest cells predicts that all arrive, but 3 of 60 flights run out of time.
  const std::string energy = "mission.objective=energy";
  const auto count_warnings = [](const std::string& errors) {
    std::size_t count = 0;
    for (auto at = errors.find(
             "warning: prediction and simulation differ: predicted 100 % arrive after ");
         at != std::string::npos;
         at = errors.find("warning: prediction and simulation differ", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(count_warnings(run({"plan", "m.toml", "--set", energy, "--set", "planner.landing=cell",
                                "--baselines", "none"})
                               .errors),
            1u);
  json run_summary = summary("out");
  ASSERT_EQ(run_summary["warnings"].size(), 1u);
  EXPECT_THAT(run_summary["warnings"][0].get<std::string>(),
              HasSubstr("simulated 95 % of 60 arrive"));
  EXPECT_EQ(count_warnings(run({"rollout", "out", "--out", "again"}).errors), 1u);
  EXPECT_EQ(summary("again")["warnings"], run_summary["warnings"]);
  EXPECT_EQ(count_warnings(run({"research", "refine", "out"}).errors), 1u);
  // Flights in the plan's own model agree with the prediction.
  EXPECT_EQ(count_warnings(run({"rollout", "out", "--out", "chain", "--mode", "chain"}).errors),
            0u);
  EXPECT_TRUE(summary("chain")["warnings"].empty());
  // With bilinear weights, flights agree with the prediction.
  EXPECT_EQ(count_warnings(run({"plan", "m.toml", "--set", energy, "--out", "area"}).errors), 0u);
}

/// -q does not suppress warnings.
TEST_F(Plan, ReportsThatNoFlightArrives) {
  const auto lost = run({"plan", "m.toml", "-q", "--set", "mission.horizon=4", "--out", "lost"});
  EXPECT_THAT(lost.output,
              testing::StartsWith("Do not go: no flight arrives; 60 ran out of time.\n"));
  EXPECT_LE(std::ranges::count(lost.output, '\n'), 6);
  EXPECT_THAT(lost.errors, testing::StartsWith("tidewise: warning: "));
  EXPECT_FALSE(summary("lost")["recommendation"].contains("first_action"));
}

TEST_F(Plan, WarnsThatEnergyOfOneSpeedIsTime) {
  const auto warned = [&](const char* speeds) {
    const auto result = run({"plan", "m.toml", "-q", "--set", "mission.objective=energy", "--set",
                             std::string("vehicle.speeds=") + speeds, "--overwrite"});
    return result.errors.find("energy is proportional to time") != std::string::npos;
  };
  EXPECT_TRUE(warned("[0.8]"));
  EXPECT_FALSE(warned("[0.4, 0.8]"));
}

TEST_F(Plan, SimulatesBaselines) {
  const std::string report = plan({"--set", "vehicle.speeds=[0.4,0.8]", "--details"}).output;
  EXPECT_THAT(report, HasSubstr("\nbaselines       "));
  EXPECT_THAT(report, HasSubstr("\ngain            compared with "));
  const json run_summary = summary("out");
  const json& baselines = run_summary["baselines"];
  const std::string best = baselines["best"];
  for (const char* controller : {"aim", "crab", "greedy"}) {
    SCOPED_TRACE(controller);
    EXPECT_EQ(baselines[controller]["trajectories"], 60);
    EXPECT_EQ(baselines[controller]["speed"], 0.8) << "the greatest, for time";
    const double total = baselines[controller]["mean_total_reward"];
    EXPECT_LE(total, baselines[best]["mean_total_reward"].get<double>());
    EXPECT_NEAR(baselines[controller]["plan_gain"]["mean_total_reward"].get<double>(),
                run_summary["rollout"]["mean_total_reward"].get<double>() - total, 1e-9);
    EXPECT_NEAR(baselines[controller]["plan_gain"]["arrival_rate"].get<double>(),
                run_summary["rollout"]["arrival_rate"].get<double>() -
                    baselines[controller]["arrival_rate"].get<double>(),
                1e-12);
  }
  EXPECT_THAT(report, HasSubstr("baselines       " + best + ": "));
  EXPECT_GT(baselines[best]["plan_gain"]["mean_total_reward"], 0) << "a slow vehicle needs one";
  EXPECT_THAT(run_summary["warnings"].dump(), testing::Not(HasSubstr("needs no plan")));

  run({"rollout", "out", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["baselines"], baselines);
  for (const auto& [out, options] : std::map<std::string, std::vector<std::string>>{
           {"left_out", {"--baselines", "none"}}, {"chain", {"--mode", "chain"}}}) {
    std::vector<std::string> arguments{"rollout", "out", "--out", out, "-q", "--details"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_THAT(run(arguments).output,
                testing::Not(AnyOf(HasSubstr("baselines"), HasSubstr("straight"))));
    EXPECT_TRUE(summary(out)["baselines"].is_null());
  }
  EXPECT_THAT(refused({"plan", "m.toml", "--baselines", "some"}),
              test::has_code("key_value_invalid", "rollout.baselines"));
}

/// In still water the straight line is optimal. A vehicle with three headings, none of them along
/// it, cannot follow it.
TEST_F(Plan, WarnsIfABaselineBeatsThePlan) {
  test::write_part(folder_ / "gyre.h5", folder_ / "still.h5", {.flow = test::PartFlow::still});
  const auto result =
      run({"plan", "m.toml", "--set", "environment.file=still.h5", "--set", "vehicle.headings=3",
           "--set", "mission.start=[4.5,4.5]", "--set", "mission.target=[4.5,12.5]"});
  EXPECT_THAT(result.errors, HasSubstr(" does better than the plan"));
  const json run_summary = summary("out");
  ASSERT_GE(run_summary["warnings"].size(), 1u);
  EXPECT_THAT(run_summary["warnings"].back().get<std::string>(),
              HasSubstr("the baseline controller '"));
  const std::string best = run_summary["baselines"]["best"];
  EXPECT_EQ(run_summary["baselines"][best]["arrival_rate"], 1);
  EXPECT_LT(run_summary["baselines"][best]["plan_gain"]["mean_total_reward"], 0);
}

TEST_F(Plan, DefaultPenaltyExceedsTheLongestPath) {
  const auto penalties = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{
        "--out", "found", "--set", "rollout.mode=none", "--set", "vehicle.headings=4"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(plan(words).status, 0);
    return summary("found")["mission"]["mission"]["failure"];
  };
  const auto late = [&](const std::vector<std::string>& options) {
    return penalties(options)["late"].get<double>();
  };
  EXPECT_EQ(late({}), -1000) << "steps of 1 are cheap";
  const double steps = summary("found")["problem"]["levels"].get<double>() - 1;
  EXPECT_EQ(late({"--set", "vehicle.energy.c_t=99", "--set", "mission.objective=energy", "--set",
                  "vehicle.speeds=[1]"}),
            -5 * steps * 100);
  EXPECT_EQ(late({"--set", "mission.departure=3"}), -1000) << "one policy for all departures";
  EXPECT_EQ(late({"--set", "mission.arrival_reward=-4000"}), -9000);
  // The obstacle penalty is twice that of a late arrival in the farthest corner.
  json run_summary =
      penalties({"--set", "vehicle.speeds=[0.5, 2]", "--set", "mission.target=[20.5, 24.5]"});
  EXPECT_FLOAT_EQ(run_summary["obstacle"].get<float>(), -2000 - (std::hypot(20, 24) - 1.5));
  EXPECT_EQ(run_summary["outside"], run_summary["obstacle"]);
  run_summary =
      penalties({"--set", "mission.failure.late=-77", "--set", "mission.failure.outside=-88"});
  EXPECT_EQ(run_summary["late"], -77) << "a given value is kept";
  EXPECT_EQ(run_summary["outside"], -88);
  EXPECT_LT(run_summary["obstacle"], -2000);
  EXPECT_TRUE(penalties({"--set", "mission.failure_penalty=-77"}).is_null());
  EXPECT_EQ(summary("found")["mission"]["mission"]["failure_penalty"], -77);
  EXPECT_THAT(refused({"check", "m.toml", "--set", "vehicle.energy.c_t=1e38", "--set",
                       "mission.objective=energy"}),
              test::has_code("rewards_too_large", "vehicle.energy.c_t"));
}

}  // namespace
}  // namespace tidewise
