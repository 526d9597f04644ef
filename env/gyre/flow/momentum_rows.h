#pragma once

#include "env/gyre/flow/velocity_field.h"

namespace tidewise::gyre {

/// Non-dimensional numbers of the wind-driven gyre; length in basin sides L, velocity in U, time in
/// L/U.
struct DimensionlessNumbers {
  double reynolds = 150;  ///< U L / eddy viscosity
  double beta = 1e3;      ///< β₀ L² / U
  double wind = 1e3;      ///< a: wind stress over inertia
  double coriolis = 0;    ///< f₀ L / U; has no effect in a flow free of divergence
};

/// The terms of the momentum equations
///   ∂u/∂t = −∂p/∂x + ∇²u/Re − ∂(u²)/∂x − ∂(uv)/∂y + f v + a τx,  f = f₀ + βy
///   ∂v/∂t = −∂p/∂y + ∇²v/Re − ∂(vu)/∂x − ∂(v²)/∂y − f u
/// without the pressure, one row of faces at a time, so that callers can use a row while it is in
/// cache. Second order in space; free slip in the south and north, no slip in the west and east.
///
/// Centred fluxes keep kinetic energy: ⟨b, ∇·(a b)⟩ = 0 for a free of divergence; the Coriolis
/// terms are averaged so that they do no work (Sadourny 1975).
class MomentumRows {
 public:
  MomentumRows(const StaggeredGrid& grid, const DimensionlessNumbers& numbers);

  const StaggeredGrid& grid() const { return grid_; }
  const DimensionlessNumbers& numbers() const { return numbers_; }

  /// Computes the viscosity and the Coriolis force of `a`. out: nx + 1 values of u's row j = 0 …
  /// ny−1; overwritten, with 0 on the walls.
  void linear_u(const VelocityField& a, int j, double* out) const;
  /// Computes −½ [∇·(a b) + ∇·(b a)], the symmetric part of the advection; for a = b, −∇·(a a).
  void advection_u(const VelocityField& a, const VelocityField& b, int j, double* out) const;
  /// Returns a τx of row j, −a cos(2πy)/(2π), which is the same in all columns except the walls.
  double wind_u(int j) const;

  /// As linear_u(), for the nx values of v's row j = 1 … ny−1. There is no wind along y.
  void linear_v(const VelocityField& a, int j, double* out) const;
  /// As advection_u(), for the nx values of v's row j.
  void advection_v(const VelocityField& a, const VelocityField& b, int j, double* out) const;

 private:
  StaggeredGrid grid_;
  DimensionlessNumbers numbers_;
};

/// Returns ½ ⟨a, a⟩.
double kinetic_energy(const VelocityField& a);
/// −⟨a, ∇²b⟩ with the walls' conditions: the loss to viscosity times Re. Symmetric, and ≥ 0 for a =
/// b.
double dissipation(const MomentumRows& momentum, const VelocityField& a, const VelocityField& b);
/// ⟨a, wind⟩: the work of the wind.
double wind_work(const MomentumRows& momentum, const VelocityField& a);

}  // namespace tidewise::gyre
