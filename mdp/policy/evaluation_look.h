#pragma once

#include "mdp/policy/evaluation_end.h"

namespace tidewise::mdp {

/// Residuals of an evaluation sweep on a device, where several are enqueued before the host reads
/// any. After one that ends the evaluation (ends_evaluation()) the others copy the values.
/// Residuals are stored as the bits of numbers ≥ 0, which have the same order; all ones are NaN,
/// which ends nothing.
struct EvaluationLook {
  using Bits = unsigned long long;
  double change;       ///< change, as in ends_evaluation()
  const Bits* before;  ///< residual of the previous sweep
  Bits* residual;      ///< residual of this sweep, initially 0
};

}  // namespace tidewise::mdp
