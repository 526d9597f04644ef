#pragma once

#include <cstdint>

#include "base/memory/array.h"
#include "mdp/fused/slices.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A process in the sliced layout (mdp/fused/slices.h) in host memory, for a device.
template <class Real>
class SellProcess {
 public:
  /// Lays out with `threads` ≥ 1; does not refer to `process` afterwards.
  SellProcess(const DecisionProcess<Real>& process, std::int32_t threads);
  /// Views of the arrays, in host memory.
  SellSlices<Real> slices() const;
  const Array<std::int64_t>& begin() const { return begin_; }
  const Array<std::uint32_t>& lanes() const { return lanes_; }
  const Array<std::int32_t>& successor() const { return successor_; }
  const Array<Real>& probability() const { return probability_; }
  const Array<Real>& reward() const { return reward_; }
  /// Bytes of the model that a sweep reads.
  std::int64_t model_bytes() const;

 private:
  void lay_out(const DecisionProcess<Real>& process, std::int64_t slice);

  std::int32_t state_count_;
  std::int32_t action_count_;
  Real discount_;
  Array<std::int64_t> begin_;      // (slice, action + 1)
  Array<std::uint32_t> lanes_;     // (slice, action)
  Array<std::int32_t> successor_;  // (position, lane)
  Array<Real> probability_;        // (position, lane)
  Array<Real> reward_;             // (slice, action, lane)
};

}  // namespace tidewise::mdp
