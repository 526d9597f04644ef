// Missions with via points, by the program itself.

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
  std::vector<std::string> planning(const std::string& out, const std::string& via) const {
    return {"plan", "m.toml", "-q", "--out", out, "--set", "mission.via=" + via};
  }
  json plan(const std::string& out, const std::string& via) const {
    run(planning(out, via));
    return summary(out);
  }
};

constexpr const char* one = "[{point=[8.5, 14.5], radius=2}]";
constexpr const char* two =
    "[{point=[8.5, 14.5], radius=2}, {polygon=[[19, 17], [23, 17], [23, 21], [19, 21]]}]";

TEST_F(MissionVia, FlightsPassViaPointsAtTheirCost) {
  const double straight = plan("straight", "[]")["value_at_start"];
  const json summary = plan("run", two);
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
  int seen = 0;
  for (std::size_t n = 0; n < outcome.size(); ++n) {
    if (outcome[n] == 0) {
      EXPECT_TRUE(std::isfinite(passed[2 * n + 1])) << "no flight arrives before it has passed";
      EXPECT_LE(passed[2 * n], passed[2 * n + 1]);
    }
    for (std::size_t m = 0; m < points; ++m) {
      const std::size_t at = n * points + m;
      if (time[at] == passed[2 * n]) {
        EXPECT_LT(std::hypot(x[at] - 8.5, y[at] - 14.5), 2 + std::sqrt(0.5));
        ++seen;
      }
      if (time[at] == passed[2 * n + 1]) {
        EXPECT_NEAR(x[at], 21, 2);
        EXPECT_NEAR(y[at], 19, 2);
      }
    }
  }
  EXPECT_GT(seen, 30);
}

TEST_F(MissionVia, WorksWithAllCommands) {
  plan("run", one);
  const Hdf5File policy = Hdf5File::open(folder_ / "run/policy.h5");
  EXPECT_EQ(policy.number_attribute("/", "legs"), 2);
  EXPECT_EQ(policy.shape("action_leg_2"), policy.shape("action"));
  // Flown again, it is the same; its mission stands in the policy.
  run({"rollout", "run", "-q", "--out", "again"});
  EXPECT_EQ(summary("again")["rollout"], summary("run")["rollout"]);
  // An action belongs to a leg.
  const std::vector<std::string> question{"lookup", "run", "--at-xy", "20.5,8.5",
                                          "--time", "4",   "--json",  "--value"};
  auto of_leg = question;
  of_leg.insert(of_leg.end(), {"--leg", "2"});
  EXPECT_NE(json::parse(run(question).output)["value"], json::parse(run(of_leg).output)["value"]);
  of_leg.back() = "3";
  EXPECT_THAT(refused(of_leg), test::has_code("policy_leg_missing"));
  // A file for each leg on board, which agrees with the run.
  run({"export", "run", "--format", "policy", "--value", "--out", "board/", "-q"});
  auto on_board = question;
  on_board[1] = "board/policy_leg_2.twp";
  of_leg.back() = "2";
  EXPECT_EQ(json::parse(run(on_board).output)["action"], json::parse(run(of_leg).output)["action"]);
  // Waypoints pass the place too.
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

TEST_F(MissionVia, AnOldPlanIsFlownInItsLegs) {
  plan("run", one);
  auto more = planning("more", one);
  more.insert(more.end(), {"--set", "vehicle.headings=24"});
  run(more);
  run({"compare", "run", "more", "--out", "found.json"});
  const json found = json::parse(std::ifstream(folder_ / "found.json"));
  const json& expected = found["comparisons"][0]["old_plan"]["expected"];
  EXPECT_GT(expected["arrival_probability"]["old_plan"], 0.9) << found.dump(2);
}

/// A path that crosses the target before a via point does not end there.
TEST_F(MissionVia, WaypointsDoNotEndInTheTargetBeforeViaPoints) {
  auto back = planning("run", one);
  back.insert(back.end(), {"--set", "mission.start=[15.5, 24.5]"});
  run(back);
  const std::string report =
      run({"export", "run", "--format", "csv", "--plane", "--out", "w.csv"}).output;
  EXPECT_THAT(report, Not(HasSubstr("after 0 ")));
  std::ifstream csv(folder_ / "w.csv");
  const std::string text{std::istreambuf_iterator<char>(csv), {}};
  EXPECT_THAT(text, HasSubstr("WP01"));
  run({"check", "--details", "m.toml", "--set", std::string("mission.via=") + two, "-q"});
}

TEST_F(MissionVia, BadPlacesAreRefusedInOneLine) {
  const auto refusal = [&](const std::string& via) { return refused(planning("run", via)); };
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
  auto closed = planning("run", "[{point=[8.5, 14.5]}]");
  closed.insert(closed.end(),
                {"--set", "mission.no_go=[{polygon=[[6, 12], [11, 12], [11, 17], [6, 17]]}]"});
  EXPECT_THAT(refused(closed), test::has_code("via_closed"));
  plan("run", one);
  EXPECT_THAT(refused({"research", "refine", "run"}), test::has_code("refine_with_via"));
}

/// Missions of one, two and three legs.
TEST_F(MissionVia, ABatchEqualsSinglePlans) {
  const std::string vias[] = {"[]", one, two};
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
    auto arguments = planning("alone_" + std::to_string(n), vias[n]);
    arguments.insert(arguments.end(), {"--set", "mission.departure=1"});
    run(arguments);
    const json alone = summary("alone_" + std::to_string(n));
    const json found = summary(folders[n]);
    for (const char* key : {"value_at_start", "expected", "rollout", "via"}) {
      EXPECT_EQ(found.value(key, json()), alone.value(key, json())) << folders[n] << ": " << key;
    }
    const Hdf5File here = Hdf5File::open(folders[n] / "policy.h5");
    const Hdf5File there = Hdf5File::open(folder_ / ("alone_" + std::to_string(n)) / "policy.h5");
    for (const char* name : {"action", "action_leg_2", "action_leg_3"}) {
      ASSERT_EQ(here.has(name), there.has(name));
      if (!here.has(name)) continue;
      EXPECT_EQ(here.read_all<std::int16_t>(name), there.read_all<std::int16_t>(name));
    }
  }
}

TEST_F(MissionVia, APriceOfBeingLateIsFoundForAllLegs) {
  auto arguments = planning("run", two);
  arguments.insert(arguments.end(),
                   {"--set", "mission.objective=energy", "--arrival-at-least", "0.7"});
  run(arguments);
  EXPECT_GE(summary("run")["expected"]["arrival_probability"].get<double>(), 0.7);
}

TEST_F(MissionVia, WarnsOfViaPointsSmallerThanAStep) {
  const auto warnings = [&](const std::string& via) {
    auto arguments = planning("run", via);
    std::erase(arguments, "-q");
    arguments.emplace_back("--overwrite");
    return run(arguments).errors;
  };
  EXPECT_THAT(warnings("[{point=[8.5, 14.5]}]"), HasSubstr("may cross it between two levels"));
  EXPECT_THAT(warnings(one), Not(HasSubstr("may pass over")));
}

}  // namespace
}  // namespace tidewise
