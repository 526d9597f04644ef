#pragma once

#include <algorithm>
#include <cstdint>

namespace tidewise {

/// What a solve did and how long it took.
struct SolveReport {
  std::int64_t states = 0;       ///< cells × levels 0 … L
  std::int64_t rows = 0;         ///< state-action pairs that were decided on
  std::int64_t transitions = 0;  ///< rows × realizations
  std::int32_t subdomains = 1;   ///< of rows, each solved by itself (solver/subdomains/induction.h)
  double read_seconds = 0;       ///< waiting for levels
  double solve_seconds = 0;      ///< counting and backing up

  /// Takes in what another mission came to, after this or beside it; of bands the most.
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
