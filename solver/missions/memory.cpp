#include "solver/missions/memory.h"

#include "model_builder/device/row_block.h"
#include "solver/missions/merged_rows.h"
#include "solver/missions/table.h"

namespace tidewise {
namespace {

// Data of a cell for all levels in flight: masks, scalars, lists, rows [B].
constexpr std::size_t per_cell = 200;
// Values and actions, in the order of lanes and in that of sinks [B].
constexpr std::size_t per_result = 2 * (sizeof(float) + sizeof(std::int16_t));
// Targets, and members near them [B].
constexpr std::size_t per_member = 1 + sizeof(std::uint32_t);
// Maximum pinned host memory for results [B].
constexpr std::size_t max_pinned = std::size_t{4} << 30;
// Maximum padding of tiles of coefficients.
constexpr std::size_t coefficient_padding = 16;  // realizations
constexpr std::size_t mode_padding = 16;

}  // namespace

bool needs_wide_rows(const EnvironmentInfo& info, const PositionRule& rule) {
  return row_total(info, rule) >= static_cast<std::uint32_t>(narrow_row_counts);
}

std::size_t group_row_memory(const EnvironmentInfo& info, const PositionRule& rule,
                             std::size_t actions) {
  const std::size_t block = needs_wide_rows(info, rule) ? sizeof(RowBlock<WideRowEntry>)
                                                        : sizeof(RowBlock<NarrowRowEntry>);
  return static_cast<std::size_t>(info.grid.cell_count()) * actions * group_blocks_per_row *
         (group_row_buffers * block + MergedRows::block_bytes);
}

std::size_t group_memory(const EnvironmentInfo& info, const PositionRule& rule, std::size_t actions,
                         std::size_t members) {
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const auto stride = static_cast<std::size_t>(group_stride(members));
  const std::size_t coefficients =
      group_level_slots * (static_cast<std::size_t>(info.mode_count) + mode_padding) *
      (static_cast<std::size_t>(info.realization_count) + coefficient_padding) *
      sizeof(std::uint16_t);
  return group_row_memory(info, rule, actions) +
         cells * (per_cell +
                  actions * (group_row_buffers * sizeof(std::uint16_t) + sizeof(LandingList)) +
                  stride * (group_result_slots * per_result + per_member)) +
         2 * actions * stride * sizeof(float) + coefficients;
}

std::size_t members_at_once(const EnvironmentInfo& info, const PositionRule& rule,
                            std::size_t actions, std::size_t members, std::size_t memory) {
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  if (cells >= max_group_cells) return 0;
  const std::size_t pinned = group_result_slots * cells * per_result / 2;
  const std::size_t row_reserve = memory / 4;  // for rows that exceed group_blocks_per_row
  while (members >= 2 && (group_memory(info, rule, actions, members) > memory - row_reserve ||
                          pinned * members > max_pinned)) {
    --members;
  }
  return members < 2 ? 0 : members;
}

}  // namespace tidewise
