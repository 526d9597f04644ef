#pragma once

#include <cstddef>
#include <vector>

#include "env/gyre/flow/momentum_rows.h"
#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise::gyre {

/// Pairs of modes m ≤ n, in the order (0,0), (0,1), …, (1,1), …
constexpr std::size_t pair_count(std::size_t modes) { return modes * (modes + 1) / 2; }

/// Projections of the interactions of mean and modes onto the modes. A is MomentumRows' symmetric
/// advection, and ℓ_m = Lin u_m + 2 A(ū, u_m) the linear tendency of a perturbation along mode m.
struct ModeInteractions {
  std::vector<double> linear;     ///< ⟨ℓ_m, u_k⟩, (mode m, mode k)
  std::vector<double> quadratic;  ///< ⟨A(u_m, u_n), u_k⟩, (pair m ≤ n, mode k)
  std::vector<double> gram;       ///< ⟨u_m, u_k⟩, (mode, mode)
};

/// Computes all products of fields in one pass over the grid, row by row, so that each row is used
/// while it is in cache:
///   tendency.mean    = wind + Lin ū + A(ū, ū) + Σ_{m≤n} weight(pair, 0) A(u_m, u_n)
///   tendency.modes_i = ℓ_i + Σ_{m≤n} weight(pair, 1 + i) A(u_m, u_n)
/// without pressure; `tendency` is overwritten. weights: (pair, 1 + mode). Threads share the rows;
/// their number does not change the result.
ModeInteractions interact(const MomentumRows& momentum, const OrthogonalState& state,
                          const std::vector<double>& weights, OrthogonalState& tendency);

}  // namespace tidewise::gyre
