#pragma once

#include "base/host_device.h"

namespace tidewise {

/// W(s, a, Δ) of a landing whose outcome (landing_rule.h) is known by two bits: docs/model.md, 3.1.
/// reward(): r(s, a, s'); value_next(): v(k+1, s'), or what takes its place. Neither is called
/// where it does not count: where the step fails there may be no cell to look at.
template <class Real, class Reward, class ValueNext>
TIDEWISE_HOST_DEVICE Real landing_worth(bool fails, bool arrives, Real failure_penalty,
                                        Real arrival_reward, const Reward& reward,
                                        const ValueNext& value_next) {
  if (fails) return failure_penalty;
  const Real brought = reward();
  return brought + (arrives ? arrival_reward : value_next());
}

}  // namespace tidewise
