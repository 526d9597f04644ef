#pragma once

#include <cstddef>
#include <vector>

#include "env/import/source/ensemble_levels.h"
#include "env/level_fields.h"
#include "env/tools/ensemble_reduction.h"

namespace tidewise::ingest {

/// One singular value decomposition of all profiles of a level, so that a realization has
/// consistent profiles. Their values are stacked, each profile scaled to the same variance, so that
/// none is neglected in favour of one with more variance. For one profile it is that profile's own
/// decomposition, to the bit.
class StackedReduction {
 public:
  /// Moves the samples out of `levels`, (profile); fill_velocity() still needs their cells. Errors:
  /// those of EnsembleReduction.
  explicit StackedReduction(std::vector<LevelEnsemble>& levels);

  /// Variance of each profile's values by mode, (profile, mode), all modes.
  const std::vector<std::vector<double>>& variances() const { return variances_; }
  /// The smallest number of modes that keeps `share` of the variance of every profile; at least 1.
  std::size_t modes_for(double share) const;

  /// The decomposition of the stacked values.
  const EnsembleReduction& reduction() const { return reduction_; }
  /// Calls EnsembleReduction::align().
  void align(const std::vector<double>& before) { reduction_.align(before); }

  /// Copies mean and modes of each profile to its fields, 0 on land.
  void fill_velocity(const std::vector<LevelEnsemble>& levels, std::size_t mode_count,
                     std::vector<LevelFields<>>& fields) const;

 private:
  std::vector<double> stack(std::vector<LevelEnsemble>& levels);
  /// The unscaled values of one profile among stacked values.
  std::vector<double> profile_values(const std::vector<double>& values, std::size_t profile) const;

  std::vector<double> scale_;       // (profile), factors of the values
  std::vector<std::size_t> begin_;  // (profile), first stacked value; one more for the end
  EnsembleReduction reduction_;
  std::vector<std::vector<double>> variances_;  // (profile, mode)
};

}  // namespace tidewise::ingest
