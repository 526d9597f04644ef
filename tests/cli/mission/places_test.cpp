// Plans missions with several points, with areas, and with zones that open and close.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class MissionPlacesOnGyre : public test::SmallGyreFixture {
 protected:
  MissionPlacesOnGyre() {
    make_gyre("gyre.h5");
    write_mission("gyre.h5", "run", 2);
  }
  json plan(const std::string& out, std::vector<std::string> settings) const {
    std::vector<std::string> arguments{"plan", "m.toml", "-q", "--out", out, "--overwrite"};
    for (auto& setting : settings) {
      arguments.push_back("--set");
      arguments.push_back(std::move(setting));
    }
    run(arguments);
    return summary(out);
  }
  double value_from(const std::string& start) const {
    return plan("one", {"mission.start=" + start})["value_at_start"];
  }
};

TEST_F(MissionPlacesOnGyre, ChoosesAndReportsTheBestStart) {
  const json several = plan("several", {"mission.start=[[15.5, 6.5], [4.5, 20.5], [25.5, 4.5]]"});
  const double best =
      std::max({value_from("[15.5, 6.5]"), value_from("[4.5, 20.5]"), value_from("[25.5, 4.5]")});
  EXPECT_EQ(several["value_at_start"], best);
  EXPECT_EQ(several["start"]["points"].size(), 3u);
  const double x = several["start"]["x"];
  const double y = several["start"]["y"];
  EXPECT_EQ(value_from("[" + std::to_string(x) + ", " + std::to_string(y) + "]"), best);
  const Hdf5File flights = Hdf5File::open(folder_ / "several/trajectories.nc");
  EXPECT_EQ(flights.read_all<double>("x")[0], x) << "and flights depart from there";
  // Another departure may choose another start; the policy is the same.
  run({"rollout", "several", "--time", "12", "-q", "--out", "later"});
  const json later = summary("later");
  EXPECT_GE(later["value_at_start"].get<double>(), [&] {
    run({"rollout", "several", "--time", "12", "--at-xy", "15.5,6.5", "-q", "--out", "given"});
    return summary("given")["value_at_start"].get<double>();
  }());
}

TEST_F(MissionPlacesOnGyre, ReachesAnyOfSeveralTargets) {
  const std::string first_target = "[15.5, 24.5]";
  const std::string second_target = "[5.5, 12.5]";
  const json both = plan("both", {"mission.target=[" + first_target + ", " + second_target + "]"});
  const double value = both["value_at_start"];
  EXPECT_GE(value,
            plan("one", {"mission.target=" + first_target})["value_at_start"].get<double>() - 1e-3);
  EXPECT_GE(
      value,
      plan("other", {"mission.target=" + second_target})["value_at_start"].get<double>() - 1e-3);
  EXPECT_EQ(both["target"]["points"].size(), 2u);
  EXPECT_EQ(both["target"]["radius"], 1.5);
  EXPECT_EQ(both["target"]["x"], 5.5) << "the nearest to the start";
  // Another engine gives the same value, with the discs of both targets.
  const json direct = plan(
      "direct",
      {"mission.target=[" + first_target + ", " + second_target + "]", "planner.engine=direct"});
  EXPECT_EQ(direct["value_at_start"], both["value_at_start"]);
}

TEST_F(MissionPlacesOnGyre, ReachesAnAreaInAnyOfItsCells) {
  const json area = plan("area", {"mission.target_radius=0",
                                  "mission.target_polygon=[[4, 22], [26, 22], [26, 24], [4, 24]]"});
  EXPECT_EQ(area["target"]["cells"], 22 * 2);
  EXPECT_EQ(area["target"]["polygons"][0][0][2], json::parse("[26.0, 24.0]"));
  EXPECT_GT(area["rollout"]["arrival_rate"].get<double>(), 0.9);
  const Hdf5File flights = Hdf5File::open(folder_ / "area/trajectories.nc");
  const auto x = flights.read_all<double>("x");
  const auto y = flights.read_all<double>("y");
  const auto outcome = flights.read_all<std::int32_t>("outcome");
  const std::size_t points = x.size() / outcome.size();
  for (std::size_t n = 0; n < outcome.size(); ++n) {
    if (outcome[n] != 0) continue;
    std::size_t last = n * points;
    while (last + 1 < (n + 1) * points && std::isfinite(x[last + 1])) ++last;
    EXPECT_GE(y[last], 22 - 1e-9);
    EXPECT_LE(y[last], 24 + 1e-9);
    EXPECT_GE(x[last], 4 - 1e-9);
    EXPECT_LE(x[last], 26 + 1e-9);
  }
}

TEST_F(MissionPlacesOnGyre, NoFlightEntersAClosedZone) {
  // A wall between start and target from level 4 to 25.
  const std::string wall =
      "mission.no_go=[{polygon = [[0, 14], [30, 14], [30, 16], [0, 16]], from = 4, until = 25}]";
  const json free = plan("free", {});
  const json closed = plan("closed", {wall});
  EXPECT_LT(closed["value_at_start"].get<double>(), free["value_at_start"].get<double>());
  const Hdf5File flights = Hdf5File::open(folder_ / "closed/trajectories.nc");
  const auto x = flights.read_all<double>("x");
  const auto y = flights.read_all<double>("y");
  const auto time = flights.read_all<double>("time");
  const auto outcome = flights.read_all<std::int32_t>("outcome");
  const std::size_t points = x.size() / outcome.size();
  int inside_later = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const bool inside = y[n] > 14.01 && y[n] < 15.99;
    if (!inside || outcome[n / points] == 1) continue;
    EXPECT_FALSE(time[n] > 3 && time[n] < 26) << x[n] << ", " << y[n] << " at " << time[n];
    ++inside_later;
  }
  EXPECT_GT(inside_later, 0) << "who waits goes through when it opens";
  // The policy stores the zone, so that a rollout repeats the flights.
  run({"rollout", "closed", "-q", "--out", "again"});
  EXPECT_EQ(summary("again")["rollout"], closed["rollout"]);
  EXPECT_THAT(run({"check", "--details", "m.toml", "--set", wall}).output,
              HasSubstr("1 zone(s) of mission.no_go close 60 cell(s)"));
}

TEST_F(MissionPlacesOnGyre, BatchesDistinguishZones) {
  std::ofstream(folder_ / "b.toml") << R"([batch]
mission = "m.toml"
[vary]
mission.no_go = [[], [{ polygon = [[0, 14], [27, 14], [27, 16], [0, 16]] }]]
mission.start = [[15.5, 6.5], [[15.5, 6.5], [4.5, 20.5]]]
)";
  EXPECT_THAT(run({"batch", "b.toml", "--out", "batch", "-q"}).output,
              HasSubstr("2 counting pass(es)"));
  const json closed = plan("closed", {"mission.no_go=[{polygon = [[0, 14], [27, 14], [27, 16], "
                                      "[0, 16]]}]"});
  const json in_batch = summary("batch/0002_no_go2_start1");
  EXPECT_EQ(in_batch["value_at_start"], closed["value_at_start"]);
  EXPECT_EQ(in_batch["expected"], closed["expected"]);
  const json several = plan("several", {"mission.start=[[15.5, 6.5], [4.5, 20.5]]"});
  const json chosen = summary("batch/0001_no_go1_start2");
  EXPECT_EQ(chosen["start"], several["start"]);
  EXPECT_EQ(chosen["expected"], several["expected"]);
  run({"batch", "b.toml", "--out", "batch", "-q", "--resume"});
}

TEST_F(MissionPlacesOnGyre, RejectsBadInputInOneLine) {
  const auto refusal = [&](const std::string& setting) {
    return refused({"plan", "m.toml", "-q", "--set", setting});
  };
  EXPECT_THAT(refusal("mission.departure=2024-10-29T12:00Z"),
              test::has_code("date_without_reference"));
  EXPECT_THAT(refusal("mission.horizon=5 d"), test::has_code("duration_without_unit"));
  EXPECT_THAT(refusal("mission.deadline=1"), test::has_code("deadline_before_departure"));
  EXPECT_THAT(refusal("mission.deadline=45"), test::has_code("level_outside", "45"));
  EXPECT_THAT(refusal("mission.start=[[1, 1], [90, 1]]"),
              test::has_code("place_outside", "[90, 1]"));
  EXPECT_THAT(refusal("mission.target_polygon=[[1, 1], [5, 1], [5, 5]]"),
              testing::AllOf(test::has_code("target_radius_with_area", "mission.target_polygon"),
                             testing::HasSubstr("mission.target_radius")));
  EXPECT_THAT(refusal("mission.start_polygon=[[70, 70], [75, 70], [75, 75]]"),
              test::has_code("area_outside"));
  EXPECT_THAT(refusal("mission.target_polygon_lonlat=[[1, 1], [5, 1], [5, 5]]"),
              test::has_code("degrees_unavailable", "lon"));
  EXPECT_THAT(refusal("mission.no_go=[{polygon=[[13, 4], [18, 4], [18, 9], [13, 9]]}]"),
              test::has_code("start_closed", "land, an obstacle or a zone of mission.no_go"));
  EXPECT_THAT(refusal("mission.no_go=[{polygon=[[0, 0], [1, 0], [1, 1]], from=5, until=3}]"),
              test::has_code("zone_times_reversed"));
  EXPECT_THAT(refusal("mission.no_go=[{polygon=[[0, 0], [1, 0], [1, 1]], from=\"2024-10-29\"}]"),
              test::has_code("date_without_reference"));
}

}  // namespace
}  // namespace tidewise
