#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/array.h"
#include "mdp/fused/kernels.h"
#include "mdp/fused/packed_process.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// A value for each state, with padding that sweeps over slices may read and write: whole vectors
/// of lanes, the last slice filled up.
template <class Real>
class SliceValues {
 public:
  explicit SliceValues(std::int32_t state_count);
  explicit SliceValues(const std::vector<Real>& values);

  std::int32_t state_count() const { return state_count_; }
  Real* data() { return values_.data() + slice_room; }
  const Real* data() const { return values_.data() + slice_room; }
  std::vector<Real> to_vector() const { return {data(), data() + state_count_}; }

 private:
  std::int32_t state_count_;
  Array<Real> values_;
};

/// Jacobi sweeps over one layout of a process, with the bits of bellman.h.
template <class Real>
class FusedSweeps {
 public:
  /// `layout`: automatic, rows or packed. Uses `threads` ≥ 1, also for sweeps. Borrows `process`
  /// with FusedLayout::rows, and does not refer to it when packed. If `process` is `unloadable`,
  /// its rows may be released until these sweeps are destroyed.
  FusedSweeps(const DecisionProcess<Real>& process, FusedLayout layout, std::int32_t threads,
              const UnloadableProcess& unloadable = {});
  ~FusedSweeps();
  FusedSweeps(const FusedSweeps&) = delete;
  FusedSweeps& operator=(const FusedSweeps&) = delete;

  /// next = T value. Returns the change of values, with differences rounded to Real; exact_change()
  /// does not round. The two must be different objects.
  ValueChange sweep(const SliceValues<Real>& value, SliceValues<Real>& next) const;
  /// As sweep(), and finds the greedy actions; −1 in terminal states. `action`: (state).
  ValueChange sweep_with_actions(const SliceValues<Real>& value, SliceValues<Real>& next,
                                 std::vector<std::int32_t>& action) const;
  /// next − value, computed in double.
  ValueChange exact_change(const SliceValues<Real>& value, const SliceValues<Real>& next) const;
  /// Bytes of the model that a sweep reads.
  std::int64_t model_bytes() const;

 private:
  ValueChange run(const SliceValues<Real>& value, SliceValues<Real>& next,
                  std::int32_t* action) const;
  void run_slices(SliceRun<Real>& run) const;

  const DecisionProcess<Real>& process_;  // only used for the layout `rows`
  std::int32_t state_count_;
  std::int32_t threads_;
  DecisionProcess<Real>* unloaded_ = nullptr;
  std::unique_ptr<PackedProcess<Real>> packed_;
};

}  // namespace tidewise::mdp
