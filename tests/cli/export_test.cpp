// Exports routes of runs to files by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/hdf5/file.h"
#include "output/run/policy_file.h"
#include "output/run/trajectory_reader.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Export : public test::SmallGyreFixture {
 protected:
  /// A run in the folder "flow", of 60 flights through a small gyre.
  Export() {
    make_gyre("gyre.h5");
    write_mission("gyre.h5", "flow", 2);
  }
  void plan(const std::vector<std::string>& settings = {}) const {
    std::vector<std::string> words{"plan", "m.toml", "-q", "--overwrite", "--baselines", "none"};
    words.insert(words.end(), settings.begin(), settings.end());
    if (!settings.empty()) {
      run(words);
    } else {
      make_once("export", [&] { run(words); });
    }
  }
  /// Returns the rows of a CSV file without comment lines, beginning with the header.
  std::vector<std::vector<std::string>> table(const std::string& file) const {
    std::vector<std::vector<std::string>> rows;
    std::ifstream lines(folder_ / file);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#')) continue;
      std::vector<std::string> words;
      std::stringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) words.push_back(cell);
      rows.push_back(words);
    }
    return rows;
  }
  static double number(const std::string& text) { return std::stod(text); }
};

TEST_F(Export, WritesWaypointsFromStartToTarget) {
  plan();
  const auto report = run({"export", "flow", "--format", "csv", "--plane"});
  EXPECT_THAT(report.output, HasSubstr("waypoints of the median flight of realization"));
  EXPECT_THAT(report.output, HasSubstr("waypoints flown without the policy, 60 realizations: "));
  EXPECT_THAT(report.output, HasSubstr("the policy in the same realizations: "));
  EXPECT_THAT(report.output, HasSubstr("written flow/export/flow.csv"));
  const auto rows = table("flow/export/flow.csv");
  ASSERT_GE(rows.size(), 3u);
  EXPECT_EQ(rows[0][1], "x");
  EXPECT_EQ(rows[1][0], "START");
  EXPECT_EQ(number(rows[1][1]), 15.5);
  EXPECT_EQ(number(rows[1][2]), 6.5);
  EXPECT_EQ(rows.back()[0], "TARGET");
  EXPECT_EQ(number(rows.back()[1]), 15.5);
  EXPECT_EQ(number(rows.back()[2]), 24.5);
  EXPECT_GT(number(rows.back()[3]), number(rows[1][3]));
}

/// Times are those of vehicles that follow the waypoints.
TEST_F(Export, WritesIncreasingTimesWithinTheirWindows) {
  plan();
  for (const char* tolerance : {"0.05", "1", "1000"}) {
    run({"export", "flow", "--format", "geojson", "--plane", "--tolerance", tolerance, "--out",
         "r.geojson", "-q"});
    const json features = json::parse(std::ifstream(folder_ / "r.geojson"))["features"];
    const json waypoint_results = features[0]["properties"]["worth"]["waypoints"];
    double previous = 0;
    double last = 0;
    double departure = 0;
    for (const json& feature : features) {
      const json& waypoint = feature["properties"];
      if (waypoint["kind"] != "waypoint") continue;
      last = waypoint["time"];
      EXPECT_GE(last, previous) << waypoint;
      previous = last;
      if (waypoint["name"] == "START") {
        departure = last;
        continue;
      }
      EXPECT_LE(waypoint["time_p05"].get<double>(), last) << waypoint;
      EXPECT_GE(waypoint["time_p95"].get<double>(), last) << waypoint;
    }
    // Flights end at the edge of the target, but its waypoint has the time at the centre.
    const double radius = features[0]["properties"]["arrival_radius"];
    const double speed = features[0]["properties"]["vehicle_speed"];
    EXPECT_GT(last - departure, waypoint_results["time"]["p50"].get<double>());
    EXPECT_LT(last - departure, waypoint_results["time"]["p50"].get<double>() + 2 * radius / speed);
  }
}

TEST_F(Export, OmitsWaypointsReachedAtTheStart) {
  plan();
  const auto count = [&](const std::string& radius) {
    const auto report = run({"export", "flow", "--format", "csv", "--plane", "--tolerance", "0.05",
                             "--capture-radius", radius, "--out", "r.csv"});
    const auto rows = table("r.csv");
    const double first_distance = std::hypot(number(rows[2][1]) - 15.5, number(rows[2][2]) - 6.5);
    EXPECT_GT(first_distance, number(radius)) << "the first one to go to";
    EXPECT_EQ(report.output.find("left out as the start") != std::string::npos, radius != "0.01");
    return rows.size();
  };
  EXPECT_LT(count("3"), count("0.01"));
}

TEST_F(Export, WritesAllFormatsOrNone) {
  plan();
  // The policy could be exported, but not the route.
  EXPECT_THAT(refused({"export", "flow", "--format", "policy,gpx"}),
              test::has_code("route_format_not_possible", "gpx"));
  EXPECT_THAT(refused({"export", "flow", "--format", "policy,csv", "--plane", "--route", "60",
                       "--out", "new/folder"}),
              test::has_code("route_realization_not_flown", "59"));
  run({"export", "flow", "--format", "policy,csv", "--plane", "--out", "new/folder", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "new/folder/policy.twp"));
  EXPECT_TRUE(fs::exists(folder_ / "new/folder/flow.csv"));
}

TEST_F(Export, WaypointsLieOnTheFlightWithinTheTolerance) {
  plan();
  const PolicyFile policy(folder_ / "flow" / "policy.h5");
  const TrajectoryReader flights(folder_ / "flow" / "trajectories.nc", policy.grid(),
                                 policy.time());
  const auto x = flights.read("x");
  const auto y = flights.read("y");
  const auto flight_of = [&](std::int32_t realization) {
    const auto& all = flights.realization();
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), realization) - all.begin());
  };
  for (const double tolerance : {0.02, 0.3, 2.0}) {
    run({"export", "flow", "--format", "csv", "--plane", "--route", "7", "--tolerance",
         std::to_string(tolerance), "--capture-radius", "0.01", "--out", "r.csv", "-q"});
    const auto rows = table("r.csv");
    const std::size_t n = flight_of(7);
    double farthest = 0;
    // The last waypoint is the target's centre, not the end of the flight.
    for (std::size_t m = 0; m + 1 < flights.point_count()[n]; ++m) {
      const double px = x[n * flights.max_points() + m];
      const double py = y[n * flights.max_points() + m];
      double nearest = 1e9;
      for (std::size_t leg = 1; leg + 1 < rows.size(); ++leg) {
        const double ax = number(rows[leg][1]), ay = number(rows[leg][2]);
        const double bx = number(rows[leg + 1][1]), by = number(rows[leg + 1][2]);
        const double length = std::hypot(bx - ax, by - ay);
        const double share = std::clamp(
            ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / (length * length), 0.0, 1.0);
        nearest =
            std::min(nearest, std::hypot(ax + share * (bx - ax) - px, ay + share * (by - ay) - py));
      }
      farthest = std::max(farthest, nearest);
    }
    EXPECT_LE(farthest, tolerance + 1e-5);
  }
}

TEST_F(Export, WritesTheRequestedNumberOfWaypoints) {
  plan();
  run({"export", "flow", "--format", "csv", "--plane", "--tolerance", "0.05", "--capture-radius",
       "0.01", "--out", "many.csv", "-q"});
  const std::size_t many = table("many.csv").size() - 2;  // header and start
  ASSERT_GT(many, 5u);
  run({"export", "flow", "--format", "csv", "--plane", "--waypoints", "5", "--out", "five.csv",
       "-q"});
  EXPECT_LE(table("five.csv").size() - 2, 5u);
  const std::string refusal = refused(
      {"export", "flow", "--format", "csv", "--plane", "--waypoints", "2", "--tolerance", "0.05"});
  EXPECT_THAT(refusal, test::has_code("waypoints_too_few_for_tolerance", "2"));
  EXPECT_THAT(refusal, HasSubstr(std::to_string(many)));
  // The number that the error recommends is sufficient.
  run({"export", "flow", "--format", "csv", "--plane", "--waypoints", std::to_string(many),
       "--tolerance", "0.05", "--capture-radius", "0.01", "--out", "again.csv", "-q"});
  EXPECT_EQ(table("again.csv"), table("many.csv"));
}

TEST_F(Export, SimulatesThePolicyIfThereAreNoFlights) {
  plan();
  run({"export", "flow", "--format", "csv", "--plane", "--out", "a.csv", "-q"});
  plan({"--set", "rollout.mode=none"});
  ASSERT_FALSE(fs::exists(folder_ / "flow" / "trajectories.nc"));
  run({"export", "flow", "--format", "csv", "--plane", "--out", "b.csv", "-q"});
  EXPECT_EQ(table("a.csv"), table("b.csv"));
  plan({"--set", "rollout.mode=chain"});
  run({"export", "flow", "--format", "csv", "--plane", "--out", "c.csv", "-q"});
  EXPECT_EQ(table("a.csv"), table("c.csv"));
}

TEST_F(Export, WritesARouteOfAnotherRollout) {
  plan();
  run({"rollout", "flow", "--at-xy", "12.5,10.5", "--time", "4", "--out", "later", "-q"});
  run({"export", "later", "--format", "csv", "--plane", "-q"});
  const auto rows = table("later/export/later.csv");
  EXPECT_EQ(number(rows[1][1]), 12.5);
  EXPECT_EQ(number(rows[1][3]), 4);
  EXPECT_THAT(refused({"export", "later", "--format", "csv", "--plane", "--route", "nominal"}),
              test::has_code("flights_without_policy"));
}

TEST_F(Export, WritesFlightsOfAnEnsemble) {
  plan();
  const auto tracks = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{"export",  "flow",  "--format", "geojson",
                                   "--plane", "--out", "e.json",   "-q"};
    words.insert(words.end(), options.begin(), options.end());
    run(words);
    const json map = json::parse(std::ifstream(folder_ / "e.json"));
    return std::count_if(map["features"].begin(), map["features"].end(), [](const json& feature) {
      const std::string type = feature["geometry"]["type"];
      return type == "LineString" || type == "MultiLineString";
    });
  };
  const auto route_only = tracks({});
  EXPECT_EQ(tracks({"--ensemble", "400"}), route_only + 59);
  const auto thinned = tracks({"--ensemble", "7"});
  EXPECT_GE(thinned, route_only + 6);
  EXPECT_LE(thinned, route_only + 7);
}

TEST_F(Export, WritesTheFormatsOfTheMission) {
  plan({"--set", "output.formats=[\"netcdf\", \"csv\", \"geojson\"]"});
  const auto rows = table("flow/export/flow.csv");
  EXPECT_TRUE(fs::exists(folder_ / "flow" / "export" / "flow.geojson"));
  EXPECT_EQ(summary("flow")["mission"]["output"]["formats"], json({"netcdf", "csv", "geojson"}));
  run({"export", "flow", "--format", "csv", "--plane", "--out", "own.csv", "-q"});
  EXPECT_EQ(table("own.csv"), rows);
  // Formats are validated before the mission is solved.
  EXPECT_THAT(
      refused({"plan", "m.toml", "--out", "never", "--set", "output.formats=[\"gpx\"]"}),
      testing::AllOf(test::has_code("format_needs_degrees", "output.formats"), HasSubstr("gpx")));
}

TEST_F(Export, WritesRoutesOfAllMissionsOfABatch) {
  std::ofstream(folder_ / "b.toml") << R"([batch]
mission = "m.toml"
directory = "many"
[vary]
mission.departure = [0, 2]
mission.target = [[15.5, 24.5], [14.5, 22.5]]
)";
  run({"batch", "b.toml", "--set", "output.formats=[\"csv\"]", "-q"});
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "many")) {
    if (entry.path().extension() != ".csv" || entry.path().parent_path().filename() != "export") {
      continue;
    }
    ++count;
    const fs::path mission = entry.path().parent_path().parent_path();
    EXPECT_EQ(entry.path().stem(), mission.filename());
  }
  EXPECT_EQ(count, 4u);
}

TEST_F(Export, RejectsBadInputInOneLine) {
  plan();
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"export", "flow"});
    return refused(words);
  };
  EXPECT_THAT(refusal({"--format", "gpz"}), test::has_code("route_format_unknown", "gpz"));
  EXPECT_THAT(refusal({"--format", "gpx"}), test::has_code("route_format_not_possible"));
  EXPECT_THAT(refusal({"--format", "csv"}), test::has_code("route_format_not_possible"));
  EXPECT_THAT(refusal({"--format", "gpx", "--plane"}), test::has_code("route_format_not_possible"));
  const auto plane = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"--format", "csv", "--plane"});
    return refusal(words);
  };
  EXPECT_THAT(plane({"--route", "60"}), test::has_code("route_realization_not_flown", "59"));
  EXPECT_THAT(plane({"--route", "first"}), test::has_code("route_invalid"));
  EXPECT_THAT(plane({"--waypoints", "0"}), test::has_code("count_too_small", "1"));
  EXPECT_THAT(plane({"--tolerance", "-1"}),
              testing::AllOf(test::has_code("export_length_invalid", "--tolerance"),
                             testing::HasSubstr("-1")));
  EXPECT_THAT(plane({"--capture-radius", "0"}), test::has_code("export_length_invalid", "above 0"));
  EXPECT_THAT(plane({"--ensemble", "0"}), test::has_code("count_too_small", "1"));
  EXPECT_THAT(plane({"--ensemble", "9"}), test::has_code("format_without_flights", "geojson"));
  EXPECT_THAT(plane({"--out", "/dev/null/file.csv"}), test::has_code("output_folder_not_folder"));
  EXPECT_THAT(refused({"export", "nowhere", "--format", "csv"}), test::has_code("run_missing"));
}

TEST_F(Export, RejectsFailedFlights) {
  // No flight can arrive within this horizon.
  plan({"--set", "mission.horizon=6"});
  ASSERT_EQ(summary("flow")["rollout"]["arrival_rate"], 0);
  EXPECT_THAT(refused({"export", "flow", "--format", "csv", "--plane"}),
              test::has_code("route_without_arrivals"));
  EXPECT_THAT(refused({"export", "flow", "--format", "csv", "--plane", "--route", "3"}),
              test::has_code("route_flight_fails", "realization"));
  // The plan succeeds with a warning.
  plan({"--set", "mission.horizon=6", "--set", "output.formats=[\"csv\"]"});
  EXPECT_THAT(summary("flow")["warnings"].dump(), HasSubstr("nothing was exported"));
  EXPECT_FALSE(fs::exists(folder_ / "flow" / "export"));
}

TEST_F(Export, RejectsFlightsOfAnotherMissionOrEnvironment) {
  plan();
  fs::copy(folder_ / "flow", folder_ / "mixed", fs::copy_options::recursive);
  plan({"--set", "mission.start=[14.5, 7.5]"});
  fs::copy_file(folder_ / "flow" / "trajectories.nc", folder_ / "mixed" / "trajectories.nc",
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(refused({"export", "mixed", "--format", "csv", "--plane"}),
              test::has_code("trajectories_of_other_mission"));
  run({"env", "double-gyre", "--out", "gyre.h5", "--nx", "30", "--ny", "30", "--nt", "45",
       "--modes", "2", "--realizations", "60", "-q"});
  EXPECT_THAT(refused({"export", "flow", "--format", "csv", "--plane"}),
              test::has_code("environment_changed"));
}

}  // namespace
}  // namespace tidewise
