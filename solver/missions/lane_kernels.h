#pragma once

#include <cstddef>
#include <cstdint>

namespace tidewise {

/// Members of a group lie side by side, a lane each; lanes come in blocks of this many, and what is
/// kept of every lane, (cell, lane) say, begins at 64 bytes.
inline constexpr std::size_t lane_block = 16;

/// The counts of consecutive actions of one cell, and where each landing leads.
struct LandingStencils {
  std::int32_t action_count;
  std::int32_t width;               ///< columns of every action's window
  std::int32_t height;              ///< rows
  const std::uint32_t* count;       ///< (action, row from the south, column from the west)
  const std::int32_t* place;        ///< (row, column) of a window over all of the actions' own:
                                    ///< the cell that is landed in, or one of the below
  std::int32_t place_width;         ///< columns of it
  const std::int32_t* first_place;  ///< (action): where its window begins in it
};
inline constexpr std::int32_t place_of_obstacle = -1;
inline constexpr std::int32_t place_outside = -2;
/// The first of the places from where on down a way meets some lane's target (LaneEnds).
inline constexpr std::int32_t first_place_of_ends = -3;

/// The same without the counts of 0: landings in the order of the sum, rows and actions by their
/// ends. Rows without a landing are left out.
struct Landings {
  float* count;              ///< (landing)
  std::int32_t* place;       ///< (landing)
  std::int32_t* row_end;     ///< (row): landings up to its last
  std::int32_t* action_end;  ///< (action): rows up to its last
};
/// Elements beyond the last that `count` and `place` of Landings must have room for.
inline constexpr std::size_t landing_slack = 16;

/// Some lanes and what landing is worth to them (solver/step/outcome.h), at one level.
struct LaneRun {
  std::size_t first;  ///< lane; a multiple of lane_block
  std::size_t count;  ///< lanes; a multiple of lane_block
  bool harvests;      ///< whether rewards of these lanes depend on the scalar field
  bool ends;          ///< whether for some of them k+1 is the last level
};
struct LaneWorth {
  std::size_t stride;        ///< lanes in all
  const float* next;         ///< (cell, lane): v(k+1), but the arrival reward in a target, and NaN
                             ///< elsewhere where k+1 is a lane's last level
  const float* late;         ///< (cell, lane): what takes its place there, without a reward
  const float* action_part;  ///< (kind of action, lane)
  const float* obstacle;     ///< (lane): price of that failure
  const float* outside;      ///< (lane): price of that failure
  const float* harvest;      ///< (lane): harvest_factor()
  const float* scalar_next;  ///< g at k+1, (cell); looked at by lanes that harvest
  float inverse_count;       ///< solver/backup/expectation.h
};

/// What landings are worth whose ways meet some lane's target disc before they end:
/// fraction · reward + gained, which says for the other lanes what it said without. (place, lane).
struct LaneEnds {
  const float* fraction;
  const float* gained;
  const std::int32_t* scalar_cell;  ///< (place): whose scalar at k+1 counts
};

/// One cell at level k: its best actions and their values so far, (lane).
struct LaneCell {
  std::int32_t first_action;  ///< of the landings; where it is 0 none came before
  std::int32_t action_count;
  const std::int32_t* kind;  ///< (action): of the landings'
  LaneEnds ends;
  float scalar_here;  ///< g at k
  float* value;
  std::int16_t* action;
};

// Bellman's backup of one cell for many missions at once, by the widest vectors that the processor
// has (base/simd/targets.h).

void keep_transitions(const LandingStencils& windows, const Landings& out);

/// Every lane of `run` adds up its expectations in the one order of solver/backup/expectation.h
/// and keeps the best action, the lowest index on a tie.
void back_up_lanes(const Landings& landings, const LaneRun& run, const LaneWorth& worth,
                   const LaneCell& cell);

}  // namespace tidewise
