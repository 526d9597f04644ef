#pragma once

#include <functional>

#include "env/gyre/flow/momentum_rows.h"
#include "env/gyre/flow/pressure_projection.h"

namespace tidewise::gyre {

/// Solves the gyre's equations for one deterministic flow: second order in space, third in time
/// (Shu and Osher 1988), pressure by projection at each stage. Threads share rows; their number
/// does not change the result.
class FlowSolver {
 public:
  FlowSolver(const StaggeredGrid& grid, const DimensionlessNumbers& numbers);

  const StaggeredGrid& grid() const { return momentum_.grid(); }
  const MomentumRows& momentum() const { return momentum_; }
  const PressureProjection& projection() const { return projection_; }

  /// A further force at a time, added to a tendency before the projection: for manufactured
  /// solutions. `add_to(time, tendency)`.
  using Force = std::function<void(double, VelocityField&)>;
  /// Sets that force.
  void set_force(Force add_to) { force_ = std::move(add_to); }

  /// ∂(u, v)/∂t at `time`, free of divergence.
  VelocityField tendency(const VelocityField& velocity, double time) const;
  /// One step from `time` to `time` + `step`, in place.
  void advance(VelocityField& velocity, double time, double step) const;

  /// The longest stable step, with a margin, for a flow of this Courant rate
  /// (greatest_courant_rate()) and the viscosity.
  double stable_step(double courant_rate) const;

 private:
  /// The tendency without the pressure.
  void momentum_tendency(const VelocityField& velocity, double time, VelocityField& result) const;

  MomentumRows momentum_;
  PressureProjection projection_;
  Force force_;
};

}  // namespace tidewise::gyre
