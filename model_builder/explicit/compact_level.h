#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/step/cell_transitions.h"
#include "model_builder/step/level_bounds.h"

namespace tidewise {

/// One time level of the explicit model in compact form. Row r = cell · action count + action has
/// the entries row_start[r] … row_start[r+1] − 1, in the order of the sub-grid (south to north,
/// west to east), without zeros. P(s+Δ | s, a) = count / total.
struct CompactLevel {
  std::vector<std::int64_t> row_start;  ///< (row + 1), the first is 0
  std::vector<std::uint16_t> offset;    ///< (entry): SubGrid::index of Δ
  std::vector<std::uint32_t> count;     ///< (entry): realizations, weight or shares; below 2^31
};

/// Takes the counts of all cells of a level, in any order and from several threads, and packs them.
class CompactLevelBuilder final : public CountSink {
 public:
  /// Requires subgrid.size() <= 65536, and that it contains every landing.
  CompactLevelBuilder(const Grid& grid, std::int32_t action_count, const SubGrid& subgrid,
                      std::int32_t threads);
  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override;
  /// All rows in order; rows of missing cells are empty. The builder is empty afterwards.
  CompactLevel take();

 private:
  struct Part {  // counts from one thread, in order of arrival
    std::vector<std::uint16_t> offset;
    std::vector<std::uint32_t> count;
  };
  struct Piece {  // position of a row's entries
    std::int32_t thread = 0;
    std::size_t start = 0;
    std::size_t size = 0;
  };

  std::int32_t action_count_;
  SubGrid subgrid_;
  std::vector<Part> parts_;    // (thread)
  std::vector<Piece> pieces_;  // (row)
};

/// Passes the counts of some cells of a stored level to `sink`, as an engine would.
void feed_counts(const CompactLevel& level, const SubGrid& subgrid, std::int32_t action_count,
                 View<const CellIndex> cells, std::int32_t threads, CountSink& sink);

/// A fingerprint (64-bit FNV-1a over words) of all inputs of a level's counts except the actions:
/// the bits of the velocity of each profile, 0 … `velocities` − 1, coefficients, scale, rule and
/// counting_weights() (realization). It prevents the use of a stored model with another forecast or
/// rule.
std::uint64_t fingerprint(const LevelView& level, std::int32_t velocities,
                          const DisplacementScale& scale, const PositionRule& rule,
                          View<const std::uint32_t> weights);

}  // namespace tidewise
