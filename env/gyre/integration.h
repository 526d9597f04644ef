#pragma once

#include "env/gyre/modes/orthogonal_solver.h"

namespace tidewise::gyre {

/// Properties of a state, and of the interval of time before it. Non-dimensional.
struct FlowDiagnostics {
  EnergyBudget budget;
  /// Change of the energy of mean and variance over the interval, minus the work of the wind and
  /// the loss to viscosity, relative to that loss; 0 without an interval. It is the error of the
  /// time steps and of the sum over them, because the scheme in space conserves energy.
  double energy_residual = 0;
  /// Greatest |∂u/∂x + ∂v/∂y| of the mean or a mode, relative to the greatest |u|/dx + |v|/dy of
  /// that field.
  double divergence = 0;
  double orthonormality_error = 0;
  int step_count = 0;  ///< number of steps in the interval
};

/// Solves the stochastic gyre over intervals of time and checks its invariants.
class Integration {
 public:
  Integration(const StaggeredGrid& grid, const DimensionlessNumbers& numbers)
      : solver_(grid, numbers) {}

  const OrthogonalSolver& solver() const { return solver_; }

  /// Advances the state by `duration`, in equal steps that are stable at the beginning, then
  /// rotates the modes to principal axes. Errors: those of validate().
  FlowDiagnostics advance(OrthogonalState& state, double duration) const;

  /// Checks a state. Errors: RunError if it is not finite, the divergence exceeds round-off, or the
  /// modes are not orthonormal to 1e-10.
  FlowDiagnostics validate(const OrthogonalState& state) const;

 private:
  OrthogonalSolver solver_;
};

}  // namespace tidewise::gyre
