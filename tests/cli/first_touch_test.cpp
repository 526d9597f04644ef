// First use of the program: help, an example, a first mission.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/hdf5/file.h"
#include "output/run/recommendation.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

using FirstTouch = test::SmallGyreFixture;

TEST_F(FirstTouch, PrintsHelpWithoutArguments) {
  const std::string help = run({}).output;
  EXPECT_EQ(run({"help"}).output, help);
  EXPECT_EQ(run({"--help"}).output, help);
  // Commands for pilots are first, research is last.
  std::size_t previous = 0;
  for (const char* word : {"\nPlan:", "\n  plan ", "\nFly:", "\n  lookup ", "\nForecast:",
                           "\n  env ", "\nMany:", "\n  batch ", "\nResearch:", "\n  research "}) {
    const auto at = help.find(word);
    ASSERT_NE(at, std::string::npos) << word << help;
    EXPECT_GT(at, previous) << word;
    previous = at;
  }
  EXPECT_EQ(help.find("Subcommands:"), std::string::npos) << "each command has a heading";
  EXPECT_EQ(run({"help", "plan"}).output, run({"plan", "--help"}).output);
  EXPECT_EQ(run({"help", "env", "import"}).output, run({"env", "import", "--help"}).output);
  EXPECT_EQ(run({"version"}).output, run({"--version"}).output);
  EXPECT_THAT(run({"env", "import", "--help"}).output, testing::Not(HasSubstr("ENUM")));
}

TEST_F(FirstTouch, OldNamesOfResearchCommandsPrintTheNewOne) {
  for (const char* name : {"refine", "bound", "build", "solve", "mdp", "bench"}) {
    const auto old = run({name, "--help"});
    EXPECT_EQ(old.output, run({"research", name, "--help"}).output);
    EXPECT_EQ(old.errors, fmt::format("tidewise: '{0}' is now 'research {0}'; the next version "
                                      "drops the old name\n",
                                      name));
    EXPECT_EQ(run({"-q", name, "--help"}).errors, "");
  }
  EXPECT_EQ(run({"help", "mdp", "savings"}).output,
            run({"research", "mdp", "savings", "--help"}).output);
}

TEST_F(FirstTouch, CopiesAnExampleOnce) {
  EXPECT_THAT(run({"example"}).output, testing::AllOf(HasSubstr("washington"), HasSubstr("norway"),
                                                      HasSubstr("double-gyre")));
  const std::string report = run({"example", "washington", "--out", "coast"}).output;
  EXPECT_THAT(report, HasSubstr("\nnext:\n  cd coast\n  tidewise env import "));
  EXPECT_EQ(fs::file_size(folder_ / "coast/rtofs_washington_2024.nc"), 663176u);
  for (const char* name : {"washington.toml", "batch.toml", "track.csv", "track_next.csv",
                           "drifter.csv", "zone.geojson", "CREDIT.md"}) {
    EXPECT_TRUE(fs::exists(folder_ / "coast" / name)) << name;
  }
  EXPECT_THAT(refused({"example", "washington", "--out", "coast"}),
              test::has_code("example_exists"));
  EXPECT_THAT(refused({"example", "atlantis"}),
              test::has_code("example_unknown", "washington, norway, double-gyre, ensemble"));
  EXPECT_THAT(refused({"example", "--out", "coast"}), test::has_code("example_name_missing"));
}

TEST_F(FirstTouch, ExampleWithDepthsIsSmallAndCredited) {
  const std::string report = run({"example", "norway"}).output;
  EXPECT_THAT(report, HasSubstr("\nnext:\n  cd norway\n  tidewise env import --u norway_U.nc:uo "));
  std::uintmax_t bytes = 0;
  for (const char* name : {"norway.toml", "norway_U.nc", "norway_V.nc", "CREDIT.md"}) {
    bytes += fs::file_size(folder_ / "norway" / name);
  }
  EXPECT_LT(bytes, 1'000'000u);
  std::ostringstream credit;
  credit << std::ifstream(folder_ / "norway/CREDIT.md").rdbuf();
  EXPECT_THAT(credit.str(), HasSubstr("Permission is hereby granted"));
}

TEST_F(FirstTouch, EveryExampleHasItsFiles) {
  run({"example", "wind-driven-gyre", "-q"});
  run({"example", "onboard", "-q"});
  for (const char* name : {"wind-driven-gyre/time.toml", "wind-driven-gyre/energy.toml",
                           "wind-driven-gyre/net_energy.toml", "onboard/policy_daemon.c"}) {
    EXPECT_GT(fs::file_size(folder_ / name), 100u) << name;
  }
  std::ostringstream header;
  header << std::ifstream(folder_ / "onboard/tidewise_policy.h").rdbuf();
  EXPECT_THAT(header.str(), HasSubstr("tw_policy_open"));
}

TEST_F(FirstTouch, GeneratesTheGyreOfTheExample) {
  run({"example", "double-gyre", "-q"});
  EXPECT_THAT(run({"check", "--details", "double-gyre/double_gyre.toml", "-q"}).output,
              HasSubstr("realizations    100\n"));
}

#ifdef TIDEWISE_WITH_IMPORT
/// The commands that the example prints, with coarser cells.
TEST_F(FirstTouch, RunsTheExampleWithDepths) {
  run({"example", "norway", "--out", "."});
  run({"env",       "import",
       "--u",       "norway_U.nc:uo",
       "--v",       "norway_V.nc:vo",
       "--step",    "6h",
       "--lagged",  "1",
       "--profile", "surface=at:0",
       "--profile", "shallow=0:200",
       "--profile", "deep=0:1000",
       "--spacing", "15km",
       "--out",     "norway.h5",
       "-q"});
  EXPECT_THAT(run({"plan", "norway.toml", "-q"}).output,
              testing::ContainsRegex(
                  "^Lagged [^\n]+\nHeading [0-9]{3}° true \\([NESW]+\\), 0.35 m/s, dive "
                  "(shallow|deep) \\(0–[0-9]+ m\\), until [^\n]+\\.\nArrival 1[45] Jan [0-9:]+ UTC "
                  "\\(after [0-9.]+ h\\), 3 of 3 simulated missions arrive\\.\n"));
  const Hdf5File flights = Hdf5File::open(folder_ / "runs/norway/trajectories.nc");
  const auto dived = flights.read_all<std::uint8_t>("profile");
  EXPECT_THAT(dived, testing::AllOf(testing::Contains(0U), testing::Contains(1U)));
  EXPECT_THAT(
      run({"rehearse", "runs/norway", "--source", "norway_U.nc", "norway_V.nc", "-q"}).output,
      testing::ContainsRegex(
          "own files: arrival 1[45] Jan [0-9:]+ UTC \\(after [0-9.]+ h\\), 3 of 3 "
          "simulated missions"));
}

TEST_F(FirstTouch, PlansTheExample) {
  run({"example", "washington", "--out", "."});
  run({"env", "import", "rtofs_washington_2024.nc", "--spacing", "6km", "--step", "6h", "--lagged",
       "1", "--out", "washington.h5", "-q"});
  EXPECT_THAT(run({"env", "info", "washington.h5", "-q"}).output,
              testing::ContainsRegex("\nuncertainty +lagged "));
  const std::string planned = run({"plan", "washington.toml", "-q"}).output;
  EXPECT_THAT(planned, StartsWith(uncertainty_note(ForecastUncertainty::lagged) + "\nHeading "));
  EXPECT_THAT(planned,
              testing::ContainsRegex("\nArrival [1-5] Nov [0-9:]+ UTC \\(after [0-9]+ h\\), "
                                     "3 of 3 simulated missions arrive\\.\n"));
  EXPECT_THAT(planned, testing::Not(HasSubstr("%")));
  EXPECT_LE(std::ranges::count(planned, '\n'), 6);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"departures", "runs/washington", "-q"},
           {"lookup", "runs/washington", "--at", "-126.0,46.8", "--time", "2024-10-29T12:00Z"}}) {
    EXPECT_THAT(run(words).output,
                testing::AllOf(StartsWith(uncertainty_note(ForecastUncertainty::lagged) + "\n"),
                               HasSubstr("3 of 3"), testing::Not(HasSubstr("%"))));
  }
  for (const double declination : {15.5, -170.0}) {
    const std::vector<std::string> words{
        "lookup", "runs/washington",   "--at",          "-126.0,46.8",
        "--time", "2024-10-29T12:00Z", "--declination", std::to_string(declination)};
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const auto answer = nlohmann::json::parse(run(as_json).output);
    EXPECT_EQ(answer["declination"], declination);
    const double magnetic = answer["heading_deg_true"].get<double>() - declination;
    EXPECT_NEAR(answer["heading_deg_magnetic"], magnetic - 360 * std::floor(magnetic / 360), 1e-9);
    EXPECT_THAT(run(words).output, HasSubstr(declination < 0 ? "° magnetic (declination 170° W)"
                                                             : "° magnetic (declination 15.5° E)"));
  }
  run({"env", "import", "rtofs_washington_2024.nc", "--spacing", "6km", "--step", "6h", "--out",
       "one.h5", "-q"});
  const std::string single_report = run({"plan", "washington.toml", "-q", "--set",
                                         "environment.file=one.h5", "--out", "one", "--details"})
                                        .output;
  EXPECT_THAT(single_report,
              StartsWith(uncertainty_note(ForecastUncertainty::none) + "\nHeading "));
  EXPECT_THAT(single_report, HasSubstr("prediction      arrival after "));
  EXPECT_LE(single_report.find("\n\n"), single_report.find("\nfrom "));
  EXPECT_LE(std::ranges::count(single_report.substr(0, single_report.find("\n\n")), '\n'), 5);
  const auto single_summary = nlohmann::json::parse(std::ifstream(folder_ / "one/summary.json"));
  EXPECT_EQ(single_summary["uncertainty"], "none");
  EXPECT_FALSE(single_summary["recommendation"]["outlook"].contains("arrival_probability"));
  EXPECT_EQ(single_summary["rollout"]["arrival_rate"], 1);
  EXPECT_THAT(
      run({"plan", "washington.toml", "-q", "--set", "rollout.mode=none", "--out", "none"}).output,
      HasSubstr(", not simulated.\n"));
  const std::string report =
      run({"replan", "runs/washington", "--track", "track.csv", "-q"}).output;
  EXPECT_THAT(report, testing::ContainsRegex(
                          "\n(Keep the old|Take the new) plan, .*: heading .*\nArrival "));
  // A preset, and keys that override it.
  const std::string preset = "vehicle.preset=\"slocum-g3\"";
  EXPECT_THAT(run({"check", "--details", "washington.toml", "-q", "--set", preset}).output,
              HasSubstr("slocum-g3: 0.5 m/s, 18 F² + 2.2 W at F m/s, in part the mission's own"));

  const std::vector<std::string> words{
      "init",    "--environment", "washington.h5",          "--preset", "auv-1ms",
      "--start", "-126.0,46.8",   "--target=-124.95,48.45", "--time",   "2024-10-28T15:00Z"};
  EXPECT_THAT(run(words).output, HasSubstr("next:\n  tidewise check mission.toml"));
  EXPECT_THAT(run({"check", "--details", "mission.toml", "-q"}).output,
              testing::AllOf(HasSubstr("auv-1ms: 0.5, 1 m/s"), HasSubstr("result ")));
  EXPECT_THAT(refused(words), test::has_code("init_output_exists", "mission.toml"));
  auto ashore = words;
  ashore[6] = "-124.2,47.5";
  ashore.insert(ashore.end(), {"--out", "ashore.toml"});
  EXPECT_THAT(refused(ashore), test::has_code("start_closed", "land"));
}
#endif

TEST_F(FirstTouch, InitRequiresATarget) {
  make_gyre("gyre.h5");
  EXPECT_THAT(refused({"init"}), test::has_code("init_argument_unknown", "--environment"));
  EXPECT_THAT(refused({"init", "--environment", "gyre.h5", "--start", "15.5,6.5"}),
              test::has_code("init_argument_unknown", "--to"));
  EXPECT_THAT(refused({"init", "--environment", "gyre.h5", "--start", "15.5,6.5", "--target",
                       "15.5,24.5", "--preset", "raft"}),
              test::has_code("preset_unknown", "slocum-g3, seaglider"));
  run({"init", "--environment", "gyre.h5", "--start", "15.5,6.5", "--target", "15.5,24.5"});
  EXPECT_THAT(run({"check", "--details", "mission.toml", "-q"}).output, HasSubstr("result "));
}

TEST_F(FirstTouch, ViewAndObserveHaveDefaultOutputs) {
  make_gyre("gyre.h5");
  write_mission("gyre.h5", "run", 2);
  run({"plan", "m.toml", "-q"});
  run({"view", "run", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "run/view.html"));
  std::ofstream(folder_ / "drifter.csv") << "time,x,y\n2,15.5,6.5\n3,16.0,7.0\n";
  run({"observe", "run", "--drifter", "drifter.csv", "--error", "0.05", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "run/observed.h5"));
  run({"observe", "gyre.h5", "--drifter", "drifter.csv", "--error", "0.05", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "gyre_observed.h5"));
}

TEST_F(FirstTouch, LookupAnswersInFourLines) {
  make_gyre("gyre.h5");
  write_mission("gyre.h5", "run", 2);
  run({"plan", "m.toml", "-q"});
  const std::vector<std::string> lookup_words{"lookup",   "run",    "--at-xy",
                                              "15.5,6.5", "--time", "2"};
  const std::string report = run(lookup_words).output;
  EXPECT_THAT(report, testing::ContainsRegex(
                          "^Heading [0-9]+° \\(counter-clockwise from \\+x\\), speed "
                          "[0-9.]+, until 3\\.\nArrival after [0-9.]+, 90 % from [0-9.]+ to "
                          "[0-9.]+, probability (over )?[0-9.]+ % \\(60 flights\\)\\.\n"));
  EXPECT_THAT(report, testing::Not(HasSubstr("value")));
  auto with_value = lookup_words;
  with_value.push_back("--value");
  EXPECT_THAT(run(with_value).output, HasSubstr("\nvalue "));
  // From the start and departure of the run, the flights are those of the run.
  const auto rollout =
      nlohmann::json::parse(std::ifstream(folder_ / "run/summary.json"))["rollout"];
  EXPECT_THAT(report, HasSubstr(std::to_string(rollout["trajectories"].get<int>()) + " flights"));
  const std::string median = run({"plan", "m.toml", "-q", "--out", "again", "--details"}).output;
  const auto line_of = [](const std::string& text) {
    const auto at = text.find("\ntime to go");
    return text.substr(at, text.find('\n', at + 1) - at);
  };
  EXPECT_EQ(line_of(run(with_value).output), line_of(median));
  // Without its environment, lookup still returns an action.
  fs::remove(folder_ / "gyre.h5");
  EXPECT_THAT(run(lookup_words).output,
              testing::AllOf(StartsWith("Heading "), HasSubstr("\nNo simulation: ")));
  EXPECT_THAT(run({"lookup", "run", "--at-xy", "15.5,6.5", "--time", "-3"}).output,
              StartsWith("No action: it is too early, the forecast is planned on from 0 to 44"));
}

}  // namespace
}  // namespace tidewise
