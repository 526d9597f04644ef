#pragma once

#include "env/gyre/environment.h"
#include "env/gyre/modes/orthogonal_state.h"
#include "env/level_fields.h"

namespace tidewise::gyre {

/// Conversion from the solver's units to metres and seconds: lengths in L, velocities in U, times
/// in L/U.
struct Scaling {
  double length = 1;    ///< L, the basin's side [m]
  double velocity = 1;  ///< U [m/s]

  double time() const { return length / velocity; }  ///< [s]
  /// β₀ = β U / L² [1/(m s)]
  double coriolis_gradient(const DimensionlessNumbers& numbers) const {
    return numbers.beta * velocity / (length * length);
  }
  /// U L / Re [m²/s]
  double eddy_viscosity(const DimensionlessNumbers& numbers) const {
    return velocity * length / numbers.reynolds;
  }
};

/// Copies mean, modes and coefficients of `state` to fields at cell centres, (y, x) and (mode,
/// realization). A centre's velocity is the mean of its cell's two faces. Modes keep their values,
/// with root mean square 1 over the basin (apart from that averaging), and become velocities in
/// m/s. So the standard deviation of a coefficient is the root mean square, over basin and
/// realizations, of its mode's contribution [m/s].
void fill_velocity(const OrthogonalState& state, double velocity_scale, LevelFields<>& fields);

}  // namespace tidewise::gyre
