// Missions with station keeping and target following (docs/model.md, 3.11), end to end on the
// double gyre.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class MissionKeeping : public test::SmallGyreFixture {
 protected:
  MissionKeeping() {
    write_mission("gyre.h5", "out", 2);
    make_gyre("gyre.h5");
  }

  /// Returns the arguments of `command` for m.toml with these settings.
  std::vector<std::string> mission_command(const std::string& command,
                                           const std::vector<std::string>& keys,
                                           const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments{command, "m.toml"};
    for (const std::string& key : keys) arguments.insert(arguments.end(), {"--set", key});
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
  /// Writes f.toml, which follows `track`. `keys`: more keys of [mission].
  void write_follow_mission(const std::string& track, const std::string& keys = "") const {
    std::ofstream(folder_ / "f.toml") << R"([environment]
file = "gyre.h5"
[vehicle]
speeds = [0.8, 1.6]
headings = 12
[mission]
objective = "follow"
start = [15.5, 6.5]
)"
                                      << "follow = \"" << track << "\"\n"
                                      << keys;
  }

  const std::vector<std::string> stay_{"mission.objective=stay", "mission.target=[15.5, 10.5]",
                                       "mission.target_radius=2.0"};
};

TEST_F(MissionKeeping, StaysWithinTheTarget) {
  const auto planned = run(mission_command("plan", stay_, {"--out", "stay", "--details"}));
  EXPECT_THAT(planned.output, HasSubstr("\nWithin 2 of the target "));
  EXPECT_THAT(planned.output, HasSubstr(" of 42)")) << "levels 2 to 44";
  EXPECT_THAT(planned.output, HasSubstr("time within"));
  EXPECT_THAT(planned.output, HasSubstr("% of the time; exact"));
  EXPECT_THAT(planned.output, Not(HasSubstr("arriv")));
  const json result = summary("stay");
  const double predicted = result["expected"]["within"];
  const json& simulated = result["rollout"]["within"];
  EXPECT_GT(predicted, 0.3);
  EXPECT_LE(predicted, 1);
  EXPECT_NEAR(simulated["mean"].get<double>(), predicted, 0.2);
  EXPECT_LE(simulated["p10"].get<double>(), simulated["p50"].get<double>());
  EXPECT_LE(simulated["p50"].get<double>(), simulated["p90"].get<double>());
  EXPECT_FALSE(result["rollout"].contains("arrival_rate"));
  EXPECT_EQ(result["rollout"]["failures"]["out_of_time"].get<int>(), 0);
  // The plan's value is the time within the target, minus the cost of failures.
  EXPECT_LE(result["value_at_start"].get<double>(), predicted * 42 + 1e-3);
  for (const char* controller : {"aim", "greedy", "fixed"}) {
    EXPECT_TRUE(result["baselines"][controller].contains("within")) << controller;
  }
  EXPECT_TRUE(result["baselines"]["fixed"].contains("heading"));
  EXPECT_GT(simulated["mean"].get<double>(),
            result["baselines"]["fixed"]["within"]["mean"].get<double>());
  // The run can be simulated again and viewed.
  run({"rollout", "stay", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["rollout"]["within"], simulated);
  run({"view", "stay", "--out", "stay.html", "-q"});
  const auto lookup = run({"lookup", "stay", "--at-xy", "15.5,10.5", "--time", "5"});
  EXPECT_THAT(lookup.output, HasSubstr("\nWithin the target "));
  EXPECT_THAT(lookup.output, Not(HasSubstr("arriv")));
  const auto replanned = run({"replan", "stay", "--at-xy", "15.5,9.5", "--time", "20"});
  EXPECT_THAT(replanned.output, HasSubstr("\nWithin 2 of the target "));
}

TEST_F(MissionKeeping, ComparesByTheTimeWithin) {
  run(mission_command("plan", stay_, {"--out", "here", "-q"}));
  auto with_margin = stay_;
  with_margin.emplace_back("planner.margin=8");
  run(mission_command("plan", with_margin, {"--out", "shy", "-q"}));
  const std::string text = run({"compare", "shy", "here", "--cost", "flown"}).output;
  EXPECT_THAT(text, HasSubstr("take B's plan: it is within the target"));
  EXPECT_THAT(text, HasSubstr("within [%]"));
  EXPECT_THAT(text, Not(HasSubstr("arrive")));
  auto other_place = stay_;
  other_place.emplace_back("mission.target=[9.5, 12.5]");
  run(mission_command("plan", other_place, {"--out", "there", "-q"}));
  EXPECT_THAT(run({"compare", "there", "here", "--cost", "flown"}).output,
              HasSubstr("two targets: A's plan does not go to B's"));
}

/// A cost above 0 means that the old plan is worse: less time within the target, or a larger
/// distance.
TEST_F(MissionKeeping, WorsePlanHasAPositiveCost) {
  std::ofstream(folder_ / "track.csv") << "time,x,y\n0,15.5,10.5\n50,15.5,10.5\n";
  std::ofstream(folder_ / "other.csv") << "time,x,y\n0,9.5,12.5\n50,9.5,12.5\n";
  auto other_place = stay_;
  other_place.emplace_back("mission.target=[9.5, 12.5]");
  write_follow_mission("track.csv");
  run(mission_command("plan", stay_, {"--out", "stay", "-q"}));
  run(mission_command("plan", other_place, {"--out", "stay_there", "-q"}));
  run({"plan", "f.toml", "--out", "follow", "-q"});
  run({"plan", "f.toml", "--set", "mission.follow=other.csv", "--out", "follow_there", "-q"});
  for (const auto& [worse, better, key] :
       {std::tuple{"stay_there", "stay", "within"}, {"follow_there", "follow", "distance"}}) {
    run({"compare", worse, better, "--cost", "flown", "--out", "c.json", "-q"});
    const json result = json::parse(std::ifstream(folder_ / "c.json"));
    for (const char* part : {"expected", "rollout"}) {
      const json cost = result["comparisons"][0]["old_plan"][part];
      EXPECT_GT(cost[key]["cost"].get<double>(), 0) << key;
      EXPECT_GT(cost[part == std::string("expected") ? "value" : "mean_total_reward"]["cost"], 0)
          << key;
    }
  }
}

TEST_F(MissionKeeping, BatchEqualsPlan) {
  run(mission_command("plan", stay_, {"--out", "alone", "-q"}));
  const json single = summary("alone");
  // Two places, each with its own scalar field, and two failure penalties.
  std::ofstream(folder_ / "b.toml") << R"([batch]
mission = "m.toml"
[vary]
mission.objective = ["stay"]
mission.target_radius = [2.0]
mission.target = [[15.5, 10.5], [9.5, 10.5]]
mission.failure.outside = [-500, -50]
)";
  run({"batch", "b.toml", "--out", "many", "-q"});
  int equal_count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "many")) {
    if (!entry.is_directory()) continue;
    const json result = summary("many/" + entry.path().filename().string());
    EXPECT_TRUE(result["rollout"].contains("within"));
    equal_count += result["expected"] == single["expected"] ? 1 : 0;
  }
  EXPECT_GE(equal_count, 1) << "what failing costs changes nothing where nothing fails";
}

TEST_F(MissionKeeping, RejectsIncompatibleKeys) {
  auto with_details = mission_command("check", stay_);
  with_details.emplace_back("--details");
  EXPECT_THAT(run(with_details).output, HasSubstr("departures, reach, bound"));
  const auto refusal_with = [&](const std::string& key) {
    auto keys = stay_;
    keys.push_back(key);
    return refused(mission_command("check", keys));
  };
  EXPECT_THAT(refusal_with("mission.arrival_reward=5"),
              test::has_code("key_not_of_objective", "mission.arrival_reward"));
  EXPECT_THAT(refusal_with("mission.failure_penalty=-5"),
              test::has_code("key_not_of_objective", "mission.failure"));
  EXPECT_THAT(refusal_with("mission.failure.late=-5"),
              test::has_code("key_not_of_objective", "mission.failure"));
  EXPECT_THAT(refusal_with("vehicle.battery=5"),
              test::has_code("key_not_of_objective", "vehicle.battery"));
  EXPECT_THAT(refusal_with("rollout.deadlines=[9]"),
              test::has_code("key_not_of_objective", "rollout.deadlines"));
  EXPECT_THAT(refusal_with("output.formats=[\"csv\"]"),
              test::has_code("key_not_of_objective", "goes nowhere that a route"));
  EXPECT_THAT(refusal_with("mission.follow=a.csv"),
              test::has_code("key_not_of_objective", "mission.follow"));
  EXPECT_THAT(refusal_with("mission.via=[{point = [9, 9]}]"),
              test::has_code("key_not_of_objective", "has no via points"));
  EXPECT_THAT(refused(mission_command("plan", stay_, {"--arrival-at-least", "0.9"})),
              test::has_code("arrival_constraint_without_arrival"));
  run(mission_command("plan", stay_, {"--out", "stay", "-q"}));
  using Words = std::vector<std::string>;
  for (const Words& command :
       {Words{"departures", "stay"}, Words{"reach", "stay"}, Words{"research", "bound", "stay"},
        Words{"research", "refine", "stay"}}) {
    EXPECT_THAT(refused(command), test::has_code("keeping_not_possible", "stay")) << command[0];
  }
}

TEST_F(MissionKeeping, FollowsAMovingPoint) {
  std::ofstream(folder_ / "drifter.csv") << "time,x,y\n0,15.5,6.5\n22,15.5,12.5\n50,20.5,12.5\n";
  const std::vector<std::string> follow{"mission.objective=follow", "mission.follow=drifter.csv"};
  // Target following has no fixed target, so that the mission may not set one.
  EXPECT_THAT(refused(mission_command("check", follow)),
              test::has_code("key_not_of_objective", "follow has no target"));
  write_follow_mission("drifter.csv", "departure = 2\n");
  EXPECT_THAT(run({"check", "--details", "f.toml"}).output,
              HasSubstr("following drifter.csv (moving target: 3 fixes from 0 to 50, "
                        "times in column time)"));
  const auto planned = run({"plan", "f.toml", "--out", "follow", "--details"});
  EXPECT_THAT(planned.output, HasSubstr(" from the track on average.\n"));
  EXPECT_THAT(planned.output, HasSubstr("drifter.csv"));
  EXPECT_THAT(planned.output, Not(HasSubstr("arriv")));
  const json result = summary("follow");
  const double simulated = result["rollout"]["distance"]["mean"];
  EXPECT_LT(simulated, 3);
  EXPECT_NEAR(result["expected"]["distance"].get<double>(), simulated, 1.5);
  EXPECT_LT(simulated, result["baselines"]["fixed"]["distance"]["mean"].get<double>());
  run({"rollout", "follow", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["rollout"]["distance"], result["rollout"]["distance"]);

  // A line has no times.
  std::ofstream(folder_ / "line.csv") << "x,y\n5.5,10.5\n25.5,10.5\n";
  const auto on_line = run({"plan", "f.toml", "--set", "mission.follow=line.csv", "--out", "line"});
  EXPECT_THAT(on_line.output, HasSubstr("from the track on average"));
  EXPECT_LT(summary("line")["rollout"]["distance"]["mean"].get<double>(), 3);
  // The run shows the followed track and no target.
  EXPECT_EQ(summary("line")["target"]["points"],
            json::parse(R"([{"x": 5.5, "y": 10.5}, {"x": 25.5, "y": 10.5}])"));
  EXPECT_NEAR(result["target"]["points"].front()["y"].get<double>(), 6.5 + 6.0 * 2 / 22, 1e-9);
  for (const char* name : {"line", "follow"}) {
    run({"view", name, "--out", "page.html", "-q"});
    std::ifstream file(folder_ / "page.html");
    const std::string page(std::istreambuf_iterator<char>(file), {});
    EXPECT_THAT(page, HasSubstr(R"("followed":[[)")) << name;
    EXPECT_THAT(page, Not(HasSubstr(R"("target":{"x")"))) << name;
  }

  const auto refused_track = [&](const std::string& text) {
    std::ofstream(folder_ / "bad.csv") << text;
    return refused({"check", "f.toml", "--set", "mission.follow=bad.csv"});
  };
  EXPECT_THAT(refused_track("time,x,y\n5,15,6\n50,15,6\n"),
              test::has_code("follow_outside_mission"));
  EXPECT_THAT(refused_track("time,x,y\n0,15,6\n0,15,7\n50,9,9\n"),
              test::has_code("follow_times_not_ascending"));
  EXPECT_THAT(refused_track("time,x,y\n0,15,6\n20,15,nan\n50,9,9\n"),
              test::has_code("follow_row_incomplete", "bad.csv"));
  EXPECT_THAT(refused_track("time,x,y\n0,15,6\n,15,7\n50,9,9\n"),
              test::has_code("follow_row_incomplete", "bad.csv"));
  EXPECT_THAT(refused_track("x,y\n15,6\n"), test::has_code("follow_too_short"));
  EXPECT_THAT(refused_track("x,y\n15,6\n99,6\n"), test::has_code("place_outside"));
  EXPECT_THAT(refused_track("time,depth\n15,6\n"), test::has_code("follow_without_places"));
  // The first bytes of NetCDF files, in the classic format and in HDF5.
  for (const std::string& netcdf :
       {std::string("CDF\1\0\0\0\0", 8), std::string("\x89HDF\r\n\0", 7)}) {
    EXPECT_THAT(refused_track(netcdf),
                testing::AllOf(
                    test::has_code(
                        "follow_is_netcdf",
                        "a CSV file with columns lon and lat, or x and y, and time where it moves"),
                    testing::HasSubstr("bad.csv")));
  }
}

}  // namespace
}  // namespace tidewise
