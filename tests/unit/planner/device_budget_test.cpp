#include "planner/backend/device_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

EnvironmentInfo published_problem() {
  EnvironmentInfo info;
  info.grid = {200, 200, 0.5, 0.5, 1, 1};
  info.time = {200, 0, 1};
  info.mode_count = 10;
  info.realization_count = 5000;
  info.has_scalar = true;
  return info;
}

std::string error_of(const EnvironmentInfo& info, std::size_t memory) {
  try {
    (void)divide_device_memory(info, memory, "--device-memory 10MB");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceBudget, PlansThePublishedProblemInHalfAGigabyte) {
  const EnvironmentInfo info = published_problem();
  // A level has 23 fields of 40000 floats, 10 · 5000 coefficients and two masks.
  EXPECT_NEAR(double(device_level_bytes(info)), 4.0 * (23 * 40000 + 50000) + 80000, 5000);
  const DeviceBudget budget = divide_device_memory(info, 512 * mebibyte, "test");
  EXPECT_EQ(budget.levels + budget.scratch, 512 * mebibyte);
  EXPECT_EQ(budget.scratch, 128 * mebibyte);
  EXPECT_GT(budget.levels, 90 * device_level_bytes(info));
  EXPECT_EQ(budget.evaluation, budget.scratch - 512u * 40000);
  EXPECT_TRUE(flights_fit(budget, 400'000));
  EXPECT_FALSE(flights_fit(budget, 1'000'000));
}

TEST(DeviceBudget, KeepsAtMostAllLevels) {
  const EnvironmentInfo info = published_problem();
  const DeviceBudget budget = divide_device_memory(info, 8192 * mebibyte, "test");
  EXPECT_EQ(budget.levels, 200 * device_level_bytes(info));
  EXPECT_EQ(budget.scratch, 8192 * mebibyte - budget.levels);
}

TEST(DeviceBudget, AcceptsTheMinimumThatItReports) {
  const EnvironmentInfo info = published_problem();
  const std::size_t min = min_device_memory(info);
  EXPECT_LT(min, 80 * mebibyte);
  const DeviceBudget budget = divide_device_memory(info, min, "test");
  EXPECT_GE(budget.levels, 4 * device_level_bytes(info));
  EXPECT_GE(budget.levels + budget.scratch, min);
  EXPECT_GE(budget.evaluation, 30 * mebibyte);
  EXPECT_TRUE(flights_fit(budget, 5000));
  const std::string text = error_of(info, 10'000'000);
  EXPECT_THAT(text, testing::StartsWith("--device-memory 10MB: the run may take 10 MB"));
  EXPECT_THAT(text, test::has_code("device_memory_too_small"));
  // The advised size is accepted.
  const auto position = text.find("--device-memory ", 20) + 16;
  const std::size_t advised = std::stoul(text.substr(position)) * mebibyte;
  EXPECT_EQ(error_of(info, advised), "");
  EXPECT_LT(advised - min, mebibyte);
}

TEST(DeviceBudget, LeavesLevelsTheirShareOfALargeDevice) {
  EnvironmentInfo info = published_problem();
  info.grid.nx = info.grid.ny = 1000;
  info.realization_count = 1000;
  const std::size_t memory = 80'000 * mebibyte;
  const DeviceBudget budget = divide_device_memory(info, memory, "test");
  EXPECT_GT(budget.levels, 190 * device_level_bytes(info));
  EXPECT_LE(budget.levels + budget.scratch, memory);
}

}  // namespace
}  // namespace tidewise
