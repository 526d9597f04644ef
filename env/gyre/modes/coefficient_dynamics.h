#pragma once

#include <vector>

#include "env/gyre/modes/coefficient_moments.h"
#include "env/gyre/modes/mode_interactions.h"
#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise::gyre {

/// dY_k/dt = Σ_m Y_m linear(m, k) + Σ_mn (Y_m Y_n − E[Y_m Y_n]) quadratic(mn, k), into
/// tendency.coefficient. `interactions` as interact() gives them, for orthonormal modes. Threads
/// share the realizations; their number does not change the result.
void coefficient_tendency(const OrthogonalState& state, const CoefficientMoments& moments,
                          const ModeInteractions& interactions, OrthogonalState& tendency);

}  // namespace tidewise::gyre
