#pragma once

#include <limits>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"

namespace tidewise {

/// Statistics of an environment's fields over some of its levels.
struct EnvironmentStatistics {
  double closed_share = 0;        ///< closed cells, mean over the levels, 0 … 1
  double mean_flow_average = 0;   ///< speed of the mean flow, mean over open cells [m s-1 or 1]
  double mean_flow_greatest = 0;  ///< greatest speed of the mean flow [m s-1 or 1]
  double flow_bound = 0;          ///< upper bound of any realization's speed [m s-1 or 1]
  double scalar_least = 0;        ///< 0 without a scalar field [scalar_units]
  double scalar_greatest = 0;
  std::vector<double> mode_variance;  ///< (mode): variance of its velocity, mean over open cells
                                      ///< and levels [m2 s-2 or 1]
};

/// Computes the statistics from levels given one by one; keeps none of them.
class StatisticsGatherer {
 public:
  explicit StatisticsGatherer(const EnvironmentInfo& info);
  /// Adds a level.
  void add(const LevelView& level);
  /// The statistics of all levels so far. Requires at least one level.
  EnvironmentStatistics result() const;

 private:
  void add_coefficients(const LevelView& level);
  void add_cell(const LevelView& level, std::size_t cell);

  std::vector<double> share_;            // (realization), sums to 1
  std::vector<double> coefficient_min_;  // (mode), of the current level
  std::vector<double> coefficient_max_;
  std::vector<double> coefficient_variance_;
  double cells_ = 0;
  double open_cells_ = 0;
  double speed_sum_ = 0;
  EnvironmentStatistics totals_;
};

/// Computes the statistics of a whole file, level by level, so that memory does not grow with the
/// number of levels. Errors: those of EnvironmentReader::read_level.
EnvironmentStatistics measure_environment(const EnvironmentReader& reader, Progress& progress);

}  // namespace tidewise
