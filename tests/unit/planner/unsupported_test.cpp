#include "planner/backend/unsupported.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

class LimitsOfDevices : public testing::Test {
 protected:
  LimitsOfDevices() {
    info_.grid = {200, 200, 0.5, 0.5, 1, 1};
    info_.time = {200, 0, 1};
    info_.mode_count = 10;
    info_.realization_count = 5000;
    actions_ = make_actions({0.5}, 128, info_.grid, info_.time);
    mission_.last = TimeLevel(100);
    with_hold_ = mission_;
    with_hold_.decisions.every = 4;
  }
  DeviceLimits limits(std::size_t memory, std::size_t devices = 1) const {
    return {info_, actions_, divide_device_memory(info_, memory * mebibyte, "test"), devices};
  }

  EnvironmentInfo info_;
  std::vector<Action> actions_;
  Mission mission_;
  Mission with_hold_;
};

TEST_F(LimitsOfDevices, AllowActionHoldIfItFits) {
  EXPECT_THAT(limits(4096).why_not_solved(with_hold_), IsEmpty());
  EXPECT_THAT(limits(4096).why_not_evaluated(with_hold_), IsEmpty());
  // 128 actions in 40 000 cells take 41 MB of values, and half of 54 MB is available for them.
  const DeviceLimits small = limits(85);
  EXPECT_THAT(small.why_not_solved(with_hold_), HasSubstr("the CPU solves"));
  EXPECT_THAT(small.why_not_evaluated(with_hold_), HasSubstr("the CPU evaluates"));
  EXPECT_THAT(small.why_not_solved(mission_), IsEmpty());
  EXPECT_THAT(small.why_not_evaluated(mission_), IsEmpty());
  // One of several bands holds the values of its own rows and of its halos.
  EXPECT_THAT(limits(85, 3).why_not_solved(with_hold_), HasSubstr("the CPU solves"));
  EXPECT_THAT(limits(85, 6).why_not_solved(with_hold_), IsEmpty());
}

TEST_F(LimitsOfDevices, SolveTheLegsThatFit) {
  EXPECT_THAT(limits(512).why_not_solved(with_hold_), IsEmpty());
  mission_.via.resize(2);
  with_hold_.via.resize(2);
  EXPECT_THAT(limits(4096).why_not_solved(with_hold_), IsEmpty());
  EXPECT_THAT(limits(4096).why_not_evaluated(with_hold_), IsEmpty());
  // Held actions take 41 MB per leg, and half of 134 MB is available for all legs.
  EXPECT_THAT(limits(512).why_not_solved(with_hold_),
              HasSubstr("the CPU solves with held actions"));
  EXPECT_THAT(limits(85).why_not_solved(mission_), IsEmpty());
  mission_.via.resize(50);
  EXPECT_THAT(limits(85).why_not_solved(mission_), HasSubstr("mission.via"));
}

TEST_F(LimitsOfDevices, FlyWhatFits) {
  RolloutOptions options;
  options.realizations.resize(5000);
  const std::size_t flights = max_baseline_flights(mission_, actions_, info_.time, options);
  EXPECT_GE(flights, 3 * options.realizations.size());
  EXPECT_THAT(limits(4096).why_not_flown(mission_, flights), IsEmpty());
  EXPECT_THAT(limits(85).why_not_flown(mission_, 100 * flights), HasSubstr("the CPU flies"));
  options.mode = RolloutMode::chain;
  EXPECT_EQ(max_baseline_flights(mission_, actions_, info_.time, options), 0U);
}

TEST_F(LimitsOfDevices, LeaveTheVehiclesErrorToTheCpu) {
  mission_.error.heading = 0.1;
  EXPECT_THAT(limits(4096).why_not_solved(mission_), HasSubstr("the CPU solves"));
  EXPECT_THAT(limits(4096).why_not_evaluated(mission_), HasSubstr("the CPU evaluates"));
  EXPECT_THAT(limits(4096).why_not_flown(mission_, 1), HasSubstr("the CPU flies"));
}

TEST(Devices, RejectOptionsThatTheyCannotShare) {
  RunRequest request;
  request.planner.engine = Engine::paper;
  EXPECT_THROW(refuse_on_devices_of_ranks(request, 2), InputError);
  EXPECT_THROW(refuse_on_devices(request, 2), InputError);
  EXPECT_NO_THROW(refuse_on_devices(request, 1));
  request.planner.engine = Engine::direct;
  EXPECT_NO_THROW(refuse_on_devices_of_ranks(request, 2));
}

TEST(Devices, RejectModelsForActionHold) {
  Mission mission;
  EXPECT_NO_THROW(refuse_model_on_device({}, mission));
  mission.decisions.every = 2;
  EXPECT_THROW(refuse_model_on_device({}, mission), InputError);
}

}  // namespace
}  // namespace tidewise
