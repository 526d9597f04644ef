#include "mdp/divided/block_neighbours.h"

#include <algorithm>

#include "base/parallel/team.h"

namespace tidewise::mdp {
namespace {

bool is_in(const StateRange& own, std::int32_t state) {
  return state >= own.first && state - own.first < own.count;
}

/// The neighbours of one block, and the places of its entries.
template <class Real>
std::vector<std::int32_t> neighbours_of(const DecisionProcess<Real>& process, const StateRange& own,
                                        std::vector<std::int32_t>& place) {
  const auto begin = std::size_t(process.row_begin[process.row(own.first, 0)]);
  const auto end =
      std::size_t(process.row_begin[std::size_t(process.row(own.first, 0)) +
                                    std::size_t(own.count) * std::size_t(process.action_count)]);
  std::vector<std::int32_t> found;
  for (std::size_t n = begin; n < end; ++n) {
    if (!is_in(own, process.successor[n])) found.push_back(process.successor[n]);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (std::size_t n = begin; n < end; ++n) {
    const std::int32_t to = process.successor[n];
    place[n] =
        is_in(own, to)
            ? to - own.first
            : own.count + static_cast<std::int32_t>(
                              std::lower_bound(found.begin(), found.end(), to) - found.begin());
  }
  return found;
}

}  // namespace

template <class Real>
BlockNeighbours find_neighbours(const DecisionProcess<Real>& process, const BlockDivision& division,
                                std::int32_t threads) {
  BlockNeighbours neighbours;
  const std::int32_t blocks = division.block_count();
  neighbours.place.resize(process.successor.size());
  std::vector<std::vector<std::int32_t>> found(static_cast<std::size_t>(blocks));
  for_pieces(blocks, threads, [&](std::int64_t block, TeamRank) {
    found[block] = neighbours_of(process, division.states_of(static_cast<std::int32_t>(block)),
                                 neighbours.place);
  });
  neighbours.begin.reserve(found.size() + 1);
  neighbours.begin.push_back(0);
  for (const auto& part : found) {
    const auto count = static_cast<std::int64_t>(part.size());
    neighbours.begin.push_back(neighbours.begin.back() + count);
    neighbours.max = std::max(neighbours.max, count);
  }
  neighbours.state.reserve(std::size_t(neighbours.begin.back()));
  for (const auto& part : found) {
    neighbours.state.insert(neighbours.state.end(), part.begin(), part.end());
  }
  return neighbours;
}

template BlockNeighbours find_neighbours(const DecisionProcess<float>&, const BlockDivision&,
                                         std::int32_t);
template BlockNeighbours find_neighbours(const DecisionProcess<double>&, const BlockDivision&,
                                         std::int32_t);

}  // namespace tidewise::mdp
