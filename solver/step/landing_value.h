#pragma once

#include <cmath>

#include "base/host_device.h"
#include "solver/step/failure_penalties.h"
#include "solver/step/step_outcome.h"

namespace tidewise {

/// W(s, a, Δ) of a step with this end (docs/model.md, 3.1). reward(): r(s, a, s') of a whole step;
/// value_next(): v(k+1, s') or its substitute. A function is called only if W needs it, because a
/// failed step may have no landing cell.
template <class Real, class Reward, class ValueNext>
TIDEWISE_HOST_DEVICE Real landing_value(const StepEnd& end, const FailurePenalties& failure,
                                        Real arrival_reward, const Reward& reward,
                                        const ValueNext& value_next) {
  switch (end.outcome) {
    case StepOutcome::obstacle:
    case StepOutcome::without_action:
    case StepOutcome::out_of_forecast:
      return failure.obstacle;
    case StepOutcome::out_of_domain:
      return failure.outside;
    case StepOutcome::out_of_time:
      return value_next();
    case StepOutcome::arrived:
      return std::fma(static_cast<Real>(end.fraction), static_cast<Real>(reward()), arrival_reward);
    case StepOutcome::under_way:
      break;
  }
  return reward() + value_next();
}

}  // namespace tidewise
