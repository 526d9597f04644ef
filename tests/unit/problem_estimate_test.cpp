#include "app/problem_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tidewise {
namespace {

std::string complaint(RolloutChoice mode, std::int32_t flights, std::size_t realizations,
                      std::int64_t steps) {
  MissionFile file;
  file.name = "m.toml";
  file.rollout.mode = mode;
  file.rollout.flights = flights;
  try {
    require_flights_fit(file, std::vector<std::int32_t>(realizations), steps);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FlightMemory, CountsEveryPoint) {
  // 32 bytes a point; 100 steps make 101 points.
  EXPECT_NEAR(estimate_flight_memory(1000, 100), 1000 * 101 * 32.0, 1000 * 64.0);
}

TEST(FlightMemory, IsHeldToWhatAMachineHas) {
  using testing::HasSubstr;
  EXPECT_EQ(complaint(RolloutChoice::chain, 5'000'000, 1, 100), "");
  EXPECT_THAT(complaint(RolloutChoice::chain, 6'000'000, 1, 100),
              testing::AllOf(HasSubstr("m.toml: rollout.flights asks for 6000000 flights"),
                             HasSubstr("or fewer")));
  EXPECT_THAT(complaint(RolloutChoice::continuous, 1, 100'000, 10'000),
              HasSubstr("rollout.realizations asks for 100000 flights"));
  EXPECT_EQ(complaint(RolloutChoice::none, 100'000'000, 1, 100), "");
}

}  // namespace
}  // namespace tidewise
