#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "output/route/format.h"
#include "output/route/moos_geodesy.h"
#include "output/route/text.h"
#include "output/route/utm.h"
#include "support/error_code.h"
#include "support/route_samples.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using RouteJson = nlohmann::json;

std::string text_of(std::string_view format, const Route& route,
                    const FormatOptions& options = {}) {
  return write_route(route_format(format), route, options);
}

/// Returns the message of the InputError that writing a route throws.
std::string format_error(std::string_view format, const Route& route,
                         const FormatOptions& options = {}) {
  try {
    text_of(format, route, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// The small route with `to_go` waypoints after its start; the middle one is repeated.
Route route_of(std::size_t to_go) {
  Route route = test::small_route();
  while (route.waypoints.size() < to_go + 1) {
    RouteWaypoint more = route.waypoints[1];
    more.name = "MORE" + std::to_string(route.waypoints.size());
    route.waypoints.insert(route.waypoints.begin() + 1, more);
  }
  return route;
}

const std::string notes_in_comments =
    "# the median flight of mission washington\n"
    "# By Tidewise 0.1.0. A route has no feedback: unlike the policy that it comes\n"
    "#  from, it does not answer to the currents that the vehicle meets.\n"
    "# Times are those of passing the points themselves. A waypoint counts as\n"
    "#  reached within 500 m of its point, the target within 2000 m.\n"
    "# flown by waypoints 96 % arrive, by the policy 99 %\n";

std::string with_mark(const std::string& text, const std::string& mark) {
  std::string result;
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    result += mark + text.substr(line + 1, text.find('\n', line) - line);
  }
  return result;
}

TEST(RouteFormats, Csv) {
  EXPECT_EQ(text_of("csv", test::small_route()),
            "name,lat,lon,eta_utc,course_deg_true,speed_m_s,eta_p05_utc,eta_p95_utc,"
            "reached_share,t_s,capture_radius_m\n"
            "START,47.25000000,-124.50000000,2024-10-29T12:00:00Z,300.25,0.5000,,,,0,\n"
            "WP1,47.50000000,-124.75000000,2024-10-29T13:30:00Z,300.25,0.5000,"
            "2024-10-29T13:20:00Z,2024-10-30T14:31:01Z,0.9750,5400,500\n"
            "TARGET,48.00000000,-125.50000000,2024-10-29T15:00:00Z,,,"
            "2024-10-29T14:50:00Z,2024-10-30T16:01:01Z,0.9750,10800,2000\n");
}

TEST(RouteFormats, CsvOfThePlane) {
  Route route = test::small_route();
  route.units = Units::nondimensional;
  route.waypoints = {route.waypoints[0], route.waypoints[2]};
  RouteWaypoint& start = route.waypoints[0];
  RouteWaypoint& target = route.waypoints[1];
  start.x = 0.5;
  start.y = 2;
  target.x = 1.5;
  target.y = 1;
  for (RouteWaypoint& waypoint : route.waypoints) {
    waypoint.place.reset();
    waypoint.instant.reset();
  }
  route.tracks.clear();
  EXPECT_EQ(text_of("csv", route, {.frame = RouteFrame::plane}),
            "name,x,y,t,course_deg_from_x,speed,capture_radius\n"
            "START,0.5,2,0,315.00,0.5000,\n"
            "TARGET,1.5,1,10800,,,2000\n");
}

TEST(RouteFormats, Slocum) {
  EXPECT_EQ(text_of("slocum", test::small_route(), {.list = 33}),
            "behavior_name=goto_list\n# goto_l33.ma\n" + notes_in_comments +
                "<start:b_arg>\n"
                "    b_arg: num_legs_to_run(nodim) -2 # once through the list\n"
                "    b_arg: start_when(enum) 0 # at once\n"
                "    b_arg: list_stop_when(enum) 7 # within a distance of the waypoint\n"
                "    b_arg: list_when_wpt_dist(m) 500\n"
                "    b_arg: initial_wpt(enum) 0 # the first one\n"
                "    b_arg: num_waypoints(nodim) 2\n"
                "<end:b_arg>\n<start:waypoints>\n"
                "-12445.0000\t4730.0000 # WP1 2024-10-29T13:30:00Z\n"
                "-12530.0000\t4800.0000 # TARGET 2024-10-29T15:00:00Z\n"
                "<end:waypoints>\n");
}

TEST(RouteFormats, SlocumTakesEightWaypointsOrForce) {
  const RouteFormat& slocum = route_format("slocum");
  EXPECT_THAT(format_warnings(slocum, route_of(7), {}), IsEmpty());
  EXPECT_THAT(text_of("slocum", route_of(8)), HasSubstr("num_waypoints(nodim) 8\n"));
  ASSERT_EQ(format_warnings(slocum, route_of(8), {}).size(), 1U);
  EXPECT_THAT(format_error("slocum", route_of(9)),
              test::has_code("route_waypoints_too_many", "slocum"));
  EXPECT_THAT(text_of("slocum", route_of(9), {.any_number = true}),
              HasSubstr("num_waypoints(nodim) 9\n"));
}

TEST(RouteFormats, SlocumDistanceEqualsTheFlownRadius) {
  Route route = test::small_route();
  route.capture_radius = 1500;
  EXPECT_THAT(text_of("slocum", route), HasSubstr("list_when_wpt_dist(m) 1500\n"));
  EXPECT_THAT(format_warnings(route_format("slocum"), route, {}), IsEmpty());
}

TEST(RouteFormats, WriteWarningsToTheFile) {
  Route route = test::small_route();
  route.arrival_radius = 5;
  route.capture_radius = 10;
  const auto warnings = format_warnings(route_format("slocum"), route, {});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("10 m from the target, whose own radius is 5 m"));
  EXPECT_THAT(text_of("slocum", route),
              HasSubstr("# warning: slocum: the glider ends the list 10"));
}

TEST(RouteFormats, UnreachedWaypointHasNoTime) {
  Route route = test::small_route();
  RouteWaypoint& target = route.waypoints.back();
  target.time = std::nan("");
  target.instant.reset();
  target.window.reset();
  EXPECT_THAT(text_of("csv", route), HasSubstr("TARGET,48.00000000,-125.50000000,,,,,,,,2000\n"));
  const std::string rtz = text_of("rtz", route);
  EXPECT_THAT(rtz, HasSubstr("<scheduleElement waypointId=\"3\" speed="));
  EXPECT_THAT(rtz, HasSubstr("no flight by waypoints comes here"));
  const RouteJson json = RouteJson::parse(text_of("geojson", route));
  EXPECT_FALSE(json["features"][0]["properties"].contains("time"));
  EXPECT_TRUE(json["features"][3]["properties"]["time"].is_null());
  for (const char* format : {"gpx", "kml", "slocum", "seaglider", "moos", "qgc-wpl", "qgc-plan"}) {
    EXPECT_THAT(text_of(format, route), Not(HasSubstr("nan"))) << format;
  }
}

TEST(RouteFormats, RtzOmitsSidesOfWindowsWithoutLength) {
  Route route = test::small_route();
  route.waypoints[1].window->p05_instant = route.waypoints[1].instant;
  const std::string text = text_of("rtz", route);
  EXPECT_THAT(text, Not(HasSubstr("PT0S")));
  EXPECT_THAT(text, HasSubstr("eta=\"2024-10-29T13:30:00Z\" etaWindowAfter="));
}

TEST(RouteFormats, SlocumDistanceIsTenMetresAtLeast) {
  Route route = test::small_route();
  route.capture_radius = 3;
  EXPECT_THAT(text_of("slocum", route), HasSubstr("list_when_wpt_dist(m) 10\n"));
}

TEST(RouteFormats, Seaglider) {
  EXPECT_EQ(text_of("seaglider", test::small_route()),
            with_mark(notes_in_comments, "/") +
                "WP1 lat=4730.0000 lon=-12445.0000 radius=500 goto=TARGET\n"
                "TARGET lat=4800.0000 lon=-12530.0000 radius=2000 goto=TARGET\n");
}

/// A route with a deep dive to the waypoint, and at a constant depth from there to the target.
Route diving_route() {
  Route route = test::small_route();
  route.arrival_radius = route.capture_radius;  // so that only dives divide MOOS's behaviors
  route.obstacles.clear();                      // qgc-plan warns about obstacles
  route.waypoints[0].dive = EnvironmentProfile{"deep", "0:1000"};
  route.waypoints[1].dive = EnvironmentProfile{"park", "at:500"};
  return route;
}

TEST(RouteFormats, WriteTheDiveOfEachLeg) {
  const Route route = diving_route();
  const std::string csv = text_of("csv", route);
  EXPECT_THAT(csv, HasSubstr(",capture_radius_m,profile,depth_from_m,depth_to_m,depth_ranges_m\n"));
  EXPECT_THAT(csv, HasSubstr("0.5000,,,,0,,deep,0,1000,0:1000\nWP1"));
  EXPECT_THAT(csv, HasSubstr("0.9750,5400,500,park,500,500,500:500\nTARGET"));
  EXPECT_THAT(csv, testing::EndsWith("0.9750,10800,500,,,,\n"));
  EXPECT_THAT(text_of("csv", route, {.frame = RouteFrame::plane}),
              HasSubstr(",capture_radius_m,profile,depth_from_m,depth_to_m,depth_ranges_m\nSTART"));

  const RouteJson features = RouteJson::parse(text_of("geojson", route))["features"];
  EXPECT_EQ(features[1]["properties"]["profile"], "deep");
  EXPECT_EQ(features[1]["properties"]["depth_from"], 0);
  EXPECT_EQ(features[2]["properties"]["depth_to"], 500);
  EXPECT_FALSE(features[3]["properties"].contains("profile"));

  const std::string slocum = text_of("slocum", route);
  EXPECT_THAT(slocum, HasSubstr("# WP1 2024-10-29T13:30:00Z, dive deep (0 to 1000 m) on the leg"));
  EXPECT_THAT(slocum, HasSubstr("15:00:00Z, hold 500 m (park) on the leg to here\n"));
  EXPECT_THAT(text_of("seaglider", route),
              HasSubstr("/ to WP1: dive deep (0 to 1000 m), $D_TGT,1000\nWP1 lat="));
  EXPECT_THAT(text_of("gpx", route), HasSubstr(", dive deep (0 to 1000 m)"));
  EXPECT_THAT(text_of("kml", route), HasSubstr(", hold 500 m (park)"));
}

TEST(RouteFormats, MoosHasABehaviorForEachStretchOfOneDive) {
  const std::string text = text_of("moos", diving_route());
  EXPECT_THAT(text, HasSubstr("  // dive deep (0 to 1000 m)\n"
                              "  activeflag     = TIDEWISE_DIVE_FROM = 0\n"
                              "  activeflag     = TIDEWISE_DIVE_TO = 1000\n"));
  EXPECT_THAT(text, HasSubstr("condition      = TIDEWISE_STRETCH = 2\n"));
  EXPECT_THAT(text, HasSubstr("  activeflag     = TIDEWISE_DIVE_TO = 500\n"));
}

TEST(RouteFormats, WarnIfDepthsMustBeSetSeparately) {
  const Route route = diving_route();
  for (const RouteFormat& format : route_formats()) {
    const bool in_fields = format.name == "csv" || format.name == "geojson";
    const bool in_words = format.name == "gpx" || format.name == "kml";
    auto warnings = format_warnings(format, route, {});
    std::erase_if(warnings,
                  [](const auto& warning) { return warning.find("WP_RADIUS") != warning.npos; });
    EXPECT_EQ(warnings.size(), in_fields || in_words ? 0u : 1u) << format.name;
    if (!format.holds_dive_depths) {
      EXPECT_THAT(warnings.at(0), HasSubstr("holds no depths"));
    }
  }
}

TEST(RouteFormats, OmitDepthsOfAProfileFromAFile) {
  Route route = diving_route();
  route.waypoints[0].dive = EnvironmentProfile{"yo", "yo.csv"};
  EXPECT_THAT(text_of("csv", route), HasSubstr(",0,,yo,,,\n"));
  EXPECT_THAT(text_of("seaglider", route), HasSubstr("/ to WP1: dive yo\n"));
  EXPECT_THAT(text_of("moos", route), HasSubstr("  // dive yo\n  speed"));
}

/// A route with a dive through several ranges of depths.
Route gap_route(const std::string& depths) {
  Route route = diving_route();
  route.waypoints[1].dive = EnvironmentProfile{"twice", depths};
  return route;
}

TEST(RouteFormats, SeparateDepthRangesWithAGap) {
  const Route route = gap_route("300:400@0.5,0:10@0.5");
  EXPECT_THAT(text_of("csv", route), HasSubstr("5400,500,twice,,,0:10;300:400\nTARGET"));
  const RouteJson features = RouteJson::parse(text_of("geojson", route))["features"];
  EXPECT_TRUE(features[2]["properties"]["depth_to"].is_null());
  EXPECT_EQ(features[2]["properties"]["depth_ranges"], RouteJson({{0, 10}, {300, 400}}));
  EXPECT_EQ(features[1]["properties"]["depth_ranges"], RouteJson({{0, 1000}}));
  for (const char* format : {"gpx", "kml", "slocum", "seaglider"}) {
    EXPECT_THAT(text_of(format, route), HasSubstr("dive twice (0 to 10 and 300 to 400 m)"))
        << format;
    EXPECT_THAT(text_of(format, route), Not(HasSubstr("(0 to 400"))) << format;
  }
  EXPECT_THAT(text_of("seaglider", route), Not(HasSubstr("$D_TGT,400")));
}

TEST(RouteFormats, WarnOrRejectIfTheVehicleHasOneDepthRange) {
  const Route route = gap_route("5:25@0.2,60:80@0.3,100:110@0.5");
  for (const char* format : {"slocum", "seaglider"}) {
    const auto warnings = format_warnings(route_format(format), route, {});
    ASSERT_EQ(warnings.size(), 2U) << format;
    EXPECT_THAT(warnings[1],
                HasSubstr("profile twice dives 5 to 25, 60 to 80 and 100 to 110 m, and "));
  }
  EXPECT_THAT(format_error("moos", route), test::has_code("moos_profile_ranges", "twice"));
}

/// Ranges that touch or overlap are joined, and ranges without time are ignored.
TEST(RouteFormats, JoinDepthRangesThatTouch) {
  const Route route = gap_route("50:100@0.5,0:50@0.3,80:120@0.2,500:600@0");
  EXPECT_THAT(text_of("csv", route), HasSubstr(",twice,0,120,0:120\n"));
  EXPECT_THAT(text_of("moos", route), HasSubstr("TIDEWISE_DIVE_TO = 120\n"));
  EXPECT_THAT(text_of("seaglider", route), HasSubstr("dive twice (0 to 120 m), $D_TGT,120\n"));
}

TEST(RouteFormats, MoosUsesUtmOfTheOriginsZone) {
  // The points were computed by PROJ (+proj=utm +zone=10 +ellps=WGS84), relative to the origin.
  Route route = test::small_route();
  route.arrival_radius = 500;
  EXPECT_THAT(text_of("moos", route),
              HasSubstr("//   LatOrigin  = 47.25000000\n//   LongOrigin = -124.50000000\n"
                        "// In UTM, zone 10 (LatLong2LocalUTM), the default of MOOS-IvP.\n"
                        "\nBehavior = BHV_Waypoint\n{\n"
                        "  name           = tidewise\n"
                        "  pwt            = 100\n"
                        "  condition      = DEPLOY = true\n"
                        "  endflag        = TIDEWISE_ARRIVED = true\n"
                        "  updates        = TIDEWISE_UPDATE\n"
                        "  speed          = 0.500\n"
                        "  capture_radius = 500.0\n"
                        "  slip_radius    = 500.0\n"
                        "  repeat         = 0\n"
                        "  points         = -18292.40,28176.44:-72978.29,85287.10\n"
                        "}\n"));
}

TEST(RouteFormats, MoosUsesTheLocalGridOnRequest) {
  // The points were computed in Python by MOOSGeodesy's formula.
  Route route = test::small_route();
  route.arrival_radius = 500;
  const std::string text = text_of("moos", route, {.moos_geodesy = MoosGeodesy::grid});
  EXPECT_THAT(text, HasSubstr("// On the local grid (LatLong2LocalGrid) of a MOOS-IvP built "
                              "without UTM.\n"));
  EXPECT_THAT(text, HasSubstr("  points         = -18767.18,27778.95:-74345.27,83332.29\n"));
}

TEST(RouteFormats, MoosHasNoUtmNearThePoles) {
  const Route route = test::small_route();
  const FormatOptions polar{.moos_origin = GeographicPoint{-124, 84.5}};
  EXPECT_THAT(format_error("moos", route, polar), test::has_code("moos_origin_outside_utm"));
}

TEST(RouteFormats, MoosWarnsIfVersionsUseAnotherZone) {
  const RouteFormat& moos = route_format("moos");
  const Route route = test::small_route();
  EXPECT_THAT(format_warnings(moos, route, {}), IsEmpty());
  // The meridian between zones 10 and 11 is 120 W.
  const auto beyond = format_warnings(moos, route, {.moos_origin = GeographicPoint{-119.9, 47}});
  ASSERT_EQ(beyond.size(), 1U);
  EXPECT_THAT(beyond[0], HasSubstr("START lies in UTM zone 10 and the origin in zone 11"));
  for (const GeographicPoint place : {GeographicPoint{4, 60}, {7, 75}, {33, 78}, {178, -18}}) {
    EXPECT_THAT(format_warnings(moos, route, {.moos_origin = place}).at(0),
                HasSubstr("versions of MOOSGeodesy do not agree"));
  }
}

TEST(RouteFormats, UtmAgreesWithProj) {
  // The points were computed by PROJ (+proj=utm +ellps=WGS84), without false easting and northing.
  const auto expect_near = [](const PlanePoint& found, const PlanePoint& expected) {
    EXPECT_NEAR(found.x, expected.x, 1e-4);
    EXPECT_NEAR(found.y, expected.y, 1e-4);
  };
  expect_near(utm_plane(10, {-124.5, 47.25}), {-113504.3431, 5234037.4662});
  expect_near(utm_plane(60, {179.9, -17.5}), {307963.6172, -1937213.9459});
  expect_near(utm_plane(1, {179.9, -17.5}), {-329219.0373, -1937548.9227});
  expect_near(utm_plane(33, {21, 72.5}), {201078.5999, 8054756.7528});
  expect_near(utm_plane(31, {3, 0}), {0.0000, 0.0000});
  expect_near(utm_plane(29, {-31, 40.2}), {-1879294.4528, 4689262.8860});
  EXPECT_EQ(utm_zone(-180), 1);
  EXPECT_EQ(utm_zone(179.999), 60);
  EXPECT_EQ(utm_zone(180), 1);
}

TEST(RouteFormats, MoosHasABehaviorForATargetOfAnotherRadius) {
  const std::string text = text_of("moos", test::small_route());
  EXPECT_THAT(text, HasSubstr("  capture_radius = 500.0\n  slip_radius    = 500.0\n"
                              "  repeat         = 0\n  points         = -18292.40,28176.44\n"));
  EXPECT_THAT(text, HasSubstr("  capture_radius = 2000.0\n  slip_radius    = 2000.0\n"
                              "  repeat         = 0\n  points         = -72978.29,85287.10\n"));
}

TEST(RouteFormats, MoosHasABehaviorForEachStretchOfOneSpeed) {
  Route route = test::small_route();
  route.waypoints[1].speed = 0.3;
  const std::string text = text_of("moos", route);
  EXPECT_THAT(text, HasSubstr("initialize  TIDEWISE_STRETCH = 1\n"));
  EXPECT_THAT(text, HasSubstr("condition      = TIDEWISE_STRETCH = 1\n"
                              "  endflag        = TIDEWISE_STRETCH = 2\n"));
  EXPECT_THAT(text, HasSubstr("condition      = TIDEWISE_STRETCH = 2\n"
                              "  endflag        = TIDEWISE_ARRIVED = true\n"));
  EXPECT_THAT(text, HasSubstr("  points         = -18292.40,28176.44\n"));
  EXPECT_THAT(text, HasSubstr("speed          = 0.300\n"));
}

TEST(RouteFormats, MoosRejectsPointsFarFromTheOrigin) {
  const RouteFormat& moos = route_format("moos");
  Route route = test::small_route();
  FormatOptions options{.moos_geodesy = MoosGeodesy::grid};
  EXPECT_THAT(format_warnings(moos, route, options), IsEmpty());
  options.moos_origin = GeographicPoint{-121, 47};
  EXPECT_EQ(format_warnings(moos, route, options).size(), 1U);
  options.moos_origin = GeographicPoint{10, 47};
  EXPECT_THAT(format_error("moos", route, options), test::has_code("moos_far_from_origin"));
  EXPECT_THAT(format_error("moos", route, {.moos_origin = GeographicPoint{10, 47}}),
              test::has_code("moos_far_from_meridian"));
  const PlanePoint across = moos_local_grid({179.5, 0}, {-179.5, 0});
  EXPECT_NEAR(across.x, 6378137 * 0.01745240643728351, 1e-6);
  EXPECT_NEAR(moos_local_grid({0, 90}, {0, 90}).y, 0, 1e-9);
}

TEST(RouteFormats, QgcWpl) {
  const std::string zeros = "\t0.000000\t0.000000\t0.000000\t0.000000";
  const std::string radius = "\t0.000000\t500.000000\t0.000000\t0.000000";
  EXPECT_EQ(text_of("qgc-wpl", test::small_route()),
            "QGC WPL 110\n"
            "0\t1\t0\t16" +
                zeros +
                "\t47.25000000\t-124.50000000\t0.000000\t1\n"
                "1\t0\t2\t178\t0.000000\t0.500000\t-1.000000\t0.000000\t0.00000000\t0.00000000"
                "\t0.000000\t1\n"
                "2\t0\t3\t16" +
                radius +
                "\t47.50000000\t-124.75000000\t0.000000\t1\n"
                "3\t0\t3\t16" +
                radius + "\t48.00000000\t-125.50000000\t0.000000\t1\n");
}

TEST(RouteFormats, QgcWplSetsSpeedWhereItChanges) {
  Route route = test::small_route();
  route.waypoints[1].speed = 0.3;
  EXPECT_THAT(text_of("qgc-wpl", route), HasSubstr("\n3\t0\t2\t178\t0.000000\t0.300000"));
}

TEST(RouteFormats, MavlinkHasOneRadiusAndTheParameterThatBoatsRead) {
  Route route = test::small_route();
  route.capture_radius = 1234.4;
  for (const char* name : {"qgc-wpl", "qgc-plan"}) {
    const RouteFormat& format = route_format(name);
    ASSERT_NE(format.parameters, nullptr);
    EXPECT_EQ(format.parameters(route), "WP_RADIUS,1234\n");
    EXPECT_THAT(format_warnings(format, route, {}).back(),
                HasSubstr("load the .param file of the same name, too: ArduPilot's boats ignore "
                          "the radius of a mission's waypoints and take WP_RADIUS for all, here "
                          "1234 m"));
  }
  const RouteJson plan = RouteJson::parse(text_of("qgc-plan", route));
  EXPECT_EQ(plan["mission"]["items"][2]["params"][1], 1234);
  EXPECT_THAT(text_of("qgc-wpl", route), HasSubstr("\t1234.000000\t"));
  EXPECT_EQ(route_format("gpx").parameters, nullptr);
}

/// PX4 compares longitudes as numbers, so a piece with both 180 and −180 would contain nothing.
TEST(RouteFormats, QgcPlanDividesFencesAtTheDateLine) {
  for (const double east : {-179.6, -179.99, 180.0, 179.95}) {
    Route route = test::small_route();
    route.obstacles.resize(1);
    RouteObstacle::Ring& ring = route.obstacles[0].outer;
    ring.places = {{179.7, -18.3}, {east, -18.3}, {east, -17.4}, {179.7, -17.4}};
    const RouteJson plan = RouteJson::parse(text_of("qgc-plan", route));
    const RouteJson& fences = plan["geoFence"]["polygons"];
    EXPECT_EQ(fences.size(), east < 0 ? 2U : 1U) << east;
    for (const RouteJson& fence : fences) {
      double min = 360;
      double max = -360;
      for (const RouteJson& corner : fence["polygon"]) {
        min = std::min(min, corner[1].get<double>());
        max = std::max(max, corner[1].get<double>());
      }
      EXPECT_LT(max - min, 0.5) << fence.dump();
      EXPECT_GT(max - min, 0) << fence.dump();
    }
  }
}

TEST(RouteFormats, QgcPlan) {
  const RouteJson plan = RouteJson::parse(text_of("qgc-plan", test::small_route()));
  EXPECT_EQ(plan["fileType"], "Plan");
  EXPECT_EQ(plan["version"], 1);
  const RouteJson& mission = plan["mission"];
  EXPECT_EQ(mission["plannedHomePosition"], RouteJson({47.25, -124.5, 0}));
  ASSERT_EQ(mission["items"].size(), 3U);
  EXPECT_EQ(mission["items"][0]["params"], RouteJson({0, 0.5, -1, 0, 0, 0, 0}));
  EXPECT_EQ(mission["items"][2]["params"], RouteJson({0, 500, 0, nullptr, 48, -125.5, 0}));
  EXPECT_EQ(mission["items"][2]["doJumpId"], 3);
  // The fixed obstacle is a fence, the moving one is not.
  const RouteJson& fences = plan["geoFence"]["polygons"];
  ASSERT_EQ(fences.size(), 1U);
  EXPECT_EQ(fences[0]["inclusion"], false);
  EXPECT_EQ(fences[0]["polygon"],
            RouteJson({{47, -124.25}, {47, -124.0}, {47.5, -124.0}, {47.5, -124.25}}));
  const auto warnings = format_warnings(route_format("qgc-plan"), test::small_route(), {});
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0],
            "qgc-plan: 1 obstacle without a fence: they come and go, and fences stand still");
}

TEST(RouteFormats, QgcPlanMakesNoFenceAroundTheRouteItself) {
  Route route = test::small_route();
  const auto ring = [](double west, double south, double east, double north) {
    RouteObstacle::Ring corners;
    corners.places = {{west, south}, {east, south}, {east, north}, {west, north}};
    for (const auto& place : corners.places) {
      corners.corners.push_back({place.longitude * 111195, place.latitude * 111195});
    }
    return corners;
  };
  RouteObstacle coast;
  coast.outer = ring(-130, 40, -120, 55);
  coast.holes = {ring(-127, 46, -124, 49)};
  route.obstacles = {coast};
  EXPECT_THAT(RouteJson::parse(text_of("qgc-plan", route))["geoFence"]["polygons"], IsEmpty());
  EXPECT_THAT(format_warnings(route_format("qgc-plan"), route, {})[0],
              HasSubstr("the route lies inside"));
  // An obstacle with a lagoon that the route does not visit still has a fence.
  route.obstacles[0].outer = ring(-123, 40, -120, 55);
  route.obstacles[0].holes = {ring(-122, 46, -121, 49)};
  EXPECT_EQ(RouteJson::parse(text_of("qgc-plan", route))["geoFence"]["polygons"].size(), 1U);
}

TEST(RouteFormats, Rtz) {
  const std::string text = text_of("rtz", test::small_route(), {.file_name = "by hand"});
  EXPECT_THAT(text, HasSubstr("<route xmlns=\"http://www.cirm.org/RTZ/1/2\" version=\"1.2\">\n"
                              "  <routeInfo routeName=\"by hand\" routeAuthor=\"Tidewise 0.1.0\" "
                              "validityPeriodStart=\"2024-10-29T12:00:00Z\" "
                              "vesselSpeedMax=\"0.972\"/>\n"));
  EXPECT_THAT(text, HasSubstr("    <waypoint id=\"1\" revision=\"1\" name=\"START\">\n"
                              "      <position lat=\"47.25000000\" lon=\"-124.50000000\"/>\n"
                              "    </waypoint>\n"
                              "    <waypoint id=\"2\" revision=\"1\" name=\"WP1\">\n"
                              "      <position lat=\"47.50000000\" lon=\"-124.75000000\"/>\n"
                              "      <leg starboardXTD=\"0.27\" portsideXTD=\"0.27\" "
                              "geometryType=\"Orthodrome\"/>\n"));
  EXPECT_THAT(text, HasSubstr("<scheduleElement waypointId=\"1\" etd=\"2024-10-29T12:00:00Z\" "));
  // Programs that ignore extensions show notes.
  EXPECT_THAT(text, HasSubstr("0.625 m/s over ground. the median flight of mission washington. "
                              "By Tidewise"));
  EXPECT_THAT(text, HasSubstr("<scheduleElement waypointId=\"2\" eta=\"2024-10-29T13:30:00Z\" "
                              "etaWindowBefore=\"PT0H10M0S\" etaWindowAfter=\"P1DT1H1M1S\" "
                              "speed=\"1.215\" "));
}

TEST(RouteFormats, RtzWithoutDatesHasNoSchedule) {
  Route route = test::small_route();
  for (RouteWaypoint& waypoint : route.waypoints) waypoint.instant.reset();
  route.start.instant.reset();
  EXPECT_THAT(text_of("rtz", route), Not(HasSubstr("schedule")));
}

TEST(RouteFormats, RtzIsRejectedIfTooLarge) {
  const std::string message = format_error("rtz", route_of(3000));
  EXPECT_THAT(message, test::has_code("rtz_too_large"));
  // The suggested number of waypoints is accepted.
  const std::size_t suggested = std::stoul(message.substr(message.find("--waypoints ") + 12));
  EXPECT_GT(suggested, 500U);
  EXPECT_LE(text_of("rtz", route_of(suggested)).size(), 400U * 1024);
}

TEST(RouteFormats, Gpx) {
  const std::string text = text_of("gpx", test::small_route());
  EXPECT_THAT(text, HasSubstr("<gpx version=\"1.1\" creator=\"Tidewise 0.1.0\" "
                              "xmlns=\"http://www.topografix.com/GPX/1/1\">\n"));
  EXPECT_THAT(text,
              HasSubstr("    <rtept lat=\"47.50000000\" lon=\"-124.75000000\">\n"
                        "      <time>2024-10-29T13:30:00Z</time>\n"
                        "      <name>WP1</name>\n"
                        "      <desc>2024-10-29T13:30:00Z; next leg: 0.500 m/s through the "
                        "water, true course 300.2, 0.625 m/s over ground; 97.5 % of the "
                        "flights by waypoints come here, nine of ten of those that "
                        "arrive between 2024-10-29T13:20:00Z and 2024-10-30T14:31:01Z</desc>\n"));
  EXPECT_LT(text.find("<rte>"), text.find("<trk>"));
}

TEST(RouteFormats, KmlTracksHaveAllTimesFirst) {
  const std::string text = text_of("kml", test::small_route());
  EXPECT_THAT(text, HasSubstr("        <when>2024-10-29T15:00:00Z</when>\n"
                              "          <gx:coord>-124.50000000 47.25000000 0</gx:coord>\n"));
  EXPECT_THAT(text, HasSubstr("<TimeSpan>\n"));
  EXPECT_THAT(text, HasSubstr("<begin>2024-10-29T13:00:00Z</begin>\n"));
  EXPECT_THAT(text, HasSubstr("-124.25000000,47.00000000,0 -124.00000000,47.00000000,0 "
                              "-124.00000000,47.50000000,0 -124.25000000,47.50000000,0 "
                              "-124.25000000,47.00000000,0"));
}

TEST(RouteFormats, GeoJson) {
  const RouteJson json = RouteJson::parse(text_of("geojson", test::small_route()));
  const RouteJson& features = json["features"];
  ASSERT_EQ(features.size(), 1U + 3 + 2 + 2);
  EXPECT_EQ(features[0]["geometry"],
            RouteJson({{"type", "LineString"},
                       {"coordinates", {{-124.5, 47.25}, {-124.75, 47.5}, {-125.5, 48.0}}}}));
  EXPECT_EQ(features[0]["properties"]["datetimes"],
            RouteJson({"2024-10-29T12:00:00Z", "2024-10-29T13:30:00Z", "2024-10-29T15:00:00Z"}));
  EXPECT_EQ(features[0]["properties"]["coordinateProperties"]["times"],
            RouteJson({1730203200000, 1730208600000, 1730214000000}));
  EXPECT_EQ(features[0]["properties"]["worth"]["waypoints"]["arrival_rate"], 0.96);
  EXPECT_EQ(features[2]["properties"]["course_deg_true"], 300.25);
  EXPECT_EQ(features[2]["properties"]["eta_p95_utc"], "2024-10-30T14:31:01Z");
  EXPECT_TRUE(features[3]["properties"]["speed"].is_null());
  EXPECT_EQ(features[4]["properties"]["realization"], 17);
  EXPECT_EQ(features[5]["properties"]["outcome"], "obstacle");
  EXPECT_EQ(features[6]["geometry"]["coordinates"][0].size(), 5U);
  EXPECT_EQ(features[7]["properties"]["from_utc"], "2024-10-29T13:00:00Z");
}

TEST(RouteFormats, GeoJsonHas180OnlyOnCuts) {
  Route route = test::small_route();
  route.waypoints[0].place = GeographicPoint{180, 1};
  route.waypoints[1].place = GeographicPoint{179, 1};
  const RouteJson features = RouteJson::parse(text_of("geojson", route))["features"];
  EXPECT_EQ(features[1]["geometry"]["coordinates"], RouteJson({-180.0, 1.0}));
  EXPECT_EQ(features[0]["geometry"]["type"], "MultiLineString");
  EXPECT_EQ(features[0]["geometry"]["coordinates"][0][0], RouteJson({180.0, 1.0}));
}

TEST(RouteFormats, GeoJsonOfThePlaneNeedsNoDegrees) {
  Route route = test::small_route();
  for (RouteWaypoint& waypoint : route.waypoints) waypoint.place.reset();
  for (RouteTrack& track : route.tracks) {
    for (RoutePoint& point : track.points) point.place.reset();
  }
  for (RouteObstacle& obstacle : route.obstacles) obstacle.outer.places.clear();
  const RouteJson json = RouteJson::parse(text_of("geojson", route, {.frame = RouteFrame::plane}));
  EXPECT_EQ(json["coordinates_are"], "x and y of the environment's plane [m]");
  EXPECT_EQ(json["features"][0]["geometry"]["coordinates"][1],
            RouteJson({-124.75 * 111195, 47.5 * 111195}));
  EXPECT_EQ(json["features"].size(), 8U);
}

TEST(RouteFormats, RejectUnsuitableRoutes) {
  Route route = test::small_route();
  EXPECT_THAT(format_error("gpx", route, {.frame = RouteFrame::plane}),
              test::has_code("route_plane_not_held"));
  Route unplaced = route;
  unplaced.waypoints[1].place.reset();
  EXPECT_THAT(format_error("kml", unplaced),
              test::has_code("route_without_degrees", "with --plane"));
  EXPECT_THAT(format_error("csv", unplaced),
              test::has_code("route_without_degrees", "add --plane for x and y"));
  Route bare = route;
  bare.units = Units::nondimensional;
  for (const char* format : {"slocum", "seaglider", "moos", "qgc-wpl", "qgc-plan", "rtz"}) {
    EXPECT_THAT(format_error(format, bare), test::has_code("route_without_units")) << format;
  }
  Route point = route;
  point.waypoints.resize(1);
  for (const RouteFormat& format : route_formats()) {
    EXPECT_THAT(format_error(format.name, point), test::has_code("route_without_leg"))
        << format.name;
  }
  Route broken = route;
  broken.waypoints[1].place->latitude = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(text_of("gpx", broken), RunError);
  EXPECT_THROW(route_format("shp"), InputError);
}

TEST(RouteFormats, FileNamesFollowVehicleConventions) {
  const Route route = test::small_route();
  EXPECT_EQ(default_file_name(route_format("gpx"), route.name, {}), "washington.gpx");
  EXPECT_EQ(default_file_name(route_format("slocum"), route.name, {.list = 7}), "goto_l7.ma");
  EXPECT_EQ(default_file_name(route_format("seaglider"), route.name, {}), "targets");
  EXPECT_THROW(default_file_name(route_format("slocum"), route.name, {.list = 100}), InputError);
  EXPECT_THROW(default_file_name(route_format("slocum"), route.name, {.list = -1}), InputError);
}

TEST(RouteFormats, AreAsciiAndStateThatThereIsNoFeedback) {
  for (const Route& route : test::sample_routes()) {
    for (const RouteFormat& format : route_formats()) {
      std::string text;
      try {
        text = write_route(format, route, {.any_number = true});
      } catch (const InputError&) {
        continue;
      }
      SCOPED_TRACE(std::string(format.name) + " of " + route.name);
      for (const char c : text) {
        const bool plain = (c >= ' ' && c <= '~') || c == '\n' || c == '\t';
        ASSERT_TRUE(plain) << static_cast<int>(static_cast<unsigned char>(c));
      }
      EXPECT_EQ(text.back(), '\n');
      // These two formats have no comments.
      if (format.name == "csv" || format.name == "qgc-wpl") continue;
      std::string unwrapped;
      for (const char c : text) unwrapped += c == '\n' || c == '#' || c == '/' ? ' ' : c;
      EXPECT_THAT(unwrapped, HasSubstr("A route has no feedback"));
      EXPECT_THAT(unwrapped, HasSubstr("flown by waypoints 96 % arrive, by the policy 99 %"));
    }
  }
}

}  // namespace
}  // namespace tidewise
