#pragma once

#include <cstdint>

#include "solver/mdp/decision_process.h"

namespace tidewise {

/// What kind of model a process is, from its sizes and a sample of its rows: always the same ones,
/// so that who goes by it is as deterministic as who does not.
struct ModelSample {
  double row_entries = 0;  ///< of an action that is there, on average
  /// Units of the packed layout (fused_slices.h) that a sweep goes through for each entry: 1/32
  /// where rows repeat from state to state, near 1 where no two are alike.
  double units_an_entry = 1;

  /// Rows repeat so often that a sweep over the packed layout, all actions, costs no more than one
  /// over a policy's own rows.
  bool repeats() const { return units_an_entry < 0.25; }
  /// Rows are long: a policy's own are few beside all.
  bool is_dense() const { return row_entries > 64; }
};

/// Costs less than a sweep.
template <class Real>
ModelSample sample_model(const DecisionProcess<Real>& process);

}  // namespace tidewise
