#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "env/forecast_error.h"
#include "env/grid.h"

namespace tidewise {

/// Structure functions and variance of a forecast's own flow, computed level by level from some of
/// its cells.
class FlowStatistics {
 public:
  /// `step`: time between levels [s].
  FlowStatistics(const Grid& grid, double step, std::size_t level_count);

  /// Adds the velocity of the next level [m s-1], (y, x); NaN on land.
  void add(const std::vector<double>& u, const std::vector<double>& v);

  /// Variance per component, around the mean over water and time [m2 s-2].
  double variance() const;
  /// D(τ), the mean square change of a component after n steps of time [m2 s-2], (n), from n = 0;
  /// values do not decrease.
  std::vector<double> change_in_time() const;
  double step() const { return step_; }
  /// L [m]: the distance at which the longitudinal correlation of the flow has fallen to exp(−1/2),
  /// as exp(−r²/(2L²)) does at L; a quarter of the shorter side if it stays above.
  double length() const;
  /// The statistics of means over `levels` successive levels; the length stays the same. Requires
  /// at least this number of levels.
  FlowStatistics running_mean(std::size_t levels) const;

 private:
  void add_longitudinal(const std::vector<double>& velocity, bool along_x);

  Grid grid_;
  double step_;
  std::size_t level_count_;
  std::size_t level_ = 0;
  std::vector<std::size_t> cells_;     // cells whose velocities are sampled
  std::vector<float> samples_;         // (level, component, cell)
  std::vector<double> square_change_;  // (distance) sums over pairs of cells
  std::vector<double> pair_count_;     // (distance)
  double spatial_variance_ = 0;        // sum over the levels used
  std::size_t spatial_level_count_ = 0;
};

/// The range of plausible analysis errors e₀, as multiples of the default one.
inline constexpr std::pair<double, double> plausible_analysis_error{0.5, 2.0};

/// A guess of the error of a forecast from its own variability: e²(τ) = min(e₀² + s² D(τ), 2σ²).
/// Its length and times are those of the flow. A slow process decorrelates like running means over
/// 25 h, which contain no tide, and has their share of the flow's variance. A fast process
/// decorrelates like the whole flow. If the forecast is shorter than 50 h, or its steps are longer
/// than about 8 h, one process has the whole variance and decorrelates like the whole flow. Errors
/// along 248 drifters have such a slow part: their autocorrelation after 6, 12, 24 and 48 h is
/// 0.53, 0.35, 0.09 and 0.11 (docs/forecast/import.md). `analysis_error`: e₀ as a multiple of the
/// default, 0.15 m/s.
///
/// e₀: the rms difference of both velocity components between a shelf forecast and HF radar is
/// about 0.15 m/s (Kuang, Blumberg and Georgas 2012, doi:10.1007/s10236-012-0556-2). s = 0.8: the
/// velocity error of a global forecast equals that of persistence within 3 days, about the
/// decorrelation time of drifters (Phillipson and Toumi 2017, doi:10.1002/2017GL076075). There
/// e₀² + s² D = D, and D = 2σ²(1 − 1/e); a σ of 0.22 m/s gives s = 0.8.
ForecastErrorModel default_error_model(const FlowStatistics& flow, double analysis_error = 1);

}  // namespace tidewise
