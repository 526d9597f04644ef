// Keys of a mission for places and times: allowed values, their echo, and the error of each
// mistake.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "planner/mission/read/echo.h"
#include "planner/mission/read/file.h"
#include "planner/mission/read/key_table.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

constexpr const char* head = "[environment]\nfile = \"/sea/ocean.h5\"\n[vehicle]\nspeeds = [1]\n";
constexpr const char* target = "target = [3, 4]\n";

RunRequest mission_of_keys(const std::string& keys, const std::vector<Setting>& settings = {}) {
  return parse_mission(std::string(head) + "[mission]\n" + keys, "m.toml", settings);
}

std::string error_of(const std::string& keys, const std::vector<Setting>& settings = {}) {
  try {
    mission_of_keys(keys, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Expects the mission to be valid, and its echo to define the same mission.
void expect_echo(const RunRequest& request) {
  const RunRequest again = parse_mission(to_toml(request), "echo");
  EXPECT_EQ(to_json(again), to_json(request)) << to_toml(request);
  EXPECT_NO_THROW(validate_request(request));
}

TEST(MissionPlaces, RejectsAmbiguousPolygons) {
  const auto ring_error = [](const std::string& ring) -> std::string {
    try {
      mission_of_keys("start = [1, 2]\ntarget_polygon_lonlat = " + ring + "\n");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(ring_error("[[-179, 40], [10, 40], [10, 60]]"),
              test::has_code("polygon_invalid", "an edge from -179 to 10 degrees east"));
  EXPECT_THAT(ring_error("[[-180, -90], [180, -90], [180, 90]]"),
              test::has_code("polygon_invalid", "which way round the globe is not clear"));
  EXPECT_THAT(ring_error("[[[0, 0], [1, 0], [1, 1]], [[-1, -1], [3, -1], [3, 3]]]"),
              test::has_code("polygon_invalid", "whose hole 1 lies outside of its outline"));
  EXPECT_EQ(ring_error("[[170, 0], [-170, 0], [-170, 9], [170, 9]]"), "") << "across 180 degrees";
  EXPECT_EQ(ring_error("[[[0, 0], [9, 0], [9, 9], [0, 9]], [[0, 0], [4, 1], [4, 4]]]"), "")
      << "a hole that shares a vertex";
}

TEST(MissionPlaces, ArePointsListsOrPolygons) {
  const RunRequest points = mission_of_keys(
      "start = [[1, 2], [3.5, 4], [5, 6]]\n"
      "target_lonlat = [-126, 46.8]\n");
  EXPECT_EQ(points.goal.start.first, 1);
  EXPECT_EQ(points.goal.start.others, (std::vector<Vertex>{{3.5, 4}, {5, 6}}));
  EXPECT_TRUE(points.goal.target.others.empty());
  expect_echo(points);

  const RunRequest rings = mission_of_keys(
      "start_polygon = [[0, 0], [4, 0], [4, 4]]\n"
      "target_polygon_lonlat = [[[179, 0], [-179, 0], [-179, 2]], [[179.5, 0.1], [179.6, 0.1], "
      "[179.6, 0.2]]]\n");
  const Position& start = rings.goal.start;
  EXPECT_EQ(start.frame, Position::Frame::plane);
  EXPECT_EQ(start.polygons, (std::vector<Polygon>{{{{0, 0}, {4, 0}, {4, 4}, {0, 0}}}}))
      << "closed by itself";
  EXPECT_EQ(rings.goal.target.polygons.at(0).size(), 2u) << "an outline and a hole";
  EXPECT_EQ(rings.goal.target.polygons[0][0][1][0], 181) << "continuous across 180 degrees";
  expect_echo(rings);
}

TEST(MissionPlaces, IncludeFilesInTheMission) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "zones.geojson") << R"({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"from": "2024-10-29", "until": "2024-10-30T06:00Z"},
     "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}},
    {"type": "Feature", "properties": null,
     "geometry": {"type": "MultiPolygon", "coordinates": [[[[5, 5], [6, 5], [6, 6], [5, 5]]],
                                                          [[[7, 7], [8, 7], [8, 8], [7, 7]]]]}}]})";
  std::ofstream(folder / "m.toml") << head << "[mission]\nstart = [1, 2]\n"
                                   << "target_polygon = \"zones.geojson\"\n"
                                   << "[[mission.no_go]]\nfile = \"zones.geojson\"\nuntil = 7\n"
                                   << "[[mission.no_go]]\npolygon = [[0, 0], [1, 0], [0, 1]]\n";
  const RunRequest request = read_mission_file(folder / "m.toml");
  EXPECT_EQ(request.goal.target.frame, Position::Frame::geographic);
  EXPECT_EQ(request.goal.target.polygons.size(), 3u);
  const auto& zones = request.goal.no_go;
  ASSERT_EQ(zones.size(), 4u);
  EXPECT_EQ(zones[0].until->date, 1730268000.0) << "a feature's own time prevails";
  EXPECT_EQ(zones[1].until->level, 7);
  EXPECT_FALSE(zones[1].from);
  EXPECT_EQ(zones[3].frame, Position::Frame::plane);
  EXPECT_THAT(to_toml(request), Not(HasSubstr("geojson"))) << "the file may go";
  expect_echo(request);
}

TEST(MissionTimes, AreLevelsDatesAndDurations) {
  const std::string places = std::string("start = [1, 2]\n") + target;
  const auto departure = [&](const std::string& value) {
    const RunRequest request = mission_of_keys(places + "departure = " + value + "\n");
    expect_echo(request);
    return request.goal.departure;
  };
  EXPECT_EQ(departure("3"), Moment(3));
  EXPECT_EQ(departure("1.5"), Moment(1.5));
  const Moment noon = Moment::at_date(1730203200);
  EXPECT_EQ(departure("\"2024-10-29T12:00Z\""), noon);
  EXPECT_EQ(departure("\"2024-10-29 12:00\""), noon) << "UTC where no zone is given";
  EXPECT_EQ(departure("\"2024-10-29T05:00-07:00\""), noon);
  EXPECT_EQ(departure("2024-10-29T12:00:00Z"), noon) << "TOML's own";
  EXPECT_EQ(departure("2024-10-29"), Moment::at_date(1730203200 - 43200));
  EXPECT_EQ(mission_of_keys(places, {"mission.departure=2024-10-29T12:00Z"}).goal.departure, noon);

  const RunRequest horizon = mission_of_keys(places + "horizon = \"5 d\"\n");
  EXPECT_EQ(*horizon.goal.horizon, TimeSpan::of_seconds(432000));
  EXPECT_THAT(to_toml(horizon), HasSubstr("horizon = \"5 d\""));
  expect_echo(horizon);
  const RunRequest deadline = mission_of_keys(places + "deadline = \"90 h\"\n");
  EXPECT_EQ(std::get<TimeSpan>(*deadline.goal.deadline), TimeSpan::of_seconds(324000));
  expect_echo(deadline);
  const RunRequest date = mission_of_keys(places + "deadline = 2024-10-29T12:00:00Z\n");
  EXPECT_EQ(std::get<Moment>(*date.goal.deadline), noon);
  expect_echo(date);
  const RunRequest typed =
      mission_of_keys(places + "horizon = 4\n", {"mission.deadline=2024-10-29T12:00Z"});
  EXPECT_FALSE(typed.goal.horizon) << "what is typed displaces it";
}

TEST(MissionPlaces, ReportEachMistake) {
  const std::string start = "start = [1, 2]\n";
  const std::string places = start + target;
  const std::vector<std::pair<std::string, std::string>> cases{
      {places + "departure = \"soon\"",
       "a number from 0 to 2147483647 (a level), or a date [key_value_invalid]"},
      {places + "departure = -1.5", "mission.departure [key_value_invalid]"},
      {places + "departure = \"2024-02-30\"", "mission.departure [key_value_invalid]"},
      {places + "horizon = \"120\"", "a whole number from 1 [key_value_invalid]"},
      {places + "horizon = \"-5 d\"", "mission.horizon [key_value_invalid]"},
      {places + "decide_every = 0", "a whole number from 1 [key_value_invalid]"},
      {places + "decide_every = \"often\"", "mission.decide_every [key_value_invalid]"},
      {places + "horizon = 3\ndeadline = 5", "m.toml:9 [deadline_with_horizon]"},
      {places + "deadline = 0", "a whole number from 1 [key_value_invalid]"},
      {places + "start_lonlat = [1, 2]", "mission.start_lonlat [place_given_twice]"},
      {places + "target_polygon = [[0, 0], [1, 0], [0, 1]]",
       "mission.target_polygon [place_given_twice]"},
      {start + "target = [[1, 2], [3]]", "mission.target [key_value_invalid]"},
      {start + "target = []", "mission.target [key_value_invalid]"},
      {start + "target_lonlat = [[0, 0], [0, 91]]",
       "[longitude, latitude] in degrees [key_value_invalid]"},
      {start + "target_polygon = [[0, 0], [1, 0]]",
       "a ring of three vertices or more [key_value_invalid]"},
      {start + "target_polygon = [[0, 0], [2, 2], [2, 0], [0, 2]]",
       "a polygon whose edges [0, 0] to [2, 2] and [polygon_invalid]"},
      {start + "target_polygon = \"nowhere.geojson\"", "[mission_file_key_missing]"},
      {start + "target_polygon_lonlat = \"a.geojson\"",
       "a ring of three vertices [key_value_invalid]"},
      {places + "no_go = 3", "a list of tables [key_value_invalid]"},
      {places + "[mission.no_go]\nfile = \"a\"", "mission.no_go [key_is_table_list]"},
      {places + "[[mission.no_go]]\nfrom = 3", "mission.no_go [zone_place_missing]"},
      {places + "[[mission.no_go]]\npolygon = [[0, 0], [1, 0], [0, 1]]\nform = 3",
       "mission.no_go.form [place_key_unknown]"},
      {places + "[[mission.no_go]]\npolygon = [[0, 0], [1, 0], [0, 1]]\nfile = \"a\"",
       "mission.no_go.polygon [zone_given_twice]"},
      {places + "[[mission.no_go]]\npolygon = [[0, 0], [1, 0], [0, 1]]\nfrom = \"noon\"",
       "mission.no_go.from [key_value_invalid]"}};
  for (const auto& [keys, code] : cases)
    EXPECT_THAT(error_of(keys), test::has_code_of(code)) << keys;
}

TEST(MissionPlaces, LimitsVertices) {
  std::string ring = "[0, 0]";
  for (int n = 0; n <= 20'000; ++n) ring += ", [" + std::to_string(n) + ", 1]";
  EXPECT_THAT(error_of("start = [1, 2]\ntarget_polygon = [" + ring + "]\n"),
              test::has_code("polygon_vertices_too_many"));
}

}  // namespace
}  // namespace tidewise
