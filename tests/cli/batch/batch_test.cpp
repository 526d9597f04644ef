// Runs whole batches by the program. Their results must equal those of 'plan' for each mission.
// Other tests cover batches that fail, are refused or resume.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "batch_fixture.h"
#include "support/device.h"
#include "support/error_code.h"
#include "support/ocean/metric_units.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Batch = test::BatchFixture;

constexpr const char* product = R"([batch]
mission = "m.toml"
[vary]
mission.objective = ["time", "energy"]
mission.departure = [0, 3]
vehicle = [{ name = "fast", speeds = [0.8, 1.6] }, { name = "slow", speeds = [1.0] }]
)";

TEST_F(Batch, WritesTheRunsOfPlan) {
  write("b.toml", product);
  const auto result = batch();
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.errors, testing::StartsWith("tidewise: warning: 4 of 8 missions warn"));
  EXPECT_THAT(result.output, HasSubstr("8, 8 done"));
  EXPECT_THAT(result.output, HasSubstr("2 counting pass(es)"));
  EXPECT_THAT(result.output,
              testing::ContainsRegex(
                  "\n\n  mission +arrival +after +90 % after +arrive\n"
                  "(  000[0-7]_[a-z0-9_]+ +[0-9.]+ +[0-9.]+ to [0-9.]+ +(over )?[0-9.]+ %\n){8}$"));
  const auto directories = texts("directory");
  EXPECT_EQ(directories.at(1), "0001_time_departure0_slow");
  EXPECT_THAT(column("status"), Each(0));
  for (std::size_t i = 0; i < 8; ++i) {
    const bool slow = i % 2 == 1;
    const auto planned = test::run_tidewise(
        {"plan", "m.toml", "-q", "--out", "single", "--overwrite", "--baselines", "none", "--set",
         i < 4 ? "mission.objective=time" : "mission.objective=energy", "--set",
         i % 4 < 2 ? "mission.departure=0" : "mission.departure=3", "--set",
         slow ? "vehicle.speeds=[1.0]" : "vehicle.speeds=[0.8, 1.6]"},
        folder_.path());
    ASSERT_EQ(planned.status, 0) << planned.errors;
    const fs::path run = folder_ / "runs/b" / directories.at(i);
    EXPECT_THAT(
        test::differences(test::contents_of_run(folder_ / "single"), test::contents_of_run(run)),
        IsEmpty())
        << directories.at(i);
    const auto summary = nlohmann::json::parse(std::ifstream(run / "summary.json"));
    EXPECT_EQ(column("value_at_start").at(i), summary["value_at_start"].get<double>());
    EXPECT_EQ(column("expected_time").at(i), summary["expected"]["time"].get<double>());
    EXPECT_EQ(column("rollout_time_p95").at(i), summary["rollout"]["time"]["p95"].get<double>());
    EXPECT_EQ(texts("speeds").at(i), slow ? "1" : "0.8 1.6");
    EXPECT_EQ(texts("warnings").at(i),
              summary["warnings"].empty() ? "" : summary["warnings"][0].get<std::string>());
  }
}

/// The results of a run that do not depend on what computed it.
test::Contents results_of_run(const fs::path& run) {
  test::Contents results = test::contents_of_run(run);
  std::erase_if(results, [](const auto& entry) {
    const std::string& name = entry.first;
    for (const char* of_summary : {"value_at_start", "expected", "rollout", "first_action"}) {
      if (name == std::string("summary.json:") + of_summary) return false;
    }
    return !name.starts_with("policy.h5:") && !name.starts_with("trajectories.nc:");
  });
  return results;
}

// A GPU evaluates the policies of a batch while it simulates the flights.
TEST_F(Batch, HasTheSameResultsOnAGpu) {
  TIDEWISE_REQUIRE_DEVICE();
  write("b.toml", product);
  ASSERT_EQ(batch({"--out", "cpu"}).status, 0);
  const auto on_gpu = batch({"--out", "gpu", "--backend", "cuda"});
  ASSERT_EQ(on_gpu.status, 0) << on_gpu.errors;
  const auto directories = texts("directory", "cpu");
  ASSERT_EQ(directories.size(), 8u);
  for (const std::string& directory : directories) {
    const test::Contents results = results_of_run(folder_ / "cpu" / directory);
    EXPECT_EQ(results.count("summary.json:expected"), 1u);
    EXPECT_THAT(test::differences(results, results_of_run(folder_ / "gpu" / directory)), IsEmpty())
        << directory;
  }
}

TEST_F(Batch, SimulatesBaselinesOnRequest) {
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.objective = [\"time\"]\n");
  const auto planned =
      test::run_tidewise({"plan", "m.toml", "-q", "--out", "single"}, folder_.path());
  ASSERT_EQ(planned.status, 0) << planned.errors;
  ASSERT_EQ(batch({"--baselines", "all", "--out", "all"}).status, 0);
  ASSERT_EQ(batch({"--out", "none"}).status, 0);
  const auto baselines = [&](const fs::path& run) {
    return nlohmann::json::parse(std::ifstream(folder_ / run / "summary.json"))["baselines"];
  };
  const std::string directory = texts("directory", "all").at(0);
  EXPECT_EQ(baselines("single")["aim"]["trajectories"], 30);
  EXPECT_EQ(baselines(fs::path("all") / directory), baselines("single"));
  EXPECT_TRUE(baselines(fs::path("none") / directory).is_null());
}

TEST_F(Batch, CountsMissionsThatMissTheirPrediction) {
  write("b.toml", product);
  const auto result = test::run_tidewise({"batch", "b.toml"}, folder_.path());
  ASSERT_EQ(result.status, 0) << result.errors;
  std::size_t warning_count = 0;
  std::string first;
  const auto warnings = texts("warnings");
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    if (!warnings[i].empty() && warning_count++ == 0) first = texts("directory").at(i);
  }
  ASSERT_GT(warning_count, 0u);
  EXPECT_THAT(result.errors, HasSubstr(std::to_string(warning_count) +
                                       " of 8 missions warn (column warnings of "
                                       "batch.csv), the first " +
                                       first + ": prediction"));
}

TEST_F(Batch, WritesTheUnitOfEnergyIfMissionsShareIt) {
  test::make_metric(folder_ / "gyre.h5");
  const auto unit = [&](const std::string& out, const std::string& column) {
    return Hdf5File::open(folder_ / out / "batch.nc").text_attribute(column, "units").value_or("");
  };
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nvehicle.headings = [8, 12]\n");
  ASSERT_EQ(batch({"--out", "in_watts"}).status, 0);
  for (const char* column : {"expected_energy", "expected_net_energy", "rollout_energy_mean",
                             "rollout_net_energy_p95"}) {
    EXPECT_EQ(unit("in_watts", column), "J") << column;
  }
  EXPECT_EQ(unit("in_watts", "expected_time"), "s");
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nvehicle.energy.c_t = [0.0, 0.5]\n");
  ASSERT_EQ(batch({"--out", "apart"}).status, 0);
  EXPECT_EQ(unit("apart", "expected_energy"), "");
  EXPECT_EQ(unit("apart", "expected_time"), "s");
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nvehicle.energy.c_t = [0.0]\n");
  ASSERT_EQ(batch({"--out", "plain"}).status, 0);
  EXPECT_EQ(unit("plain", "rollout_energy_p05"), "m2 s-1");
}

TEST_F(Batch, RolloutRepeatsFlightsOfASharedSolve) {
  write("b.toml", product);
  ASSERT_EQ(batch().status, 0);
  for (const char* run : {"0000_time_departure0_fast", "0002_time_departure3_fast"}) {
    const auto result =
        test::run_tidewise({"rollout", std::string("runs/b/") + run, "-q"}, folder_.path());
    ASSERT_EQ(result.status, 0) << result.errors;
    const fs::path folder = folder_ / "runs/b" / run;
    auto original = test::contents_of_run(folder);
    const auto repeated = test::contents_of_run(folder / "rollout_1");
    std::erase_if(original,
                  [](const auto& item) { return !item.first.starts_with("trajectories"); });
    for (const auto& [key, value] : original) EXPECT_EQ(repeated.at(key) == value, true) << key;
  }
}

TEST_F(Batch, InvalidMissionDoesNotStopOthers) {
  write("b.toml", R"([batch]
mission = "m.toml"
[[mission]]
name = "good"
[[mission]]
name = "outside"
mission.start = [99.0, 4.5]
[[mission]]
name = "late"
mission.departure = 24
)");
  const auto result = batch();
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.errors, HasSubstr("2 of 3 missions failed"));
  EXPECT_THAT(result.errors, HasSubstr("batch.csv has all reasons"));
  EXPECT_THAT(column("status"), ElementsAre(0, 1, 1));
  EXPECT_THAT(
      texts("message"),
      ElementsAre("", test::has_code("place_outside", "b.toml:7: mission.start is [99, 4.5]"),
                  test::has_code("departure_outside", "b.toml:10: mission.departure is 24")));
  EXPECT_TRUE(std::isnan(column("value_at_start").at(1)));
  EXPECT_EQ(column("start_x").at(1), 99.0);
  EXPECT_FALSE(fs::exists(folder_ / "runs/b/0001_outside"));
  EXPECT_THAT(test::bytes_of(folder_ / "runs/b/batch.log"),
              HasSubstr("0001_outside: failed: b.toml:7"));
  const std::string csv = test::bytes_of(folder_ / "runs/b/batch.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_THAT(csv,
              HasSubstr("\n1,outside,0001_outside,failed,\"b.toml:7: mission.start is [99, 4.5]"));
}

TEST_F(Batch, RefusesAFolderThatHoldsABatchOrIsInUse) {
  write("b.toml", product);
  ASSERT_EQ(batch({"--set", "rollout.mode=none"}).status, 0);
  const std::string before = test::listing(folder_.path());
  auto result = batch();
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.errors, test::has_code("batch_folder_exists"));

  const int lock = ::open((folder_ / "runs/b/.batch.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  for (const auto& options : {std::vector<std::string>{}, {"--resume"}}) {
    result = batch(options);
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.errors, test::has_code("batch_folder_in_use"));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1);
  }
  ::close(lock);
  EXPECT_EQ(test::listing(folder_.path()), before);
}

TEST_F(Batch, ResumesMissingAndChangedMissions) {
  write("b.toml", product);
  ASSERT_EQ(batch().status, 0);
  const auto whole = test::contents_of_batch(folder_ / "runs/b");
  const auto changed_at = [&](const std::string& run) {
    return fs::last_write_time(folder_ / "runs/b" / run / "summary.json");
  };
  const auto unchanged_time = changed_at("0000_time_departure0_fast");
  const auto removed_time = changed_at("0006_energy_departure3_fast");
  fs::remove(folder_ / "runs/b/0006_energy_departure3_fast/summary.json");  // as if half-written
  fs::remove(folder_ / "runs/b/0003_time_departure3_slow/policy.h5");
  auto result = batch({"--resume"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("8 done (6 of them before)"));
  EXPECT_THAT(test::differences(test::contents_of_batch(folder_ / "runs/b"), whole), IsEmpty());
  EXPECT_EQ(changed_at("0000_time_departure0_fast"), unchanged_time);
  EXPECT_NE(changed_at("0006_energy_departure3_fast"), removed_time);
  const std::string log = test::bytes_of(folder_ / "runs/b/batch.log");
  EXPECT_THAT(log, HasSubstr("0003_time_departure3_slow: policy.h5 is missing; it runs again"));
  EXPECT_THAT(log, Not(HasSubstr("has changed")));

  // The same missions get other numbers but keep their folders. One folder is stale.
  write("b.toml", R"([batch]
mission = "m.toml"
[vary]
mission.objective = ["energy", "weighted"]
mission.departure = [3]
vehicle = [{ name = "fast", speeds = [0.8, 1.6] }]
)");
  result = batch({"--resume"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("2 done (1 of them before)"));
  EXPECT_THAT(texts("directory"), ElementsAre("0006_energy_departure3_fast", "0001_weighted"));
  EXPECT_THAT(test::bytes_of(folder_ / "runs/b/batch.log"),
              HasSubstr("0000_time_departure0_fast: is stale"));

  make_environment("gyre.h5", "2");
  result = batch({"--resume"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, Not(HasSubstr("before")));
}

/// The mission also has another number than before.
TEST_F(Batch, ReportsAMissingFileOfAMissionThatRunsInAnotherFolder) {
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.departure = [0, 2]\n");
  ASSERT_EQ(batch().status, 0);
  fs::remove(folder_ / "runs/b/0001_departure2/trajectories.nc");
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.departure = [0, 1, 2]\n");
  ASSERT_EQ(batch({"--resume"}).status, 0);
  const std::string log = test::bytes_of(folder_ / "runs/b/batch.log");
  EXPECT_THAT(log, HasSubstr("0001_departure2: trajectories.nc is missing; its mission runs again "
                             "in 0002_departure2"));
  EXPECT_THAT(log, Not(HasSubstr("stale")));
  EXPECT_THAT(log, Not(HasSubstr("has changed")));
}

/// A summary may have been edited since the batch.
TEST_F(Batch, IgnoresSummaryFieldsOfWrongType) {
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.departure = [0, 2]\n");
  ASSERT_EQ(batch().status, 0);
  const fs::path path = folder_ / "runs/b/0000_departure0/summary.json";
  auto summary = nlohmann::ordered_json::parse(std::ifstream(path));
  for (const char* warnings : {"[1]", "5", R"({"a": {}})", "[[]]", R"([1, "the sea is salt"])"}) {
    summary["warnings"] = nlohmann::ordered_json::parse(warnings);
    std::ofstream(path) << summary;
    const auto result = test::run_tidewise({"batch", "b.toml", "--resume"}, folder_.path());
    EXPECT_EQ(result.status, 0) << warnings << ": " << result.errors;
    EXPECT_THAT(result.errors, Not(HasSubstr("json"))) << warnings;
    EXPECT_THAT(result.output, HasSubstr("2 of them before")) << warnings;
  }
  EXPECT_EQ(texts("warnings").at(0), "the sea is salt");
}

/// An older run of the same mission in another folder must not hide the current run.
TEST_F(Batch, RepeatsNothingWhenAMissionHasRunInTwoFolders) {
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.departure = [0, 2]\n");
  ASSERT_EQ(batch().status, 0);
  make_environment("gyre.h5", "2");
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.departure = [4, 0]\n");
  ASSERT_EQ(batch({"--resume"}).status, 0);
  EXPECT_THAT(texts("directory"), ElementsAre("0000_departure4", "0001_departure0"));
  EXPECT_TRUE(
      fs::exists(folder_ / "runs/b/0000_departure0/summary.json"));  // for the old environment
  EXPECT_THAT(batch({"--resume"}).output, HasSubstr("2 done (2 of them before)"));
}

TEST_F(Batch, RefusesAFolderNameThatIsNotUtf8) {
  write("b.toml", "[batch]\nmission = \"m.toml\"\n[vary]\nmission.departure = [0, 2]\n");
  const auto result = batch({"--out", "odd\xff"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.errors, test::has_code("batch_file_name_not_utf8"));
}

TEST_F(Batch, MissingEnvironmentFailsOnlyItsMissions) {
  make_environment("other.h5", "5");
  write("b.toml", R"([batch]
mission = "m.toml"
[vary]
environment.file = ["*.h5"]
mission.departure = [0, 2]
)");
  ASSERT_EQ(batch({"--set", "rollout.mode=none"}).status, 0);
  EXPECT_THAT(texts("name"), ElementsAre("gyre_departure0", "gyre_departure2", "other_departure0",
                                         "other_departure2"));
  write("b.toml", R"([batch]
mission = "m.toml"
[vary]
environment.file = ["gyre.h5", "other.h5"]
mission.departure = [0, 2, 4]
)");
  fs::remove(folder_ / "other.h5");
  EXPECT_EQ(batch({"--out", "fresh"}).status, 2);  // nothing has been done yet
  EXPECT_FALSE(fs::exists(folder_ / "fresh"));
  const auto result = batch({"--resume", "--set", "rollout.mode=none"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(column("status"), ElementsAre(0, 0, 0, 0, 0, 1));
  EXPECT_THAT(texts("message").at(5), test::has_code("file_missing", "other.h5"));
}

TEST_F(Batch, UnusableLevelFailsOnlyItsMissions) {
  const float missing = std::numeric_limits<float>::quiet_NaN();
  Hdf5File::open_to_change(folder_ / "gyre.h5")
      .write("coefficient", {24, 0, 0}, {1, 1, 1}, &missing);
  write("b.toml", R"([batch]
mission = "m.toml"
[vary]
mission.horizon = [10, 23, 20]
)");
  EXPECT_EQ(batch().status, 1);
  EXPECT_THAT(column("status"), ElementsAre(0, 1, 0));
  EXPECT_THAT(texts("message").at(1), test::has_code("coefficient_not_finite", "coefficient"));
  const auto single = test::run_tidewise(
      {"plan", "m.toml", "-q", "--set", "mission.horizon=20", "--out", "alone"}, folder_.path());
  ASSERT_EQ(single.status, 0) << single.errors;
  const auto value = [&](const fs::path& run) {
    return Hdf5File::open(folder_ / run / "policy.h5").read_all<float>("value");
  };
  EXPECT_EQ(value("runs/b/0002_horizon20"), value("alone"));
}

TEST_F(Batch, WritesNoPoliciesOnRequest) {
  write("b.toml", std::string("[batch]\npolicies = \"none\"\n") +
                      std::string(product).substr(std::string("[batch]\n").size()));
  ASSERT_EQ(batch().status, 0);
  for (const auto& directory : texts("directory")) {
    EXPECT_FALSE(fs::exists(folder_ / "runs/b" / directory / "policy.h5"));
    EXPECT_TRUE(fs::exists(folder_ / "runs/b" / directory / "trajectories.nc"));
  }
  EXPECT_THAT(batch({"--resume"}).output, HasSubstr("8 of them before"));
}

TEST_F(Batch, WritesTheTracksOfSomeFlights) {
  write("b.toml", std::string("[batch]\ntracks = 7\n") +
                      std::string(product).substr(std::string("[batch]\n").size()));
  ASSERT_EQ(batch().status, 0);
  const fs::path run = fs::path("runs/b") / texts("directory").front();
  const Hdf5File flights = Hdf5File::open(folder_ / run / "trajectories.nc");
  EXPECT_EQ(flights.shape("x").front(), 7u);
  EXPECT_EQ(flights.shape("end_time"), (Extents{30}));
  EXPECT_EQ(column("rollout_trajectories").front(), 30);
  for (const auto& arguments : {std::vector<std::string>{"view", run.string(), "-q"},
                                {"export", run.string(), "-q", "--format", "csv", "--plane"}}) {
    const auto result = test::run_tidewise(arguments, folder_.path());
    EXPECT_EQ(result.status, 0) << result.errors;
  }
}

TEST_F(Batch, DividesPassesThatExceedMemory) {
  write("b.toml", product);
  ASSERT_EQ(batch({"--out", "at_once"}).status, 0);
  write("b.toml", std::string("[batch]\nmemory = \"70kB\"\n") +
                      std::string(product).substr(std::string("[batch]\n").size()));
  const auto result = batch();
  EXPECT_THAT(result.output, HasSubstr("4 counting pass(es)"));
  EXPECT_THAT(test::differences(test::contents_of_batch(folder_ / "runs/b"),
                                test::contents_of_batch(folder_ / "at_once")),
              IsEmpty());
}

TEST_F(Batch, DryRunWritesNothing) {
  write("b.toml", product);
  const std::string before = test::listing(folder_.path());
  const auto result = batch({"--dry-run"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output,
              HasSubstr("8 (2 mission.objective × 2 mission.departure × 2 vehicle)"));
  EXPECT_THAT(result.output, HasSubstr("8 mission(s) by 4 solve(s) in 2 counting pass(es)"));
  EXPECT_THAT(result.output, HasSubstr("memory"));
  EXPECT_THAT(result.output, HasSubstr("disk"));
  EXPECT_EQ(test::listing(folder_.path()), before);
}

TEST_F(Batch, EndsCleanlyWhenInterruptedAndResumes) {
  write("b.toml", product);
  ASSERT_EQ(batch({"--out", "whole"}).status, 0);
  const auto log = folder_ / "runs/b/batch.log";
  const auto result = test::interrupt_tidewise({"batch", "b.toml", "-q"}, folder_.path(), [&] {
    return test::bytes_of(log).find("done: ") != std::string::npos;
  });
  if (result.status != 0) {  // else the batch was faster than the signal
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.errors, testing::ContainsRegex("interrupted; [0-9] of 8 missions are done"));
  }
  ASSERT_EQ(batch({"--resume"}).status, 0);
  EXPECT_THAT(test::differences(test::contents_of_batch(folder_ / "runs/b"),
                                test::contents_of_batch(folder_ / "whole")),
              IsEmpty());
}

TEST_F(Batch, ReportsAFullDiskForEachMission) {
  write("b.toml", product);
  const auto result =
      test::run_tidewise_on_full_disk({"batch", "b.toml", "-q"}, folder_.path(), 50'000);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_THAT(texts("message"), Each(HasSubstr("check the space left")));
  EXPECT_EQ(batch({"--resume"}).status, 0);
}

}  // namespace
}  // namespace tidewise
