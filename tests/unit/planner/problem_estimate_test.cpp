#include "planner/backend/problem_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

std::string flights_error(RolloutChoice mode, std::int32_t flights, std::size_t realizations,
                          std::int64_t steps) {
  RunRequest request;
  request.name = "m.toml";
  request.rollout.mode = mode;
  request.rollout.flights = flights;
  try {
    require_flights_fit(request, std::vector<std::int32_t>(realizations), steps);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FlightMemory, CountsEveryPoint) {
  // 32 bytes per point; 100 steps make 101 points.
  EXPECT_NEAR(estimate_flight_memory(1000, 100), 1000 * 101 * 32.0, 1000 * 120.0);
}

TEST(FlightMemory, IsLimitedByTheMachine) {
  using testing::HasSubstr;
  EXPECT_EQ(flights_error(RolloutChoice::chain, 5'000'000, 1, 100), "");
  EXPECT_THAT(flights_error(RolloutChoice::chain, 6'000'000, 1, 100),
              testing::AllOf(test::has_code("flights_exceed_memory", "m.toml")));
  EXPECT_THAT(flights_error(RolloutChoice::continuous, 1, 100'000, 10'000),
              test::has_code("flights_exceed_memory", "rollout.realizations"));
  EXPECT_EQ(flights_error(RolloutChoice::none, 100'000'000, 1, 100), "");
}

class PublishedProblem : public testing::Test {
 protected:
  PublishedProblem() {
    info_.grid = {200, 200, 0.5, 0.5, 1, 1};
    info_.time = {200, 0, 1};
    info_.mode_count = 10;
    info_.realization_count = 5000;
    info_.has_scalar = true;
  }

  EnvironmentInfo info_;
  const Workload work_{info_, 32, 7'800'000, 200, 5000};
  const Backend cpu_{BackendKind::cpu, "cpu", "a processor", 2, ""};
  const Backend cuda_{BackendKind::cuda, "cuda", "a GPU", 2, "", std::size_t{8} << 30};
};

TEST_F(PublishedProblem, TakesSecondsOnAGpuAndAMinuteOnTwoCores) {
  EXPECT_NEAR(estimate_seconds(work_, Engine::lattice, cpu_), 22, 10);
  EXPECT_NEAR(estimate_seconds(work_, Engine::lattice, cuda_), 1, 0.5);
  EXPECT_GT(estimate_seconds(work_, Engine::direct, cuda_),
            estimate_seconds(work_, Engine::lattice, cuda_));
  EXPECT_GT(estimate_seconds(work_, Engine::paper, cuda_), 50);
  EXPECT_THAT(describe_time(work_, Engine::lattice, cpu_), testing::HasSubstr("on 2 thread(s)"));
  // The time includes a sampled solve and the evaluation of its policy.
  EXPECT_THAT(describe_time(work_, Engine::lattice, cpu_, 20), testing::HasSubstr("about 22 s"));
  Workload with_hold = work_;
  with_hold.held = 10;  // rows of held actions are not stored
  EXPECT_THAT(describe_time(with_hold, Engine::lattice, cpu_, 20),
              testing::HasSubstr("about 26 s"));
  EXPECT_THAT(describe_time(work_, Engine::lattice, cuda_), testing::HasSubstr("on a GPU"));
}

TEST_F(PublishedProblem, TakesMemoryOfTheGpuToo) {
  EXPECT_LT(estimate_memory(work_, BackendKind::cpu), 200'000'000);
  EXPECT_GT(estimate_memory(work_, BackendKind::cuda), estimate_memory(work_, BackendKind::cpu));
  EXPECT_THAT(describe_memory(work_, cuda_),
              testing::HasSubstr("of the GPU's 8.6 GB that it may take, 792 MB hold all levels"));
  EXPECT_THAT(describe_memory(work_, cpu_),
              testing::ContainsRegex("^about [67][0-9][0-9] MB"));  // with rows
  EXPECT_THAT(describe_memory(work_, cpu_), testing::Not(testing::HasSubstr("GPU")));
}

}  // namespace
}  // namespace tidewise
