#pragma once

#include <cstddef>
#include <vector>

#include "env/import/source/ensemble_levels.h"
#include "env/level_fields.h"
#include "env/tools/ensemble_reduction.h"

namespace tidewise::ingest {

/// One singular value decomposition of all profiles of a level, so that a realization is one ocean:
/// their values are stacked, each profile scaled to the same variance, that none is lost beside one
/// that varies more. Of one profile it is that profile's own, to the bit.
class StackedReduction {
 public:
  /// Takes the samples of `levels`, (profile); their cells are needed by fill_velocity(). Errors:
  /// those of EnsembleReduction.
  explicit StackedReduction(std::vector<LevelEnsemble>& levels);

  /// Of each profile's own values, (profile, mode), all modes.
  const std::vector<std::vector<double>>& variances() const { return variances_; }
  /// The least number of modes that keeps `share` of the variance of every profile; at least 1.
  std::size_t modes_for(double share) const;

  /// Those of EnsembleReduction.
  const EnsembleReduction& reduction() const { return reduction_; }
  void align(const std::vector<double>& before) { reduction_.align(before); }

  /// Puts mean and modes of each profile into its fields, 0 on land.
  void fill_velocity(const std::vector<LevelEnsemble>& levels, std::size_t mode_count,
                     std::vector<LevelFields<>>& fields) const;

 private:
  std::vector<double> stack(std::vector<LevelEnsemble>& levels);
  std::vector<double> part(const std::vector<double>& values, std::size_t profile) const;

  std::vector<double> scale_;       // (profile) what values were multiplied by
  std::vector<std::size_t> begin_;  // (profile), and the end, among the stacked values
  EnsembleReduction reduction_;
  std::vector<std::vector<double>> variances_;  // (profile, mode)
};

}  // namespace tidewise::ingest
