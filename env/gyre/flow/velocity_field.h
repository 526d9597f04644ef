#pragma once

#include <vector>

#include "env/gyre/flow/staggered_grid.h"

namespace tidewise::gyre {

/// Velocity normal to the faces of a staggered grid, non-dimensional. Faces in the basin's walls
/// hold 0 and stay so: linear combinations keep them, and operators write 0 there.
class VelocityField {
 public:
  VelocityField() = default;
  /// A field at rest.
  explicit VelocityField(const StaggeredGrid& grid)
      : grid_(grid), values_(grid.velocity_count(), 0.0) {}

  const StaggeredGrid& grid() const { return grid_; }

  /// Row j of u: nx + 1 faces of x, j = 0 … ny−1. Row j of v: nx cells, j = 0 … ny.
  double* u_row(int j) { return values_.data() + grid_.u_row(j); }
  const double* u_row(int j) const { return values_.data() + grid_.u_row(j); }
  double* v_row(int j) { return values_.data() + grid_.v_row(j); }
  const double* v_row(int j) const { return values_.data() + grid_.v_row(j); }

  double& u(int j, int i) { return u_row(j)[i]; }
  double u(int j, int i) const { return u_row(j)[i]; }
  double& v(int j, int i) { return v_row(j)[i]; }
  double v(int j, int i) const { return v_row(j)[i]; }

  /// All of u, then all of v.
  std::vector<double>& values() { return values_; }
  const std::vector<double>& values() const { return values_; }

 private:
  StaggeredGrid grid_;
  std::vector<double> values_;
};

/// ⟨a, b⟩ = Σ a·b · cell area, over u and v: the discrete ∫ a·b. The order of the sum is fixed, so
/// the number of threads does not change it.
double inner_product(const VelocityField& a, const VelocityField& b);

/// y += factor · x
void add(VelocityField& y, double factor, const VelocityField& x);
/// y *= factor
void scale(VelocityField& y, double factor);

/// Greatest |∂u/∂x + ∂v/∂y| of any cell.
double greatest_divergence(const VelocityField& velocity);
/// Greatest √(u² + v²) of any cell, each component the mean of its two faces.
double greatest_speed(const VelocityField& velocity);
/// Greatest |u|/dx + |v|/dy of any cell, with the greater of its two faces: the number that, times
/// a time step, is the Courant number.
double greatest_courant_rate(const VelocityField& velocity);

}  // namespace tidewise::gyre
