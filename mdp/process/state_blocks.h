#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/parallel/team.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// Number of states that a thread takes at a time. Sums over states are made within blocks first,
/// then over blocks in their order, so that the bits do not depend on the number of threads.
inline constexpr std::int64_t states_of_block = 1024;

/// Number of blocks of this number of states.
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

/// Number of threads to use, because fewer than four blocks do not justify a second thread.
inline std::int32_t threads_of_blocks(std::int64_t blocks, std::int32_t threads) {
  return blocks >= 4 ? threads : 1;
}

/// Calls body(begin, end) for each block.
template <class Body>
void for_blocks(std::int64_t states, std::int32_t threads, const Body& body) {
  const std::int64_t blocks = block_count(states);
  for_pieces(blocks, threads_of_blocks(blocks, threads), [&](std::int64_t block, TeamRank) {
    const std::int64_t begin = block * states_of_block;
    body(begin, std::min(begin + states_of_block, states));
  });
}

/// As for_blocks(), and combines the results: `body` returns a Whole, such as a ValueChange.
template <class Whole = ValueChange, class Body>
Whole gather_over_blocks(std::int64_t states, std::int32_t threads, const Body& body) {
  const std::int64_t blocks = block_count(states);
  return gather_pieces<Whole>(
      blocks, threads_of_blocks(blocks, threads), [&](std::int64_t block, Whole& part) {
        const std::int64_t begin = block * states_of_block;
        part.include(body(begin, std::min(begin + states_of_block, states)));
      });
}

/// Σ a b over `count` states, in independent lanes.
template <class Real>
double dot_of(const Real* a, const Real* b, std::int64_t count) {
  constexpr std::int64_t lanes = 8;
  double lane[lanes] = {};
  const std::int64_t full_count = count - count % lanes;
  for (std::int64_t s = 0; s < full_count; s += lanes) {
    for (std::int64_t k = 0; k < lanes; ++k) {
      lane[k] += static_cast<double>(a[s + k]) * static_cast<double>(b[s + k]);
    }
  }
  for (std::int64_t s = full_count; s < count; ++s) {
    lane[s - full_count] += static_cast<double>(a[s]) * static_cast<double>(b[s]);
  }
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Sums the results of body(begin, end) over blocks, in their order.
template <class Body>
double sum_over_blocks(std::int64_t states, std::int32_t threads, const Body& body) {
  std::vector<double> part(static_cast<std::size_t>(block_count(states)));
  for_blocks(states, threads, [&](std::int64_t begin, std::int64_t end) {
    part[begin / states_of_block] = body(begin, end);
  });
  double sum = 0;
  for (const double value : part) sum += value;
  return sum;
}

}  // namespace tidewise::mdp
