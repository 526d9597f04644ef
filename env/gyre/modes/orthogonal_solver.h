#pragma once

#include "env/gyre/flow/solver.h"
#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise::gyre {

/// Expected kinetic energy per unit mass over the realizations, and its sources and sinks. In the
/// continuous-time equations d(mean + variance)/dt = work − dissipation exactly, with any
/// truncation: advection, Coriolis force and pressure do no work, and the orthogonal dynamics do
/// not change the realizations.
struct EnergyBudget {
  double mean = 0;         ///< ½⟨ū, ū⟩
  double variance = 0;     ///< ½ E|u − ū|²
  double work = 0;         ///< rate of work of the wind
  double dissipation = 0;  ///< rate of loss of mean and modes to viscosity
};

/// Solves the stochastic gyre by the dynamically orthogonal equations (Sapsis and Lermusiaux 2009,
/// Physica D 238; Ueckermann, Lermusiaux and Sapsis 2013, J. Comput. Phys. 233): mean, modes and
/// coefficients advance together, third order in time, with the operators of FlowSolver. So a
/// realization differs from a run of FlowSolver only by the truncation to the modes. Without modes
/// the tendency equals FlowSolver's to the last bit, and a step equals its step to round-off. The
/// number of threads does not change the result.
///
/// With A the symmetric advection, P the projection, ℓ_i = Lin u_i + 2 A(ū, u_i), C = E[Y Yᵀ]:
///   ∂ū/∂t   = P[wind + Lin ū + A(ū, ū) + Σ_mn C_mn A(u_m, u_n)]
///   dY_i/dt = Σ_m Y_m ⟨ℓ_m, u_i⟩ + Σ_mn (Y_m Y_n − C_mn) ⟨A(u_m, u_n), u_i⟩
///   Q_i     = P[ℓ_i + Σ_mn (Σ_j C⁻¹_ij E[Y_j Y_m Y_n]) A(u_m, u_n)]
///   ∂u_i/∂t = Q_i − Σ_k ⟨Q_i, u_k⟩ u_k
/// C⁻¹ is inverse_covariance(), which is 0 for modes of little or no variance. Inside a step the
/// modes are orthonormal only to second order in the step. Products with u_k therefore use the dual
/// basis, Σ_l (Gram⁻¹)_kl u_l, so that each stage represents the realizations exactly.
class OrthogonalSolver {
 public:
  OrthogonalSolver(const StaggeredGrid& grid, const DimensionlessNumbers& numbers);

  const FlowSolver& gyre() const { return gyre_; }

  /// The tendency of the mean, of each mode (orthogonal to all modes: the DO condition) and of each
  /// coefficient. Its velocities are free of divergence. Errors: RunError if the flow grew without
  /// bound, or the modes are linearly dependent.
  OrthogonalState tendency(const OrthogonalState& state) const;

  /// Advances the state by one step, in place. At its end modes are made orthonormal and velocities
  /// free of divergence. Errors: those of tendency().
  void advance(OrthogonalState& state, double step) const;

  /// The longest stable step for the mean's speed plus three standard deviations. It is also
  /// limited to the time in which modes turn by half a radian; modes with little variance turn
  /// fast. It computes a tendency, a third of a step's work.
  double stable_step(const OrthogonalState& state) const;

  /// The energy budget of a state.
  EnergyBudget energy_budget(const OrthogonalState& state) const;

 private:
  /// Computes tendency() into existing memory.
  void find_tendency(const OrthogonalState& state, OrthogonalState& result) const;

  FlowSolver gyre_;
};

}  // namespace tidewise::gyre
