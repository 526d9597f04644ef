#pragma once

#include "env/gyre/modes/orthogonal_solver.h"

namespace tidewise::gyre {

/// What holds of a state, and of the stretch of time that led to it. Non-dimensional.
struct Findings {
  EnergyBudget budget;
  /// What the energy of mean and variance changed by over the stretch, less the work of the wind
  /// and the loss to viscosity, over that loss; 0 without a stretch. It is the error of the steps
  /// in time and of the sum over them, for in space nothing is lost.
  double energy_residual = 0;
  /// Greatest |∂u/∂x + ∂v/∂y| of the mean or a mode over the greatest |u|/dx + |v|/dy of the same.
  double divergence = 0;
  double orthonormality_error = 0;
  int step_count = 0;  ///< that the stretch took
};

/// Solves the stochastic gyre over stretches of time and holds it to what it must keep.
class Integration {
 public:
  Integration(const StaggeredGrid& grid, const DimensionlessNumbers& numbers)
      : solver_(grid, numbers) {}

  const OrthogonalSolver& solver() const { return solver_; }

  /// Over `duration`, in equal steps of which none is longer than is stable at the beginning; then
  /// turns the modes to principal axes. Errors: RunError as judge().
  Findings advance(OrthogonalState& state, double duration) const;

  /// Of a state by itself. Errors: RunError where it is not finite, the divergence is more than
  /// round-off makes, or modes are not orthonormal to 1e-10.
  Findings validate(const OrthogonalState& state) const;

 private:
  OrthogonalSolver solver_;
};

}  // namespace tidewise::gyre
