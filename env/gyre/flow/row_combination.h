#pragma once

#include <cstddef>
#include <vector>

namespace tidewise::gyre {

// Linear combinations of a few long rows (modes, or coefficients), a piece at a time, so that each
// piece is read from memory once. Threads share the pieces; their number does not change the
// result.

/// rows_i ← Σ_k weights(i, k) rows_k, in place; weights: (row, row), rows of `length` values.
void recombine(const std::vector<double*>& rows, std::size_t length,
               const std::vector<double>& weights);

/// to_i += Σ_k weights(i, k) from_k; weights: (to, from).
void add_combinations(const std::vector<double*>& to, const std::vector<const double*>& from,
                      std::size_t length, const std::vector<double>& weights);

}  // namespace tidewise::gyre
