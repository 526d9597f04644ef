#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// States that a thread takes at a time. Sums over states are made within blocks first, and then
/// over the blocks in their order: the same bits by any number of threads.
inline constexpr std::int64_t states_of_block = 1024;

inline std::int64_t block_count(std::int64_t states) {
  return (states + states_of_block - 1) / states_of_block;
}

/// after − before over states [begin, end).
template <class Real>
ValueChange change_between(const Real* before, const Real* after, std::int64_t begin,
                           std::int64_t end) {
  ValueChange change;
  for (std::int64_t state = begin; state < end; ++state) {
    change.include(static_cast<double>(after[state]) - static_cast<double>(before[state]));
  }
  return change;
}

/// Calls body(begin, end) for every block, and returns all of what they say about changes. `body`
/// returns a ValueChange.
template <class Body>
ValueChange gather_over_blocks(std::int64_t states, std::int32_t threads, const Body& body) {
  const std::int64_t blocks = block_count(states);
  ValueChange whole;
#pragma omp parallel num_threads(threads) if (threads > 1 && blocks >= 4)
  {
    ValueChange own;
#pragma omp for schedule(static) nowait
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t begin = block * states_of_block;
      own.include(body(begin, std::min(begin + states_of_block, states)));
    }
#pragma omp critical(tidewise_gather_over_blocks)
    whole.include(own);  // the same in any order
  }
  return whole;
}

/// Σ a b over `count` states, in lanes of their own.
template <class Real>
double dot_of(const Real* a, const Real* b, std::int64_t count) {
  constexpr std::int64_t lanes = 8;
  double lane[lanes] = {};
  const std::int64_t whole = count - count % lanes;
  for (std::int64_t s = 0; s < whole; s += lanes) {
    for (std::int64_t k = 0; k < lanes; ++k) {
      lane[k] += static_cast<double>(a[s + k]) * static_cast<double>(b[s + k]);
    }
  }
  for (std::int64_t s = whole; s < count; ++s) {
    lane[s - whole] += static_cast<double>(a[s]) * static_cast<double>(b[s]);
  }
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Calls body(begin, end) for every block.
template <class Body>
void for_blocks(std::int64_t states, std::int32_t threads, const Body& body) {
  const std::int64_t blocks = block_count(states);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && blocks >= 4)
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t begin = block * states_of_block;
    body(begin, std::min(begin + states_of_block, states));
  }
}

/// The sum of what body(begin, end) returns for every block, in the blocks' order.
template <class Body>
double sum_over_blocks(std::int64_t states, std::int32_t threads, const Body& body) {
  const std::int64_t blocks = block_count(states);
  std::vector<double> part(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && blocks >= 4)
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t begin = block * states_of_block;
    part[static_cast<std::size_t>(block)] = body(begin, std::min(begin + states_of_block, states));
  }
  double sum = 0;
  for (const double one : part) sum += one;
  return sum;
}

}  // namespace tidewise::mdp
