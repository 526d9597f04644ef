#include "output/run/summary.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "base/memory/peak_memory.h"
#include "output/version.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RunSummary example() {
  RunSummary summary;
  summary.value_at_start = 61.25;
  summary.expected =
      ExpectedOutcome{.arrival_probability = 0, .time = nan, .energy = nan, .net_energy = nan};
  RolloutStatistics rollout;
  rollout.trajectories = 3;
  rollout.arrival_rate = 1;
  rollout.time = {1.5, 1, 2, 1, 1.25, 2, 2};
  rollout.failures.out_of_time = 4;
  rollout.standard_error = nan;
  summary.rollout = rollout;
  summary.problem = {.nx = 200, .ny = 100, .transitions = 1'280'000'000'000};
  summary.engine = "lattice";
  summary.backend = "cpu";
  summary.device = "a processor";
  summary.threads = 2;
  summary.seconds = {
      .prepare = 0.5, .read = 1, .solve = 2, .rollout = 3, .write = 4, .total = 10.5};
  summary.peak_memory_bytes = 123;
  summary.mission = Json::parse(R"({"vehicle": {"speeds": [1.0]}, "environment": {"file": "a"}})");
  return summary;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

using Names = std::vector<std::string>;

TEST(Summary, AcceptsAnyText) {
  const test::TemporaryFolder folder;
  RunSummary summary = example();
  summary.device = "a processor\xff\x1b";
  write_summary(folder / "summary.json", summary);
  std::ifstream stream(folder / "summary.json");
  EXPECT_EQ(Json::parse(stream)["device"], "a processor\xef\xbf\xbd\x1b");
}

TEST(Summary, HasTheDocumentedFieldsInOrder) {
  const test::TemporaryFolder folder;
  write_summary(folder / "summary.json", example());
  std::ifstream stream(folder / "summary.json");
  const Json json = Json::parse(stream);
  EXPECT_EQ(keys(json), (Names{"value_at_start", "uncertainty", "recommendation", "expected",
                               "rollout", "baselines", "notes", "warnings", "problem", "engine",
                               "backend", "device", "threads", "processes", "bands", "seconds",
                               "peak_memory_bytes", "version", "mission"}));
  EXPECT_EQ(keys(json["expected"]), (Names{"arrival_probability", "time", "energy", "net_energy"}));
  EXPECT_EQ(keys(json["rollout"]),
            (Names{"mode", "trajectories", "arrival_rate", "time", "time_standard_error", "energy",
                   "net_energy", "failures", "mean_total_reward", "standard_error", "risk"}));
  for (const char* quantity : {"time", "energy", "net_energy"}) {
    EXPECT_EQ(keys(json["rollout"][quantity]),
              (Names{"mean", "min", "max", "p05", "p50", "p95", "cvar95"}));
  }
  EXPECT_EQ(keys(json["rollout"]["failures"]),
            (Names{"obstacle", "out_of_domain", "out_of_time", "out_of_energy", "without_action",
                   "out_of_forecast"}));
  EXPECT_EQ(keys(json["problem"]), (Names{"nx", "ny", "levels", "states", "actions", "realizations",
                                          "modes", "rows", "transitions"}));
  EXPECT_EQ(keys(json["seconds"]),
            (Names{"prepare", "read", "solve", "evaluate", "rollout", "write", "total"}));
  EXPECT_EQ(keys(json["mission"]), (Names{"vehicle", "environment"}));

  EXPECT_EQ(json["value_at_start"], 61.25);
  EXPECT_EQ(json["rollout"]["mode"], "continuous");
  EXPECT_EQ(json["rollout"]["time"]["p50"], 1.25);
  EXPECT_EQ(json["rollout"]["failures"]["out_of_time"], 4);
  EXPECT_EQ(json["problem"]["transitions"], 1'280'000'000'000);
  EXPECT_EQ(json["seconds"]["total"], 10.5);
  EXPECT_EQ(json["version"], version());
}

TEST(Summary, StatesTheUncertaintyOfItsForecast) {
  RunSummary summary = example();
  summary.uncertainty = ForecastUncertainty::lagged;
  EXPECT_EQ(to_json(summary)["uncertainty"], "lagged");
  EXPECT_EQ(uncertainty_in(to_json(summary)), ForecastUncertainty::lagged);
  // Runs of earlier versions do not state an uncertainty.
  const auto earlier = [](int realizations) {
    return uncertainty_in(Json{{"problem", {{"realizations", realizations}}}});
  };
  EXPECT_EQ(earlier(1), ForecastUncertainty::none);
  EXPECT_EQ(earlier(9), ForecastUncertainty::ensemble);
  EXPECT_EQ(uncertainty_in(Json()), ForecastUncertainty::ensemble);
}

TEST(Summary, WritesNonFiniteNumbersAsNull) {
  const Json json = to_json(example());
  EXPECT_EQ(json["expected"]["arrival_probability"], 0.0);
  EXPECT_TRUE(json["expected"]["time"].is_null());
  EXPECT_TRUE(json["rollout"]["standard_error"].is_null());
  RunSummary bare = example();
  bare.expected.reset();
  bare.rollout.reset();
  bare.peak_device_memory_bytes = 456;
  EXPECT_TRUE(to_json(bare)["expected"].is_null());
  EXPECT_TRUE(to_json(bare)["rollout"].is_null());
  EXPECT_EQ(to_json(bare)["peak_device_memory_bytes"], 456);
}

TEST(Summary, OmitsArrivalsForStationKeeping) {
  RunSummary summary = example();
  summary.expected->within = 0.75;
  summary.rollout->keeping = {false, 0.7, 0.1, 0.8, 0.9, 0.02, 0.95};
  const Json json = to_json(summary);
  EXPECT_EQ(keys(json["expected"]), (Names{"within"}));
  EXPECT_EQ(json["expected"]["within"], 0.75);
  EXPECT_EQ(keys(json["rollout"]), (Names{"mode", "trajectories", "failures", "mean_total_reward",
                                          "standard_error", "within"}));
  EXPECT_EQ(keys(json["rollout"]["within"]),
            (Names{"mean", "p10", "p50", "p90", "standard_error", "lasting"}));
  summary.rollout->keeping->is_distance = true;
  EXPECT_TRUE(to_json(summary)["rollout"].contains("distance"));
}

TEST(Summary, ComparesThePlanWithBaselines) {
  EXPECT_TRUE(to_json(example())["baselines"].is_null());
  RunSummary summary = example();
  BaselineOutcome aim{Baseline::aim, 0.5, "", *summary.rollout, {0.25, 7, nan, 3, 2, nan}};
  BaselineOutcome greedy = aim;
  aim.rollout.mean_total_reward = 4;
  greedy.baseline = Baseline::greedy;
  greedy.rollout.mean_total_reward = 5;
  summary.baselines = {aim, greedy};
  const Json json = to_json(summary)["baselines"];
  EXPECT_EQ(keys(json), (Names{"best", "aim", "greedy"}));
  EXPECT_EQ(json["best"], "greedy");
  EXPECT_EQ(keys(json["aim"]), (Names{"speed", "trajectories", "arrival_rate", "time",
                                      "time_standard_error", "energy", "net_energy", "failures",
                                      "mean_total_reward", "standard_error", "risk", "plan_gain"}));
  EXPECT_EQ(json["aim"]["speed"], 0.5);
  EXPECT_EQ(json["aim"]["time"]["mean"], 1.5);
  const Json& gain = json["aim"]["plan_gain"];
  EXPECT_EQ(keys(gain), (Names{"arrival_rate", "time", "energy", "net_energy", "mean_total_reward",
                               "standard_error"}));
  EXPECT_EQ(gain["arrival_rate"], 0.25);
  EXPECT_EQ(gain["mean_total_reward"], 7);
  EXPECT_TRUE(gain["standard_error"].is_null());
  EXPECT_EQ(gain["time"], 3);
  EXPECT_TRUE(gain["net_energy"].is_null());
}

TEST(Summary, RecordsEnvironmentOfForeignPolicy) {
  RunSummary summary = example();
  summary.planned_on = PlannedOn{"run/policy.h5", "still.h5", 99.5, {22, 2}};
  const Json json = to_json(summary);
  EXPECT_EQ(json["value_at_start"], 61.25);
  const Json& planned_on = json["planned_on"];
  EXPECT_EQ(keys(planned_on), (Names{"policy", "environment", "value_at_start", "open_states",
                                     "open_states_without_action"}));
  EXPECT_EQ(planned_on["environment"], "still.h5");
  EXPECT_EQ(planned_on["value_at_start"], 99.5);
  EXPECT_EQ(planned_on["open_states"], 22);
  EXPECT_EQ(planned_on["open_states_without_action"], 2);
}

TEST(PeakMemory, GrowsWithAllocatedMemory) {
  const std::int64_t before = peak_memory_bytes();
  EXPECT_GT(before, 1 << 20);
  const std::vector<char> allocated(64 << 20, 'x');
  EXPECT_GT(peak_memory_bytes(), before + (32 << 20));
  EXPECT_EQ(allocated.back(), 'x');
}

}  // namespace
}  // namespace tidewise
