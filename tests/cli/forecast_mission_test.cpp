// Plans missions directly in forecast files: 'plan FORECAST…' and 'init FORECAST…'.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "base/hdf5/file.h"
#include "env/file/reader.h"
#include "planner/mission/read/presets.h"
#include "support/error_code.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/program_fixture.h"
#include "support/run_contents.h"
#include "support/shared_data.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class ForecastMission : public test::ProgramFixture {
 protected:
  /// Returns a forecast over 2.4° × 1.8° from 28 October 2024, every 3 h for 2.5 days.
  static test::SmallForecast plain_forecast() {
    test::SmallForecast forecast;
    forecast.longitude.clear();
    forecast.latitude.clear();
    forecast.hour.clear();
    for (int n = 0; n <= 24; ++n) forecast.longitude.push_back(-46 + 0.1 * n);
    for (int n = 0; n <= 18; ++n) forecast.latitude.push_back(12 + 0.1 * n);
    for (int n = 0; n <= 20; ++n) forecast.hour.push_back(3 * n);
    forecast.members = 0;
    forecast.order = {"time", "depth", "lat", "lon"};
    forecast.u = [](double, double lat, double hour, int) {
      return 0.1 * std::sin(3 * lat) + 0.0005 * hour;
    };
    forecast.v = [](double lon, double, double, int) { return 0.05 * std::cos(3 * lon); };
    return forecast;
  }

  static void add(Words& words, const Words& options) {
    words.insert(words.end(), options.begin(), options.end());
  }

  /// Adds the options of the mission that most tests plan.
  static Words plain_mission(Words words) {
    add(words, {"--from", "45.2W,12.5N", "--to", "44.6W,12.9N", "--vehicle", "auv-1ms", "--depart",
                "2024-10-28 09:00", "-q"});
    return words;
  }

  /// Returns `words` with another value of an option.
  static Words with_option(Words words, const std::string& option, const std::string& value) {
    for (std::size_t n = 0; n + 1 < words.size(); ++n) {
      if (words[n] == option) words[n + 1] = value;
    }
    return words;
  }

  /// Returns the plain mission for a slower vehicle, with a nearer target.
  static Words glider_mission(const Words& words, const std::string& vehicle) {
    return with_option(with_option(plain_mission(words), "--vehicle", vehicle), "--to",
                       "45.0W,12.6N");
  }

  std::string text_of(const fs::path& file) const {
    std::ifstream stream(folder_ / file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  /// Returns the arguments of the command that imported an environment from files in `folder`.
  Words import_line(const fs::path& environment, const std::string& folder) const {
    std::istringstream line(EnvironmentReader(folder_ / environment).info().history);
    Words words;
    for (std::string word; line >> word && word != "\n";) {
      words.push_back(word.ends_with(".nc") ? folder + word : word);
    }
    words.erase(words.begin());
    return words;
  }
};

TEST_F(ForecastMission, EqualsSeparateImportAndPlan) {
  plain_forecast().write(folder_ / "sea.nc");
  run(plain_mission({"plan", "sea.nc", "--out", "one"}));
  Words import = import_line("one/environment.h5", "");
  ASSERT_GT(import.size(), 8u);
  add(import, {"--out", "steps.h5", "-q"});
  run(import);
  EXPECT_EQ(test::bytes_of(folder_ / "steps.h5"), test::bytes_of(folder_ / "one/environment.h5"));
  write("steps.toml", R"([environment]
file = "steps.h5"
[vehicle]
preset = "auv-1ms"
[mission]
start_lonlat = [-45.2, 12.5]
target_lonlat = [-44.6, 12.9]
departure = "2024-10-28T09:00Z"
)");
  run({"plan", "steps.toml", "--out", "steps", "-q"});
  test::Contents direct = test::contents_of_run(folder_ / "one");
  test::Contents steps = test::contents_of_run(folder_ / "steps");
  EXPECT_THAT(test::differences(direct, steps),
              testing::Each(testing::AnyOf(HasSubstr("environment"), HasSubstr("mission"),
                                           HasSubstr("deadline"))));
  run({"plan", "one/mission.toml", "--out", "again", "-q"});
  EXPECT_THAT(test::differences(direct, test::contents_of_run(folder_ / "again")),
              testing::IsEmpty());
  for (const char* file : {"mission.toml", "view.html", "rehearsal.geojson", "policy.h5"}) {
    EXPECT_TRUE(fs::exists(folder_ / "one" / file)) << file;
  }
}

TEST_F(ForecastMission, KeepsSettingsInTheMissionOfTheRun) {
  plain_forecast().write(folder_ / "sea.nc");
  run(plain_mission({"plan", "sea.nc", "--out", "one", "--set", "mission.objective=arrival",
                     "--set", "rollout.seed=5", "--baselines", "none"}));
  EXPECT_EQ(summary("one")["mission"]["mission"]["objective"], "arrival");
  EXPECT_THAT(text_of("one/mission.toml"),
              testing::AllOf(HasSubstr("objective = \"arrival\"\n"),
                             HasSubstr("[rollout]\nbaselines = \"none\"\nseed = 5\n")));
  run({"plan", "one/mission.toml", "--out", "again", "-q"});
  EXPECT_THAT(test::differences(test::contents_of_run(folder_ / "one"),
                                test::contents_of_run(folder_ / "again")),
              testing::IsEmpty());
}

TEST_F(ForecastMission, TakesOtherNamesUnitsAndSeveralFiles) {
  const auto change = [](test::SmallForecast forecast, const char* u, const char* v) {
    forecast.u_name = u;
    forecast.v_name = v;
    auto fixture = forecast.fixture();
    for (const char* name : {u, v}) {
      auto& variable = fixture.variable(name);
      for (double& value : variable.values) value *= 100;
      for (auto& [attribute, text] : variable.texts) {
        if (attribute == "units") text = "cm s-1";
      }
    }
    return fixture;
  };
  const Words names{"--u", "current_to_east", "--v", "current_to_north"};
  const auto plan = [&](Words words) {
    add(words, names);
    run(plain_mission(words));
  };
  change(plain_forecast(), "current_to_east", "current_to_north").write(folder_ / "a.dat");
  EXPECT_THAT(refused(plain_mission({"plan", "a.dat"})), test::has_code("velocity_not_found"));
  plan({"plan", "a.dat", "--out", "whole"});
  // The same forecast in two files along time, in reverse order.
  auto first = plain_forecast();
  auto second = plain_forecast();
  first.hour.resize(11);
  second.hour.erase(second.hour.begin(), second.hour.begin() + 11);
  change(first, "current_to_east", "current_to_north").write(folder_ / "1.x");
  change(second, "current_to_east", "current_to_north").write(folder_ / "2.x");
  plan({"plan", "2.x", "1.x", "--out", "parts"});
  const auto level = [&](const char* run) {
    return Hdf5File::open(folder_ / run / "environment.h5").read_all<float>("u_mean");
  };
  EXPECT_THAT(level("whole"), testing::Pointwise(testing::NanSensitiveFloatEq(), level("parts")));
}

TEST_F(ForecastMission, FindsComponentsInSeparateFiles) {
  auto fixture = plain_forecast().fixture();
  fixture.write(folder_ / "both.nc");
  for (const char* dropped : {"uo", "vo"}) {
    auto half = fixture;
    std::erase_if(half.variables, [&](const auto& variable) { return variable.name == dropped; });
    half.write(folder_ / (std::string("without_") + dropped + ".nc"));
  }
  run({"env", "import", "both.nc", "--out", "both.h5", "-q"});
  run({"env", "import", "without_uo.nc", "without_vo.nc", "--out", "halves.h5", "-q"});
  EXPECT_EQ(Hdf5File::open(folder_ / "both.h5").read_all<float>("u_mean"),
            Hdf5File::open(folder_ / "halves.h5").read_all<float>("u_mean"));
  EXPECT_THAT(refused({"env", "import", "without_uo.nc", "--out", "half.h5"}),
              test::has_code("velocity_component_missing"));
}

TEST_F(ForecastMission, DivesToTheDepthOfTheVehicle) {
  auto forecast = plain_forecast();
  forecast.depth = {0, 100, 300};
  // The fixture adds 10 m/s for each depth, which is removed here.
  auto fixture = forecast.fixture();
  for (const char* name : {"uo", "vo"}) {
    for (double& value : fixture.variable(name).values) value = std::remainder(value, 10);
  }
  fixture.write(folder_ / "deep.nc");
  auto words = glider_mission({"plan", "deep.nc", "--out", "deep"}, "slocum-g3");
  run(words);
  const EnvironmentReader environment(folder_ / "deep/environment.h5");
  ASSERT_EQ(environment.info().profiles.size(), 1u);
  EXPECT_EQ(environment.info().profiles[0].depths, "0:300");
  EXPECT_THAT(text_of("deep/mission.toml"), HasSubstr("\nprofiles = [\"0-300\"]\n"));
  // 600 m at the preset's 0.17 m/s last about an hour.
  EXPECT_GT(find_preset("slocum-g3")->vertical_speed, 0.1);
  words = with_option(words, "--out", "typed");
  add(words, {"--dive", "0:100", "--dive", "at:0"});
  run(words);
  const EnvironmentReader chosen(folder_ / "typed/environment.h5");
  ASSERT_EQ(chosen.info().profiles.size(), 2u);
  EXPECT_EQ(chosen.info().profiles[0].depths, "0:100");
  EXPECT_EQ(chosen.info().profiles[1].name, "surface");
}

TEST_F(ForecastMission, WarnsIfADiveUsesSurfaceCurrents) {
  plain_forecast().write(folder_ / "sea.nc");
  auto words = glider_mission({"plan", "sea.nc", "--out", "one"}, "spray");
  words.pop_back();
  const auto result = run(words);
  EXPECT_THAT(result.errors, HasSubstr("warning: surface currents stand in for the dive"));
  EXPECT_LE(std::ranges::count(result.output, '\n'), 6);
  words = plain_mission({"plan", "sea.nc", "--out", "two", "--dive", "0:200"});
  EXPECT_THAT(refused(words), test::has_code("dive_without_depths", "0:200"));
}

TEST_F(ForecastMission, RejectsPlacesAndTimesOutsideTheForecast) {
  plain_forecast().write(folder_ / "sea.nc");
  const auto refusal = [&](const std::string& option, const std::string& value) {
    return refused(with_option(plain_mission({"plan", "sea.nc", "--out", "run"}), option, value));
  };
  EXPECT_THAT(refusal("--from", "4.2W,12.5N"),
              test::has_code("place_outside_forecast", "46.00° W"));
  EXPECT_THAT(refusal("--to", "44.6N,12.9N"), test::has_code("position_invalid", "--to"));
  EXPECT_THAT(refusal("--to", "nowhere"), test::has_code("position_invalid", "--to"));
  EXPECT_THAT(refusal("--vehicle", "slocum-g4"), test::has_code("preset_unknown", "slocum-g3"));
  EXPECT_THAT(refusal("--depart", "now"), test::has_code("departure_outside_forecast", "Oct 2024"));
  EXPECT_THAT(refusal("--depart", "soon"), test::has_code("departure_invalid"));
  auto words = plain_mission({"plan", "sea.nc"});
  add(words, {"--deadline", "9 d"});
  EXPECT_THAT(refused(words), test::has_code("deadline_outside_forecast", "9 d"));
  EXPECT_THAT(refused({"plan", "sea.nc", "--from", "45.2W,12.5N"}),
              test::has_code("forecast_option_missing", "--to"));
  write("m.toml", "[mission]\n");
  EXPECT_THAT(refused({"plan", "m.toml", "--depart", "now"}),
              test::has_code("forecast_option_with_mission", "--depart"));
  EXPECT_THAT(refused({"plan", "sea.nc", "m.toml"}), test::has_code("plan_files_mixed"));
  EXPECT_THAT(refused({"plan", "none.nc", "--from", "45.2W,12.5N"}),
              test::has_code("mission_file_missing", "forecast"));
}

TEST_F(ForecastMission, FailedPlanLeavesNoFiles) {
  auto forecast = plain_forecast();
  const double missing = 9.96921e36;
  const auto u = forecast.u;
  forecast.u = [=](double lon, double lat, double hour, int member) {
    return lon > -44.8 && lon < -44.4 ? missing : u(lon, lat, hour, member);
  };
  forecast.write(folder_ / "coast.nc");
  const std::string error = refused(plain_mission({"plan", "coast.nc", "--out", "run"}));
  EXPECT_THAT(error, HasSubstr("[target_"));
  // An earlier run is unchanged.
  plain_forecast().write(folder_ / "sea.nc");
  run(plain_mission({"plan", "sea.nc", "--out", "run"}));
  const std::string before = test::bytes_of(folder_ / "run/environment.h5");
  const auto failed = test::run_tidewise(
      plain_mission({"plan", "coast.nc", "--out", "run", "--overwrite"}), folder_.path());
  EXPECT_EQ(failed.status, 2);
  EXPECT_EQ(test::bytes_of(folder_ / "run/environment.h5"), before);
  EXPECT_THAT(refused(plain_mission({"plan", "sea.nc", "--out", "run"})),
              test::has_code("run_exists"));
  // A mission file without a run is not replaced either.
  fs::create_directory(folder_ / "other");
  write("other/mission.toml", "[mission]\n");
  EXPECT_THAT(refused(plain_mission({"plan", "sea.nc", "--out", "other"})),
              test::has_code("init_output_exists", "mission.toml"));
}

TEST_F(ForecastMission, PlansInAnEnvironmentWithoutConversion) {
  plain_forecast().write(folder_ / "sea.nc");
  run({"env", "import", "sea.nc", "--out", "sea.h5", "--vehicle-speed", "1", "-q"});
  run(plain_mission({"plan", "sea.h5", "--out", "run"}));
  EXPECT_FALSE(fs::exists(folder_ / "run/environment.h5"));
  EXPECT_THAT(text_of("run/mission.toml"), HasSubstr((folder_ / "sea.h5").string()));
}

TEST_F(ForecastMission, InitWritesTheSameMissionAndConversion) {
  plain_forecast().write(folder_ / "sea.nc");
  run(plain_mission({"plan", "sea.nc", "--out", "one"}));
  run(plain_mission({"init", "sea.nc", "--out", "environment.toml"}));
  EXPECT_EQ(text_of("environment.toml"), text_of("one/mission.toml"));
  EXPECT_EQ(test::bytes_of(folder_ / "environment.h5"),
            test::bytes_of(folder_ / "one/environment.h5"));
  run({"plan", "environment.toml", "--out", "two", "-q"});
  EXPECT_THAT(refused(plain_mission({"init", "sea.nc", "--out", "environment.toml"})),
              test::has_code("init_output_exists"));
}

TEST_F(ForecastMission, InitAsksAgainAtATerminal) {
  plain_forecast().write(folder_ / "sea.nc");
  const std::string answers =
      "9E,12N\\n45.2W 12.5N\\n44 36.0W, 12 54.0N\\nraft\\nauv-1ms\\nnow\\n2024-10-28 09:00\\n";
  const auto result =
      test::run_command({"sh", "-c",
                         "(sleep 1; printf '" + answers + "'; sleep 5) | timeout 60 script -qec '" +
                             test::tidewise_program().string() + " init sea.nc' /dev/null"},
                        folder_.path());
  // The first answer to most questions is refused.
  EXPECT_THAT(result.output, testing::AllOf(HasSubstr("forecast: 46.00° W to 43.60° W"),
                                            HasSubstr("written mission.toml")));
  EXPECT_THAT(text_of("mission.toml"), testing::AllOf(HasSubstr("start_lonlat = [-45.2, 12.5]"),
                                                      HasSubstr("target_lonlat = [-44.6, 12.9]")));
}

TEST_F(ForecastMission, PlansOffWashingtonAndNorway) {
  TIDEWISE_REQUIRE_SHARED_DATA(washington, "rtofs_washington_2024.nc");
  TIDEWISE_REQUIRE_SHARED_DATA(norway_u, "depth/nemo_norwegian_sea_2000_U.nc");
  TIDEWISE_REQUIRE_SHARED_DATA(norway_v, "depth/nemo_norwegian_sea_2000_V.nc");
  run({"plan", washington.string(), "--from", "126.0W,46.8N", "--to", "124.95W,48.45N", "--vehicle",
       "0.5m/s", "--depart", "2024-10-28 15:00", "--out", "washington", "-q"});
  const auto result = summary("washington");
  EXPECT_GT(result["expected"]["arrival_probability"], 0.9);
  run({"plan", norway_v.string(), norway_u.string(), "--from", "3E,67N", "--to", "5E,68N",
       "--vehicle", "slocum-g3", "--depart", "2000-01-08", "--out", "norway", "-q"});
  const EnvironmentReader environment(folder_ / "norway/environment.h5");
  ASSERT_EQ(environment.info().profiles.size(), 1u);
  EXPECT_THAT(environment.info().profiles[0].depths, testing::StartsWith("0:"));
  EXPECT_GT(summary("norway")["rollout"]["arrival_rate"], 0.5);
}

}  // namespace
}  // namespace tidewise
