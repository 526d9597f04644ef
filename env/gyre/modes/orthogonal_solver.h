#pragma once

#include "env/gyre/flow/solver.h"
#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise::gyre {

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
/// coefficients step together, third order in time, on the operators of FlowSolver, so that a
/// realization of it and a run of FlowSolver differ by what truncation to the modes leaves out
/// alone. Without modes the tendency is FlowSolver's to the last bit, and a step to round-off.
/// Threads do not change the result.
///
/// With A the symmetric advection, P the projection, ℓ_i = Lin u_i + 2 A(ū, u_i), C = E[Y Yᵀ]:
///   ∂ū/∂t   = P[wind + Lin ū + A(ū, ū) + Σ_mn C_mn A(u_m, u_n)]
///   dY_i/dt = Σ_m Y_m ⟨ℓ_m, u_i⟩ + Σ_mn (Y_m Y_n − C_mn) ⟨A(u_m, u_n), u_i⟩
///   Q_i     = P[ℓ_i + Σ_mn (Σ_j C⁻¹_ij E[Y_j Y_m Y_n]) A(u_m, u_n)]
///   ∂u_i/∂t = Q_i − Σ_k ⟨Q_i, u_k⟩ u_k
/// C⁻¹ is inverse_covariance(), which lets modes of little or no variance be. Inside a step modes
/// are orthonormal to the second order in the step alone, so products with u_k stand for those with
/// the dual basis, Σ_l (Gram⁻¹)_kl u_l: all that the state says of its realizations is then true of
/// each stage.
class OrthogonalSolver {
 public:
  OrthogonalSolver(const StaggeredGrid& grid, const DimensionlessNumbers& numbers);

  const FlowSolver& gyre() const { return gyre_; }

  /// The tendency of the state: of the mean, of each mode (orthogonal to all modes: the DO
  /// condition), of each coefficient. Velocities free of divergence.
  /// Errors: RunError when the flow grew without bound, or the modes are dependent.
  OrthogonalState tendency(const OrthogonalState& state) const;

  /// One step, in place; modes are made orthonormal and velocities free of divergence at its end.
  /// Errors: as of tendency().
  void advance(OrthogonalState& state, double step) const;

  /// The longest stable step: of the mean's speed and three standard deviations more, and no more
  /// than modes take to turn by half a radian; those with little variance turn fast. It needs a
  /// tendency, a third of a step's work.
  double stable_step(const OrthogonalState& state) const;

  EnergyBudget energy_budget(const OrthogonalState& state) const;

 private:
  /// tendency() in memory that is there already, of tendency() itself or like it.
  void find_tendency(const OrthogonalState& state, OrthogonalState& result) const;

  FlowSolver gyre_;
};

}  // namespace tidewise::gyre
