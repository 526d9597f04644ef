#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/mask.h"

namespace tidewise {

/// What one step comes to.
enum class StepOutcome : std::uint8_t {
  arrived,
  obstacle,
  out_of_domain,
  out_of_time,
  without_action,   ///< in open water that the policy says nothing of
  out_of_forecast,  ///< into cells that the forecast says nothing of
  under_way         ///< the flight goes on
};

/// How a flight ends in a cell that a mask closes so.
TIDEWISE_HOST_DEVICE constexpr StepOutcome closed_end(std::uint8_t mask) {
  return mask == beyond_forecast ? StepOutcome::out_of_forecast : StepOutcome::obstacle;
}

/// Whether a step that ends so failed.
TIDEWISE_HOST_DEVICE constexpr bool has_failed(StepOutcome outcome) {
  return outcome != StepOutcome::arrived && outcome != StepOutcome::under_way;
}

/// How a step ends, and how much of it is made.
struct StepEnd {
  StepOutcome outcome = StepOutcome::under_way;
  float fraction = 1;  ///< less than 1 where the vehicle arrives in the middle of the step
};

}  // namespace tidewise
