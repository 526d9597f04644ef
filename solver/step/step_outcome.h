#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "env/mask.h"

namespace tidewise {

/// State of a vehicle after a step.
enum class StepOutcome : std::uint8_t {
  arrived,
  obstacle,
  out_of_domain,
  out_of_time,
  without_action,   ///< in open water for which the policy has no action
  out_of_forecast,  ///< in cells without forecast data
  under_way         ///< the flight goes on
};

/// End of a flight in a cell with this mask.
TIDEWISE_HOST_DEVICE constexpr StepOutcome closed_end(std::uint8_t mask) {
  return mask == beyond_forecast ? StepOutcome::out_of_forecast : StepOutcome::obstacle;
}

/// True if the step ended the flight without arrival.
TIDEWISE_HOST_DEVICE constexpr bool has_failed(StepOutcome outcome) {
  return outcome != StepOutcome::arrived && outcome != StepOutcome::under_way;
}

/// End of a step, and the share of the step that was made.
struct StepEnd {
  StepOutcome outcome = StepOutcome::under_way;
  float fraction = 1;  ///< less than 1 if the vehicle arrives during the step
};

}  // namespace tidewise
