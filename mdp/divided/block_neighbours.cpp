#include "mdp/divided/block_neighbours.h"

#include <algorithm>

#include "base/parallel/team.h"

namespace tidewise::mdp {
namespace {

bool is_in(const StateRange& range, std::int32_t state) {
  return state >= range.first && state - range.first < range.count;
}

/// Returns the neighbours of one block, and sets the places of its entries.
template <class Real>
std::vector<std::int32_t> neighbours_of(const DecisionProcess<Real>& process,
                                        const StateRange& range, std::vector<std::int32_t>& place) {
  const auto begin = std::size_t(process.row_begin[process.row(range.first, 0)]);
  const auto end =
      std::size_t(process.row_begin[std::size_t(process.row(range.first, 0)) +
                                    std::size_t(range.count) * std::size_t(process.action_count)]);
  std::vector<std::int32_t> outside;
  for (std::size_t n = begin; n < end; ++n) {
    if (!is_in(range, process.successor[n])) outside.push_back(process.successor[n]);
  }
  std::sort(outside.begin(), outside.end());
  outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
  for (std::size_t n = begin; n < end; ++n) {
    const std::int32_t to = process.successor[n];
    place[n] = is_in(range, to)
                   ? to - range.first
                   : range.count + static_cast<std::int32_t>(
                                       std::lower_bound(outside.begin(), outside.end(), to) -
                                       outside.begin());
  }
  return outside;
}

}  // namespace

template <class Real>
BlockNeighbours find_neighbours(const DecisionProcess<Real>& process, const BlockDivision& division,
                                std::int32_t threads) {
  BlockNeighbours neighbours;
  const std::int32_t blocks = division.block_count();
  neighbours.place.resize(process.successor.size());
  std::vector<std::vector<std::int32_t>> lists(static_cast<std::size_t>(blocks));
  for_pieces(blocks, threads, [&](std::int64_t block, TeamRank) {
    lists[block] = neighbours_of(process, division.states_of(static_cast<std::int32_t>(block)),
                                 neighbours.place);
  });
  neighbours.begin.reserve(lists.size() + 1);
  neighbours.begin.push_back(0);
  for (const auto& part : lists) {
    const auto count = static_cast<std::int64_t>(part.size());
    neighbours.begin.push_back(neighbours.begin.back() + count);
    neighbours.max = std::max(neighbours.max, count);
  }
  neighbours.state.reserve(std::size_t(neighbours.begin.back()));
  for (const auto& part : lists) {
    neighbours.state.insert(neighbours.state.end(), part.begin(), part.end());
  }
  return neighbours;
}

template BlockNeighbours find_neighbours(const DecisionProcess<float>&, const BlockDivision&,
                                         std::int32_t);
template BlockNeighbours find_neighbours(const DecisionProcess<double>&, const BlockDivision&,
                                         std::int32_t);

}  // namespace tidewise::mdp
