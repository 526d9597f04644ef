// Missions that keep to a place or follow something (docs/model.md, 3.11), end to end on the double
// gyre.

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

  /// m.toml with these keys on top, by `command`.
  std::vector<std::string> by(const std::string& command, const std::vector<std::string>& keys,
                              const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{command, "m.toml"};
    for (const std::string& key : keys) arguments.insert(arguments.end(), {"--set", key});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  /// f.toml, which follows `track`; `more` of its [mission].
  void write_follow_mission(const std::string& track, const std::string& more = "") const {
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
                                      << more;
  }

  const std::vector<std::string> stay_{"mission.objective=stay", "mission.target=[15.5, 10.5]",
                                       "mission.target_radius=2.0"};
};

TEST_F(MissionKeeping, StaysWithinTheTarget) {
  const auto planned = run(by("plan", stay_, {"--out", "stay", "--details"}));
  EXPECT_THAT(planned.output, HasSubstr("\nWithin 2 of the target "));
  EXPECT_THAT(planned.output, HasSubstr(" of 42)")) << "levels 2 to 44";
  EXPECT_THAT(planned.output, HasSubstr("time within"));
  EXPECT_THAT(planned.output, HasSubstr("% of the time; exact"));
  EXPECT_THAT(planned.output, Not(HasSubstr("arriv")));
  const json found = summary("stay");
  const double predicted = found["expected"]["within"];
  const json& flown = found["rollout"]["within"];
  EXPECT_GT(predicted, 0.3);
  EXPECT_LE(predicted, 1);
  EXPECT_NEAR(flown["mean"].get<double>(), predicted, 0.2);
  EXPECT_LE(flown["p10"].get<double>(), flown["p50"].get<double>());
  EXPECT_LE(flown["p50"].get<double>(), flown["p90"].get<double>());
  EXPECT_FALSE(found["rollout"].contains("arrival_rate"));
  EXPECT_EQ(found["rollout"]["failures"]["out_of_time"].get<int>(), 0);
  // The plan's value is the time within the target, minus the cost of failures.
  EXPECT_LE(found["value_at_start"].get<double>(), predicted * 42 + 1e-3);
  for (const char* rule : {"aim", "greedy", "fixed"}) {
    EXPECT_TRUE(found["baselines"][rule].contains("within")) << rule;
  }
  EXPECT_TRUE(found["baselines"]["fixed"].contains("heading"));
  EXPECT_GT(flown["mean"].get<double>(),
            found["baselines"]["fixed"]["within"]["mean"].get<double>());
  // The run can be flown again and viewed.
  run({"rollout", "stay", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["rollout"]["within"], flown);
  run({"view", "stay", "--out", "stay.html", "-q"});
  const auto asked = run({"lookup", "stay", "--at-xy", "15.5,10.5", "--time", "5"});
  EXPECT_THAT(asked.output, HasSubstr("\nWithin the target "));
  EXPECT_THAT(asked.output, Not(HasSubstr("arriv")));
  const auto replanned = run({"replan", "stay", "--at-xy", "15.5,9.5", "--time", "20"});
  EXPECT_THAT(replanned.output, HasSubstr("\nWithin 2 of the target "));
}

TEST_F(MissionKeeping, AreComparedByTheTimeWithin) {
  run(by("plan", stay_, {"--out", "here", "-q"}));
  auto shy = stay_;
  shy.emplace_back("planner.margin=8");
  run(by("plan", shy, {"--out", "shy", "-q"}));
  const std::string text = run({"compare", "shy", "here", "--cost", "flown"}).output;
  EXPECT_THAT(text, HasSubstr("take B's plan: it is within the target"));
  EXPECT_THAT(text, HasSubstr("within [%]"));
  EXPECT_THAT(text, Not(HasSubstr("arrive")));
  auto elsewhere = stay_;
  elsewhere.emplace_back("mission.target=[9.5, 12.5]");
  run(by("plan", elsewhere, {"--out", "there", "-q"}));
  EXPECT_THAT(run({"compare", "there", "here", "--cost", "flown"}).output,
              HasSubstr("two targets: A's plan does not go to B's"));
}

/// Above 0 means that staying on the old plan is worse: less time within, and farther away.
TEST_F(MissionKeeping, AWorsePlanCostsMoreThanNothing) {
  std::ofstream(folder_ / "track.csv") << "time,x,y\n0,15.5,10.5\n50,15.5,10.5\n";
  std::ofstream(folder_ / "other.csv") << "time,x,y\n0,9.5,12.5\n50,9.5,12.5\n";
  auto elsewhere = stay_;
  elsewhere.emplace_back("mission.target=[9.5, 12.5]");
  write_follow_mission("track.csv");
  run(by("plan", stay_, {"--out", "stay", "-q"}));
  run(by("plan", elsewhere, {"--out", "stay_there", "-q"}));
  run({"plan", "f.toml", "--out", "follow", "-q"});
  run({"plan", "f.toml", "--set", "mission.follow=other.csv", "--out", "follow_there", "-q"});
  for (const auto& [worse, better, key] :
       {std::tuple{"stay_there", "stay", "within"}, {"follow_there", "follow", "distance"}}) {
    run({"compare", worse, better, "--cost", "flown", "--out", "c.json", "-q"});
    const json found = json::parse(std::ifstream(folder_ / "c.json"));
    for (const char* by_what : {"expected", "rollout"}) {
      const json cost = found["comparisons"][0]["old_plan"][by_what];
      EXPECT_GT(cost[key]["cost"].get<double>(), 0) << key;
      EXPECT_GT(cost[by_what == std::string("expected") ? "value" : "mean_total_reward"]["cost"], 0)
          << key;
    }
  }
}

TEST_F(MissionKeeping, ABatchGivesWhatPlanGives) {
  run(by("plan", stay_, {"--out", "alone", "-q"}));
  const json alone = summary("alone");
  // Two places, each a field of its own, and two prices of failing.
  std::ofstream(folder_ / "b.toml") << R"([batch]
mission = "m.toml"
[vary]
mission.objective = ["stay"]
mission.target_radius = [2.0]
mission.target = [[15.5, 10.5], [9.5, 10.5]]
mission.failure.outside = [-500, -50]
)";
  run({"batch", "b.toml", "--out", "many", "-q"});
  int like_it = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "many")) {
    if (!entry.is_directory()) continue;
    const json found = summary("many/" + entry.path().filename().string());
    EXPECT_TRUE(found["rollout"].contains("within"));
    like_it += found["expected"] == alone["expected"] ? 1 : 0;
  }
  EXPECT_GE(like_it, 1) << "what failing costs changes nothing where nothing fails";
}

TEST_F(MissionKeeping, RejectsIncompatibleKeys) {
  auto with_details = by("check", stay_);
  with_details.emplace_back("--details");
  EXPECT_THAT(run(with_details).output, HasSubstr("departures, reach, bound"));
  const auto beside = [&](const std::string& key) {
    auto keys = stay_;
    keys.push_back(key);
    return refused(by("check", keys));
  };
  EXPECT_THAT(beside("mission.arrival_reward=5"),
              test::has_code("key_not_of_objective", "mission.arrival_reward"));
  EXPECT_THAT(beside("mission.failure_penalty=-5"),
              test::has_code("key_not_of_objective", "mission.failure"));
  EXPECT_THAT(beside("mission.failure.late=-5"),
              test::has_code("key_not_of_objective", "mission.failure"));
  EXPECT_THAT(beside("vehicle.battery=5"),
              test::has_code("key_not_of_objective", "vehicle.battery"));
  EXPECT_THAT(beside("rollout.deadlines=[9]"),
              test::has_code("key_not_of_objective", "rollout.deadlines"));
  EXPECT_THAT(beside("output.formats=[\"csv\"]"),
              test::has_code("key_not_of_objective", "goes nowhere that a route"));
  EXPECT_THAT(beside("mission.follow=a.csv"),
              test::has_code("key_not_of_objective", "mission.follow"));
  EXPECT_THAT(beside("mission.via=[{point = [9, 9]}]"),
              test::has_code("key_not_of_objective", "has no via points"));
  EXPECT_THAT(refused(by("plan", stay_, {"--arrival-at-least", "0.9"})),
              test::has_code("arrival_constraint_without_arrival"));
  run(by("plan", stay_, {"--out", "stay", "-q"}));
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
  // A mission's target is not looked at, and so not to be given.
  EXPECT_THAT(refused(by("check", follow)),
              test::has_code("key_not_of_objective", "follow has no target"));
  write_follow_mission("drifter.csv", "departure = 2\n");
  EXPECT_THAT(run({"check", "--details", "f.toml"}).output,
              HasSubstr("following drifter.csv (moving target: 3 fixes from 0 to 50, "
                        "times in column time)"));
  const auto planned = run({"plan", "f.toml", "--out", "follow", "--details"});
  EXPECT_THAT(planned.output, HasSubstr(" from the track on average.\n"));
  EXPECT_THAT(planned.output, HasSubstr("drifter.csv"));
  EXPECT_THAT(planned.output, Not(HasSubstr("arriv")));
  const json found = summary("follow");
  const double flown = found["rollout"]["distance"]["mean"];
  EXPECT_LT(flown, 3);
  EXPECT_NEAR(found["expected"]["distance"].get<double>(), flown, 1.5);
  EXPECT_LT(flown, found["baselines"]["fixed"]["distance"]["mean"].get<double>());
  run({"rollout", "follow", "--out", "again", "-q"});
  EXPECT_EQ(summary("again")["rollout"]["distance"], found["rollout"]["distance"]);

  // A line: no times.
  std::ofstream(folder_ / "line.csv") << "x,y\n5.5,10.5\n25.5,10.5\n";
  const auto along = run({"plan", "f.toml", "--set", "mission.follow=line.csv", "--out", "line"});
  EXPECT_THAT(along.output, HasSubstr("from the track on average"));
  EXPECT_LT(summary("line")["rollout"]["distance"]["mean"].get<double>(), 3);
  // The run shows the followed track and no target.
  EXPECT_EQ(summary("line")["target"]["points"],
            json::parse(R"([{"x": 5.5, "y": 10.5}, {"x": 25.5, "y": 10.5}])"));
  EXPECT_NEAR(found["target"]["points"].front()["y"].get<double>(), 6.5 + 6.0 * 2 / 22, 1e-9);
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
  // NetCDF's first bytes, of its classic form and as HDF5.
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
