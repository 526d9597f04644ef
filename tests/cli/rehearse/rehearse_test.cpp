// Tests of 'tidewise rehearse', which simulates a run's policy through the source files of its
// environment.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/error_code.h"
#include "support/ocean/dive_columns.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/program_fixture.h"
#include "support/shared_data.h"

namespace tidewise {
namespace {

using nlohmann::json;
using test::SmallForecast;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Rehearse : public test::ProgramFixture {
 protected:
  /// Makes a forecast of three members with different eastward flows, on 5 × 4 points one degree
  /// apart.
  Rehearse() {
    forecast.u = [](double, double lat, double, int member) {
      return 0.3 + 0.05 * (lat - 41) + 0.1 * member;
    };
    forecast.v = [](double lon, double, double hours, int member) {
      return 0.05 * (lon + 8) + 0.002 * hours * (member - 1);
    };
    forecast.hour = {0, 6, 12, 18, 24, 30, 36, 42, 48};
  }

  void write_mission(const std::string& lines = "") const {
    std::ofstream(folder_ / "m.toml") << "[environment]\nfile = \"env.h5\"\n"
                                         "[vehicle]\nspeeds = [1.0]\nheadings = 32\n"
                                         "[mission]\nstart_lonlat = [-8.5, 41.0]\n"
                                         "target_lonlat = [-7.5, 41.7]\ntarget_radius = 5000.0\n"
                                      << lines << "[rollout]\nbaselines = \"none\"\n";
  }
  /// Writes source.nc, imports it and plans a mission of about 80 km into `run`. Returns the output
  /// of plan.
  std::string plan(const std::vector<std::string>& import = {}) const {
    forecast.write(folder_ / "source.nc");
    std::vector<std::string> words{"env",    "import",    "source.nc", "--out",
                                   "env.h5", "--spacing", "5km",       "-q"};
    words.insert(words.end(), import.begin(), import.end());
    run(words);
    write_mission();
    return run({"plan", "m.toml", "--out", "run", "--overwrite", "-q", "--details"}).output;
  }
  json rehearse(std::vector<std::string> options = {"--source", "source.nc"}) const {
    options.insert(options.begin(), {"rehearse", "run", "--json", "-q"});
    return json::parse(run(options).output);
  }
  std::string refusal_of(const std::string& source) const {
    return refused({"rehearse", "run", "--source", source, "-q"});
  }

  SmallForecast forecast;
};

TEST_F(Rehearse, ComparesFlightsWithMembersOfTheFiles) {
  EXPECT_THAT(plan(), HasSubstr("to rehearse     tidewise rehearse run --source source.nc\n"));
  const json found = rehearse();
  EXPECT_GT(found["promise"]["arrival_rate"], 0.99);
  EXPECT_EQ(found["rehearsal"]["arrival_rate"], 1.0);
  ASSERT_EQ(found["members"].size(), 3U);
  for (const json& member : found["members"]) {
    EXPECT_EQ(member["rehearsal"]["outcome"], "arrived");
    EXPECT_LT(std::abs(member["time_off"].get<double>()), 0.02) << member;
  }
  // The members have different flows.
  EXPECT_GT(found["members"][0]["rehearsal"]["time"].get<double>(),
            1.05 * found["members"][2]["rehearsal"]["time"].get<double>());
  EXPECT_TRUE(found["warnings"].empty()) << found["warnings"];
  const std::string table = run({"rehearse", "run", "--source", "source.nc", "-q"}).output;
  EXPECT_THAT(table, ContainsRegex("predicted +flights +rehearsal +flights off by"));
  EXPECT_THAT(table, ContainsRegex("member 2 +[0-9.]+ h +[0-9.]+ h +[-+][0-9.]+ %\n"));
  EXPECT_THAT(table, HasSubstr("3 of 3 end alike; where both arrive"));
}

TEST_F(Rehearse, DrawsFlightsAndRehearsalOnOneMap) {
  plan();
  run({"rehearse", "run", "--source", "source.nc", "-q"});
  const json map = json::parse(std::ifstream(folder_ / "run/rehearsal.geojson"));
  std::map<std::string, int> kinds;
  for (const json& feature : map["features"]) {
    const json& properties = feature["properties"];
    ++kinds[properties["kind"]];
    if (feature["geometry"]["type"] != "LineString") continue;
    const json& line = feature["geometry"]["coordinates"];
    EXPECT_EQ(line.size(), properties["datetimes"].size());
    EXPECT_NEAR(line.front()[0].get<double>(), -8.5, 1e-3);
    EXPECT_NEAR(line.back()[1].get<double>(), 41.7, 0.06);
    EXPECT_EQ(properties["datetimes"][0], "2024-10-28T00:00:00Z");
  }
  EXPECT_EQ(kinds, (std::map<std::string, int>{
                       {"flight", 3}, {"rehearsal", 3}, {"start", 1}, {"target", 1}}));
  run({"rehearse", "run/policy.h5", "--source", "source.nc", "--out", "other.geojson", "-q"});
  EXPECT_TRUE(std::filesystem::exists(folder_ / "other.geojson"));
}

/// Each member is in a separate file. The members are in the order of the import, whatever the
/// order of --source.
TEST_F(Rehearse, SimulatesMembersInSeparateFiles) {
  const auto write = [&](int member, bool is_numbered) {
    SmallForecast member_forecast = forecast;
    member_forecast.members = 0;
    member_forecast.u = [=, this](double lon, double lat, double hour, int) {
      return forecast.u(lon, lat, hour, member);
    };
    member_forecast.v = [=, this](double lon, double lat, double hour, int) {
      return forecast.v(lon, lat, hour, member);
    };
    test::NetcdfFixture fixture = member_forecast.fixture();
    if (is_numbered)
      fixture.variables.push_back({"realization", NC_INT, {}, {5.0 + member}, {}, {}});
    fixture.write(folder_ / ("m" + std::to_string(member) + ".nc"));
  };
  for (const bool is_numbered : {true, false}) {
    for (const int member : {0, 1, 2}) write(member, is_numbered);
    EXPECT_THAT(
        run({"env", "import", "m0.nc", "m1.nc", "m2.nc", "--out", "env.h5", "--spacing", "5km"})
            .output,
        HasSubstr(is_numbered ? "3 members of the forecast's own ensemble (variable "
                                "realization of 3 files: 5, 6, 7)"
                              : "3 members of the forecast's own ensemble (3 files of the "
                                "same times and different values)"));
    write_mission();
    run({"plan", "m.toml", "--out", is_numbered ? "numbered" : "run", "-q"});
    const json result = json::parse(run({"rehearse", is_numbered ? "numbered" : "run", "--json",
                                         "-q", "--source", "m2.nc", "m0.nc", "m1.nc"})
                                        .output);
    ASSERT_EQ(result["members"].size(), 3U);
    EXPECT_EQ(result["members"][0]["name"], is_numbered ? "member 5" : "member 0");
    for (const json& member : result["members"]) {
      EXPECT_LT(std::abs(member["time_off"].get<double>()), 0.02) << member;
    }
    EXPECT_GT(result["members"][0]["rehearsal"]["time"].get<double>(),
              1.05 * result["members"][2]["rehearsal"]["time"].get<double>());
  }
}

/// Each shift of the forecast is a member, in the order of the realizations.
TEST_F(Rehearse, ShiftsTheForecastLikeLaggedMembers) {
  forecast.members = 0;
  forecast.u = [](double, double, double hours, int) { return 0.3 + 0.01 * hours; };
  plan({"--lagged", "1"});
  const json result = rehearse();
  ASSERT_EQ(result["members"].size(), 3U);
  EXPECT_EQ(result["members"][0]["name"], "6 h earlier");
  EXPECT_EQ(result["members"][1]["name"], "the forecast");
  EXPECT_EQ(result["members"][2]["name"], "6 h later");
  for (const json& member : result["members"]) {
    EXPECT_LT(std::abs(member["time_off"].get<double>()), 0.02) << member;
  }
  EXPECT_GT(result["members"][0]["rehearsal"]["time"], result["members"][2]["rehearsal"]["time"]);
}

/// Drawn realizations do not correspond to members, and are only compared as a whole.
TEST_F(Rehearse, ComparesDrawnRealizationsAsAWhole) {
  plan({"--realizations", "40"});
  const json result = rehearse();
  ASSERT_EQ(result["members"].size(), 3U);
  EXPECT_FALSE(result["members"][0].contains("flight"));
  EXPECT_EQ(result["flights"]["arrival_rate"], 1.0);
}

/// The rehearsal uses the options of the import: names of variables with their files, and the
/// depth.
TEST_F(Rehearse, ReadsTheSourceAsTheImportDid) {
  forecast.depth = {0, 30};
  forecast.u_name = "across the sea";
  forecast.write(folder_ / "the source.nc");
  run({"env", "import", "--u", "the source.nc:across the sea", "--v", "the source.nc:vo", "--depth",
       "1", "--out", "env.h5", "--spacing", "5km", "-q"});
  write_mission();
  EXPECT_THAT(run({"plan", "m.toml", "--out", "run", "--overwrite", "-q", "--details"}).output,
              HasSubstr("--source 'the source.nc'\n"));
  for (const json& member : rehearse({"--source", "the source.nc"})["members"]) {
    EXPECT_LT(std::abs(member["time_off"].get<double>()), 0.02) << member;
  }
}

/// Means with times at the beginning of their intervals give the same flights as means with times
/// in the middle.
TEST_F(Rehearse, PlacesMeansAtTheMiddleOfTheirIntervals) {
  forecast.members = 0;
  forecast.u = [](double, double, double hours, int) { return 0.2 + 0.02 * hours; };
  plan();
  const json centred = rehearse();
  ASSERT_EQ(centred["rehearsal"]["arrival_rate"], 1.0);

  test::NetcdfFixture means = forecast.fixture();
  std::vector<double> bounds;
  for (double& hour : means.variable("time").values) {
    hour -= 3;
    bounds.insert(bounds.end(), {hour, hour + 6});
  }
  means.dimensions.emplace_back("nv", 2);
  means.variables.push_back({"span", NC_DOUBLE, {"time", "nv"}, bounds, {}, {}});
  means.variable("time").texts.emplace_back("bounds", "span");
  for (const char* name : {"uo", "vo"}) {
    means.variable(name).texts.emplace_back("cell_methods", "time: mean");
  }
  means.write(folder_ / "means.nc");
  const json result = rehearse({"--source", "means.nc"});
  EXPECT_EQ(result["members"][0]["rehearsal"]["time"], centred["members"][0]["rehearsal"]["time"]);
  EXPECT_EQ(result["rehearsal"], centred["rehearsal"]);
  run({"env", "import", "means.nc", "--out", "means.h5", "--spacing", "5km", "-q"});
  EXPECT_THAT(run({"env", "info", "means.h5"}).output, HasSubstr("2024-10-28T00:00:00"));
}

/// --sample and --vehicle-speed are part of the history.
TEST_F(Rehearse, HandlesLevelsOfInstantaneousFlow) {
  plan({"--sample", "begin", "--vehicle-speed", "1"});
  EXPECT_EQ(rehearse()["members"].size(), 3U);
  EXPECT_THAT(refused({"env", "import", "source.nc", "--out", "other.h5", "--sample", "end"}),
              testing::AllOf(test::has_code("option_value_invalid", "mean or begin"),
                             testing::HasSubstr("--sample")));
  EXPECT_THAT(refused({"env", "import", "source.nc", "--out", "other.h5", "--vehicle-speed", "0"}),
              test::has_code("import_option_invalid", "--vehicle-speed"));
}

/// A zone of the mission also ends flights through the source, although land is that of the source.
/// The flow is faster than the vehicle.
TEST_F(Rehearse, EndsInZonesOfTheMission) {
  forecast.u = [](double, double, double, int) { return 3.0; };
  forecast.write(folder_ / "source.nc");
  run({"env", "import", "source.nc", "--out", "env.h5", "--spacing", "5km", "-q"});
  write_mission();
  std::ofstream(folder_ / "m.toml", std::ios::app)
      << "[[mission.no_go]]\n"
         "polygon_lonlat = [[-8.1, 39.0], [-7.9, 39.0], [-7.9, 44.0], [-8.1, 44.0]]\n";
  run({"plan", "m.toml", "--out", "run", "--overwrite", "-q"});
  for (const json& member : rehearse()["members"]) {
    EXPECT_EQ(member["flight"]["outcome"], "obstacle");
    EXPECT_EQ(member["rehearsal"]["outcome"], "obstacle");
    EXPECT_NEAR(member["end"]["lon"].get<double>(), -8.1, 0.08);  // within a cell and ten minutes
  }
  const std::string table = run({"rehearse", "run", "--source", "source.nc", "-q"}).output;
  EXPECT_THAT(table, ContainsRegex("after, on average +– +– +–\n"));
  EXPECT_THAT(table, ContainsRegex("member 0 +obstacle +obstacle\n"));
  EXPECT_THAT(table, HasSubstr("3 of 3 end alike\n"));
}

/// The files may be in any order, but none may be missing.
TEST_F(Rehearse, RequiresAllFilesAlongTime) {
  const auto hours = forecast.hour;
  forecast.hour.assign(hours.begin(), hours.begin() + 4);
  forecast.write(folder_ / "monday.nc");
  forecast.hour.assign(hours.begin() + 4, hours.end());
  forecast.write(folder_ / "tuesday.nc");
  run({"env", "import", "monday.nc", "tuesday.nc", "--out", "env.h5", "--spacing", "5km", "-q"});
  write_mission();
  EXPECT_THAT(run({"plan", "m.toml", "--out", "run", "--overwrite", "-q", "--details"}).output,
              HasSubstr("tidewise rehearse run --source monday.nc tuesday.nc\n"));
  for (const json& member : rehearse({"--source", "tuesday.nc", "monday.nc"})["members"]) {
    EXPECT_LT(std::abs(member["time_off"].get<double>()), 0.02) << member;
  }
  EXPECT_THAT(refusal_of("monday.nc"),
              test::has_code("rehearsal_times_outside", "monday.nc, tuesday.nc"));
}

/// In a tidal flow, steps that are too long cause a warning. The shorter steps that it recommends
/// cause none.
TEST_F(Rehearse, WarnsIfFlightsDifferFromTheRehearsal) {
  forecast.members = 0;
  forecast.hour.clear();
  for (int n = 0; n <= 24; ++n) forecast.hour.push_back(3 * n);
  forecast.u = [](double, double, double hours, int) { return 0.8 * std::cos(hours * 0.5); };
  forecast.v = [](double, double lat, double hours, int) {
    return 0.8 * std::sin(hours * 0.5) + 0.5 * (lat - 41);
  };
  plan({"--step", "12h"});
  const auto result = run({"rehearse", "run", "--source", "source.nc"});
  EXPECT_THAT(result.errors,
              HasSubstr("use the rehearsal's figures; a shorter --step and --spacing"));
  EXPECT_THAT(result.errors, HasSubstr("(the forecast: flight arrives after "));
  plan({"--step", "1h"});
  EXPECT_THAT(run({"rehearse", "run", "--source", "source.nc"}).errors, Not(HasSubstr("warning")));
}

/// The mean of flights with errors may differ from the flight in the forecast, which has no error.
TEST_F(Rehearse, AcceptsAForecastAmongFlightsWithAddedErrors) {
  forecast.members = 0;
  plan({"--step", "1h", "--error-rms", "0.3m/s", "--error-length", "20km", "--error-time", "12h",
        "--realizations", "40"});
  const auto result = run({"rehearse", "run", "--source", "source.nc"});
  EXPECT_THAT(result.errors, Not(HasSubstr("use the rehearsal's figures")));
}

TEST_F(Rehearse, ReportsOtherSourceFiles) {
  plan();
  std::filesystem::rename(folder_ / "source.nc", folder_ / "newer.nc");
  const json result = rehearse({"--source", "newer.nc"});
  ASSERT_EQ(result["warnings"].size(), 1U);
  EXPECT_THAT(result["warnings"][0].get<std::string>(),
              HasSubstr("the environment was made from source.nc, and the rehearsal uses "
                        "newer.nc"));
}

TEST_F(Rehearse, RefusesAnotherForecastInOneLine) {
  plan();
  SmallForecast other = forecast;
  other.members = 2;
  other.write(folder_ / "fewer.nc");
  EXPECT_THAT(refusal_of("fewer.nc"),
              testing::AllOf(test::has_code("rehearsal_members_differ", "fewer.nc"),
                             HasSubstr("env.h5"), HasSubstr("source.nc")));
  other = forecast;
  for (double& hour : other.hour) hour += 240;
  other.write(folder_ / "later.nc");
  EXPECT_THAT(refusal_of("later.nc"), test::has_code("rehearsal_times_outside"));
  other = forecast;
  other.hour.resize(4);
  other.write(folder_ / "half.nc");
  EXPECT_THAT(refusal_of("half.nc"),
              testing::AllOf(test::has_code("rehearsal_times_outside", "2024-10-28T00:00:00Z"),
                             testing::HasSubstr("2024-10-28T18")));
  other = forecast;
  for (double& longitude : other.longitude) longitude += 40;
  other.write(folder_ / "elsewhere.nc");
  EXPECT_THAT(refusal_of("elsewhere.nc"),
              test::has_code("rehearsal_place_outside", "elsewhere.nc"));
  other = forecast;
  other.u_name = "salt";
  other.v_name = "heat";
  other.write(folder_ / "salt.nc");
  const std::string salt = refusal_of("salt.nc");
  EXPECT_THAT(salt, test::has_code("rehearsal_source_unusable", "salt.nc"));
  EXPECT_THAT(salt, Not(HasSubstr("--u")));  // rehearse has no such option
}

TEST_F(Rehearse, RejectsBadInputInOneLine) {
  plan();
  EXPECT_THAT(refusal_of("nothing.nc"), test::has_code("file_missing", "nothing.nc"));
  EXPECT_THAT(refusal_of("m.toml"), test::has_code("rehearsal_source_unusable", "m.toml"));
  EXPECT_THAT(refusal_of("run"), test::has_code("file_is_folder", "run"));
  EXPECT_THAT(refused({"rehearse", "run", "-q"}),
              test::has_code("command_line_invalid", "--source is required"));
  EXPECT_THAT(refused({"rehearse", "no_run", "--source", "source.nc"}),
              test::has_code("run_missing", "no_run"));
  EXPECT_THAT(
      refused({"rehearse", "run", "--source", "source.nc", "--out", "/dev/null/map.geojson"}),
      test::has_code("output_folder_not_folder", "/dev/null/map.geojson"));
  for (const char* file : {"source.nc", "run/policy.h5", "env.h5"}) {
    EXPECT_THAT(refused({"rehearse", "run", "--source", "source.nc", "--out", file}),
                test::has_code("output_is_input"));
  }
  EXPECT_THAT(refused({"rehearse", "run", "--source", "source.nc", "--step", "6h"}),
              test::has_code("rehearsal_step_invalid"));
  EXPECT_THAT(refused({"rehearse", "run", "--source", "source.nc", "--threads", "0"}),
              test::has_code("count_too_small", "0"));
  EXPECT_THAT(refused({"rehearse", "run", "--source", "source.nc", "--threads", "1000"}),
              test::has_code("too_many_threads", "--threads 1000"));
  // Opening a pipe would block.
  std::filesystem::remove(folder_ / "run/summary.json");
  ASSERT_EQ(mkfifo((folder_ / "run/summary.json").c_str(), 0600), 0);
  EXPECT_THAT(refusal_of("source.nc"), test::has_code("file_not_regular", "summary.json"));
  std::filesystem::remove(folder_ / "run/summary.json");
  run({"env", "double-gyre", "--out", "env.h5", "--nx", "30", "--ny", "30", "--nt", "45", "--modes",
       "2", "--realizations", "5", "-q"});
  std::ofstream(folder_ / "gyre.toml")
      << "[environment]\nfile = \"env.h5\"\n[vehicle]\nspeeds = [1.6]\nheadings = 8\n"
         "[mission]\nstart = [15.5, 6.5]\ntarget = [15.5, 24.5]\n";
  EXPECT_THAT(run({"plan", "gyre.toml", "--out", "run", "--overwrite", "-q"}).output,
              Not(HasSubstr("to rehearse")));
  EXPECT_THAT(refusal_of("source.nc"), test::has_code("rehearsal_needs_import", "env.h5"));
}

/// A float drifts away at 0.1, 0.2 or 0.3 m/s for two days, and leaves a circle of 10 km after
/// 27.8, 13.9 or 9.3 h.
TEST_F(Rehearse, MeasuresHowLongAVehicleStays) {
  forecast.u = [](double, double, double, int member) { return 0.1 + 0.1 * member; };
  forecast.v = [](double, double, double, int) { return 0.0; };
  plan({"--step", "1h"});
  const auto plan_stay = [&](const std::string& target) {
    std::ofstream(folder_ / "m.toml")
        << "[environment]\nfile = \"env.h5\"\n[vehicle]\nspeeds = [0.0]\nheadings = 1\n"
           "[mission]\nobjective = \"stay\"\nstart_lonlat = [-8.5, 41.0]\n"
        << target << "[rollout]\nbaselines = \"none\"\n";
    return run({"plan", "m.toml", "--out", "run", "--overwrite", "-q", "--details"}).output;
  };
  EXPECT_THAT(plan_stay("target_lonlat = [-8.5, 41.0]\ntarget_radius = 10000.0\n"),
              HasSubstr("to rehearse     tidewise rehearse run --source source.nc\n"));
  json found = rehearse();
  ASSERT_EQ(found["members"].size(), 3U);
  double mean = 0;
  for (std::size_t n = 0; n < 3; ++n) {
    const json& member = found["members"][n];
    const double expected = 1e4 / (0.1 + 0.1 * static_cast<double>(n)) / 3600 / 48;
    EXPECT_NEAR(member["rehearsal"]["within"].get<double>(), expected, 0.005);
    EXPECT_NEAR(member["flight"]["within"].get<double>(), expected, 0.02);
    EXPECT_EQ(member["rehearsal"]["outcome"], "out_of_time");
    EXPECT_NEAR(
        member["within_off"].get<double>(),
        member["flight"]["within"].get<double>() - member["rehearsal"]["within"].get<double>(),
        1e-9);
    mean += member["rehearsal"]["within"].get<double>() / 3;
  }
  EXPECT_NEAR(found["rehearsal"]["within"].get<double>(), mean, 1e-9);
  EXPECT_NEAR(found["promise"]["within"].get<double>(), mean, 0.1);
  EXPECT_TRUE(found["warnings"].empty()) << found["warnings"];
  const std::string table = run({"rehearse", "run", "--source", "source.nc", "-q"}).output;
  EXPECT_THAT(table, HasSubstr("in the forecast's own files: within 10 km of the target 35.4 % of "
                               "the time (0.7 of 2.0 days)\n"));
  EXPECT_THAT(table, ContainsRegex("within the target +[0-9.]+ % +[0-9.]+ % +[0-9.]+ % +[-+]"
                                   "[0-9.]+ points\n"));
  EXPECT_THAT(table, HasSubstr("3 of 3 end alike; the flights' time within is "));
  EXPECT_THAT(table, Not(HasSubstr("arriv")));
  const json map = json::parse(std::ifstream(folder_ / "run/rehearsal.geojson"));
  for (const json& feature : map["features"]) {
    const json& properties = feature["properties"];
    EXPECT_EQ(properties.contains("within"),
              properties["kind"] == "flight" || properties["kind"] == "rehearsal");
    if (properties["kind"] == "target") {
      EXPECT_EQ(properties["radius"], 10000.0);
    }
  }
  run({"view", "run", "--out", "page.html", "-q"});
  std::ostringstream page;
  page << std::ifstream(folder_ / "page.html").rdbuf();
  EXPECT_THAT(page.str(), HasSubstr("\"basis\":\"rehearsal\",\"flights\":3,\"within\":0.35"));
  EXPECT_THAT(page.str(), HasSubstr("\"lost\":0"));
  // An area that ends 10 km to the east, and contains all to the west, gives the same times.
  plan_stay("target_polygon_lonlat = [[-8.8, 40.8], [-8.38, 40.8], [-8.38, 41.2], [-8.8, 41.2]]\n");
  found = rehearse();
  for (std::size_t n = 0; n < 3; ++n) {
    const double expected = 1e4 / (0.1 + 0.1 * static_cast<double>(n)) / 3600 / 48;
    EXPECT_NEAR(found["members"][n]["rehearsal"]["within"].get<double>(), expected, 0.3 * expected);
    EXPECT_LT(std::abs(found["members"][n]["within_off"].get<double>()), 0.02);
  }
}

/// The vehicle drifts northwards at 0.1, 0.2 or 0.3 m/s. Its mean distance from a parallel is 8.6,
/// 17.3 or 25.9 km, and that from a point that moves at 0.2 m/s is 8.6, 0 or 8.6 km.
TEST_F(Rehearse, MeasuresHowNearAVehicleFollows) {
  forecast.u = [](double, double, double, int) { return 0.0; };
  forecast.v = [](double, double, double, int member) { return 0.1 + 0.1 * member; };
  plan({"--step", "1h"});
  const auto distances = [&](const std::string& csv) {
    std::ofstream(folder_ / "it.csv") << csv;
    std::ofstream(folder_ / "m.toml")
        << "[environment]\nfile = \"env.h5\"\n[vehicle]\nspeeds = [0.0]\nheadings = 1\n"
           "[mission]\nobjective = \"follow\"\nfollow = \"it.csv\"\n"
           "start_lonlat = [-8.5, 41.0]\n[rollout]\nbaselines = \"none\"\n";
    run({"plan", "m.toml", "--out", "run", "--overwrite", "-q"});
    return rehearse();
  };
  constexpr double mean_distance = 0.1 * 48 * 3600 / 2;
  const auto expect_distances = [&](const json& result, const std::vector<double>& factors) {
    for (std::size_t n = 0; n < 3; ++n) {
      const json& member = result["members"][n];
      for (const char* part : {"rehearsal", "flight"}) {
        EXPECT_NEAR(member[part]["distance"].get<double>(), factors[n] * mean_distance, 150)
            << part << " " << n;
      }
    }
  };
  expect_distances(distances("lon,lat\n-8.6,41\n-8.4,41\n"), {1, 2, 3});
  const double degrees = 0.2 * 48 * 3600 / 111050;
  expect_distances(
      distances("time,lon,lat\n2024-10-28T00:00:00Z,-8.5,41\n2024-10-30T00:00:00Z,-8.5," +
                std::to_string(41 + degrees) + "\n"),
      {1, 0, 1});
  const std::string table = run({"rehearse", "run", "--source", "source.nc", "-q"}).output;
  EXPECT_THAT(table, ContainsRegex("in the forecast's own files: [0-9.]+ km from the track on "
                                   "average\n"));
  EXPECT_THAT(table, ContainsRegex("away, on average +[0-9.]+ km +[0-9.]+ km +[0-9.]+ km"));
  EXPECT_THAT(table, Not(HasSubstr("arriv")));
  const json map = json::parse(std::ifstream(folder_ / "run/rehearsal.geojson"));
  EXPECT_EQ(map["features"].back()["properties"]["kind"], "followed");
  EXPECT_EQ(map["features"].back()["geometry"]["coordinates"].size(), 49U);
}

/// Flights and rehearsal of nine lagged members off Washington, with land of the source file.
TEST_F(Rehearse, AgreesWithFlightsOffARealCoast) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast_file, "rtofs_washington_2024.nc");
  run({"env", "import", forecast_file.string(), "--out", "env.h5", "--spacing", "3km", "--step",
       "3h", "--lagged", "4", "-q"});
  run({"plan", std::string(TIDEWISE_CONFIGS) + "/../examples/washington/washington.toml", "--set",
       "environment.file=env.h5", "--out", "run", "-q"});
  const json result = rehearse({"--source", forecast_file.string()});
  ASSERT_EQ(result["members"].size(), 9U);
  for (const json& member : result["members"]) {
    EXPECT_EQ(member["rehearsal"]["outcome"], "arrived");
    EXPECT_LT(std::abs(member["time_off"].get<double>()), 0.02) << member;
  }
  // A tenth of the default step changes little.
  const json fine = rehearse({"--source", forecast_file.string(), "--step", "1min"});
  for (std::size_t n = 0; n < 9; ++n) {
    EXPECT_NEAR(fine["members"][n]["rehearsal"]["time"].get<double>(),
                result["members"][n]["rehearsal"]["time"].get<double>(), 600);
  }
}

/// A curvilinear grid in two files, rotated by up to 37°, with u and v on different points and
/// levels five days apart.
TEST_F(Rehearse, AgreesWithAFlightInTheNorwegianSea) {
  TIDEWISE_REQUIRE_SHARED_DATA(u_file, "depth/nemo_norwegian_sea_2000_U.nc");
  const auto v_file = u_file.parent_path() / "nemo_norwegian_sea_2000_V.nc";
  run({"env", "import", "--u", u_file.string() + ":uo", "--v", v_file.string() + ":vo", "--out",
       "env.h5", "-q"});
  std::ofstream(folder_ / "m.toml") << "[environment]\nfile = \"env.h5\"\n"
                                       "[vehicle]\nspeeds = [0.35]\nheadings = 32\n"
                                       "[mission]\nstart_lonlat = [2.0, 68.0]\n"
                                       "target_lonlat = [7.0, 70.0]\ntarget_radius = 20000.0\n"
                                       "[rollout]\nbaselines = \"none\"\n";
  run({"plan", "m.toml", "--out", "run", "--overwrite", "-q"});
  const json result = rehearse({"--source", u_file.string(), v_file.string()});
  ASSERT_EQ(result["members"].size(), 1U);
  EXPECT_LT(std::abs(result["members"][0]["time_off"].get<double>()), 0.03) << result["members"];
}

/// If the flow is constant in depth and a dive is short compared with a step, the vehicle moves
/// with the dive's mean; if the vehicle cannot dive so deep in time, a warning reports it.
TEST_F(Rehearse, DivesThroughTheSourcesLevels) {
  test::Columns columns;
  columns.hour = {0, 12, 24};
  columns.members = 2;
  columns.fixture().write(folder_ / "source.nc");
  run({"env", "import", "source.nc", "--out", "env.h5", "--spacing", "5km", "--step", "1h",
       "--profile", "surface=at:0", "--profile", "shallow=0:40", "--profile", "deep=0:160", "-q"});
  std::ofstream(folder_ / "m.toml")
      << "[environment]\nfile = \"env.h5\"\n[vehicle]\nspeeds = [0.5]\nheadings = 32\n"
         "profiles = [\"deep\", \"shallow\"]\nsurface_drift = \"1min\"\n"
         "[mission]\nstart_lonlat = [-8.9, 41.2]\ntarget_lonlat = [-8.2, 41.3]\n"
         "target_radius = 5000.0\n[rollout]\nbaselines = \"none\"\n";
  run({"plan", "m.toml", "--out", "run", "--overwrite", "-q"});
  const json result = rehearse({"--source", "source.nc", "--vertical-speed", "0.5"});
  ASSERT_EQ(result["members"].size(), 2U);
  for (const json& member : result["members"]) {
    EXPECT_EQ(member["rehearsal"]["outcome"], "arrived");
    EXPECT_LT(std::abs(member["time_off"].get<double>()), 0.02) << member;
  }
  EXPECT_TRUE(result["warnings"].empty()) << result["warnings"];
  // A plan assumes the default vertical speed.
  EXPECT_THAT(run({"check", "--details", "m.toml"}).output, Not(HasSubstr("a dive of profile")));
  const json map = json::parse(std::ifstream(folder_ / "run/rehearsal.geojson"));
  for (const json& feature : map["features"]) {
    const json& properties = feature["properties"];
    if (properties["kind"] != "rehearsal") continue;
    EXPECT_EQ(properties["depths"].size(), properties["datetimes"].size());
    EXPECT_EQ(properties["profiles"].size(), properties["datetimes"].size());
    // The shallow profile is faster, from the start on.
    EXPECT_EQ(properties["profiles"].front(), "shallow");
    EXPECT_EQ(properties["profiles"].back(), "shallow");
  }
  EXPECT_THAT(
      rehearse({"--source", "source.nc", "--vertical-speed", "0.05"})["warnings"].dump(),
      AllOf(HasSubstr("a dive of profile deep (0:160) takes 1.78 h down and up at 0.05 m/s"),
            HasSubstr("or give --vertical-speed"), HasSubstr("import with a --step"),
            Not(HasSubstr("profile shallow"))));
  EXPECT_THAT(refused({"rehearse", "run", "--source", "source.nc", "--vertical-speed", "0", "-q"}),
              test::has_code("vertical_speed_invalid"));
}

/// The vehicle begins at the surface, above the first level of the source.
TEST_F(Rehearse, UsesTheFirstLevelForTheWaterAboveIt) {
  test::Columns columns;
  columns.hour = {0, 12, 24};
  columns.depth = {50, 80, 160, 240};
  columns.fixture().write(folder_ / "source.nc");
  const std::vector<std::string> import{"env",       "import", "source.nc", "--out", "env.h5",
                                        "--spacing", "5km",    "--step",    "1h",    "-q"};
  const auto with_profile = [&](const std::string& profile) {
    auto words = import;
    words.insert(words.end(), {"--profile", profile});
    return words;
  };
  EXPECT_THAT(refused(with_profile("deep=0:160")), test::has_code("profile_above_levels"));
  run(with_profile("deep=50:160"));
  std::ofstream(folder_ / "m.toml")
      << "[environment]\nfile = \"env.h5\"\n[vehicle]\nspeeds = [0.5]\nheadings = 32\n"
         "profiles = [\"deep\"]\n"
         "[mission]\nstart_lonlat = [-8.9, 41.2]\ntarget_lonlat = [-8.2, 41.3]\n"
         "target_radius = 5000.0\n[rollout]\nbaselines = \"none\"\n";
  run({"plan", "m.toml", "--out", "run", "-q"});
  EXPECT_EQ(rehearse({"--source", "source.nc", "--vertical-speed", "0.5"})["members"].size(), 1U);
  EXPECT_THAT(run({"rehearse", "run", "--source", "source.nc"}).output,
              HasSubstr("the flow of the first one is used for the water above"));
}

/// The bathymetry is in a separate file, of which the environment records only the name.
TEST_F(Rehearse, FindsTheBathymetryOfTheImport) {
  namespace fs = std::filesystem;
  fs::create_directory(folder_ / "far");
  test::Columns().fixture().write(folder_ / "far/source.nc");
  test::even_bottom(-170).write(folder_ / "far/gebco.nc");
  run({"env", "import", "far/source.nc", "--out", "env.h5", "--spacing", "5km", "--step", "1h",
       "--profile", "deep=0:100", "--bathymetry", "far/gebco.nc:elevation", "-q"});
  std::ofstream(folder_ / "m.toml")
      << "[environment]\nfile = \"env.h5\"\n[vehicle]\nspeeds = [0.5]\n[mission]\n"
         "start_lonlat = [-8.9, 41.2]\ntarget_lonlat = [-8.8, 41.2]\n"
         "target_radius = 5000.0\n[rollout]\nbaselines = \"none\"\n";
  EXPECT_THAT(run({"plan", "m.toml", "--out", "run", "--details"}).output,
              HasSubstr("--source source.nc gebco.nc  # add its folder"));
  const auto arrives = [&](const std::vector<std::string>& source) {
    return rehearse(source)["members"][0]["rehearsal"]["outcome"] == "arrived";
  };
  EXPECT_TRUE(arrives({"--source", "far/source.nc"})) << "beside it";
  fs::create_directory(folder_ / "else");
  fs::rename(folder_ / "far/gebco.nc", folder_ / "else/gebco.nc");
  EXPECT_TRUE(arrives({"--source", "far/source.nc", "else/gebco.nc"})) << "named";
  EXPECT_THAT(refusal_of("far/source.nc"),
              test::has_code("rehearsal_bathymetry_missing", "gebco.nc:elevation"));
  fs::rename(folder_ / "else/gebco.nc", folder_ / "gebco.nc");
  EXPECT_TRUE(arrives({"--source", "far/source.nc"})) << "here";
}

TEST_F(Rehearse, RefusesDivesThatAreNotBetweenTwoDepths) {
  test::Columns().fixture().write(folder_ / "source.nc");
  std::ofstream(folder_ / "w.csv") << "from,to,share\n0,40,0.5\n40,80,0.5\n";
  run({"env", "import", "source.nc", "--out", "env.h5", "--spacing", "5km", "--step", "1h",
       "--profile", "own=w.csv", "-q"});
  std::filesystem::remove(folder_ / "w.csv");  // the environment holds its contents
  std::ofstream(folder_ / "m.toml")
      << "[environment]\nfile = \"env.h5\"\n[vehicle]\nspeeds = [0.5]\n[mission]\n"
         "start_lonlat = [-8.9, 41.2]\ntarget_lonlat = [-8.7, 41.3]\n";
  EXPECT_THAT(run({"plan", "m.toml", "--out", "run", "--details"}).output,
              Not(HasSubstr("to rehearse")));
  EXPECT_THAT(refusal_of("source.nc"), test::has_code("rehearsal_profile_unsuitable", "own"));
  run({"export", "run", "--format", "moos", "--out", "route.bhv", "-q"});
  std::ifstream route(folder_ / "route.bhv");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(route), {}}),
              HasSubstr("TIDEWISE_DIVE_TO = 80"));
}

}  // namespace
}  // namespace tidewise
