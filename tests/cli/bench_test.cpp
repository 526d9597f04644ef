// Runs small benchmarks of each kind, and benchmarks that must be refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/device.h"
#include "support/error_code.h"
#include "support/hidden_gpus.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

class Bench : public test::ProgramFixture {
 protected:
  test::ProgramResult run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"research", "bench"});
    return test::run_tidewise(words, folder_.path());
  }
  void expect_refusal(std::vector<std::string> words, const std::string& line) const {
    words.insert(words.begin(), {"research", "bench"});
    EXPECT_THAT(refused(words), test::has_code_of(line));
  }
};

TEST_F(Bench, RefusesGpuBenchmarksWithoutAGpu) {
  const test::HiddenGpus hidden;
  for (const std::string name : {"planner", "explicit"}) {
    expect_refusal({name, "--json", "figures.json"}, "bench " + name + " [bench_needs_gpu]");
  }
  expect_refusal({"growth"}, "bench growth [bench_needs_gpu]");
}

TEST_F(Bench, PlannerRefusesInvalidSizes) {
  expect_refusal({"planner", "--cells", "19"}, "[option_value_invalid]");
  expect_refusal({"planner", "--repeats", "0"}, "[option_value_invalid]");
  expect_refusal({"planner", "--headings", "0"}, "[option_value_invalid]");
}

TEST_F(Bench, LearningMeasuresEverySide) {
  const auto result = run(
      {"learning", "--realizations", "20", "--modes", "2", "--steps", "8", "--repeats", "2", "-q"});
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const char* side :
       {"square root", "perturbed observations", "localised", "read and written"}) {
    EXPECT_THAT(result.output, HasSubstr(side));
  }
  expect_refusal({"learning", "--realizations", "1"}, "[option_value_invalid]");
}

TEST_F(Bench, PlannerMeasuresEverySide) {
  TIDEWISE_REQUIRE_DEVICE();
  const auto result =
      run({"planner", "--cells", "40", "--realizations", "300", "--modes", "3", "--headings", "8",
           "--steps", "12", "--repeats", "2", "--json", "figures.json", "-q"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("The whole problem, 12 steps"));
  const auto figures = nlohmann::json::parse(std::ifstream(folder_ / "figures.json"));
  ASSERT_EQ(figures["sides"].size(), 7u);
  EXPECT_EQ(figures["sides"][5]["name"], "lattice, 64 actions");
  for (std::size_t n = 0; n < 7; ++n) {  // the published method runs once
    EXPECT_EQ(figures["sides"][n]["samples"].size(), n < 3 ? 1u : 2u);
    EXPECT_GT(figures["sides"][n]["median"], 0);
  }
  EXPECT_EQ(figures["published"]["blocks"].size(), 18u);
  EXPECT_GT(figures["published"]["entries"], 0);
  for (const auto& side : figures["published"]["sides"]) EXPECT_GT(side["solve_seconds"], 0);
}

TEST_F(Bench, PublishedMethodMeasuresEverySize) {
  const auto result = run({"published", "--quick", "--json", "figures.json", "-q"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("600, 820, 1000"));
  const auto figures = nlohmann::json::parse(std::ifstream(folder_ / "figures.json"));
  ASSERT_EQ(figures["points"].size(), 6u);
  for (const auto& point : figures["points"]) EXPECT_GT(point["sequential_seconds"], 0);
  expect_refusal({"published", "--sample", "0"}, "[option_value_invalid]");
}

TEST_F(Bench, MissionsRefuseInvalidSizes) {
  expect_refusal({"missions", "--missions", "0"}, "[option_value_invalid]");
  expect_refusal({"missions", "--steps", "-1"}, "[option_value_invalid]");
  expect_refusal({"missions", "--backend", "gpu"},
                 "--backend: gpu not in {auto,cpu,cuda} [command_line_invalid]");
}

TEST_F(Bench, MissionsMeasureOneAndMany) {
  const auto result =
      run({"missions", "--missions", "18", "--cells", "30", "--steps", "6", "--realizations", "50",
           "--modes", "2", "--headings", "6", "--repeats", "2", "--json", "figures.json", "-q"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("18 missions"));
  const auto figures = nlohmann::json::parse(std::ifstream(folder_ / "figures.json"));
  ASSERT_GE(figures["sides"].size(), 2u);
  for (const auto& side : figures["sides"]) {
    EXPECT_EQ(side["samples"].size(), 2u);
    EXPECT_GT(side["median"], 0);
  }
}

TEST_F(Bench, ComparesReachableSolvesWithACompletePlan) {
  const auto result =
      run({"reachable", "--cells", "30", "--steps", "20", "--realizations", "10", "--modes", "2",
           "--headings", "4", "--repeats", "2", "--json", "figures.json", "-q"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto figures = nlohmann::json::parse(std::ifstream(folder_ / "figures.json"));
  ASSERT_GE(figures["sides"].size(), 4u);
  for (const auto& side : figures["sides"]) EXPECT_EQ(side["samples"].size(), 2u);
  EXPECT_EQ(figures["ratios"].size() + 1, figures["sides"].size());
}

TEST_F(Bench, GyreRefusesInvalidSizes) {
  expect_refusal({"gyre", "--modes", "0"}, "lie between 1 and 40 [option_value_invalid]");
}

TEST_F(Bench, GyreComparesAndTimes) {
  const auto result = run({"gyre", "--cells", "16", "--modes", "3", "--realizations", "40",
                           "--quick", "--repeats", "2", "--json", "figures.json", "-q"});
  if (result.status == 2) GTEST_SKIP() << result.errors;  // a build without the gyre
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("Monte Carlo"));
  const auto figures = nlohmann::json::parse(std::ifstream(folder_ / "figures.json"));
  ASSERT_EQ(figures["compared"].size(), 4u);
  EXPECT_EQ(figures["compared"][0]["realizations"], 4);
  EXPECT_EQ(figures["compared"][1]["realizations"], 40);
  for (const auto& side : figures["compared"]) EXPECT_GT(side["seconds"], 0);
  EXPECT_EQ(figures["stage"]["sides"][0]["samples"].size(), 2u);
}

TEST_F(Bench, QLearningWritesCurves) {
  const auto result = run({"q-learning", "--agents", "64", "--steps", "200", "--repeats", "2",
                           "--backend", "cpu", "--json", "figures.json", "-q"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("Loss of the greedy policy"));
  const auto figures = nlohmann::json::parse(std::ifstream(folder_ / "figures.json"));
  EXPECT_EQ(figures["sides"][0]["samples"].size(), 2u);
  EXPECT_EQ(figures["values_are_equal"], true);
  ASSERT_EQ(figures["rounds"].size(), 20u);
  EXPECT_EQ(figures["rounds"][19], 200);
  ASSERT_EQ(figures["curves"].size(), 10u);
  for (const auto& curve : figures["curves"]) {
    for (const double loss : curve["loss_percent"]) EXPECT_GE(loss, -1e-6);
  }
  expect_refusal({"q-learning", "--headings", "3"}, "[option_value_invalid]");
}

TEST_F(Bench, SavingsMeasureEverySide) {
  const auto result = run({"savings", "--quick", "--repeats", "1", "--backend", "cpu", "--threads",
                           "2", "--json", "figures.json", "-q"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto figures = nlohmann::json::parse(std::ifstream(folder_ / "figures.json"));
  EXPECT_EQ(figures["values_are_equal"], true);
  ASSERT_EQ(figures["problems"].size(), 5u);
  EXPECT_EQ(figures["problems"][0]["sides"].size(), 2u);
  for (const auto& problem : figures["problems"]) EXPECT_GT(problem["sides"][0]["median"], 0);
}

TEST_F(Bench, DecisionProcessesRefuseInvalidOptions) {
  expect_refusal({"mdp", "--world", "G7"}, "G7 [bench_world_unknown]");
  expect_refusal({"mdp", "--world", "rewired-450"}, "[rewired_world_invalid]");
  expect_refusal({"mdp", "--method", "backward"}, "fused, value- [bench_method_unknown]");
  expect_refusal({"mdp", "--backend", "gpu"},
                 "--backend: gpu not in {auto,cpu,cuda} [command_line_invalid]");
  expect_refusal({"mdp", "--repeats", "0"}, "[option_value_invalid]");
  expect_refusal({"mdp", "--precision", "half"},
                 "--precision: half not in {float,double} [command_line_invalid]");
  expect_refusal({"mdp", "--tolerance", "0"}, "[bench_tolerance_invalid]");
  const test::HiddenGpus hidden;
  expect_refusal({"mdp", "--backend", "cuda"}, "[cuda_unusable]");
}

TEST_F(Bench, DecisionProcessesMeasureEverySide) {
  const auto result =
      run({"mdp", "--world", "G1,wet-64x2", "--quick", "--backend", "cpu", "--method",
           "value-iteration", "--threads", "2", "--repeats", "2", "--json", "figures.json", "-q"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("G1: 4096 states"));
  const auto figures = nlohmann::json::parse(std::ifstream(folder_ / "figures.json"));
  ASSERT_EQ(figures["worlds"].size(), 2u);
  for (const auto& world : figures["worlds"]) {
    ASSERT_EQ(world["figures"].size(), 2u);
    EXPECT_EQ(world["figures"][0]["seconds"].size(), 1u);
    EXPECT_EQ(world["figures"][1]["seconds"].size(), 2u);
    EXPECT_EQ(world["figures"][1]["greatest_difference"], 0);
  }
}

}  // namespace
}  // namespace tidewise
