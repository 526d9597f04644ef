#pragma once

#include <algorithm>
#include <cstdint>

namespace tidewise {

/// Size and duration of a solve.
struct SolveReport {
  std::int64_t states = 0;       ///< cells × levels 0 … L
  std::int64_t rows = 0;         ///< state-action pairs that were backed up
  std::int64_t transitions = 0;  ///< rows × realizations
  std::int32_t subdomains = 1;   ///< bands of rows (solver/subdomains/induction.h)
  double read_seconds = 0;       ///< time spent waiting for levels
  double solve_seconds = 0;      ///< time spent counting and backing up

  /// Adds the report of another mission, solved before, after or at the same time. The number of
  /// bands becomes the maximum.
  SolveReport& operator+=(const SolveReport& other) {
    subdomains = std::max(subdomains, other.subdomains);
    states += other.states;
    rows += other.rows;
    transitions += other.transitions;
    read_seconds += other.read_seconds;
    solve_seconds += other.solve_seconds;
    return *this;
  }
};

}  // namespace tidewise
