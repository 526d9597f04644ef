// Missions that say when and where by dates and degrees, by the program itself, on a real forecast.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/ocean/netcdf_fixture.h"
#include "support/program_fixture.h"
#include "support/shared_data.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class MissionDates : public test::ProgramFixture {
 protected:
  void prepare(const std::filesystem::path& forecast) const {
    make_once("dates", [&] {
      run({"env", "import", forecast.string(), "--out", "env.h5", "--spacing", "6km", "--step",
           "3h", "--lagged", "4", "-q"});
    });
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
  const json dates = summary("dates");
  EXPECT_EQ(dates["departure"]["level"], 7);
  EXPECT_EQ(dates["deadline"]["level"], 43);
  EXPECT_EQ(dates["deadline"]["date"], "2024-11-03T00:00:00Z");
  ASSERT_EQ(dates["notes"].size(), 1u);
  EXPECT_THAT(dates["notes"][0].get<std::string>(), HasSubstr("time is up at the last one before"));
  EXPECT_EQ(dates["mission"]["mission"]["departure"], "2024-10-29T12:00:00Z");
  run({"plan", "m.toml", "-q", "--out", "levels", "--set", "mission.departure=7", "--set",
       "mission.horizon=36"});
  const json levels = summary("levels");
  EXPECT_EQ(dates["value_at_start"], levels["value_at_start"]);
  EXPECT_EQ(dates["rollout"], levels["rollout"]);
  run({"rollout", "dates", "--time", "2024-10-30T07:00-01:00", "-q", "--out", "later"});
  const json later = summary("later");
  EXPECT_EQ(later["departure"]["date"], "2024-10-30T08:00:00Z");
  EXPECT_EQ(later["deadline"]["level"], 43);
  EXPECT_EQ(later["departure"]["level"], 13);
  EXPECT_TRUE(later["notes"].empty());

  EXPECT_THAT(refused({"rollout", "dates", "--time", "2024-11-03T00:00Z"}),
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

/// A ship under the column names of AIS, of a spreadsheet and of this program is one moving target.
TEST_F(MissionDates, FollowAShipUnderAnyNamesOfColumns) {
  test::SmallForecast().write(folder_ / "forecast.nc");
  run({"env", "import", "forecast.nc", "--out", "env.h5", "--spacing", "20km", "--step", "3h",
       "-q"});
  std::ofstream(folder_ / "f.toml") << R"([environment]
file = "env.h5"
[vehicle]
speeds = [0.0, 0.6]
headings = 8
[mission]
objective = "follow"
start_lonlat = [-8.5, 41.0]
follow = "ship.csv"
)";
  const auto follow = [&](const std::string& text, const std::string& out) {
    std::ofstream(folder_ / "ship.csv") << text;
    run({"plan", "f.toml", "--out", out, "-q"});
    return summary(out);
  };
  const json named = follow(
      "time,lon,lat\n2024-10-28T00:00Z,-8.5,41\n2024-10-28T12:00Z,-8,41.25\n"
      "2024-10-28T18:00Z,-7.5,41.5\n",
      "named");
  const json ais = follow(
      "MMSI,BaseDateTime,LAT,LON,SOG,COG\n244,2024-10-28T00:00:00,41,-8.5,2,70\n"
      "244,2024-10-28T12:00:00,41.25,-8,2,70\n244,2024-10-28T18:00:00,41.5,-7.5,2,70\n",
      "ais");
  const json sheet = follow(
      "Tag;Uhrzeit;lat;lon\n2024-10-28;00:00;41;-8,5\n2024-10-28;12:00;41,25;-8\n"
      "2024-10-28;18:00;41,5;-7,5\n",
      "sheet");
  const json epochs = follow(
      "seconds,lat,lon,speed_over_ground\n1730073600,41,-8.5,2\n1730116800,41.25,-8,2\n"
      "1730138400,41.5,-7.5,2\n",
      "epochs");
  for (const json& other : {ais, sheet, epochs}) {
    EXPECT_EQ(other["value_at_start"], named["value_at_start"]);
    EXPECT_EQ(other["rollout"], named["rollout"]);
  }
  EXPECT_EQ(ais["followed"], json::parse(R"({"kind": "moving target", "points": 3,
      "time_column": "BaseDateTime", "from": "2024-10-28T00:00:00Z",
      "to": "2024-10-28T18:00:00Z"})"));
  EXPECT_EQ(epochs["followed"]["time_column"], "seconds");
  const json line =
      follow("MMSI,LAT,LON,SOG\n244,41,-8.5,2\n244,41.25,-8,3\n244,41.5,-7.5,4\n", "line");
  EXPECT_EQ(line["followed"], json::parse(R"({"kind": "line", "points": 3})"));
  EXPECT_NE(line["value_at_start"], named["value_at_start"]);
  EXPECT_THAT(run({"check", "f.toml"}).output,
              HasSubstr("following ship.csv (line: 3 points, no times)"));
  std::ofstream(folder_ / "ship.csv") << "seen,lat,lon\n2024-10-28 00:00,41,-8.5\n"
                                         "2024-10-28 18:00,41.5,-7.5\n";
  EXPECT_THAT(run({"plan", "f.toml", "--out", "seen"}).output,
              HasSubstr("ship.csv, moving target: 2 fixes from 2024-10-28T00:00:00Z to "
                        "2024-10-28T18:00:00Z, times in column seen"));

  const auto refused_ship = [&](const std::string& text) {
    std::ofstream(folder_ / "ship.csv") << text;
    return refused({"check", "f.toml"});
  };
  EXPECT_THAT(refused_ship("sent,received,lat,lon\n2024-10-28 00:00,2024-10-28 00:30,41,-8.5\n"
                           "2024-10-28 18:00,2024-10-28 18:30,41.5,-7.5\n"),
              HasSubstr("columns sent and received both hold times, and they differ (line 2: "));
  EXPECT_THAT(refused_ship("mmsi,time,lat,lon\n244,2024-10-28 00:00,41,-8.5\n"
                           "245,2024-10-28 18:00,41.5,-7.5\n"),
              HasSubstr("holds several vehicles: column mmsi is 244 in line 2 and 245 in line 3"));
  EXPECT_THAT(refused_ship("time,lat,lon\n2024-10-28 00:00,41,-8.5\n"
                           "2024-10-28 12:00,999.999,999.999\n2024-10-28 18:00,41.5,-7.5\n"),
              HasSubstr("has no place in line 3"));
  EXPECT_THAT(refused_ship("id,lat,lon\n1500000001,41,-8.5\n1500000002,41.5,-7.5\n"),
              AllOf(HasSubstr("by its column id"), HasSubstr("remove that column")));
}

TEST_F(MissionDates, AnActionIsHeldForHours) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  const auto refused_as = [&](const char* every) {
    return refused({"plan", "m.toml", "--set", std::string("mission.decide_every=") + every});
  };
  const std::string hours_wanted = refused_as("7h");
  EXPECT_THAT(hours_wanted,
              HasSubstr("mission.decide_every is 7 h, no whole number of steps, which "
                        "are 3 h in "));
  EXPECT_THAT(hours_wanted, HasSubstr(": a vehicle decides at levels; give 6 h or 9 h ["));
  EXPECT_THAT(refused_as("20 min"), HasSubstr(": a vehicle decides at levels; give 3 h ["));
  EXPECT_THAT(refused_as("6d"), HasSubstr("is 6 d, and time is up after 108 h"));
  const std::string longer = refused_as("30d");
  EXPECT_THAT(longer, HasSubstr("is 30 d, longer than the forecast: from level 7 "
                                "(2024-10-29T12:00:00Z) on "));
  EXPECT_THAT(longer, HasSubstr("env.h5 holds 6 d; give that or less ["));
  run({"plan", "m.toml", "-q", "--out", "hours", "--set", "mission.decide_every=12 h"});
  const json hours = summary("hours");
  EXPECT_EQ(hours["decide_every"]["steps"], 4);
  EXPECT_EQ(hours["decide_every"]["time"], 43200);
  EXPECT_EQ(hours["mission"]["mission"]["decide_every"], "12 h");
  run({"plan", "m.toml", "-q", "--out", "steps", "--set", "mission.decide_every=4"});
  EXPECT_EQ(summary("steps")["expected"], hours["expected"]);
  const std::string said =
      run({"lookup", "hours", "--at", "-126,46.8", "--time", "2024-10-29T12:00Z"}).output;
  EXPECT_THAT(said, testing::ContainsRegex("^steer [0-9]{3}° true at .* until 30 Oct 2024 00:00 "
                                           "UTC, arrive .* UTC.*, [0-9.]+ %\n"));
  EXPECT_THAT(said, HasSubstr("\nchance "));
  EXPECT_THAT(run({"lookup", "hours", "--at", "-126,46.8", "--time", "2024-10-20"}).output,
              HasSubstr("too early, the forecast is planned on from 28 Oct 2024 15:00 UTC to "));
  EXPECT_THAT(run({"lookup", "hours", "--at", "-126,46.8", "--time", "2024-12-20"}).output,
              HasSubstr("too late, the forecast is planned on from 28 Oct 2024 15:00 UTC to "));
  // Half a step late, the first hold is shorter by that.
  run({"plan", "m.toml", "-q", "--out", "late", "--set", "mission.decide_every=12 h", "--set",
       "mission.departure=2024-10-29T13:30Z"});
  const json late = summary("late");
  EXPECT_NEAR(late["expected"]["time"].get<double>(), hours["expected"]["time"].get<double>(),
              3 * 3600);
  EXPECT_NE(late["expected"], hours["expected"]);
}

TEST_F(MissionDates, BetweenLevelsNothingJumps) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  const auto value = [&](const std::string& time) {
    run({"plan", "m.toml", "-q", "--out", time, "--set",
         "mission.departure=2024-10-29T" + time + "Z", "--set",
         "mission.deadline=2024-11-03T00:00Z"});
    const json found = summary(time);
    EXPECT_EQ(found["departure"]["date"], "2024-10-29T" + time + ":00Z");
    const double promised = found["expected"]["time"];
    return std::array<double, 3>{found["value_at_start"], promised,
                                 found["rollout"]["time"]["mean"]};
  };
  const auto before = value("12:00");
  const auto first = value("13:29");
  const auto second = value("13:31");
  const auto after = value("15:00");
  for (const std::size_t n : {0, 1, 2}) {
    // One of nine flights that comes to another cell by two minutes moves their mean by minutes.
    const double allowed = n == 2 ? 600 : 60;
    EXPECT_NEAR(first[n], second[n], 0.03 * std::abs(after[n] - before[n]) + allowed) << n;
    EXPECT_LT(std::min(before[n], after[n]) - 1000, first[n]) << n;
    EXPECT_GT(std::max(before[n], after[n]) + 1000, first[n]) << n;
  }
  // What is read back flies on from there: the first waypoint's time is the departure's.
  run({"export", "13:29", "--format", "csv", "-q"});
  std::ifstream route(folder_ / "13:29/export/13_29.csv");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(route), {}}),
              HasSubstr("2024-10-29T13:29:00Z"));
  // The vehicle is replanned from where it is when it is there.
  for (const char* at : {"2024-10-29T19:29Z", "2024-10-29T19:31Z"}) {
    run({"replan", "12:00", "--at", "-125.9,47.0", "--time", at, "--out", at, "-q"});
  }
  const json early = summary("2024-10-29T19:29Z");
  const json late = summary("2024-10-29T19:31Z");
  EXPECT_EQ(early["departure"]["date"], "2024-10-29T19:29:00Z");
  EXPECT_NEAR(early["rollout"]["time"]["mean"], late["rollout"]["time"]["mean"], 600);
  EXPECT_EQ(early["rollout"]["failures"]["without_action"], 0);
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.departure=2024-10-29T13:30Z",
                       "--set", "rollout.mode=chain"}),
              HasSubstr("lies between two levels"));
}

TEST_F(MissionDates, ALevelIsNoTimeToAskAPolicyOf) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  run({"plan", "m.toml", "-q", "--out", "run"});
  run({"export", "run", "--format", "policy", "-q"});
  for (const char* file : {"run", "run/export/policy.twp"}) {
    const auto ask = [&](const char* time) {
      return std::vector<std::string>{"lookup", file, "--at", "-126,46.8", "--time", time, "-q"};
    };
    EXPECT_THAT(refused(ask("10")),
                HasSubstr("--time 10: a number counts the seconds since 1970; level 10 is at "
                          "2024-10-29T21:00:00Z: give that date ["));
    EXPECT_EQ(run(ask("1730235600")).output, run(ask("2024-10-29T21:00Z")).output);
    EXPECT_THAT(run(ask("1000000")).output, HasSubstr("too early"));
  }
}

TEST_F(MissionDates, FormatsWithOneRouteSayItOnce) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  run({"plan", "m.toml", "-q", "--out", "run"});
  const auto times = [](const std::string& text, const std::string& words) {
    int count = 0;
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
      ++count;
    }
    return count;
  };
  constexpr const char* flown = "waypoints flown without the policy, 9 realizations: ";
  constexpr const char* by_policy = "the policy in the same realizations: ";
  const std::vector<std::string> words{"export", "run", "--format", "slocum,gpx,kml"};
  const auto with = [&](const char* option, const char* value) {
    auto all = words;
    all.insert(all.end(), {option, value});
    return run(all);
  };
  // A list of seven waypoints at most, and as many as the flight asks for: they are fewer.
  const auto alike = with("--capture-radius", "6000");
  EXPECT_EQ(times(alike.output, flown), 1) << alike.output;
  EXPECT_EQ(times(alike.output, by_policy), 1) << alike.output;
  EXPECT_THAT(alike.output, testing::Not(HasSubstr("slocum")));
  EXPECT_EQ(times(alike.errors, "what the policy knows"), 1) << alike.errors;
  const auto apart = with("--tolerance", "300");
  EXPECT_EQ(times(apart.output, flown), 2) << apart.output;
  EXPECT_THAT(apart.output, HasSubstr("slocum: 7 waypoints of the median flight"));
  EXPECT_THAT(apart.output, testing::ContainsRegex("\ngpx, kml: [0-9]+ waypoints of the median"));
}

using DegreesAndMetres = MissionDates;

TEST_F(DegreesAndMetres, AreNotTakenForEachOther) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  run({"plan", "m.toml", "-q", "--out", "run"});
  EXPECT_THAT(refused({"rollout", "run", "--at-xy", "-125.8,47.2"}),
              HasSubstr("give degrees by --at -125.8,47.2"));
  EXPECT_THAT(refused({"replan", "run", "--at-xy", "-125.6,47.4", "--time", "9"}),
              HasSubstr("give degrees by --at -125.6,47.4"));
  EXPECT_THAT(refused({"lookup", "run", "--at", "nan,47.4", "--time", "0"}),
              HasSubstr("2 numbers with commas"));
  EXPECT_THAT(refused({"lookup", "run", "--at", "-125.6,47.4", "--time", "inf"}),
              HasSubstr("--time inf: is no time"));
  EXPECT_THAT(refused({"lookup", "run", "--at-xy", "-125.6,47.4", "--time", "1730214000"}),
              HasSubstr("ask by --at -125.6,47.4"));
  run({"export", "run", "--format", "policy", "-q"});
  EXPECT_THAT(refused({"lookup", "run/export/policy.twp", "--at-xy", "-125.6,47.4", "--time",
                       "1730214000"}),
              HasSubstr("ask by --at -125.6,47.4"));
  EXPECT_THAT(run({"check", "m.toml", "--set", "mission.target_radius=0.5"}).output,
              HasSubstr("mission.target_radius is 0.5 m, and cells are 6 km wide: a vehicle passes "
                        "beside so small a target; give 6000 or more"));
  const auto with = [&](const std::string& setting) {
    return refused({"plan", "m.toml", "-q", "--set", setting});
  };
  EXPECT_THAT(with("mission.start=[-126.0, 46.8]"), HasSubstr("by mission.start_lonlat"));
  EXPECT_THAT(with("mission.target=[[-124.95, 48.45], [-125.6, 48.6]]"),
              HasSubstr("by mission.target_lonlat"));
  EXPECT_THAT(with("mission.via=[{point=[-125.6, 47.4], radius=9000}]"),
              HasSubstr("by lonlat or polygon_lonlat"));
  EXPECT_THAT(with("mission.no_go=[{polygon=[[-126.2, 47.5], [-125, 47.5], [-125, 47.9]]}]"),
              HasSubstr("by polygon_lonlat"));
  // Metres near the plane's middle that are no degrees of the domain.
  run({"rollout", "run", "--at-xy", "125.8,-47.2", "-q"});
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
  const json found = summary("batch/0001_2024-10-29T12-00Z_no_go2");
  EXPECT_EQ(found["mission"]["mission"]["no_go"][0]["until"], "2024-11-01T00:00:00Z");
}

}  // namespace
}  // namespace tidewise
