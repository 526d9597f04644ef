#pragma once

#include "mdp/policy/evaluation_end.h"

namespace tidewise::mdp {

/// A sweep of an evaluation on a device, where several are put on the stream before the host looks
/// at any. After one that ends the evaluation (ends_evaluation()) the others copy the values.
/// Residuals are the bits of numbers ≥ 0, which are ordered as the numbers; all ones are not a
/// number, which ends nothing.
struct EvaluationLook {
  using Bits = unsigned long long;
  double change;       ///< of ends_evaluation()
  const Bits* before;  ///< the residual of the sweep before
  Bits* residual;      ///< of this one, 0 at first
};

}  // namespace tidewise::mdp
