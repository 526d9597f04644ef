#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/host_device.h"

namespace tidewise::mdp {

/// True if a sweep that changed values by at most `residual` ends an evaluation with the limit
/// `change`. A sweep that changes nothing always does, because all later ones would be equal.
TIDEWISE_HOST_DEVICE inline bool ends_evaluation(double residual, double change) {
  return residual < change || residual == 0;
}

/// Decides when the evaluation of a policy ends, and counts its sweeps: by ends_evaluation(), after
/// `max_sweeps`, or if the residual has not decreased for `patience` sweeps, because only rounding
/// is left.
class EvaluationEnd {
 public:
  EvaluationEnd(std::int64_t max_sweeps, double change, std::int64_t patience)
      : max_sweeps_(max_sweeps), change_(change), patience_(patience) {}

  bool is_due() const { return has_ended_ || sweeps_ >= max_sweeps_; }
  /// Call it after a sweep that changed values by at most `residual`.
  void include(double residual) {
    ++sweeps_;
    if (residual < min_residual_) {
      min_residual_ = residual;
      last_decrease_ = sweeps_;
    }
    has_ended_ = ends_evaluation(residual, change_) || sweeps_ - last_decrease_ >= patience_;
  }
  std::int64_t sweeps() const { return sweeps_; }
  double change() const { return change_; }
  /// Remaining sweeps until the evaluation ends at the latest; at least 1 before it is due. Before
  /// that only ends_evaluation() can end it.
  std::int64_t sure_sweeps() const {
    return std::min(max_sweeps_, last_decrease_ + patience_) - sweeps_;
  }

 private:
  std::int64_t max_sweeps_;
  double change_;
  std::int64_t patience_;
  std::int64_t sweeps_ = 0;
  std::int64_t last_decrease_ = 0;
  double min_residual_ = std::numeric_limits<double>::infinity();
  bool has_ended_ = false;
};

}  // namespace tidewise::mdp
