#pragma once

#include <cstdint>
#include <vector>

#include "env/grid.h"
#include "env/level_fields.h"
#include "env/points.h"

namespace tidewise {

/// One observed component of the mean flow along a leg, and the corresponding forecast. The
/// forecast is linear in its coefficients, so
///
///   H(realization r) = mean + Σ_parts Σ_m sensitivity[m] · coefficient[level][m][r].
///
/// Velocities in the environment's unit: m s-1 or 1.
struct FlowObservation {
  /// The contribution of one level.
  struct LevelPart {
    std::int32_t level = 0;
    std::vector<double> sensitivity;  ///< H(mode), (mode)

    bool operator==(const LevelPart&) const = default;
  };
  double value = 0;              ///< observed value
  double error = 0;              ///< standard deviation of its error, from all causes; > 0
  double mean = 0;               ///< H(mean field)
  double middle = 0;             ///< middle of its time in levels: 3.5 is the middle of step 3
  std::vector<LevelPart> parts;  ///< ascending levels
  std::int32_t leg = -1;         ///< observations of one leg are rejected together; -1: none
};

/// A point of the plane at which a level's flow contributes to an observation, and its weight.
struct FlowSample {
  std::int32_t level = 0;
  PlanePoint at;
  double share = 0;  ///< weight; the weights of one leg sum to 1
};

/// A leg of a track: at least two points and times in the environment, with straight and uniform
/// motion in between.
struct TrackLeg {
  std::vector<PlanePoint> points;  ///< [m or 1]
  std::vector<double> times;       ///< [s or 1], ascending, one per point
};

/// The samples of a leg, ascending by level. Each step of the time axis within the leg is divided
/// into equal parts of at most a quarter of a cell, with a sample at the middle of each. As in
/// flights (solver/flight/continuous_step.h), the flow of level k holds from its time to that of
/// level k+1. Requires that the leg lies between the first and the last level's time.
std::vector<FlowSample> sample_leg(const Grid& grid, const TimeAxis& time, const TrackLeg& leg);

/// The mean flow along a leg, by its samples: H of mean and modes for both components, summed level
/// by level. As in flights, the flow is bilinear between cell centres in water.
class FlowOperator {
 public:
  /// `samples`: those of sample_leg(). `mode_count`: that of the forecast.
  FlowOperator(std::vector<FlowSample> samples, std::int32_t mode_count);

  /// The levels of the samples, ascending.
  std::vector<std::int32_t> levels() const;
  /// Adds the contribution of level k. Requires one call for each of levels(), in ascending order.
  void add(TimeLevel k, const LevelView& level);
  /// The share of samples without any forecast water around them, 0 … 1. They count as still water.
  double dry_share() const { return dry_share_; }
  /// The share of samples in cells that the forecast closes, 0 … 1.
  double closed_share() const { return closed_share_; }

  /// The observation of the component along x or y. Requires that all levels were added. `error`:
  /// standard deviation.
  FlowObservation observe_u(double value, double error) const;
  /// As observe_u(), along y.
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
