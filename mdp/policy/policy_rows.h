#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "mdp/process/value_bounds.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// Order in which a row's entries are added.
enum class SumOrder {
  of_rows,   ///< that of bellman.h, with the bits of other methods
  of_block,  ///< that of block_sum(), as on a GPU with a block per state
  in_lanes   ///< that of row_sum(), faster for long rows
};

/// A policy's transitions P_π and rewards r_π, extracted from a process and stored contiguously: an
/// evaluation sweep then reads only the needed part of the model, which may fit a nearer cache. A
/// terminal state has no entries, and its value is in r_π.
template <class Real>
class PolicyRows {
 public:
  /// Borrows `process`.
  PolicyRows(const ProcessView<Real>& process, std::int32_t threads,
             SumOrder order = SumOrder::in_lanes);

  /// Takes P_π and r_π of `action`, (state), −1 in terminal states; updates only the differences
  /// from the previous policy. `value`: (state), only read in terminal states. Returns the number
  /// of states that differ.
  std::int64_t take(const std::vector<std::int32_t>& action, const Real* value);

  /// next = r_π + γ P_π value, (state); another array. Returns the change of values.
  ValueChange sweep(const Real* value, Real* next) const;
  /// True if there are terminal states, so that a common offset of the other states matters.
  bool has_ends() const { return has_ends_; }
  double discount() const { return static_cast<double>(process_.discount); }
  /// next = value − γ P_π value, (state); another array. Always in SumOrder::in_lanes.
  void multiply(const Real* value, Real* next) const;

 private:
  template <class Sum>
  ValueChange sweep_by(const Sum& sum, const Real* value, Real* next) const;

  ProcessView<Real> process_;
  std::int32_t threads_;
  SumOrder order_;
  bool has_ends_ = false;
  // Begin of a state's entries, with room for its longest row, (state).
  std::vector<std::int64_t> begin_;
  std::vector<std::int32_t> length_;         // entries, (state)
  std::vector<std::int32_t> stored_action_;  // the action whose row is stored, −2: none, (state)
  std::vector<Real> reward_;                 // r_π, (state)
  Array<std::int32_t> successor_ = {};       // (entry)
  Array<Real> probability_ = {};             // (entry)
};

}  // namespace tidewise::mdp
