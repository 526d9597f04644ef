#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"

namespace tidewise::mdp {

/// What kind of model a process is, from its sizes and a sample of its rows: always the same ones,
/// so that who goes by it is as deterministic as who does not.
struct ModelSample {
  double row_entries = 0;    ///< of an action that is there, on average
  double state_entries = 0;  ///< of all actions of a state that is not terminal, on average
  /// Units of the packed layout (mdp/fused/slices.h) that a sweep goes through for each entry: 1/32
  /// where lanes of a slice have all in common, near 1 where no two rows are alike.
  double units_an_entry = 1;
  /// What is left of these where slices with the same program share it, as a share.
  double unshared = 1;
  /// The share of these units that hold probabilities as numbers, which a dictionary would make
  /// smaller.
  double plain = 1;
  /// The probabilities of the sample fit into a dictionary.
  bool has_few_probabilities = false;

  /// Rows are long: a policy's own are few beside all.
  bool is_dense() const { return row_entries > 64; }
  /// Neighbouring states have rows alike, so that the packed layout is smaller and read by vectors.
  bool has_structure() const { return units_an_entry < 0.6; }
  /// The same rows come again all over the model, so that a sweep reads them from a near cache.
  bool repeats() const { return has_structure() && unshared < 0.7; }
};

/// Costs less than a sweep.
template <class Real>
ModelSample sample_model(const DecisionProcess<Real>& process);

/// The layout that the processor's sweeps should be fastest over: FusedLayout::automatic there.
/// Packed where rows have structure or few probabilities, else rows.
template <class Real>
FusedLayout host_layout(const DecisionProcess<Real>& process);

/// Whether a device's sweeps over the packed layout should be faster than those over the sliced
/// one. Reads only some of the slices, always the same ones. Errors: RunError for a row of 2^26
/// entries among them.
template <class Real>
bool is_packing_faster(const DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
