#pragma once

#include <cstddef>

#include "env/environment_info.h"
#include "model_builder/step/position.h"

namespace tidewise {

// Layout and size of the memory of DeviceGroupSolver.

/// Maximum number of levels whose results are copied from the device at the same time.
inline constexpr std::size_t group_result_slots = 4;
/// Number of levels whose fields are kept: one prepared, one counted, and the level after it.
inline constexpr std::size_t group_level_slots = 3;
/// Number of levels whose rows are kept: one counted, one backed up.
inline constexpr std::size_t group_row_buffers = 2;
/// Initial number of blocks (row_block.h) per row.
inline constexpr std::size_t group_blocks_per_row = 2;

/// Device memory for a group, without the environment's levels [B]. For each member, rounded up to
/// 32, 64 or a multiple of 128 members: 53 bytes per cell. For the group: 200 bytes per cell; 268
/// bytes per row (cell and action), or 332 if realizations are weighted or more than 65535; three
/// times the level's coefficients. Rows with more than eight landings can use more.
std::size_t group_memory(const EnvironmentInfo& info, const PositionRule& rule, std::size_t actions,
                         std::size_t members);

/// The part of group_memory() for the blocks of rows and their merged landings [B].
std::size_t group_row_memory(const EnvironmentInfo& info, const PositionRule& rule,
                             std::size_t actions);

/// Number of `members` that can be solved together in this device memory; 0 if fewer than two.
std::size_t members_at_once(const EnvironmentInfo& info, const PositionRule& rule,
                            std::size_t actions, std::size_t members, std::size_t memory);

/// True if rows need WideRowEntry.
bool needs_wide_rows(const EnvironmentInfo& info, const PositionRule& rule);

}  // namespace tidewise
