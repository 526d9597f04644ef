#include "learning/flow_observation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/flight/bilinear.h"

namespace tidewise {
namespace {

/// Adds the samples of a straight, uniform motion within one step.
void sample_stretch(const Grid& grid, std::int32_t level, PlanePoint from, PlanePoint to,
                    double share, std::vector<FlowSample>& samples) {
  constexpr double max = 4096;  // limit of the parts, which no current reaches
  const double cells = std::hypot((to.x - from.x) / grid.dx, (to.y - from.y) / grid.dy);
  const int parts = static_cast<int>(std::clamp(std::ceil(4 * cells), 1.0, max));
  for (int n = 0; n < parts; ++n) {
    const double along = (n + 0.5) / parts;
    samples.push_back({level,
                       {from.x + along * (to.x - from.x), from.y + along * (to.y - from.y)},
                       share / parts});
  }
}

}  // namespace

std::vector<FlowSample> sample_leg(const Grid& grid, const TimeAxis& time, const TrackLeg& leg) {
  const double duration = leg.times.back() - leg.times.front();
  std::vector<FlowSample> samples;
  for (std::size_t n = 0; n + 1 < leg.points.size(); ++n) {
    const double begin = leg.times[n];
    const double end = leg.times[n + 1];
    const PlanePoint from = leg.points[n];
    const PlanePoint to = leg.points[n + 1];
    const auto at = [&](double t) -> PlanePoint {
      const double share = (t - begin) / (end - begin);
      return {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    };
    auto level = static_cast<std::int32_t>(std::floor((begin - time.first) / time.step));
    level = std::clamp(level, 0, time.level_count - 2);
    for (double now = begin; now < end; ++level) {
      const double until =
          level >= time.level_count - 2 ? end : std::min(end, time.at(TimeLevel(level + 1)));
      if (until > now) {
        sample_stretch(grid, level, at(now), at(until), (until - now) / duration, samples);
      }
      now = std::max(now, until);
    }
  }
  return samples;
}

FlowOperator::FlowOperator(std::vector<FlowSample> samples, std::int32_t mode_count)
    : samples_(std::move(samples)), mode_count_(static_cast<std::size_t>(mode_count)) {
  std::stable_sort(samples_.begin(), samples_.end(),
                   [](const FlowSample& a, const FlowSample& b) { return a.level < b.level; });
  for (const FlowSample& sample : samples_) middle_ += sample.share * (sample.level + 0.5);
}

std::vector<std::int32_t> FlowOperator::levels() const {
  std::vector<std::int32_t> levels;
  for (const FlowSample& sample : samples_) {
    if (levels.empty() || levels.back() != sample.level) levels.push_back(sample.level);
  }
  return levels;
}

void FlowOperator::add(TimeLevel k, const LevelView& level) {
  const std::size_t cells = level.u_mean.size;
  u_.parts.push_back({k.value, std::vector<double>(mode_count_, 0.0)});
  v_.parts.push_back(u_.parts.back());
  for (const FlowSample& sample : samples_) {
    if (sample.level != k.value) continue;
    const Grid& grid = level.grid;
    const CellIndex cell = grid.cell(std::clamp(grid.column_at(sample.at.x), 0, grid.nx - 1),
                                     std::clamp(grid.row_at(sample.at.y), 0, grid.ny - 1));
    if (level.masked[cell.value] != 0) closed_share_ += sample.share;
    const BilinearStencil stencil = bilinear_stencil(grid, level.dry, sample.at.x, sample.at.y);
    if (std::all_of(std::begin(stencil.weight), std::end(stencil.weight),
                    [](double weight) { return weight == 0; })) {
      dry_share_ += sample.share;
      continue;
    }
    const auto contribution = [&](View<const float> field, std::size_t plane) {
      return sample.share * interpolate(stencil, [&](std::size_t at) {
               return static_cast<double>(field[plane * cells + at]);
             });
    };
    u_.mean += contribution(level.u_mean, 0);
    v_.mean += contribution(level.v_mean, 0);
    for (std::size_t m = 0; m < mode_count_; ++m) {
      u_.parts.back().sensitivity[m] += contribution(level.u_mode, m);
      v_.parts.back().sensitivity[m] += contribution(level.v_mode, m);
    }
  }
}

FlowObservation FlowOperator::observe(const Component& component, double value,
                                      double error) const {
  return {value, error, component.mean, middle_, component.parts, -1};
}

FlowObservation FlowOperator::observe_u(double value, double error) const {
  return observe(u_, value, error);
}

FlowObservation FlowOperator::observe_v(double value, double error) const {
  return observe(v_, value, error);
}

}  // namespace tidewise
