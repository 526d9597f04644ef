// Imports real forecasts and plans in them by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "env/file/reader.h"
#include "support/error_code.h"
#include "support/ocean/environment_fields.h"
#include "support/program_fixture.h"
#include "support/shared_data.h"

namespace tidewise {
namespace {

const std::string washington =
    std::string(TIDEWISE_CONFIGS) + "/../examples/washington/washington.toml";

using nlohmann::json;

class RealMission : public test::ProgramFixture {
 protected:
  /// Imports nine lagged members off Washington into env.h5, with cells of 3 km.
  void import_washington(const std::filesystem::path& forecast) const {
    make_once("washington", [&] {
      run({"env", "import", forecast.string(), "--out", "env.h5", "--spacing", "3km", "--step",
           "3h", "--lagged", "4", "-q"});
    });
  }

  /// Returns the number of points of all flights in closed cells; the mask must be fixed.
  int points_on_land() const {
    const EnvironmentReader environment(folder_ / "env.h5");
    LevelFields<> fields(environment.info());
    environment.read_level(TimeLevel(0), fields);
    const Grid& grid = environment.info().grid;
    const Hdf5File flights = Hdf5File::open(folder_ / "run/trajectories.nc");
    const auto x = flights.read_all<double>("x");
    const auto y = flights.read_all<double>("y");
    int on_land = 0;
    for (std::size_t n = 0; n < x.size(); ++n) {
      if (!std::isfinite(x[n])) continue;
      const auto cell = grid.cell(grid.column_at(x[n]), grid.row_at(y[n]));
      on_land += fields.masked[static_cast<std::size_t>(cell.value)];
    }
    return on_land;
  }
};

TEST_F(RealMission, PlansFromTheShelfToTheStraitOfJuanDeFuca) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  import_washington(forecast);
  // The mission of examples/washington.
  run({"plan", washington, "--set", "environment.file=env.h5", "--out", "run", "-q"});
  const json run_summary = summary("run");
  EXPECT_GT(run_summary["expected"]["arrival_probability"], 0.99);
  // 200 km in a straight line are 111 hours at 0.5 m/s in still water.
  EXPECT_GT(run_summary["expected"]["time"], 80 * 3600.0);
  EXPECT_LT(run_summary["expected"]["time"], 130 * 3600.0);
  EXPECT_EQ(run_summary["rollout"]["arrival_rate"], 1.0);
  EXPECT_GT(run_summary["rollout"]["time"]["min"], 80 * 3600.0);
  EXPECT_LT(run_summary["rollout"]["time"]["max"], 140 * 3600.0);
  EXPECT_EQ(points_on_land(), 0);
  // Places, times and directions are also geographic positions, dates and bearings.
  EXPECT_NEAR(run_summary["start"]["lon"].get<double>(), -126.0, 1e-9);
  EXPECT_NEAR(run_summary["target"]["lat"].get<double>(), 48.45, 1e-9);
  EXPECT_LT(run_summary["start"]["y"], run_summary["target"]["y"]);
  EXPECT_EQ(run_summary["departure"]["date"], "2024-10-28T15:00:00Z");
  EXPECT_GT(run_summary["rollout"]["arrival_date"]["min"], "2024-10-31T23:00:00Z");
  EXPECT_LE(run_summary["rollout"]["arrival_date"]["p05"],
            run_summary["rollout"]["arrival_date"]["p95"]);
  EXPECT_GT(run_summary["expected"]["arrival_date"], "2024-10-31T23:00:00Z");
  const Hdf5File flights = Hdf5File::open(folder_ / "run/trajectories.nc");
  EXPECT_NEAR(flights.read_all<double>("bearing").front(), run_summary["first_action"]["bearing"],
              1e-3);
  // GDAL needs these attributes.
  const Hdf5File policy = Hdf5File::open(folder_ / "run/policy.h5");
  const Hdf5File environment = Hdf5File::open(folder_ / "env.h5");
  for (const Hdf5File* file : {&flights, &policy}) {
    EXPECT_EQ(file->attribute_names("crs"), environment.attribute_names("crs"));
    EXPECT_EQ(file->number_attribute("crs", "longitude_of_projection_origin"),
              environment.number_attribute("crs", "longitude_of_projection_origin"));
  }
  EXPECT_EQ(policy.text_attribute("value", "grid_mapping"), "crs");
  EXPECT_EQ(flights.text_attribute("bearing", "grid_mapping"), "crs");

  const std::string report =
      run({"research", "refine", "run", "--realizations", "3", "--out", "refined.h5"}).output;
  EXPECT_THAT(report, testing::AllOf(testing::HasSubstr("of 9 simulated missions"),
                                     testing::Not(testing::HasSubstr("%"))));
  const Hdf5File refined = Hdf5File::open(folder_ / "refined.h5");
  EXPECT_EQ(refined.text_attribute("bearing", "grid_mapping"), "crs");
  EXPECT_EQ(refined.text_attribute("gain", "units"), "s");
  const auto bearing = refined.read_all<float>("bearing");
  const auto heading = refined.read_all<float>("heading");
  const auto convergence = refined.read_all<double>("meridian_convergence");
  int compared = 0;
  for (std::size_t n = 0; n < bearing.size(); ++n) {
    ASSERT_EQ(std::isnan(bearing[n]), std::isnan(heading[n])) << n;
    if (std::isnan(bearing[n])) continue;
    const double expected =
        90 - double(heading[n]) * 57.29577951308232 + convergence[n % convergence.size()];
    ASSERT_NEAR(std::remainder(double(bearing[n]) - expected, 360.0), 0, 1e-4) << n;
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

/// Without a preset or a power, energies have no physical unit. The terminal omits them, and only
/// the files hold the numbers.
TEST_F(RealMission, ReportsEnergyOnlyInJoules) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  import_washington(forecast);
  const auto report = [&](std::vector<std::string> arguments) {
    arguments.emplace_back("-q");
    return run(arguments).output;
  };
  const auto plan = [&](const std::string& out, std::vector<std::string> options) {
    std::vector<std::string> arguments{"plan",  washington, "--set",    "environment.file=env.h5",
                                       "--out", out,        "--details"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return report(arguments);
  };
  using testing::ContainsRegex;
  using testing::HasSubstr;
  using testing::Not;
  const auto units_of = [&](const std::string& file, const std::string& variable) {
    return Hdf5File::open(folder_ / file).text_attribute(variable, "units");
  };
  const auto departures_report = [&](const std::string& run) {
    return report({"departures", run, "--from", "0", "--to", "3"});
  };
  EXPECT_THAT(plan("run", {}), Not(HasSubstr("energy")));
  EXPECT_GT(summary("run")["rollout"]["energy"]["mean"], 0);
  EXPECT_EQ(units_of("run/trajectories.nc", "energy"), "m2 s-1");
  EXPECT_THAT(departures_report("run"), Not(HasSubstr("energy")));
  EXPECT_THAT(report({"lookup", "run", "--at", "-125.5,47.2", "--time", "2024-10-29T15:00Z"}),
              Not(HasSubstr("energy")));
  EXPECT_THAT(report({"rollout", "run", "--at", "-125.5,47.2", "--time", "8"}),
              Not(HasSubstr("energy")));

  // With the objective energy, the report gives hours at 1 m/s.
  EXPECT_THAT(plan("sparing", {"--set", "mission.objective=energy"}),
              ContainsRegex("\nenergy          [0-9.]+ h at 1 m/s"));
  EXPECT_THAT(report({"compare", "run", "sparing"}), HasSubstr("energy [h at 1 m/s] "));

  const std::vector<std::string> watts{"--set", "vehicle.energy.c_t=2", "--set",
                                       "vehicle.energy.c_f=20"};
  EXPECT_THAT(plan("watts", watts), ContainsRegex("\nenergy          [0-9.]+ MJ in the median"));
  report({"reach", "watts"});
  EXPECT_EQ(units_of("watts/trajectories.nc", "energy"), "J");
  EXPECT_EQ(units_of("watts/reach.nc", "energy_to_go"), "J");
  EXPECT_EQ(units_of("watts/policy.h5", "value"), "s");
  EXPECT_THAT(departures_report("watts"), ContainsRegex("[0-9.]+ MJ\n"));
  EXPECT_THAT(report({"compare", "run", "watts"}), Not(HasSubstr("energy [h at")))
      << "two units in one table";
  EXPECT_THAT(report({"compare", "watts", "watts"}), HasSubstr("energy [kJ] "));

  // Without c_t a c_f may scale energies to any unit: none is printed.
  EXPECT_THAT(
      plan("scaled", {"--set", "mission.objective=energy", "--set", "vehicle.energy.c_f=2.5e-4"}),
      ContainsRegex("\nenergy          [0-9.]+ (in the median|\n)"));
  EXPECT_EQ(units_of("scaled/trajectories.nc", "energy"), "1");
  EXPECT_EQ(units_of("scaled/policy.h5", "value"), "1");
  EXPECT_THAT(report({"compare", "scaled", "scaled"}), ContainsRegex("\n +energy  +[0-9.]+ "));
  run({"view", "scaled", "-q"});
  EXPECT_THAT(test::bytes_of(folder_ / "scaled/view.html"), HasSubstr(R"("energy_units":"1")"));
}

/// A last fix with an error of 0.1 degrees is accepted. Its currents are in no realization of the
/// forecast, so that the vehicle enters cells that no realization of the corrected forecast
/// reaches.
TEST_F(RealMission, WrongFixLeavesAllFlightsWithActions) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  import_washington(forecast);
  run({"plan", washington, "--set", "environment.file=env.h5", "--out", "whole", "-q"});
  std::ofstream(folder_ / "glider.csv") << R"(time,lon,lat,speed,bearing
2024-10-28T15:00Z,-126.00000,46.80000,0.50,67.1
2024-10-28T18:00Z,-125.87175,46.78927,0.50,78.4
2024-10-28T21:00Z,-125.77493,46.72855,0.50,67.2
2024-10-29T00:00Z,-125.73695,46.68973,0.50,67.2
2024-10-29T03:00Z,-125.68740,46.69537,0.50,67.3
2024-10-29T06:00Z,-125.58738,46.71608,0.50,67.4
2024-10-29T09:00Z,-125.48353,46.72333,0.50,56.2
2024-10-29T12:00Z,-125.41497,46.74307,0.50,56.2
2024-10-29T15:00Z,-125.26755,46.77970,0.50,45.0
)";
  run({"replan", "whole", "--track", "glider.csv", "--localisation", "24h", "--reject-beyond", "0",
       "--out", "replanned", "-q"});
  run({"rollout", "replanned", "--environment", "env.h5", "--out", "run", "-q"});
  const json rollout = summary("run")["rollout"];
  EXPECT_EQ(rollout["failures"]["without_action"], 0);
  EXPECT_EQ(rollout["failures"]["obstacle"], 0);
  EXPECT_EQ(rollout["arrival_rate"], 1);
}

/// The shortest mission of docs/missions.md in an imported environment. An hour costs 3600, and the
/// failure penalties have their defaults.
TEST_F(RealMission, ShortestMissionFileArrives) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  import_washington(forecast);
  std::ofstream(folder_ / "m.toml") << R"([environment]
file = "env.h5"
[vehicle]
speeds = [0.5]
[mission]
start_lonlat = [-126.0, 46.8]
target_lonlat = [-124.95, 48.45]
)";
  run({"plan", "m.toml", "--out", "run", "-q"});
  const json run_summary = summary("run");
  EXPECT_GT(run_summary["expected"]["arrival_probability"], 0.99);
  EXPECT_EQ(run_summary["rollout"]["arrival_rate"], 1.0);
  EXPECT_EQ(points_on_land(), 0);
  // Five times the 55 steps of 3 h of the costliest path.
  EXPECT_EQ(run_summary["mission"]["mission"]["failure"]["late"], -5 * 55 * 10800.0);
}

/// A forecast without an ensemble can be imported, checked, described and planned in.
TEST_F(RealMission, PlansOnOneDeterministicForecast) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  run({"env", "import", forecast.string(), "--out", "env.h5", "--spacing", "3km", "--step", "12h",
       "-q"});
  run({"env", "info", "env.h5"});
  const std::vector<std::string> mission{washington, "--set", "environment.file=env.h5", "--set",
                                         "mission.target_radius=12000"};
  std::vector<std::string> check{"check"};
  check.insert(check.end(), mission.begin(), mission.end());
  run(check);
  std::vector<std::string> plan{"plan"};
  plan.insert(plan.end(), mission.begin(), mission.end());
  plan.insert(plan.end(), {"--out", "run", "-q"});
  run(plan);
  const json run_summary = summary("run");
  EXPECT_EQ(run_summary["problem"]["realizations"], 1);
  EXPECT_GT(run_summary["expected"]["arrival_probability"], 0.99);
  EXPECT_EQ(run_summary["rollout"]["arrival_rate"], 1.0);
  EXPECT_GT(run_summary["rollout"]["time"]["min"], 80 * 3600.0);
  EXPECT_EQ(points_on_land(), 0);
}

/// A guessed forecast error gives probabilities and a range of them.
TEST_F(RealMission, PlansOnOneForecastWithAGuessedError) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  run({"env", "import", forecast.string(), "--out", "env.h5", "--spacing", "6km", "--step", "12h",
       "--forecast-error", "default", "--realizations", "20", "--modes", "40", "-q"});
  const std::string report = run({"plan", washington, "--set", "environment.file=env.h5", "--set",
                                  "mission.target_radius=18000", "--out", "run"})
                                 .output;
  const json run_summary = summary("run");
  EXPECT_EQ(run_summary["problem"]["realizations"], 20);
  EXPECT_EQ(run_summary["uncertainty"], "guess");
  const json& range = run_summary["rollout"]["arrival_rate_range"];
  const double rate = run_summary["rollout"]["arrival_rate"];
  EXPECT_LE(range[0], rate);
  EXPECT_GE(range[1], rate);
  EXPECT_THAT(report, testing::HasSubstr("Probabilities follow from a guessed forecast error"));
  EXPECT_THAT(report, testing::HasSubstr("plausible forecast error"));
  EXPECT_LE(std::ranges::count(report, '\n'), 6);
  EXPECT_EQ(points_on_land(), 0);
}

TEST_F(RealMission, PlansAcrossAWindEnsemble) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "wind_ensemble_21_members_2015.nc");
  run({"env", "import", forecast.string(), "--out", "env.h5", "--spacing", "50km", "--step", "3h",
       "--variance", "0.95", "-q"});
  std::ofstream(folder_ / "m.toml") << R"([environment]
file = "env.h5"
[vehicle]
speeds = [6.0]               # an airship: faster than the wind is on most days
headings = 32
[mission]
start_lonlat = [-128.0, 37.0]
target_lonlat = [-122.0, 42.0]
target_radius = 100000.0
arrival_reward = 0.0
failure_penalty = -4.0e6
)";
  run({"plan", "m.toml", "--out", "run", "-q"});
  const json run_summary = summary("run");
  EXPECT_EQ(run_summary["problem"]["realizations"], 21);
  // In winds of several cells per step, the plan and its flights differ, and a warning reports it.
  EXPECT_GT(run_summary["expected"]["arrival_probability"], 0.7);
  EXPECT_GT(run_summary["rollout"]["arrival_rate"], 0.75);
  EXPECT_FALSE(run_summary["warnings"].empty());
  EXPECT_GT(run_summary["rollout"]["time"]["mean"], 10 * 3600.0);
}

TEST_F(RealMission, ResamplesAnImportWithDefaults) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  run({"env", "import", forecast.string(), "--out", "env.h5", "--lagged", "1", "-q"});
  run({"env", "resample", "env.h5", "--out", "same.h5", "-q"});
  EXPECT_TRUE(test::differing_variables(folder_ / "env.h5", folder_ / "same.h5").empty());
  const auto report = run({"env", "resample", "env.h5", "--out", "fine.h5", "--step", "1h",
                           "--spacing", "2km", "--variance", "1"});
  EXPECT_NE(report.output.find("cells of 2000 m, from 55 × 91 cells of 3800 m"), std::string::npos);
  EXPECT_NE(report.output.find("levels of 3600 s, from 62 levels of 10800 s"), std::string::npos);
  EXPECT_NE(report.output.find("100 % of the variance where levels are mixed"), std::string::npos);
  EXPECT_NE(report.errors.find("resampling"), std::string::npos);
  const EnvironmentReader fine(folder_ / "fine.h5");
  EXPECT_EQ(fine.info().projection, EnvironmentReader(folder_ / "env.h5").info().projection);
  EXPECT_THAT(refused({"env", "resample", "env.h5", "--out", "no.h5", "--step", "5h"}),
              test::has_code("resample_step_does_not_fit"));
}

}  // namespace
}  // namespace tidewise
