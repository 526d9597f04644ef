#pragma once

#include <cstddef>

#include "env/environment_info.h"
#include "model_builder/step/position.h"

namespace tidewise {

// Memory of DeviceGroupSolver: its layout and its size.

/// Levels of a group whose results are on their way from the device at a time.
inline constexpr std::size_t group_results = 4;
/// Levels whose fields are kept: one prepared, one counted, and the one after that.
inline constexpr std::size_t group_level_slots = 3;
/// Levels whose rows are kept: one counted, one backed up.
inline constexpr std::size_t group_row_buffers = 2;
/// Blocks (row_block.h) that there is room for at first, a row.
inline constexpr std::size_t group_blocks_a_row = 2;

/// Device memory that a group of so many members needs beside the environment's levels [B]: for
/// each member, made up to 32, 64 or a multiple of 128 of them, 53 bytes a cell; for all together
/// 200 bytes a cell, a row (cell and action) 68 bytes, or 132 where realizations are weighted or
/// more than 65535, and the level's coefficients three times. Rows of more than eight landings can
/// make use of more.
std::size_t group_memory(const EnvironmentInfo& info, const PositionRule& rule, std::size_t actions,
                         std::size_t members);

/// The part of it that holds the blocks of rows [B].
std::size_t group_row_memory(const EnvironmentInfo& info, const PositionRule& rule,
                             std::size_t actions);

/// How many of `members` may be solved together in that much device memory; fewer than two: none.
std::size_t members_at_once(const EnvironmentInfo& info, const PositionRule& rule,
                            std::size_t actions, std::size_t members, std::size_t memory);

/// Whether rows need WideRowEntry.
bool needs_wide_rows(const EnvironmentInfo& info, const PositionRule& rule);

}  // namespace tidewise
