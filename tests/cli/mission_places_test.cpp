// Missions that say where and when as people do, by the program itself: dates, several points,
// areas, zones that open and close.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "support/program_fixture.h"
#include "support/shared_data.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json json_of(const std::filesystem::path& path) { return json::parse(std::ifstream(path)); }

class MissionPlacesOnGyre : public test::SmallGyreFixture {
 protected:
  MissionPlacesOnGyre() {
    make_gyre("gyre.h5");
    write_mission("gyre.h5", "run", 2);
  }
  json plan(const std::string& out, std::vector<std::string> settings) const {
    std::vector<std::string> arguments{"plan", "m.toml", "-q", "--out", out};
    for (auto& setting : settings) {
      arguments.push_back("--set");
      arguments.push_back(std::move(setting));
    }
    run(arguments);
    return json_of(folder_ / out / "summary.json");
  }
  double value_from(const std::string& start) const {
    return plan("one", {"mission.start=" + start})["value_at_start"];
  }
};

TEST_F(MissionPlacesOnGyre, TheBestOfSeveralStartsIsTakenAndSaid) {
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
  run({"rollout", "several", "--departure", "12", "-q", "--out", "later"});
  const json later = json_of(folder_ / "later/summary.json");
  EXPECT_GE(later["value_at_start"].get<double>(), [&] {
    run({"rollout", "several", "--departure", "12", "--start", "15.5,6.5", "-q", "--out", "given"});
    return json_of(folder_ / "given/summary.json")["value_at_start"].get<double>();
  }());
}

TEST_F(MissionPlacesOnGyre, AnyOfSeveralTargetsWillDo) {
  const std::string one = "[15.5, 24.5]";
  const std::string other = "[5.5, 12.5]";
  const json both = plan("both", {"mission.target=[" + one + ", " + other + "]"});
  const double value = both["value_at_start"];
  EXPECT_GE(value, plan("one", {"mission.target=" + one})["value_at_start"].get<double>() - 1e-3);
  EXPECT_GE(value,
            plan("other", {"mission.target=" + other})["value_at_start"].get<double>() - 1e-3);
  EXPECT_EQ(both["target"]["points"].size(), 2u);
  EXPECT_EQ(both["target"]["radius"], 1.5);
  EXPECT_EQ(both["target"]["x"], 5.5) << "the nearest to the start";
  // The one engine as the other, with the discs of both.
  const json direct =
      plan("direct", {"mission.target=[" + one + ", " + other + "]", "planner.engine=direct"});
  EXPECT_EQ(direct["value_at_start"], both["value_at_start"]);
}

TEST_F(MissionPlacesOnGyre, AnAreaIsReachedInAnyOfItsCells) {
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

TEST_F(MissionPlacesOnGyre, NobodyEntersAZoneWhileItIsClosed) {
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
  // The run's files say it all again: flown and refined from the policy alone.
  run({"rollout", "closed", "-q", "--out", "again"});
  EXPECT_EQ(json_of(folder_ / "again/summary.json")["rollout"], closed["rollout"]);
  EXPECT_THAT(run({"check", "m.toml", "--set", wall}).output,
              HasSubstr("1 zone(s) of mission.no_go close 60 cell(s)"));
}

TEST_F(MissionPlacesOnGyre, BatchesTellZonesApart) {
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
  const json in_batch = json_of(folder_ / "batch/0002_no_go2_start1/summary.json");
  EXPECT_EQ(in_batch["value_at_start"], closed["value_at_start"]);
  EXPECT_EQ(in_batch["expected"], closed["expected"]);
  const json several = plan("several", {"mission.start=[[15.5, 6.5], [4.5, 20.5]]"});
  const json chosen = json_of(folder_ / "batch/0001_no_go1_start2/summary.json");
  EXPECT_EQ(chosen["start"], several["start"]);
  EXPECT_EQ(chosen["expected"], several["expected"]);
  run({"batch", "b.toml", "--out", "batch", "-q", "--resume"});
}

TEST_F(MissionPlacesOnGyre, WhatCannotBeIsRefusedInALine) {
  const auto with = [&](const std::string& setting) {
    return refused({"plan", "m.toml", "-q", "--set", setting});
  };
  EXPECT_THAT(with("mission.departure=2024-10-29T12:00Z"),
              HasSubstr("count from no date; give a level, a whole number"));
  EXPECT_THAT(with("mission.horizon=5 d"), HasSubstr("numbers without a unit; give steps"));
  EXPECT_THAT(with("mission.deadline=1"), HasSubstr("before a step from the departure at level 2"));
  EXPECT_THAT(with("mission.deadline=45"), HasSubstr("is level 45; "));
  EXPECT_THAT(with("mission.start=[[1, 1], [90, 1]]"), HasSubstr("is [90, 1], outside the domain"));
  EXPECT_THAT(with("mission.target_polygon=[[1, 1], [5, 1], [5, 5]]"),
              HasSubstr("mission.target_radius is 1.5, and mission.target_polygon says itself"));
  EXPECT_THAT(with("mission.start_polygon=[[70, 70], [75, 70], [75, 75]]"),
              HasSubstr("lies outside the domain"));
  EXPECT_THAT(with("mission.target_polygon_lonlat=[[1, 1], [5, 1], [5, 5]]"),
              HasSubstr("needs the variables lon and lat"));
  EXPECT_THAT(with("mission.no_go=[{polygon=[[13, 4], [18, 4], [18, 9], [13, 9]]}]"),
              HasSubstr("closes at level 2: land, an obstacle or a zone of mission.no_go"));
  EXPECT_THAT(with("mission.no_go=[{polygon=[[0, 0], [1, 0], [1, 1]], from=5, until=3}]"),
              HasSubstr("a zone whose from lies after its until; swap them"));
  EXPECT_THAT(with("mission.no_go=[{polygon=[[0, 0], [1, 0], [1, 1]], from=\"2024-10-29\"}]"),
              HasSubstr("count from no date"));
}

class MissionDates : public test::ProgramFixture {
 protected:
  void prepare(const std::filesystem::path& forecast) const {
    run({"env", "import", forecast.string(), "--out", "env.h5", "--spacing", "6km", "--step", "3h",
         "--lagged", "4", "-q"});
    std::ofstream(folder_ / "m.toml") << R"([environment]
file = "env.h5"
[vehicle]
speeds = [0.6]
[mission]
start_lonlat = [-126.0, 46.8]
target_lonlat = [-124.95, 48.45]
target_radius = 6000.0
departure = 2024-10-29T12:00:00Z
deadline = "2024-11-03T01:00Z"
)";
  }
};

TEST_F(MissionDates, StandWhereLevelsDo) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  EXPECT_THAT(run({"check", "m.toml"}).output,
              HasSubstr("departure at level 7 (2024-10-29T12:00:00Z), 36 steps, to level 43 "
                        "(2024-11-03T00:00:00Z)"));
  run({"plan", "m.toml", "-q", "--out", "dates"});
  const json dates = json_of(folder_ / "dates/summary.json");
  EXPECT_EQ(dates["departure"]["level"], 7);
  EXPECT_EQ(dates["deadline"]["level"], 43);
  EXPECT_EQ(dates["deadline"]["date"], "2024-11-03T00:00:00Z");
  ASSERT_EQ(dates["notes"].size(), 1u);
  EXPECT_THAT(dates["notes"][0].get<std::string>(), HasSubstr("time is up at the last one before"));
  EXPECT_EQ(dates["mission"]["mission"]["departure"], "2024-10-29T12:00:00Z");
  run({"plan", "m.toml", "-q", "--out", "levels", "--set", "mission.departure=7", "--set",
       "mission.horizon=36"});
  const json levels = json_of(folder_ / "levels/summary.json");
  EXPECT_EQ(dates["value_at_start"], levels["value_at_start"]);
  EXPECT_EQ(dates["rollout"], levels["rollout"]);
  run({"rollout", "dates", "--departure", "2024-10-30T07:00-01:00", "-q", "--out", "later"});
  const json later = json_of(folder_ / "later/summary.json");
  EXPECT_EQ(later["departure"]["date"], "2024-10-30T09:00:00Z");
  EXPECT_EQ(later["deadline"]["level"], 43);
  EXPECT_THAT(later["notes"][0].get<std::string>(), HasSubstr("taken for the nearest, 14"));

  EXPECT_THAT(refused({"rollout", "dates", "--departure", "2024-11-03T00:00Z"}),
              HasSubstr("ends at level 43 (2024-11-03T00:00:00Z); depart at one from 0 to 42"));
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.departure=2025-01-01"}),
              HasSubstr("which goes from 2024-10-28T15:00:00Z to 2024-11-04T12:00:00Z; choose"));
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.horizon=30 d"}),
              HasSubstr("it must be at most"));
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.horizon=2 h"}),
              HasSubstr("mission.horizon is 2 h, less than a step, which is 3 h"));
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.deadline=2024-10-29T13:00Z"}),
              HasSubstr("it must be 8 (2024-10-29T15:00:00Z) or later"));
}

using DegreesAndMetres = MissionDates;

TEST_F(DegreesAndMetres, AreNotTakenForEachOther) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  run({"plan", "m.toml", "-q", "--out", "run"});
  EXPECT_THAT(refused({"rollout", "run", "--start", "-125.8,47.2"}),
              HasSubstr("give degrees by --start-lonlat -125.8,47.2"));
  EXPECT_THAT(refused({"replan", "run", "--from", "-125.6,47.4", "--at", "9"}),
              HasSubstr("give degrees by --from-lonlat -125.6,47.4"));
  EXPECT_THAT(refused({"lookup", "run", "--lon", "nan", "--lat", "47.4", "--time", "0"}),
              HasSubstr("nan is no place"));
  EXPECT_THAT(refused({"lookup", "run", "--lon", "-125.6", "--lat", "47.4", "--time", "inf"}),
              HasSubstr("--time inf: is no time"));
  EXPECT_THAT(refused({"lookup", "run", "--x", "-125.6", "--y", "47.4", "--time", "0"}),
              HasSubstr("ask by --lon -125.6 --lat 47.4"));
  run({"export", "run", "--format", "policy", "-q"});
  EXPECT_THAT(refused({"lookup", "run/export/policy.twp", "--x", "-125.6", "--y", "47.4", "--time",
                       "1730214000"}),
              HasSubstr("ask by --lon -125.6 --lat 47.4"));
  const auto with = [&](const std::string& setting) {
    return refused({"plan", "m.toml", "-q", "--set", setting});
  };
  EXPECT_THAT(with("mission.start=[-126.0, 46.8]"), HasSubstr("by mission.start_lonlat"));
  EXPECT_THAT(with("mission.target=[[-124.95, 48.45], [-125.6, 48.6]]"),
              HasSubstr("by mission.target_lonlat"));
  EXPECT_THAT(with("mission.via=[{point=[-125.6, 47.4], radius=9000}]"),
              HasSubstr("by lonlat or polygon_lonlat"));
  EXPECT_THAT(with("mission.no_go=[{polygon=[[-126.2, 47.5], [-125, 47.5], [-125, 47.9]]}]"),
              HasSubstr("by lonlat or polygon_lonlat"));
  // Metres near the plane's middle that are no degrees of the domain.
  run({"rollout", "run", "--start", "125.8,-47.2", "-q"});
}

TEST_F(DegreesAndMetres, ZonesRoundTheGlobeCloseAllOfIt) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  for (const char* box : {"[[-180, -90], [180, -90], [180, 90], [-180, 90]]",
                          "[[-179, -60], [179, -60], [179, 60], [-179, 60]]"}) {
    EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set",
                         std::string("mission.no_go=[{polygon_lonlat=") + box + "}]"}),
                HasSubstr("a zone of mission.no_go"));
  }
}

TEST_F(MissionDates, AndPlacesAreAxesOfABatch) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  std::filesystem::create_directory(folder_ / "zones");
  std::ofstream(folder_ / "zones/exercise.geojson") << R"({"type": "Feature",
 "properties": {"from": "2024-10-30T00:00Z", "until": "2024-11-01T00:00Z"},
 "geometry": {"type": "Polygon", "coordinates":
  [[[-126.2, 47.5], [-125.0, 47.5], [-125.0, 47.9], [-126.2, 47.9], [-126.2, 47.5]]]}})";
  std::ofstream(folder_ / "zones/b.toml") << R"([batch]
mission = "../m.toml"
[vary]
mission.departure = ["2024-10-29T12:00Z", "2024-10-30T12:00Z"]
mission.no_go = [[], [{ file = "exercise.geojson" }]]
mission.target_lonlat = [[[-124.95, 48.45], [-125.6, 48.6]]]
)";
  run({"batch", "zones/b.toml", "--out", "batch", "-q"});
  std::ifstream table(folder_ / "batch/batch.csv");
  const std::string csv{std::istreambuf_iterator<char>(table), {}};
  EXPECT_THAT(csv, HasSubstr("departure_date"));
  EXPECT_THAT(csv, HasSubstr("2024-10-30T12:00:00Z"));
  EXPECT_THAT(csv, HasSubstr("target_lon"));
  const json summary = json_of(folder_ / "batch/0001_2024-10-29T12-00Z_no_go2/summary.json");
  EXPECT_EQ(summary["mission"]["mission"]["no_go"][0]["until"], "2024-11-01T00:00:00Z");
}

}  // namespace
}  // namespace tidewise
