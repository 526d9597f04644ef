#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "env/level_fields.h"
#include "env/points.h"

namespace tidewise {

/// One component of the flow that something met on its way, and what the forecast says of it. The
/// forecast is linear in its coefficients, so
///
///   H(realization r) = mean + Σ_parts Σ_m sensitivity[m] · coefficient[level][m][r].
///
/// Velocities in the environment's unit: m s-1 or 1.
struct FlowObservation {
  /// How much a level has to do with it.
  struct LevelPart {
    std::int32_t level = 0;
    std::vector<double> sensitivity;  ///< H(mode), (mode)

    bool operator==(const LevelPart&) const = default;
  };
  double value = 0;              ///< what was observed
  double error = 0;              ///< its standard deviation, of all causes; > 0
  double mean = 0;               ///< H(mean field)
  double middle = 0;             ///< when, in levels: 3.5 is in the middle of step 3
  std::vector<LevelPart> parts;  ///< levels ascend
  std::int32_t leg = -1;         ///< those of one leg are rejected together; -1: by itself
};

/// A place of the plane at which the flow of a level was felt, and its share of what was observed.
struct FlowSample {
  std::int32_t level = 0;
  PlanePoint at;
  double share = 0;  ///< those of one leg sum to 1
};

/// A leg of a track: places and times of the environment, two at least, in between straight and
/// even.
struct TrackLeg {
  std::vector<PlanePoint> points;  ///< [m or 1]
  std::vector<double> times;       ///< [s or 1], ascending; as many
};

/// The samples of a leg: each step of the time axis that it touches is cut into equal parts of at
/// most a quarter of a cell, the flow felt in the middle of each. As in flights
/// (solver/flight/continuous_step.h) the flow of level k holds from its time to that of level k+1.
/// Requires that the leg lies between the first and the last level's time. Samples ascend by level.
std::vector<FlowSample> sample_leg(const Grid& grid, const TimeAxis& time, const TrackLeg& leg);

/// The mean flow along a leg, by its samples: H of mean and modes for both components, gathered
/// level by level. The flow is bilinear between cell centres that hold water, like that of flights.
class FlowOperator {
 public:
  FlowOperator(std::vector<FlowSample> samples, std::int32_t mode_count);

  /// Levels that it asks for, ascending.
  std::vector<std::int32_t> levels() const;
  /// Takes what level k has to do with it; each of levels() once, in ascending order.
  void add(TimeLevel k, const LevelView& level);
  /// The share of the samples around which the forecast has no water at all, 0 … 1. They count as
  /// still water.
  double dry_share() const { return dry_share_; }
  /// The share of the samples in cells that the forecast closes, 0 … 1.
  double closed_share() const { return closed_share_; }

  /// The two components along x and y, once all levels are there. `error`: of each.
  FlowObservation observe_u(double value, double error) const;
  FlowObservation observe_v(double value, double error) const;

 private:
  struct Component {
    double mean = 0;
    std::vector<FlowObservation::LevelPart> parts;
  };
  FlowObservation observe(const Component& component, double value, double error) const;

  std::vector<FlowSample> samples_;
  std::size_t mode_count_;
  double middle_ = 0;
  double dry_share_ = 0;
  double closed_share_ = 0;
  Component u_;
  Component v_;
};

}  // namespace tidewise
