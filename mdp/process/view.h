#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The arrays of a DecisionProcess that solvers read, in the memory of the backend. Trivially
/// copyable.
template <class Real>
struct ProcessView {
  std::int32_t state_count = 0;
  std::int32_t action_count = 0;
  View<const std::int64_t> row_begin;  ///< (row + 1)
  View<const std::int32_t> successor;  ///< (entry)
  View<const Real> probability;        ///< (entry)
  View<const Real> reward;             ///< (row)
  Real discount = 1;

  TIDEWISE_HOST_DEVICE std::int64_t row(std::int32_t state, std::int32_t action) const {
    return static_cast<std::int64_t>(state) * action_count + action;
  }
};

/// A view in host memory; borrows `process`.
template <class Real>
ProcessView<Real> view_of(const DecisionProcess<Real>& process) {
  return {process.state_count,
          process.action_count,
          process.row_begin,
          process.successor,
          process.probability,
          process.reward,
          static_cast<Real>(process.discount)};
}

}  // namespace tidewise::mdp
