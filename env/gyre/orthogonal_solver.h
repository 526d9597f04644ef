#pragma once

#include "env/gyre/gyre_solver.h"
#include "env/gyre/orthogonal_state.h"

namespace tidewise {

/// Kinetic energy per unit mass expected over the realizations, and what changes it. In the
/// continuous-time equations d(mean + variance)/dt = work − dissipation exactly, whatever the
/// truncation: advection, Coriolis force and pressure do no work, and the orthogonal dynamics keep
/// the state itself.
struct EnergyBudget {
  double mean = 0;         ///< ½⟨ū, ū⟩
  double variance = 0;     ///< ½ E|u − ū|²
  double work = 0;         ///< of the wind, a rate
  double dissipation = 0;  ///< by viscosity, a rate: of the mean and of the modes
};

/// Solves the stochastic gyre by the dynamically orthogonal equations (Sapsis and Lermusiaux 2009,
/// Physica D 238; Ueckermann, Lermusiaux and Sapsis 2013, J. Comput. Phys. 233): mean, modes and
/// coefficients step together, third order in time, on the operators of GyreSolver, so that a
/// realization of it and a run of GyreSolver differ by what truncation to the modes leaves out
/// alone. Threads do not change the result.
class OrthogonalSolver {
 public:
  OrthogonalSolver(const StaggeredGrid& grid, const GyreNumbers& numbers);

  const GyreSolver& gyre() const { return gyre_; }

  /// The tendency of the state: of the mean, of each mode (orthogonal to all modes: the DO
  /// condition), of each coefficient. Velocities free of divergence.
  /// Errors: RunError when the coefficients' covariance is singular to working precision.
  OrthogonalState tendency(const OrthogonalState& state) const;

  /// One step, in place; modes are made orthonormal and velocities free of divergence at its end.
  void advance(OrthogonalState& state, double step) const;

  /// The longest stable step: of the mean's speed and three standard deviations more.
  double stable_step(const OrthogonalState& state) const;

  EnergyBudget energy_budget(const OrthogonalState& state) const;

 private:
  GyreSolver gyre_;
};

}  // namespace tidewise
