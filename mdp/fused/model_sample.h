#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"

namespace tidewise::mdp {

/// Properties of a process from its sizes and a sample of its rows. The sample is fixed, so that
/// decisions based on it are deterministic.
struct ModelSample {
  double row_entries = 0;    ///< mean number of entries of an existing action
  double state_entries = 0;  ///< mean number of entries of a nonterminal state
  /// Units of the packed layout (mdp/fused/slices.h) per entry in a sweep: 1/32 if the lanes of a
  /// slice have everything in common, near 1 if no two rows are alike.
  double units_per_entry = 1;
  /// Share of these units that remains if slices with equal programs share them.
  double unshared = 1;
  /// Share of these units that hold probabilities as numbers, which a dictionary would shorten.
  double plain = 1;
  /// The probabilities of the sample fit into a dictionary.
  bool has_few_probabilities = false;

  /// True if rows are long, so that the rows of a policy are a small part of all.
  bool is_dense() const { return row_entries > 64; }
  /// True if neighbouring states have similar rows, so that the packed layout is smaller and suits
  /// vectors.
  bool has_structure() const { return units_per_entry < 0.6; }
  /// True if the same rows recur throughout the model, so that a sweep reads them from a cache.
  bool repeats() const { return has_structure() && unshared < 0.7; }
};

/// Determines the sample; faster than a sweep.
template <class Real>
ModelSample sample_model(const DecisionProcess<Real>& process);

/// The layout with the fastest expected sweeps on the CPU, used for FusedLayout::automatic: packed
/// if rows have structure or few probabilities, else rows.
template <class Real>
FusedLayout host_layout(const DecisionProcess<Real>& process);

/// True if a device's sweeps should be faster over the packed than over the sliced layout. Reads
/// only some slices, always the same ones. Errors: RunError for a row of 2^26 entries among them.
template <class Real>
bool is_packing_faster(const DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
