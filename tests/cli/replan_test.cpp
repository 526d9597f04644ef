// Replans under way by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/ocean/environment_part.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* track =
    "level,x,y,u,v\n2,15.5,6.5,,\n4,14.8,8.9,0.1,0.2\n6,14.2,10.8,0.15,0.1\n";

json json_in(const fs::path& path) { return json::parse(std::ifstream(path)); }

class Replan : public test::SmallGyreFixture {
 protected:
  Replan() {
    make_once("replan", [&] {
      make_gyre("gyre.h5");
      write_mission("gyre.h5", "run", 2);
      run({"plan", "m.toml", "-q"});
    });
  }
  std::vector<std::string> replan_arguments(const std::vector<std::string>& options) const {
    std::vector<std::string> words{"replan", "run", "--at-xy", "13.7,12.2", "--time", "9"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }

  /// Returns the summary of a replan at another time, from the place where the track "between.csv"
  /// ends.
  json replanned_at(const std::string& at) const {
    run({"replan", "run", "--at-xy", "14.2,10.8", "--time", at, "--out", "at" + at, "-q"});
    return json_in(folder_ / ("at" + at) / "summary.json");
  }

  /// Expects `part` to equal `whole` in all states that it covers.
  void expect_part_of(const std::string& part, const std::string& whole,
                      const std::string& leg = "") const {
    const Hdf5File a = Hdf5File::open(folder_ / part / "policy.h5");
    const Hdf5File b = Hdf5File::open(folder_ / whole / "policy.h5");
    const auto value = a.read_all<float>("value" + leg);
    const auto action = a.read_all<std::int16_t>("action" + leg);
    const auto all_values = b.read_all<float>("value" + leg);
    const auto all_actions = b.read_all<std::int16_t>("action" + leg);
    ASSERT_EQ(value.size(), all_values.size());
    std::size_t covered = 0;
    std::size_t different = 0;
    for (std::size_t n = 0; n < value.size(); ++n) {
      if (std::isnan(value[n])) {
        different += action[n] != -1;
        continue;
      }
      ++covered;
      different += value[n] != all_values[n] || action[n] != all_actions[n];
    }
    EXPECT_EQ(different, 0u);
    EXPECT_GT(covered, 100u);
    EXPECT_LT(covered, value.size() * 4 / 5);
  }
};

TEST_F(Replan, InTheSameForecastEqualsTheOldPlan) {
  run(replan_arguments({"-q"}));
  ASSERT_TRUE(fs::exists(folder_ / "run_replanned_1/policy.h5"));
  expect_part_of("run_replanned_1", "run");
  // A rollout of the old run from there gives the same.
  run({"rollout", "run", "--at-xy", "13.7,12.2", "--time", "9", "--out", "flown", "-q"});
  const json rollout = json_in(folder_ / "flown/summary.json");
  const json summary = json_in(folder_ / "run_replanned_1/summary.json");
  for (const char* key :
       {"value_at_start", "expected", "rollout", "start", "departure", "deadline"}) {
    EXPECT_EQ(summary[key], rollout[key]) << key;
  }
  EXPECT_THAT(summary["replanned_from"]["policy"], HasSubstr("run/policy.h5"));
  EXPECT_GT(summary["replanned_from"]["states"], 100);
  const json old_plan =
      json_in(folder_ / "run_replanned_1/comparison.json")["comparisons"][0]["old_plan"];
  EXPECT_EQ(old_plan["expected"]["value"]["cost"], 0);
  EXPECT_EQ(old_plan["rollout"]["mean_total_reward"]["cost"], 0);
  EXPECT_EQ(old_plan["coverage"]["without_action"], 0);
}

TEST_F(Replan, InAnotherForecastEqualsThePlanOfThatForecast) {
  test::write_part(folder_ / "gyre.h5", folder_ / "few.h5",
                   {.realizations = test::some_realizations(20)});
  run(replan_arguments({"--environment", "few.h5", "--out", "replanned", "-q"}));
  run({"plan", "m.toml", "--set", "environment.file=few.h5", "--out", "few", "-q"});
  expect_part_of("replanned", "few");
  const json comparison = json_in(folder_ / "replanned/comparison.json")["comparisons"][0];
  EXPECT_GT(comparison["policy"]["changed"], 0);
  EXPECT_GE(comparison["old_plan"]["expected"]["value"]["cost"].get<double>(), -1e-3);
  const json summary = json_in(folder_ / "replanned/summary.json");
  EXPECT_EQ(summary["rollout"]["trajectories"], 20);
  EXPECT_THAT(summary["replanned_from"]["environment"], HasSubstr("gyre.h5"));
  // A rollout evaluates the old plan in the new forecast by other code.
  run({"rollout", "run", "--environment", "few.h5", "--at-xy", "13.7,12.2", "--time", "9", "--out",
       "stayed", "-q"});
  EXPECT_EQ(comparison["old_plan"]["rollout"]["mean_total_reward"]["old_plan"],
            json_in(folder_ / "stayed/summary.json")["rollout"]["mean_total_reward"]);
}

TEST_F(Replan, ReportsTheOldPlansFiguresIfKept) {
  test::write_part(folder_ / "gyre.h5", folder_ / "few.h5",
                   {.realizations = test::some_realizations(20)});
  const std::string report =
      run(replan_arguments({"--environment", "few.h5", "--out", "replanned", "-q", "--details"}))
          .output;
  ASSERT_THAT(report, HasSubstr("Keep the old plan, a new one gains "));
  // Returns the part on the times of flights.
  const auto figures = [](const std::string& text) {
    const std::size_t begin = text.find("\ntime to go");
    return text.substr(begin, text.find("\nprobability", begin) - begin);
  };
  const std::string old_report =
      run({"rollout", "run", "--environment", "few.h5", "--at-xy", "13.7,12.2", "--time", "9",
           "--out", "stayed", "-q", "--details"})
          .output;
  run({"rollout", "replanned", "--out", "left", "-q"});
  ASSERT_NE(summary("stayed")["rollout"]["time"], summary("left")["rollout"]["time"]);
  EXPECT_EQ(figures(report), figures(old_report));
  // The answer has the heading and the arrival of the old plan.
  const std::string answer = old_report.substr(0, old_report.find("\nSteering"));
  EXPECT_THAT(report, HasSubstr(": heading" + answer.substr(std::string("Heading").size())));
  EXPECT_THAT(report, HasSubstr("\n\nthe new plan:\nfrom "));
  // The next surfacing is also that of the old plan; flights of the new plan surface elsewhere.
  const auto surfacing = [](const std::string& text) {
    const std::size_t begin = text.find("Surfacing ");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const std::string kept_report =
      run(replan_arguments({"--environment", "few.h5", "--surfacing", "14", "-q"})).output;
  const std::vector<std::string> lookup_words{
      "lookup", "replanned", "--at-xy", "13.7,12.2", "--time", "9", "--surfacing", "14", "-q"};
  EXPECT_THAT(surfacing(kept_report), HasSubstr("Surfacing time 23 about x "));
  EXPECT_NE(surfacing(kept_report), surfacing(run(lookup_words).output));
}

TEST_F(Replan, ReportsOnceThatNothingArrives) {
  run({"plan", "m.toml", "--set", "mission.horizon=4", "--out", "short", "-q"});
  EXPECT_THAT(run({"replan", "short", "--at-xy", "13.7,12.2", "--time", "4", "-q"}).output,
              testing::StartsWith("Keep the old plan, a new one never arrives either: heading "));
}

TEST_F(Replan, AllCommandsAcceptAReplannedRun) {
  run(replan_arguments({"-q", "--set", "output.formats=[\"netcdf\", \"policy\"]"}));
  EXPECT_TRUE(fs::exists(folder_ / "run_replanned_1/export"));
  EXPECT_FALSE(fs::is_empty(folder_ / "run_replanned_1/export"));
  // The run can be simulated, viewed, compared, exported, and replanned again from a place under
  // way.
  run({"rollout", "run_replanned_1", "--out", "again", "-q"});
  EXPECT_EQ(json_in(folder_ / "again/summary.json")["rollout"],
            json_in(folder_ / "run_replanned_1/summary.json")["rollout"]);
  run({"view", "run_replanned_1", "--out", "page.html", "-q"});
  run({"view", "run", "--with", "run_replanned_1", "--out", "both.html", "-q"});
  run({"compare", "run", "run_replanned_1", "--cost", "flown", "-q"});
  run({"export", "run_replanned_1", "--format", "csv", "--plane", "--out", "r.csv", "-q"});
  run({"replan", "run_replanned_1", "--at-xy", "13.2,14", "--time", "11", "-q"});
  expect_part_of("run_replanned_2", "run");
  // States out of reach are refused.
  EXPECT_THAT(refused({"rollout", "run_replanned_1", "--at-xy", "15.5,6.5", "--time", "2"}),
              test::has_code("policy_unknown_at_start"));
  EXPECT_THAT(refused({"rollout", "run_replanned_1", "--at-xy", "2.5,27.5", "--time", "9"}),
              test::has_code("policy_unknown_at_start"));
  const std::string answer =
      run({"lookup", "run_replanned_1", "--at-xy", "2.5,27.5", "--time", "9"}).output;
  EXPECT_THAT(answer, HasSubstr("No action"));
}

TEST_F(Replan, PassesTheRemainingViaPoints) {
  const std::string via =
      "mission.via=[{point=[8.5, 14.5], radius=2}, {point=[20.5, 18.5], radius=2}]";
  run({"plan", "m.toml", "--set", via, "--out", "two", "-q"});
  run({"replan", "two", "--at-xy", "9.5,11", "--time", "8", "--out", "none", "-q"});
  expect_part_of("none", "two");
  expect_part_of("none", "two", "_leg_2");
  run({"replan", "two", "--at-xy", "9.5,15", "--time", "12", "--leg", "2", "--out", "one", "-q"});
  const json summary = json_in(folder_ / "one/summary.json");
  EXPECT_EQ(summary["via"].size(), 1u);
  EXPECT_EQ(summary["replanned_from"]["passed"], 1);
  const json old_plan = json_in(folder_ / "one/comparison.json")["comparisons"][0]["old_plan"];
  EXPECT_EQ(old_plan["expected"]["value"]["cost"], 0) << "the old plan's second leg goes on";
  EXPECT_THAT(refused({"replan", "two", "--at-xy", "9.5,15", "--time", "12", "--leg", "4"}),
              test::has_code("leg_outside", "--leg 4"));
}

TEST_F(Replan, LearnsFromATrackAndStartsAtItsLastFix) {
  std::ofstream(folder_ / "t.csv") << track;
  const auto result =
      run({"replan", "run", "--track", "t.csv", "--error", "0.1", "-q", "--details"});
  EXPECT_THAT(result.output, HasSubstr("t.csv: 3 fixes, 2 legs"));
  EXPECT_THAT(result.output, HasSubstr("cost of A's"));
  const json summary = json_in(folder_ / "run_replanned_1/summary.json");
  EXPECT_EQ(summary["start"]["x"], 14.2);
  EXPECT_EQ(summary["start"]["y"], 10.8);
  EXPECT_EQ(summary["departure"]["level"], 6);
  EXPECT_THAT(summary["replanned_from"]["tracks"].dump(), HasSubstr("t.csv"));
  EXPECT_THAT(summary["mission"]["environment"]["file"].dump(),
              HasSubstr("run_replanned_1/posterior.h5"));
  // It equals a plan in that environment, in which any mission can be planned.
  run({"plan", "m.toml", "--set", "environment.file=run_replanned_1/posterior.h5", "--out",
       "on_posterior", "-q"});
  expect_part_of("run_replanned_1", "on_posterior");
  // Between levels, a replan begins at that time. --environment is used unchanged.
  std::ofstream(folder_ / "between.csv") << "level,x,y,u,v\n4,14.8,8.9,,\n6.3,14.2,10.8,0.1,0.2\n";
  run({"replan", "run", "--track", "between.csv", "--error", "0.1", "--environment", "gyre.h5",
       "--out", "as_it_is", "-q"});
  const json as_it_is = json_in(folder_ / "as_it_is/summary.json");
  EXPECT_EQ(as_it_is["departure"]["level"], 6);
  EXPECT_NEAR(as_it_is["departure"]["time"].get<double>(), 6.3, 1e-9);
  EXPECT_NEAR(as_it_is["mission"]["mission"]["departure"].get<double>(), 6.3, 1e-9);
  const json expected = replanned_at("6.3");
  for (const char* key : {"value_at_start", "expected"})
    EXPECT_EQ(as_it_is[key], expected[key]) << key;
  EXPECT_FALSE(fs::exists(folder_ / "as_it_is/posterior.h5"));
  expect_part_of("as_it_is", "run");
  // A failed replan leaves no files, and an earlier replan is untouched.
  EXPECT_THAT(
      refused({"replan", "run", "--track", "t.csv", "--error", "0.1", "--out", "run_replanned_1"}),
      test::has_code("run_exists", "run_replanned_1"));
  EXPECT_THAT(refused({"replan", "run", "--track", "t.csv", "--error", "0.1", "--out",
                       "run_replanned_1", "--overwrite"}),
              test::has_code("replan_output_exists", "posterior.h5"));
  EXPECT_THAT(refused({"replan", "run", "--track", "t.csv", "--error", "0.1", "--time", "7"}),
              test::has_code("replan_time_twice"));
  EXPECT_THAT(
      refused({"replan", "run", "--at-xy", "13,12", "--time", "9", "--forecast", "gyre.h5"}),
      test::has_code("forecast_without_track"));
  EXPECT_THAT(refused({"replan", "run", "--track", "none.csv"}),
              test::has_code("file_missing", "none.csv"));
}

TEST_F(Replan, WithholdsProbabilitiesInAContradictedForecast) {
  // The current reverses from one leg to the next, which no inflation explains.
  std::ofstream(folder_ / "t.csv")
      << "level,x,y,u,v\n2,15.5,6.5,,\n4,14.8,8.9,0.8,0.9\n6,14.2,10.8,-0.9,0.9\n";
  const auto first =
      run({"replan", "run", "--track", "t.csv", "--error", "0.02", "--out", "wrong"});
  EXPECT_THAT(first.errors, HasSubstr("Observations contradict the forecast (chi-square"));
  EXPECT_THAT(first.errors, HasSubstr(": no probabilities; use a newer forecast"));
  EXPECT_THAT(first.output, testing::StartsWith("Observations contradict the forecast"));
  EXPECT_THAT(first.output, Not(HasSubstr("%")));
  EXPECT_LE(std::ranges::count(first.output, '\n'), 6);
  EXPECT_EQ(json_in(folder_ / "wrong/summary.json")["uncertainty"], "contradicted");
  // A plan in the posterior has the same uncertainty.
  const auto planned = run(
      {"plan", "m.toml", "--set", "environment.file=wrong/posterior.h5", "--out", "again", "-q"});
  EXPECT_THAT(planned.output, testing::StartsWith("Observations contradict the forecast"));
  EXPECT_EQ(json_in(folder_ / "again/summary.json")["uncertainty"], "contradicted");
  std::ofstream(folder_ / "t.csv") << track;
  const auto consistent =
      run({"replan", "run", "--track", "t.csv", "--error", "0.3", "--out", "right"});
  EXPECT_THAT(consistent.errors, Not(HasSubstr("contradict")));
  EXPECT_EQ(json_in(folder_ / "right/summary.json")["uncertainty"], "ensemble");
}

TEST_F(Replan, StartsAtLastFixWithoutObservations) {
  std::ofstream(folder_ / "t.csv") << "level,x,y,u,v\n2,15.5,6.5,,\n6,14.2,10.8,,\n";
  const auto result = run({"replan", "run", "--track", "t.csv", "--error", "0.1", "--details"});
  EXPECT_THAT(result.errors, HasSubstr("the track does not correct the forecast"));
  EXPECT_THAT(result.output, HasSubstr("t.csv: no leg observes the current"));
  EXPECT_FALSE(fs::exists(folder_ / "run_replanned_1/posterior.h5"));
  const json summary = json_in(folder_ / "run_replanned_1/summary.json");
  const json expected = replanned_at("6");
  for (const char* key : {"value_at_start", "expected"})
    EXPECT_EQ(summary[key], expected[key]) << key;
}

TEST_F(Replan, StartsAtFixesWithoutCurrents) {
  const json expected = replanned_at("6");
  for (const char* fixes : {"level,x,y\n2,15.5,6.5\n6,14.2,10.8\n", "level,x,y\n6,14.2,10.8\n"}) {
    std::ofstream(folder_ / "t.csv") << fixes;
    const auto result = run({"replan", "run", "--track", "t.csv", "--out", "fixes", "--overwrite"});
    EXPECT_THAT(result.errors, HasSubstr("the track does not correct the forecast"));
    EXPECT_FALSE(fs::exists(folder_ / "fixes/posterior.h5"));
    const json summary = json_in(folder_ / "fixes/summary.json");
    for (const char* key : {"value_at_start", "expected"}) {
      EXPECT_EQ(summary[key], expected[key]) << key;
    }
  }
  // A speed without a heading is an error.
  std::ofstream(folder_ / "t.csv") << "level,x,y,speed\n2,15.5,6.5,1\n6,14.2,10.8,1\n";
  EXPECT_THAT(refused({"replan", "run", "--track", "t.csv"}),
              test::has_code("track_speed_without_heading"));
  std::ofstream(folder_ / "t.csv") << "level,x,y\n2,15.5,6.5\n6,14.2,10.8\n";
  EXPECT_THAT(refused({"observe", "run", "--track", "t.csv", "--out", "observed.h5"}),
              test::has_code("track_without_motion"));
}

TEST_F(Replan, LearnsFromADrifterThatIsNotTheVehicle) {
  std::ofstream(folder_ / "d.csv") << "level,x,y\n2,15.5,6.5\n4,15.8,6.9\n8,16.2,7.4\n";
  std::ofstream(folder_ / "e.csv") << "level,x,y\n2,12.5,6.5\n4,12.8,6.9\n8,13.2,7.4\n";
  const std::string two_drifters = run(replan_arguments({"--drifter", "d.csv", "e.csv", "--error",
                                                         "0.1", "--out", "two", "-q", "--details"}))
                                       .output;
  EXPECT_THAT(two_drifters,
              testing::AllOf(HasSubstr("d.csv: 3 fixes"), HasSubstr("e.csv: 3 fixes")));
  const auto result = run(replan_arguments(
      {"--drifter", "d.csv", "--error", "0.1", "--surfacing", "3", "-q", "--details"}));
  EXPECT_THAT(result.output, HasSubstr("d.csv: 3 fixes, 2 legs of drift only"));
  EXPECT_THAT(result.output, AllOf(HasSubstr("Surfacing time 12 about x "),
                                   HasSubstr("surfaces next   time 12, about x ")));
  const json summary = json_in(folder_ / "run_replanned_1/summary.json");
  EXPECT_EQ(summary["start"]["x"], 13.7);
  EXPECT_TRUE(fs::exists(folder_ / "run_replanned_1/posterior.h5"));
  EXPECT_THAT(refused({"replan", "run", "--drifter", "d.csv", "--error", "0.1"}),
              test::has_code("replan_place_missing"));
  EXPECT_THAT(refused(replan_arguments({"--surfacing", "soon"})),
              test::has_code("quantity_invalid", "--surfacing"));
}

TEST_F(Replan, ReportsNoSurfacingAfterThePlansEnd) {
  const std::string end = "Surfacing not known: the plan ends before, time ";
  EXPECT_THAT(run(replan_arguments({"--surfacing", "500", "-q"})).output, HasSubstr(end));
  EXPECT_FALSE(fs::exists(folder_ / "run_replanned_1/surfacing.geojson"));
  const std::vector<std::string> lookup_words{"lookup",    "run",    "--at-xy",
                                              "13.7,12.2", "--time", "9"};
  const auto lookup_arguments = [&](std::vector<std::string> options) {
    options.insert(options.begin(), lookup_words.begin(), lookup_words.end());
    return options;
  };
  const double last = json_in(folder_ / "run/summary.json")["deadline"]["time"].get<double>();
  const std::string too_long = std::to_string(last - 9 + 0.1);
  EXPECT_THAT(run(lookup_arguments({"--surfacing", too_long})).output, HasSubstr(end));
  const json answer =
      json::parse(run(lookup_arguments({"--surfacing", too_long, "--json"})).output);
  EXPECT_FALSE(answer.contains("surfacing"));
  EXPECT_THAT(answer["no_surfacing"], HasSubstr("the plan ends before, time "));
  EXPECT_THAT(run(lookup_arguments({"--surfacing", std::to_string(last - 9)})).output,
              HasSubstr("Surfacing time "));
  EXPECT_THAT(refused(lookup_arguments({"--surfacing", "500", "--out", "r.geojson", "-q"})),
              test::has_code("lookup_regions_missing", "the plan ends before, time"));
  EXPECT_THAT(refused(lookup_arguments({"--surfacing", "2", "--out", "run/policy.h5", "-q"})),
              test::has_code("output_ending_unknown", "--out run/policy.h5"));
}

/// A replan between levels begins with the rest of a step, so that its value lies between those of
/// the two levels.
TEST_F(Replan, BetweenLevelsBeginsAtThatTime) {
  const double early = replanned_at("6")["value_at_start"];
  const double late = replanned_at("7")["value_at_start"];
  const json between = replanned_at("6.4");
  EXPECT_NEAR(between["value_at_start"].get<double>(), 0.6 * early + 0.4 * late, 1e-4);
  EXPECT_EQ(between["mission"]["mission"]["departure"], 6.4);
  EXPECT_EQ(replanned_at("7.0")["mission"]["mission"]["departure"], 7);
  // A rollout of the old policy also begins there, in steps of 1.
  const auto rollout = run(
      {"rollout", "run", "--at-xy", "14.2,10.8", "--time", "6.4", "--out", "flown", "--details"});
  EXPECT_THAT(rollout.output, HasSubstr("level 6.4"));
  const json summary = json_in(folder_ / "flown/summary.json");
  EXPECT_EQ(summary["value_at_start"], between["value_at_start"]);
  EXPECT_EQ(summary["rollout"], between["rollout"]);
  EXPECT_THAT(refused({"rollout", "run", "--time", "-0.5"}),
              testing::AllOf(test::has_code("key_value_invalid", "a number from 0 to"),
                             testing::HasSubstr("mission.departure")));
}

TEST_F(Replan, LeavesNothingWhenKilled) {
  std::ofstream(folder_ / "t.csv") << track;
  const std::vector<std::string> words{"replan",
                                       "run",
                                       "--track",
                                       "t.csv",
                                       "--error",
                                       "0.1",
                                       "--out",
                                       "killed",
                                       "--quiet",
                                       "--set",
                                       "output.formats=[\"netcdf\", \"csv\"]"};
  const auto begin = std::chrono::steady_clock::now();
  run(words);
  const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  const std::string undisturbed = test::bytes_of(folder_ / "killed/policy.h5");
  int killed = 0;
  bool was_at_work = false;
  for (int n = 1; n <= 8; ++n) {
    fs::remove_all(folder_ / "killed");
    const auto result = test::kill_tidewise(words, folder_.path(), duration * n / 9);
    if (result.status != 0) ++killed;
    was_at_work = was_at_work || fs::exists(folder_ / "killed/.run.tmp/posterior.h5");
    // The run and its forecast are both complete or both absent.
    const bool is_complete = fs::exists(folder_ / "killed/summary.json");
    EXPECT_TRUE(is_complete || result.status != 0);
    // The kill came during the renames, which the next run reverts
    // (RunFolders.LeaveNoForecastOfARunThat…).
    if (fs::exists(folder_ / "killed/.run.tmp/left")) continue;
    for (const char* file : {"posterior.h5", "policy.h5", "trajectories.nc", "comparison.json"}) {
      EXPECT_EQ(fs::exists(folder_ / "killed" / file), is_complete) << file << " after " << n;
    }
    EXPECT_TRUE(is_complete || !fs::exists(folder_ / "killed/export")) << n;
  }
  EXPECT_GT(killed, 0);
  EXPECT_TRUE(was_at_work);
  // The next run removes the remains.
  fs::remove_all(folder_ / "killed");
  fs::create_directories(folder_ / "killed/.run.tmp");
  std::ofstream(folder_ / "killed/.run.tmp/.lock") << "process 1 on host\n";
  std::ofstream(folder_ / "killed/.run.tmp/posterior.h5") << "half of one";
  run(words);
  EXPECT_FALSE(fs::exists(folder_ / "killed/.run.tmp"));
  EXPECT_TRUE(fs::exists(folder_ / "killed/export/killed.csv"));
  EXPECT_TRUE(test::bytes_of(folder_ / "killed/policy.h5") == undisturbed);
}

TEST_F(Replan, CanBeMovedWithItsForecast) {
  std::ofstream(folder_ / "t.csv") << track;
  run({"replan", "run", "--track", "t.csv", "--error", "0.1", "--set",
       "output.formats=[\"netcdf\", \"policy\", \"csv\"]", "--out", "here", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "here/export/policy.twp")) << "exported on its own forecast";
  EXPECT_TRUE(fs::exists(folder_ / "here/export/here.csv"));
  fs::rename(folder_ / "here", folder_ / "there");
  run({"rollout", "there", "--out", "again", "-q"});
  EXPECT_EQ(json_in(folder_ / "again/summary.json")["rollout"],
            json_in(folder_ / "there/summary.json")["rollout"]);
  run({"export", "there", "--format", "csv", "--plane", "--out", "r.csv", "-q"});
  run({"view", "there", "--out", "page.html", "-q"});
  run({"compare", "run", "there", "-q"});
  run({"replan", "there", "--at-xy", "13.2,14", "--time", "9", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "there_replanned_1/policy.h5"));
  // A run does not accept another environment in the place of its own.
  fs::copy_file(folder_ / "gyre.h5", folder_ / "there/posterior.h5",
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(refused({"rollout", "there", "--out", "third"}),
              test::has_code("environment_changed"));
}

TEST_F(Replan, RejectsImplausibleLastFix) {
  // The vehicle moves 3 cells per step at a speed of 2, and then 20 cells.
  std::ofstream(folder_ / "t.csv") << track << "7,14.5,29.5,0.1,0.1\n";
  const std::vector<std::string> replan{"replan",  "run", "--track", "t.csv",
                                        "--error", "0.1", "-q"};
  EXPECT_THAT(refused(replan), testing::AllOf(test::has_code("last_fix_implausible", "row 5"),
                                              HasSubstr("speed through the water would have been"),
                                              test::has_code("last_fix_implausible")));
  auto uncorrected = replan;  // where no forecast is corrected
  uncorrected.insert(uncorrected.end(), {"--environment", "gyre.h5", "--out", "elsewhere"});
  EXPECT_THAT(refused(uncorrected), test::has_code("last_fix_implausible", "row 5"));
  auto with_place = replan;
  with_place.insert(with_place.end(), {"--at-xy", "14.2,10.8", "--time", "7", "--out", "advised"});
  run(with_place);
  std::ofstream(folder_ / "t.csv") << track;
  run(replan);
}

TEST_F(Replan, ValidatesLastFixByTheForecast) {
  // The vehicle's own motion on the last leg is given at its first fix, and the forecast is
  // corrected; or it is not given, and the forecast is used unchanged.
  for (const bool corrected : {true, false}) {
    const std::string out = corrected ? "corrected" : "as_it_is";
    std::vector<std::string> replan{"replan",      "run", "--track", "t.csv", "--error", "0.1",
                                    "--fix-error", "0.1", "-q",      "--out", out};
    if (!corrected) replan.insert(replan.end(), {"--environment", "gyre.h5"});
    const std::string first_fixes = std::string("level,x,y,speed,heading\n2,15.5,6.5,1,1.57\n") +
                                    (corrected ? "4,15.5,8.9,1,1.57\n" : "4,15.5,8.9,,\n");
    write("t.csv", first_fixes + "5,15.5,26,,\n");
    EXPECT_THAT(refused(replan), test::has_code("last_fix_implausible", "4"));
    EXPECT_FALSE(fs::exists(folder_ / out));
    write("t.csv", first_fixes + "5,15.5,10.1,,\n");
    run(replan);
  }
}

TEST_F(Replan, WrongLegDoesNotRejectLaterFix) {
  // The leg to the third fix is implausible, and the leg to the fourth has no data.
  const std::string until_third =
      "level,x,y,speed,heading_from_x\n2,15.5,6.5,2,1.5708\n4,15.5,11,2,1.5708\n6,25,15,,\n";
  const std::vector<std::string> replan{"replan",  "run", "--track", "t.csv",
                                        "--error", "0.1", "-q"};
  std::ofstream(folder_ / "t.csv") << until_third;
  EXPECT_THAT(refused(replan), test::has_code("last_fix_implausible", "row 4"));
  std::ofstream(folder_ / "t.csv") << until_third << "7,25.5,15.5,,\n";
  run(replan);
}

TEST_F(Replan, TakesTheOptionsOfObserve) {
  std::ofstream(folder_ / "t.csv") << track;
  const std::vector<std::string> options{
      "--track",          "t.csv", "--error",         "0.1", "--fix-error",  "0.2",
      "--representation", "0.1",   "--inflation",     "1.3", "--relaxation", "0.2",
      "--localisation",   "12",    "--reject-beyond", "6",   "--method",     "perturbed",
      "--seed",           "7",     "--add-mode",      "4"};
  std::vector<std::string> replan{"replan", "run", "--out", "replanned", "-q"};
  std::vector<std::string> observe{"observe", "run", "--out", "observed.h5", "-q"};
  replan.insert(replan.end(), options.begin(), options.end());
  observe.insert(observe.end(), options.begin(), options.end());
  run(replan);
  run(observe);
  const Hdf5File a = Hdf5File::open(folder_ / "replanned/posterior.h5");
  const Hdf5File b = Hdf5File::open(folder_ / "observed.h5");
  for (const char* name : {"coefficient", "u_mean", "u_mode", "observed_u_error"}) {
    EXPECT_EQ(a.read_all<float>(name), b.read_all<float>(name)) << name;
  }
  // Options without effect are refused.
  EXPECT_THAT(refused(replan_arguments({"--inflation", "1.1"})),
              test::has_code("track_option_without_track", "--inflation"));
  EXPECT_THAT(refused({"replan", "run", "--track", "t.csv", "--error", "0.1", "--environment",
                       "gyre.h5", "--add-mode", "auto"}),
              test::has_code("correction_with_environment", "--add-mode"));
}

TEST_F(Replan, RejectsBadInputInOneLine) {
  EXPECT_THAT(refused({"replan", "run", "--time", "9"}), test::has_code("replan_place_missing"));
  EXPECT_THAT(refused({"replan", "run", "--at-xy", "13,12"}),
              test::has_code("replan_place_missing"));
  EXPECT_THAT(refused({"replan", "run", "--at-xy", "130,12", "--time", "9"}),
              test::has_code("place_outside", "--at-xy"));
  EXPECT_THAT(refused({"replan", "run", "--at-xy", "13,12", "--time", "44"}),
              test::has_code("departure_outside", "--time"));
  EXPECT_THAT(refused({"replan", "run", "--at-xy", "13", "--time", "9"}),
              test::has_code("number_list_invalid", "--at-xy"));
  EXPECT_THAT(refused(replan_arguments({"--environment", "missing.h5"})),
              test::has_code("file_missing", "missing.h5"));
  EXPECT_THAT(refused(replan_arguments({"--leg", "2"})), test::has_code("leg_outside", "--leg 2"));
  EXPECT_THAT(refused(replan_arguments({"--out", "run"})),
              test::has_code("replan_output_is_input"));
  EXPECT_THAT(refused({"replan", "nowhere", "--at-xy", "13,12", "--time", "9"}),
              test::has_code("run_missing"));
  // One forecast ends before the time of the vehicle, and one before the deadline.
  test::write_part(folder_ / "gyre.h5", folder_ / "short.h5", {.levels = IndexRange{0, 7}});
  EXPECT_THAT(refused(replan_arguments({"--environment", "short.h5"})),
              test::has_code("departure_outside", "--time"));
  test::write_part(folder_ / "gyre.h5", folder_ / "ends.h5", {.levels = IndexRange{0, 30}});
  run(replan_arguments({"--environment", "ends.h5", "--out", "ends", "-q"}));
  const json summary = json_in(folder_ / "ends/summary.json");
  EXPECT_EQ(summary["deadline"]["level"], 30);
  EXPECT_THAT(summary["notes"].dump(), HasSubstr("ends before the mission's time is up"));
}

}  // namespace
}  // namespace tidewise
