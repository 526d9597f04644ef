#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "planner/mission/read/key_table.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

/// Returns the error of a valid request after `change`, or "" if it is accepted.
template <class Change>
std::string error_after(Change change) {
  RunRequest request;
  request.name = "mission";
  request.environment = "/sea/ocean.h5";
  request.vehicle.speeds = {0.5, 1};
  change(request);
  try {
    validate_request(request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RequestValidation, AcceptsValidRequests) {
  EXPECT_EQ(error_after([](RunRequest&) {}), "");
  EXPECT_EQ(error_after([](RunRequest& request) {
              request.goal.start = {Position::Frame::geographic, -126, 46.8};
              request.goal.horizon = 5;
              request.planner.devices = AllDevices{};
              request.planner.device_memory = 1;
              request.rollout.realizations = std::vector<std::int32_t>{0, 3};
              request.rollout.seed = std::numeric_limits<std::int64_t>::max();
            }),
            "");
}

TEST(RequestValidation, RejectsInvalidRequests) {
  EXPECT_THAT(error_after([](RunRequest& request) { request.vehicle.headings = 0; }),
              test::has_code("key_value_invalid", "mission: vehicle.headings"));
  const auto reject = [](const std::string& code, auto change) {
    EXPECT_THAT(error_after(change),
                testing::AllOf(testing::StartsWith("mission: "), test::has_code_of(code)));
  };
  reject("vehicle.speeds [key_value_invalid]", [](auto& r) { r.vehicle.speeds.clear(); });
  reject("[1, 1] [key_value_invalid]", [](auto& r) { r.vehicle.speeds = {1, 1}; });
  reject("mission.start [key_value_invalid]", [](auto& r) { r.goal.start.first = std::nan(""); });
  reject("mission.target_lonlat [key_value_invalid]", [](auto& r) {
    r.goal.target = {Position::Frame::geographic, 0, 91};
  });
  reject("mission.via.radius [key_value_invalid]", [](auto& r) { r.goal.via = {{{}, -1}}; });
  reject("mission.via.lonlat [key_value_invalid]", [](auto& r) {
    r.goal.via = {{{Position::Frame::geographic, 0, 91}, 1}};
  });
  reject("mission.horizon [key_value_invalid]", [](auto& r) { r.goal.horizon = 0; });
  reject("mission.failure_penalty [failure_pays]", [](auto& r) { r.goal.failure_penalty = 100; });
  reject("mission.failure.late [key_value_invalid]", [](auto& r) { r.goal.failure.late = 1; });
  reject("mission.failure.outside [key_value_invalid]",
         [](auto& r) { r.goal.failure.outside = std::nan(""); });
  reject("[failure_penalty_twice]", [](auto& r) {
    r.goal.failure_penalty = -1;
    r.goal.failure.obstacle = -2;
  });
  reject("mission.failure.obstacle [failure_pays]", [](auto& r) {
    r.goal.arrival_reward = -3;
    r.goal.failure.obstacle = -3;
  });
  reject("planner.threads [key_value_invalid]", [](auto& r) { r.planner.threads = 0; });
  reject("planner.devices [key_value_invalid]", [](auto& r) {
    r.planner.devices = std::vector<std::int32_t>{0, 0};
  });
  reject("planner.device_memory [key_value_invalid]", [](auto& r) { r.planner.device_memory = 0; });
  reject("rollout.realizations [key_value_invalid]", [](auto& r) { r.rollout.realizations = 0; });
  reject("rollout.seed [key_value_invalid]",
         [](auto& r) { r.rollout.seed = std::numeric_limits<std::uint64_t>::max(); });
}

}  // namespace
}  // namespace tidewise
