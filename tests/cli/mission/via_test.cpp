// Plans missions with via points by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class MissionVia : public test::SmallGyreFixture {
 protected:
  MissionVia() {
    make_gyre("gyre.h5");
    write_mission("gyre.h5", "run", 2);
  }
  std::vector<std::string> plan_arguments(const std::string& out, const std::string& via) const {
    return {"plan", "m.toml", "-q", "--out", out, "--set", "mission.via=" + via};
  }
  json plan(const std::string& out, const std::string& via) const {
    run(plan_arguments(out, via));
    return summary(out);
  }
};

constexpr const char* one_via = "[{point=[8.5, 14.5], radius=2}]";
constexpr const char* two_vias =
    "[{point=[8.5, 14.5], radius=2}, {polygon=[[19, 17], [23, 17], [23, 21], [19, 21]]}]";

TEST_F(MissionVia, FlightsPassViaPointsAtTheirCost) {
  const double straight = plan("straight", "[]")["value_at_start"];
  const json summary = plan("run", two_vias);
  EXPECT_LT(summary["value_at_start"].get<double>(), straight);
  EXPECT_GT(summary["rollout"]["arrival_rate"].get<double>(), 0.5);
  ASSERT_EQ(summary["via"].size(), 2u);
  EXPECT_EQ(summary["via"][0]["x"], 8.5);
  EXPECT_EQ(summary["via"][1]["cells"], 16);
  EXPECT_GE(summary["via"][0]["passed"]["share"], summary["via"][1]["passed"]["share"]);
  EXPECT_GE(summary["via"][1]["passed"]["share"], summary["rollout"]["arrival_rate"]);
  EXPECT_LT(summary["via"][0]["passed"]["time"]["mean"],
            summary["via"][1]["passed"]["time"]["mean"]);
  EXPECT_TRUE(summary["baselines"].is_null()) << "rules know no places";

  // Every flight is in the via point at the time of its passing.
  const Hdf5File flights = Hdf5File::open(folder_ / "run/trajectories.nc");
  const auto passed = flights.read_all<double>("passed_time");
  const auto x = flights.read_all<double>("x");
  const auto y = flights.read_all<double>("y");
  const auto time = flights.read_all<double>("time");
  const auto outcome = flights.read_all<std::uint8_t>("outcome");
  const std::size_t points = x.size() / outcome.size();
  ASSERT_EQ(passed.size(), 2 * outcome.size());
  int checked = 0;
  for (std::size_t n = 0; n < outcome.size(); ++n) {
    if (outcome[n] == 0) {
      EXPECT_TRUE(std::isfinite(passed[2 * n + 1])) << "no flight arrives before it has passed";
      EXPECT_LE(passed[2 * n], passed[2 * n + 1]);
    }
    for (std::size_t m = 0; m < points; ++m) {
      const std::size_t index = n * points + m;
      if (time[index] == passed[2 * n]) {
        EXPECT_LT(std::hypot(x[index] - 8.5, y[index] - 14.5), 2 + std::sqrt(0.5));
        ++checked;
      }
      if (time[index] == passed[2 * n + 1]) {
        EXPECT_NEAR(x[index], 21, 2);
        EXPECT_NEAR(y[index], 19, 2);
      }
    }
  }
  EXPECT_GT(checked, 30);
}

TEST_F(MissionVia, WorksWithAllCommands) {
  plan("run", one_via);
  const Hdf5File policy = Hdf5File::open(folder_ / "run/policy.h5");
  EXPECT_EQ(policy.number_attribute("/", "legs"), 2);
  EXPECT_EQ(policy.shape("action_leg_2"), policy.shape("action"));
  // A rollout repeats the flights, because the policy stores the mission.
  run({"rollout", "run", "-q", "--out", "again"});
  EXPECT_EQ(summary("again")["rollout"], summary("run")["rollout"]);
  // An action belongs to a leg.
  const std::vector<std::string> lookup_words{"lookup", "run", "--at-xy", "20.5,8.5",
                                              "--time", "4",   "--json",  "--value"};
  auto leg_lookup = lookup_words;
  leg_lookup.insert(leg_lookup.end(), {"--leg", "2"});
  EXPECT_NE(json::parse(run(lookup_words).output)["value"],
            json::parse(run(leg_lookup).output)["value"]);
  leg_lookup.back() = "3";
  EXPECT_THAT(refused(leg_lookup), test::has_code("policy_leg_missing"));
  // The vehicle gets a file for each leg, which agrees with the run.
  run({"export", "run", "--format", "policy", "--value", "--out", "board/", "-q"});
  auto board_lookup = lookup_words;
  board_lookup[1] = "board/policy_leg_2.twp";
  leg_lookup.back() = "2";
  EXPECT_EQ(json::parse(run(board_lookup).output)["action"],
            json::parse(run(leg_lookup).output)["action"]);
  // The waypoints also pass the via point.
  run({"export", "run", "--format", "csv", "--plane", "--waypoints", "8", "--out", "way.csv",
       "-q"});
  std::ifstream csv(folder_ / "way.csv");
  const std::string text{std::istreambuf_iterator<char>(csv), {}};
  EXPECT_THAT(text, HasSubstr("WP01"));
  run({"view", "run", "--out", "run.html", "-q"});
  plan("straight", "[]");
  EXPECT_THAT(refused({"compare", "run", "straight"}), test::has_code("compared_legs_differ"));
  run({"compare", "run", "straight", "--cost", "none"});
}

TEST_F(MissionVia, CompareUsesTheLegsOfAnOldPlan) {
  plan("run", one_via);
  auto finer_plan = plan_arguments("more", one_via);
  finer_plan.insert(finer_plan.end(), {"--set", "vehicle.headings=24"});
  run(finer_plan);
  run({"compare", "run", "more", "--out", "found.json"});
  const json comparison = json::parse(std::ifstream(folder_ / "found.json"));
  const json& expected = comparison["comparisons"][0]["old_plan"]["expected"];
  EXPECT_GT(expected["arrival_probability"]["old_plan"], 0.9) << comparison.dump(2);
}

/// A path that crosses the target before a via point does not end there.
TEST_F(MissionVia, WaypointsDoNotEndInTheTargetBeforeViaPoints) {
  auto arguments = plan_arguments("run", one_via);
  arguments.insert(arguments.end(), {"--set", "mission.start=[15.5, 24.5]"});
  run(arguments);
  const std::string report =
      run({"export", "run", "--format", "csv", "--plane", "--out", "w.csv"}).output;
  EXPECT_THAT(report, Not(HasSubstr("after 0 ")));
  std::ifstream csv(folder_ / "w.csv");
  const std::string text{std::istreambuf_iterator<char>(csv), {}};
  EXPECT_THAT(text, HasSubstr("WP01"));
  run({"check", "--details", "m.toml", "--set", std::string("mission.via=") + two_vias, "-q"});
}

TEST_F(MissionVia, RefusesBadPlacesInOneLine) {
  const auto refusal = [&](const std::string& via) { return refused(plan_arguments("run", via)); };
  EXPECT_THAT(refusal("[{point=[15.5, 24.5]}]"), test::has_code("via_within_target"));
  EXPECT_THAT(
      refusal("[{point=[99.5, 24.5]}]"),
      testing::AllOf(test::has_code("place_outside", "mission.via"), testing::HasSubstr("99.5")));
  EXPECT_THAT(refusal("[{radius=2}]"), test::has_code("via_place_missing"));
  EXPECT_THAT(refusal("[{point=[8.5, 14.5], polygon=[[1, 1], [2, 1], [2, 2]]}]"),
              test::has_code("place_given_twice"));
  EXPECT_THAT(refusal("[{polygon=[[1, 1], [4, 1], [4, 4]], radius=3}]"),
              test::has_code("via_radius_twice"));
  EXPECT_THAT(refusal("[{point=[8.5, 14.5], until=3}]"),
              test::has_code("place_key_unknown", "mission.via.until"));
  EXPECT_THAT(refusal("[{lonlat=[8.5, 14.5]}]"), test::has_code("degrees_unavailable"));
  EXPECT_THAT(refusal("[8.5, 14.5]"), test::has_code("key_value_invalid", "[[mission.via]]"));
  auto closed = plan_arguments("run", "[{point=[8.5, 14.5]}]");
  closed.insert(closed.end(),
                {"--set", "mission.no_go=[{polygon=[[6, 12], [11, 12], [11, 17], [6, 17]]}]"});
  EXPECT_THAT(refused(closed), test::has_code("via_closed"));
  plan("run", one_via);
  EXPECT_THAT(refused({"research", "refine", "run"}), test::has_code("refine_with_via"));
}

/// Missions of one, two and three legs.
TEST_F(MissionVia, BatchEqualsSinglePlans) {
  const std::string vias[] = {"[]", one_via, two_vias};
  std::ofstream(folder_ / "b.toml") << "[batch]\nmission = \"m.toml\"\ndirectory = \"batch\"\n"
                                    << "[vary]\nmission.departure = [1]\nmission.via = [" << vias[0]
                                    << ", " << vias[1] << ", " << vias[2] << "]\n";
  run({"batch", "b.toml", "-q"});
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "batch")) {
    if (entry.is_directory() && std::filesystem::exists(entry.path() / "summary.json")) {
      folders.push_back(entry.path());
    }
  }
  std::sort(folders.begin(), folders.end());
  ASSERT_EQ(folders.size(), 3u);
  for (std::size_t n = 0; n < folders.size(); ++n) {
    auto arguments = plan_arguments("alone_" + std::to_string(n), vias[n]);
    arguments.insert(arguments.end(), {"--set", "mission.departure=1"});
    run(arguments);
    const json single = summary("alone_" + std::to_string(n));
    const json in_batch = summary(folders[n]);
    for (const char* key : {"value_at_start", "expected", "rollout", "via"}) {
      EXPECT_EQ(in_batch.value(key, json()), single.value(key, json()))
          << folders[n] << ": " << key;
    }
    const Hdf5File batch_policy = Hdf5File::open(folders[n] / "policy.h5");
    const Hdf5File single_policy =
        Hdf5File::open(folder_ / ("alone_" + std::to_string(n)) / "policy.h5");
    for (const char* name : {"action", "action_leg_2", "action_leg_3"}) {
      ASSERT_EQ(batch_policy.has(name), single_policy.has(name));
      if (!batch_policy.has(name)) continue;
      EXPECT_EQ(batch_policy.read_all<std::int16_t>(name),
                single_policy.read_all<std::int16_t>(name));
    }
  }
}

TEST_F(MissionVia, FindsALatePenaltyForAllLegs) {
  auto arguments = plan_arguments("run", two_vias);
  arguments.insert(arguments.end(),
                   {"--set", "mission.objective=energy", "--arrival-at-least", "0.7"});
  run(arguments);
  EXPECT_GE(summary("run")["expected"]["arrival_probability"].get<double>(), 0.7);
}

TEST_F(MissionVia, WarnsOfViaPointsSmallerThanAStep) {
  const auto warnings = [&](const std::string& via) {
    auto arguments = plan_arguments("run", via);
    std::erase(arguments, "-q");
    arguments.emplace_back("--overwrite");
    return run(arguments).errors;
  };
  EXPECT_THAT(warnings("[{point=[8.5, 14.5]}]"), HasSubstr("may cross it between two levels"));
  EXPECT_THAT(warnings(one_via), Not(HasSubstr("may pass over")));
}

}  // namespace
}  // namespace tidewise
