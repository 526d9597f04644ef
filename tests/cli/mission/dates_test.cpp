// Plans missions with dates and degrees in a real forecast.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/error_code.h"
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

TEST_F(MissionDates, ReplaceLevels) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  EXPECT_THAT(run({"check", "--details", "m.toml"}).output,
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
              test::has_code("rollout_departure_outside"));
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.departure=2025-01-01"}),
              test::has_code("date_outside"));
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.horizon=30 d"}),
              test::has_code("horizon_outside", "at most"));
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.horizon=2 h"}),
              test::has_code("duration_below_step", "mission.horizon"));
  EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set", "mission.deadline=2024-10-29T13:00Z"}),
              test::has_code("deadline_before_departure"));
}

/// A ship's track is the same moving target with column names of AIS, of a spreadsheet and of this
/// program.
TEST_F(MissionDates, FollowATrackWithAnyColumnNames) {
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
  for (const json& variant : {ais, sheet, epochs}) {
    EXPECT_EQ(variant["value_at_start"], named["value_at_start"]);
    EXPECT_EQ(variant["rollout"], named["rollout"]);
  }
  EXPECT_EQ(ais["followed"], json::parse(R"({"kind": "moving target", "points": 3,
      "time_column": "BaseDateTime", "from": "2024-10-28T00:00:00Z",
      "to": "2024-10-28T18:00:00Z"})"));
  EXPECT_EQ(epochs["followed"]["time_column"], "seconds");
  const json line =
      follow("MMSI,LAT,LON,SOG\n244,41,-8.5,2\n244,41.25,-8,3\n244,41.5,-7.5,4\n", "line");
  EXPECT_EQ(line["followed"], json::parse(R"({"kind": "line", "points": 3})"));
  EXPECT_NE(line["value_at_start"], named["value_at_start"]);
  EXPECT_THAT(run({"check", "--details", "f.toml"}).output,
              HasSubstr("following ship.csv (line: 3 points, no times)"));
  std::ofstream(folder_ / "ship.csv") << "seen,lat,lon\n2024-10-28 00:00,41,-8.5\n"
                                         "2024-10-28 18:00,41.5,-7.5\n";
  EXPECT_THAT(run({"plan", "f.toml", "--out", "seen", "--details"}).output,
              HasSubstr("ship.csv, moving target: 2 fixes from 2024-10-28T00:00:00Z to "
                        "2024-10-28T18:00:00Z, times in column seen"));

  const auto refused_ship = [&](const std::string& text) {
    std::ofstream(folder_ / "ship.csv") << text;
    return refused({"check", "f.toml"});
  };
  EXPECT_THAT(refused_ship("sent,received,lat,lon\n2024-10-28 00:00,2024-10-28 00:30,41,-8.5\n"
                           "2024-10-28 18:00,2024-10-28 18:30,41.5,-7.5\n"),
              test::has_code("track_times_disagree", "sent"));
  EXPECT_THAT(refused_ship("mmsi,time,lat,lon\n244,2024-10-28 00:00,41,-8.5\n"
                           "245,2024-10-28 18:00,41.5,-7.5\n"),
              test::has_code("follow_several_vehicles", "mmsi"));
  EXPECT_THAT(refused_ship("time,lat,lon\n2024-10-28 00:00,41,-8.5\n"
                           "2024-10-28 12:00,999.999,999.999\n2024-10-28 18:00,41.5,-7.5\n"),
              test::has_code("follow_row_incomplete", "place"));
  EXPECT_THAT(
      refused_ship("id,lat,lon\n1500000001,41,-8.5\n1500000002,41.5,-7.5\n"),
      AllOf(test::has_code("follow_outside_mission"), test::has_code("follow_outside_mission")));
}

TEST_F(MissionDates, HoldActionsForHours) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  const auto hold_refusal = [&](const char* every) {
    return refused({"plan", "m.toml", "--set", std::string("mission.decide_every=") + every});
  };
  const std::string error = hold_refusal("7h");
  EXPECT_THAT(error, testing::AllOf(test::has_code("hold_not_whole_steps", "mission.decide_every"),
                                    testing::HasSubstr("7 h")));
  EXPECT_THAT(error, test::has_code("hold_not_whole_steps", "6 h or 9 h"));
  EXPECT_THAT(hold_refusal("20 min"), test::has_code("hold_not_whole_steps", "3 h"));
  EXPECT_THAT(hold_refusal("6d"),
              testing::AllOf(test::has_code("hold_longer_than_horizon", "108 h"),
                             testing::HasSubstr("6 d")));
  const std::string longer_error = hold_refusal("30d");
  EXPECT_THAT(longer_error, testing::AllOf(test::has_code("hold_longer_than_forecast",
                                                          "7 (2024-10-29T12:00:00Z)"),
                                           testing::HasSubstr("30 d")));
  EXPECT_THAT(longer_error, testing::AllOf(test::has_code("hold_longer_than_forecast", "env.h5"),
                                           testing::HasSubstr("6 d")));
  run({"plan", "m.toml", "-q", "--out", "hours", "--set", "mission.decide_every=12 h"});
  const json hours = summary("hours");
  EXPECT_EQ(hours["decide_every"]["steps"], 4);
  EXPECT_EQ(hours["decide_every"]["time"], 43200);
  EXPECT_EQ(hours["mission"]["mission"]["decide_every"], "12 h");
  run({"plan", "m.toml", "-q", "--out", "steps", "--set", "mission.decide_every=4"});
  EXPECT_EQ(summary("steps")["expected"], hours["expected"]);
  const std::string report =
      run({"lookup", "hours", "--at", "-126,46.8", "--time", "2024-10-29T12:00Z", "--details"})
          .output;
  EXPECT_THAT(report,
              testing::ContainsRegex("\nHeading [0-9]{3}° true .*, until 30 Oct 00:00 UTC\\.\n"
                                     "Arrival .* UTC .*, [0-9] of [0-9] simulated "));
  EXPECT_THAT(report,
              testing::AllOf(HasSubstr("\nsimulated "), testing::Not(HasSubstr("\nchance "))));
  EXPECT_THAT(run({"lookup", "hours", "--at", "-126,46.8", "--time", "2024-10-20"}).output,
              HasSubstr("too early, the forecast is planned on from 28 Oct 15:00 UTC to "));
  EXPECT_THAT(run({"lookup", "hours", "--at", "-126,46.8", "--time", "2024-12-20"}).output,
              HasSubstr("too late, the forecast is planned on from 28 Oct 15:00 UTC to "));
  // With a departure half a step later, the first action hold is half a step shorter.
  run({"plan", "m.toml", "-q", "--out", "late", "--set", "mission.decide_every=12 h", "--set",
       "mission.departure=2024-10-29T13:30Z"});
  const json late = summary("late");
  EXPECT_NEAR(late["expected"]["time"].get<double>(), hours["expected"]["time"].get<double>(),
              3 * 3600);
  EXPECT_NE(late["expected"], hours["expected"]);
}

TEST_F(MissionDates, PredictionsAreContinuousBetweenLevels) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  const auto value = [&](const std::string& time) {
    run({"plan", "m.toml", "-q", "--out", time, "--set",
         "mission.departure=2024-10-29T" + time + "Z", "--set",
         "mission.deadline=2024-11-03T00:00Z"});
    const json result = summary(time);
    EXPECT_EQ(result["departure"]["date"], "2024-10-29T" + time + ":00Z");
    const double expected_time = result["expected"]["time"];
    return std::array<double, 3>{result["value_at_start"], expected_time,
                                 result["rollout"]["time"]["mean"]};
  };
  const auto before = value("12:00");
  const auto first = value("13:29");
  const auto second = value("13:31");
  const auto after = value("15:00");
  for (const std::size_t n : {0, 1, 2}) {
    // One of nine flights that enters another cell two minutes later shifts their mean by minutes.
    const double allowed = n == 2 ? 600 : 60;
    EXPECT_NEAR(first[n], second[n], 0.03 * std::abs(after[n] - before[n]) + allowed) << n;
    EXPECT_LT(std::min(before[n], after[n]) - 1000, first[n]) << n;
    EXPECT_GT(std::max(before[n], after[n]) + 1000, first[n]) << n;
  }
  // A rollout can be exported: its first waypoint has the time of the departure.
  run({"export", "13:29", "--format", "csv", "-q"});
  std::ifstream route(folder_ / "13:29/export/13_29.csv");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(route), {}}),
              HasSubstr("2024-10-29T13:29:00Z"));
  // Replans begin at the vehicle's current place and time.
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
              test::has_code("departure_between_levels"));
}

TEST_F(MissionDates, LookupRejectsLevels) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  run({"plan", "m.toml", "-q", "--out", "run"});
  run({"export", "run", "--format", "policy", "-q"});
  for (const char* file : {"run", "run/export/policy.twp"}) {
    const auto lookup_words = [&](const char* time) {
      return std::vector<std::string>{"lookup", file, "--at", "-126,46.8", "--time", time, "-q"};
    };
    EXPECT_THAT(refused(lookup_words("10")),
                testing::AllOf(test::has_code("lookup_time_is_level", "2024-10-29T21:00:00Z"),
                               testing::HasSubstr("10")));
    EXPECT_EQ(run(lookup_words("1730235600")).output,
              run(lookup_words("2024-10-29T21:00Z")).output);
    EXPECT_THAT(run(lookup_words("1000000")).output, HasSubstr("too early"));
  }
}

TEST_F(MissionDates, FormatsWithOneRouteReportItOnce) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  run({"plan", "m.toml", "-q", "--out", "run"});
  const auto count_of = [](const std::string& text, const std::string& words) {
    int count = 0;
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
      ++count;
    }
    return count;
  };
  constexpr const char* waypoints_line = "waypoints flown without the policy, 9 realizations: ";
  constexpr const char* policy_line = "the policy in the same realizations: ";
  const std::vector<std::string> words{"export", "run", "--format", "slocum,gpx,kml"};
  const auto export_with = [&](const char* option, const char* value) {
    auto arguments = words;
    arguments.insert(arguments.end(), {option, value});
    return run(arguments);
  };
  // The flight needs fewer waypoints than the limit of seven, so that all formats have the same
  // route.
  const auto same_route = export_with("--capture-radius", "6000");
  EXPECT_EQ(count_of(same_route.output, waypoints_line), 1) << same_route.output;
  EXPECT_EQ(count_of(same_route.output, policy_line), 1) << same_route.output;
  EXPECT_THAT(same_route.output, testing::Not(HasSubstr("slocum")));
  EXPECT_EQ(count_of(same_route.errors, "is worse than the policy"), 1) << same_route.errors;
  const auto different_routes = export_with("--tolerance", "300");
  EXPECT_EQ(count_of(different_routes.output, waypoints_line), 2) << different_routes.output;
  EXPECT_THAT(different_routes.output, HasSubstr("slocum: 7 waypoints of the median flight"));
  EXPECT_THAT(different_routes.output,
              testing::ContainsRegex("\ngpx, kml: [0-9]+ waypoints of the median"));
}

using DegreesAndMetres = MissionDates;

TEST_F(DegreesAndMetres, AreDistinguished) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  run({"plan", "m.toml", "-q", "--out", "run"});
  EXPECT_THAT(refused({"rollout", "run", "--at-xy", "-125.8,47.2"}),
              test::has_code("place_looks_like_degrees", "--at -125.8,47.2"));
  EXPECT_THAT(refused({"replan", "run", "--at-xy", "-125.6,47.4", "--time", "9"}),
              test::has_code("place_looks_like_degrees", "--at -125.6,47.4"));
  EXPECT_THAT(refused({"lookup", "run", "--at", "nan,47.4", "--time", "0"}),
              test::has_code("position_invalid"));
  EXPECT_THAT(refused({"lookup", "run", "--at", "-125.6,47.4", "--time", "inf"}),
              test::has_code("lookup_time_not_finite", "inf"));
  EXPECT_THAT(refused({"lookup", "run", "--at-xy", "-125.6,47.4", "--time", "1730214000"}),
              test::has_code("lookup_place_in_degrees"));
  run({"export", "run", "--format", "policy", "-q"});
  EXPECT_THAT(refused({"lookup", "run/export/policy.twp", "--at-xy", "-125.6,47.4", "--time",
                       "1730214000"}),
              test::has_code("lookup_place_in_degrees"));
  EXPECT_THAT(run({"check", "--details", "m.toml", "--set", "mission.target_radius=0.5"}).output,
              HasSubstr("mission.target_radius is 0.5 m, and cells are 6 km wide: a vehicle misses "
                        "so small a target; give 6000 or more"));
  const auto plan_refusal = [&](const std::string& setting) {
    return refused({"plan", "m.toml", "-q", "--set", setting});
  };
  EXPECT_THAT(plan_refusal("mission.start=[-126.0, 46.8]"),
              test::has_code("place_looks_like_degrees", "mission.start_lonlat"));
  EXPECT_THAT(plan_refusal("mission.target=[[-124.95, 48.45], [-125.6, 48.6]]"),
              test::has_code("place_looks_like_degrees", "mission.target_lonlat"));
  EXPECT_THAT(plan_refusal("mission.via=[{point=[-125.6, 47.4], radius=9000}]"),
              test::has_code("place_looks_like_degrees", "lonlat or polygon_lonlat"));
  EXPECT_THAT(
      plan_refusal("mission.no_go=[{polygon=[[-126.2, 47.5], [-125, 47.5], [-125, 47.9]]}]"),
      test::has_code("place_looks_like_degrees", "polygon_lonlat"));
  // Metres near the plane's middle; as degrees they would be outside the domain.
  run({"rollout", "run", "--at-xy", "125.8,-47.2", "-q"});
}

TEST_F(DegreesAndMetres, ZonesAroundTheGlobeCloseEverything) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  prepare(forecast);
  for (const char* box : {"[[-180, -90], [180, -90], [180, 90], [-180, 90]]",
                          "[[-179, -60], [179, -60], [179, 60], [-179, 60]]"}) {
    EXPECT_THAT(refused({"plan", "m.toml", "-q", "--set",
                         std::string("mission.no_go=[{polygon_lonlat=") + box + "}]"}),
                test::has_code("start_closed", "mission.no_go"));
  }
}

TEST_F(MissionDates, VaryInABatch) {
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
  const json result = summary("batch/0001_2024-10-29T12-00Z_no_go2");
  EXPECT_EQ(result["mission"]["mission"]["no_go"][0]["until"], "2024-11-01T00:00:00Z");
}

}  // namespace
}  // namespace tidewise
