#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "mdp/process/value_bounds.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// In which order a row's entries are added up.
enum class SumOrder {
  of_rows,   ///< as bellman.h has it: the bits of other methods
  of_block,  ///< block_sum()'s: that of a GPU's block for each state
  in_lanes   ///< row_sum()'s, which is faster where rows are long
};

/// A policy's own transitions P_π and rewards r_π, taken out of a process and laid side by side:
/// what a sweep of evaluation reads is a share of the model that fits a nearer cache, and no more
/// than it needs. A terminal state has no entries, and its value stands in r_π.
template <class Real>
class PolicyRows {
 public:
  /// Borrows `process`.
  PolicyRows(const ProcessView<Real>& process, std::int32_t threads,
             SumOrder order = SumOrder::in_lanes);

  /// Takes P_π and r_π of `action`, (state), −1 in terminal states; only what differs from the
  /// policy before. `value`: (state), of which terminal states' are read. Returns in how many
  /// states it differs.
  std::int64_t take(const std::vector<std::int32_t>& action, const Real* value);

  /// next = r_π + γ P_π value, (state); another array. Returns how values changed.
  ValueChange sweep(const Real* value, Real* next) const;
  /// Whether a state is terminal, so that a change that is alike in all others is none.
  bool has_ends() const { return has_ends_; }
  double discount() const { return static_cast<double>(process_.discount); }
  /// next = value − γ P_π value, (state); another array. Always in lanes.
  void multiply(const Real* value, Real* next) const;

 private:
  template <class Sum>
  ValueChange sweep_by(const Sum& sum, const Real* value, Real* next) const;

  ProcessView<Real> process_;
  std::int32_t threads_;
  SumOrder order_;
  bool has_ends_ = false;
  std::vector<std::int64_t> begin_;     // of a state's entries, room for its longest row, (state)
  std::vector<std::int32_t> length_;    // entries, (state)
  std::vector<std::int32_t> taken_;     // the action whose row it is, −2: none yet, (state)
  std::vector<Real> reward_;            // r_π, (state)
  Array<std::int32_t> successor_ = {};  // (entry)
  Array<Real> probability_ = {};        // (entry)
};

}  // namespace tidewise::mdp
