#pragma once

#include <cstddef>
#include <cstdint>

namespace tidewise {

/// Members of a group have one lane each, side by side. Lanes come in blocks of this size. Arrays
/// of lanes, such as (cell, lane), are aligned to 64 bytes.
inline constexpr std::size_t lane_block = 16;

/// Counts of consecutive actions of one cell, and the cell of each landing.
struct LandingStencils {
  std::int32_t action_count;
  std::int32_t width;               ///< columns of every action's window
  std::int32_t height;              ///< rows
  const std::uint32_t* count;       ///< (action, row from the south, column from the west)
  const std::int32_t* place;        ///< (row, column) of a window over the windows of all actions:
                                    ///< landing cell, or a constant below
  std::int32_t place_width;         ///< columns of that window
  const std::int32_t* first_place;  ///< (action): start of the action's window in `place`
};
/// Place of a landing whose path hits an obstacle.
inline constexpr std::int32_t place_of_obstacle = -1;
/// Place of a landing outside the grid.
inline constexpr std::int32_t place_outside = -2;
/// The first of the places, in descending order, whose path enters some lane's target (LaneEnds).
inline constexpr std::int32_t first_place_of_ends = -3;

/// Landings with positive counts, in the order of the sum. Rows and actions are given by their
/// ends; rows without a landing are left out.
struct Landings {
  float* count;              ///< (landing)
  std::int32_t* place;       ///< (landing)
  std::int32_t* row_end;     ///< (row): number of landings up to its last
  std::int32_t* action_end;  ///< (action): number of rows up to its last
};
/// Number of elements that `count` and `place` of Landings must have beyond the last.
inline constexpr std::size_t landing_slack = 16;

/// Consecutive lanes with the same settings at one level.
struct LaneRun {
  std::size_t first;  ///< lane; a multiple of lane_block
  std::size_t count;  ///< lanes; a multiple of lane_block
  bool harvests;      ///< true if rewards of these lanes depend on the scalar field
  bool ends;          ///< true if k+1 is the last level of some of them
};
/// Values of landings for each lane (solver/step/outcome.h).
struct LaneValues {
  std::size_t stride;  ///< number of lanes
  const float* next;   ///< (cell, lane): v(k+1); in a target the arrival reward; elsewhere NaN if
                       ///< k+1 is the lane's last level
  const float* late;   ///< (cell, lane): replaces NaN of `next`, without a reward
  const float* action_part;  ///< (kind of action, lane)
  const float* obstacle;     ///< (lane): obstacle penalty
  const float* outside;      ///< (lane): penalty for leaving the domain
  const float* harvest;      ///< (lane): harvest_factor()
  const float* scalar_next;  ///< g at k+1, (cell); read by lanes that harvest
  float inverse_count;       ///< see solver/backup/expectation.h
};

/// Values of landings whose paths enter some lane's target disc: fraction · reward + gained. For
/// lanes whose disc is not entered this is the ordinary value. (place, lane).
struct LaneEnds {
  const float* fraction;
  const float* gained;
  const std::int32_t* scalar_cell;  ///< (place): cell of which the scalar at k+1 is read
};

/// One cell at level k, with its best actions and their values so far, (lane).
struct LaneCell {
  std::int32_t first_action;  ///< index of the landings' first action; at 0, value and action are
                              ///< initialized
  std::int32_t action_count;
  const std::int32_t* kind;  ///< (action): index of its kind
  LaneEnds ends;
  float scalar_from;  ///< g at k
  float* value;
  std::int16_t* action;
};

// Bellman backup of one cell for many missions at once, with the widest vectors of the processor
// (base/simd/targets.h).

/// Copies the landings with positive counts to `out`.
void keep_transitions(const LandingStencils& windows, const Landings& out);

/// Adds up the expectations of every lane of `run`, in the order of solver/backup/expectation.h,
/// and keeps the best action, the lowest index on a tie.
void back_up_lanes(const Landings& landings, const LaneRun& run, const LaneValues& values,
                   const LaneCell& cell);

}  // namespace tidewise
