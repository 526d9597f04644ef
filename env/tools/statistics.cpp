#include "env/tools/statistics.h"

#include <algorithm>
#include <cmath>

#include "env/levels/level_stream.h"
#include "env/weights.h"

namespace tidewise {

StatisticsGatherer::StatisticsGatherer(const EnvironmentInfo& info)
    : share_(realization_shares(info)),
      coefficient_min_(static_cast<std::size_t>(info.mode_count)),
      coefficient_max_(coefficient_min_),
      coefficient_variance_(coefficient_min_) {
  totals_.mode_variance.assign(coefficient_min_.size(), 0.0);
  totals_.scalar_least = std::numeric_limits<double>::infinity();
  totals_.scalar_greatest = -std::numeric_limits<double>::infinity();
}

void StatisticsGatherer::add_coefficients(const LevelView& level) {
  const auto count = static_cast<std::size_t>(level.realization_count);
  for (std::size_t m = 0; m < coefficient_min_.size(); ++m) {
    const auto values = level.coefficient.part(m * count, count);
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    coefficient_min_[m] = *min;
    coefficient_max_[m] = *max;
    double mean = 0;
    for (std::size_t r = 0; r < count; ++r) mean += share_[r] * values[r];
    double variance = 0;
    for (std::size_t r = 0; r < count; ++r) {
      variance += share_[r] * (values[r] - mean) * (values[r] - mean);
    }
    coefficient_variance_[m] = variance;
  }
}

void StatisticsGatherer::add_cell(const LevelView& level, std::size_t cell) {
  const double u = level.u_mean[cell];
  const double v = level.v_mean[cell];
  const double speed = std::hypot(u, v);
  speed_sum_ += speed;
  totals_.mean_flow_greatest = std::max(totals_.mean_flow_greatest, speed);

  // Interval arithmetic: every realization lies in [west, east] × [south, north].
  double west = u, east = u, south = v, north = v;
  const auto cells = static_cast<std::size_t>(level.grid.cell_count());
  for (std::size_t m = 0; m < coefficient_min_.size(); ++m) {
    const double u_mode = level.u_mode[m * cells + cell];
    const double v_mode = level.v_mode[m * cells + cell];
    const auto [u_low, u_high] =
        std::minmax({coefficient_min_[m] * u_mode, coefficient_max_[m] * u_mode});
    const auto [v_low, v_high] =
        std::minmax({coefficient_min_[m] * v_mode, coefficient_max_[m] * v_mode});
    west += u_low;
    east += u_high;
    south += v_low;
    north += v_high;
    totals_.mode_variance[m] += coefficient_variance_[m] * (u_mode * u_mode + v_mode * v_mode);
  }
  totals_.flow_bound =
      std::max(totals_.flow_bound, std::hypot(std::max(std::abs(west), std::abs(east)),
                                              std::max(std::abs(south), std::abs(north))));
  if (!level.scalar.empty()) {
    const double scalar = level.scalar[cell];
    totals_.scalar_least = std::min(totals_.scalar_least, scalar);
    totals_.scalar_greatest = std::max(totals_.scalar_greatest, scalar);
  }
}

void StatisticsGatherer::add(const LevelView& level) {
  add_coefficients(level);
  cells_ += level.grid.cell_count();
  for (std::size_t cell = 0; cell < level.masked.size; ++cell) {
    if (level.masked[cell] != 0) continue;
    open_cells_ += 1;
    add_cell(level, cell);
  }
}

EnvironmentStatistics StatisticsGatherer::result() const {
  EnvironmentStatistics result = totals_;
  const double open = std::max(open_cells_, 1.0);
  result.closed_share = 1 - open_cells_ / cells_;
  result.mean_flow_average = speed_sum_ / open;
  for (auto& variance : result.mode_variance) variance /= open;
  if (!(result.scalar_least <= result.scalar_greatest)) {
    result.scalar_least = result.scalar_greatest = 0;
  }
  return result;
}

EnvironmentStatistics measure_environment(const EnvironmentReader& reader, Progress& progress) {
  const EnvironmentInfo& info = reader.info();
  const std::int32_t levels = info.time.level_count;
  StatisticsGatherer gatherer(info);
  LevelStream stream(reader, levels_between(TimeLevel(0), TimeLevel(levels - 1)));
  progress.begin("reading", levels, "levels");
  for (std::int32_t k = 0; k < levels; ++k) {
    gatherer.add(stream.next().view(info));
    progress.advance_to(k + 1);
  }
  progress.end();
  return gatherer.result();
}

}  // namespace tidewise
