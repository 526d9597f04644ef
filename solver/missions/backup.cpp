#include "solver/missions/backup.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tidewise {
namespace {

template <class T>
void ensure_size(std::vector<T>& memory, std::size_t size) {
  if (memory.size() < size) memory.resize(size);
}

}  // namespace

GroupBackup::GroupBackup(TimeLevel k, const GroupLevel& level, const ObstacleIndex& obstacles,
                         const GroupLanes& lanes, const LaneValues& values, std::int32_t threads,
                         View<float> value, View<std::int16_t> action)
    : level_(level),
      lanes_(lanes),
      values_(values),
      runs_(lanes.runs(k)),
      discs_(lanes.discs(k)),
      obstacles_(obstacles),
      scratch_(static_cast<std::size_t>(threads)),
      value_(value),
      action_(action) {}

// Finds the cell of each landing. Windows of actions usually overlap, so one window over all of
// them is searched; windows that lie far apart are searched separately.
void GroupBackup::find_places(Scratch& scratch, CellIndex cell,
                              const CellTransitions& counts) const {
  Offset first = counts.origin[0];
  Offset last = counts.origin[0];
  for (std::int32_t a = 1; a < counts.action_count; ++a) {
    first.dx = std::min(first.dx, counts.origin[a].dx);
    first.dy = std::min(first.dy, counts.origin[a].dy);
    last.dx = std::max(last.dx, counts.origin[a].dx);
    last.dy = std::max(last.dy, counts.origin[a].dy);
  }
  last.dx += counts.width - 1;
  last.dy += counts.height - 1;
  const std::int32_t width = last.dx - first.dx + 1;
  const auto joint_size = static_cast<std::int64_t>(width) * (last.dy - first.dy + 1);
  const std::int64_t action_size = std::int64_t{counts.width} * counts.height;
  const bool is_joint = joint_size <= counts.action_count * action_size;
  scratch.place_width = is_joint ? width : counts.width;
  ensure_size(scratch.first_place, static_cast<std::size_t>(counts.action_count));
  ensure_size(scratch.place,
              static_cast<std::size_t>(is_joint ? joint_size : counts.action_count * action_size));
  scratch.fraction.clear();
  scratch.gained.clear();
  scratch.scalar_cell.clear();
  if (is_joint) fill_places(scratch, cell, first, last, 0);
  for (std::int32_t a = 0; a < counts.action_count; ++a) {
    const Offset origin = counts.origin[a];
    std::int32_t& start = scratch.first_place[static_cast<std::size_t>(a)];
    if (is_joint) {
      start = (origin.dy - first.dy) * width + origin.dx - first.dx;
    } else {
      start = a * static_cast<std::int32_t>(action_size);
      const Offset end{origin.dx + counts.width - 1, origin.dy + counts.height - 1};
      fill_places(scratch, cell, origin, end, start);
    }
  }
}

// Fills the places of the window from `first` to `last`, from index `start` on.
void GroupBackup::fill_places(Scratch& scratch, CellIndex cell, Offset first, Offset last,
                              std::int32_t start) const {
  const Grid& grid = level_.landing.grid;
  const std::int32_t column = grid.column(cell);
  const std::int32_t row = grid.row(cell);
  const std::int32_t width = last.dx - first.dx + 1;
  // Every path within the window lies in the window or in the start cell's row and column.
  const bool open = !obstacles_.any(column + std::min(first.dx, 0), column + std::max(last.dx, 0),
                                    row + std::min(first.dy, 0), row + std::max(last.dy, 0));
  const bool within = grid.contains(column + first.dx, row + first.dy) &&
                      grid.contains(column + last.dx, row + last.dy);
  std::int32_t* place = scratch.place.data() + start;
  for (std::int32_t dy = first.dy; dy <= last.dy; ++dy, place += width) {
    // For columns outside the grid the numbers are no cells; they are replaced below and never
    // read.
    std::iota(place, place + width, cell.value + dy * grid.nx + first.dx);
    if (open && within) continue;
    for (std::int32_t dx = first.dx; dx <= last.dx; ++dx) {
      const StepOutcome outcome =
          level_.landing
              .classify(
                  column, row, {dx, dy}, open, LastStep::no, [] { return never_entered; },
                  [](std::int32_t, std::int32_t) { return false; })
              .outcome;
      if (outcome == StepOutcome::obstacle) place[dx - first.dx] = place_of_obstacle;
      if (outcome == StepOutcome::out_of_domain) place[dx - first.dx] = place_outside;
    }
  }
  find_ends(scratch, cell, first, last, start);
}

// Assigns a separate place to each path that enters some lane's disc.
void GroupBackup::find_ends(Scratch& scratch, CellIndex cell, Offset first, Offset last,
                            std::int32_t start) const {
  const Grid& grid = level_.landing.grid;
  const std::int32_t column = grid.column(cell);
  const std::int32_t row = grid.row(cell);
  scratch.near.clear();
  for (const LaneDisc& disc : discs_) {
    if (disc.disc.may_be_entered(grid, column, row, first, last)) scratch.near.push_back(&disc);
  }
  if (scratch.near.empty()) return;
  std::int32_t* place = scratch.place.data() + start;
  for (std::int32_t dy = first.dy; dy <= last.dy; ++dy) {
    for (std::int32_t dx = first.dx; dx <= last.dx; ++dx, ++place) {
      if (*place == place_of_obstacle) continue;
      for (const LaneDisc* near : scratch.near) {
        const double entered = near->disc.entered_at(grid, column, row, {dx, dy});
        if (entered > 1) continue;
        if (*place > first_place_of_ends) *place = add_end(scratch, cell, *place);
        const std::size_t at =
            static_cast<std::size_t>(first_place_of_ends - *place) * values_.stride + near->lane;
        scratch.fraction[at] = static_cast<float>(entered);
        scratch.gained[at] = near->arrival_reward;
      }
    }
  }
}

// Adds a place for a path that ends at `place`, with the values of `place` for all lanes.
std::int32_t GroupBackup::add_end(Scratch& scratch, CellIndex cell, std::int32_t place) const {
  const auto ends = static_cast<std::int32_t>(scratch.scalar_cell.size());
  scratch.scalar_cell.push_back(place == place_outside ? cell.value : place);
  const std::size_t lanes = values_.stride;
  const std::size_t from = scratch.fraction.size();
  scratch.fraction.resize(from + lanes, 0.0F);
  scratch.gained.resize(from + lanes);
  float* fraction = scratch.fraction.data() + from;
  float* gained = scratch.gained.data() + from;
  if (place == place_outside) {
    std::copy_n(values_.outside, lanes, gained);
    return first_place_of_ends - ends;
  }
  const std::size_t landing = static_cast<std::size_t>(place) * lanes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const float next = values_.next[landing + lane];
    const bool late = std::isnan(next);
    fraction[lane] = late ? 0.0F : 1.0F;
    gained[lane] = late ? values_.late[landing + lane] : next;
  }
  return first_place_of_ends - ends;
}

Landings GroupBackup::find_transitions(Scratch& scratch, const CellTransitions& counts) const {
  const auto actions = static_cast<std::size_t>(counts.action_count);
  const std::size_t rows = actions * static_cast<std::size_t>(counts.height);
  const std::size_t landings = rows * static_cast<std::size_t>(counts.width) + landing_slack;
  ensure_size(scratch.count, landings);
  ensure_size(scratch.landing_place, landings);
  ensure_size(scratch.row_end, rows + 1);
  ensure_size(scratch.action_end, actions);
  const Landings result{scratch.count.data(), scratch.landing_place.data(), scratch.row_end.data(),
                        scratch.action_end.data()};
  keep_transitions({counts.action_count, counts.width, counts.height, counts.count,
                    scratch.place.data(), scratch.place_width, scratch.first_place.data()},
                   result);
  return result;
}

void GroupBackup::accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
  find_places(scratch, cell, counts);
  const Landings landings = find_transitions(scratch, counts);
  const auto from_cell = static_cast<std::size_t>(cell.value);
  const LaneCell lane_cell{
      counts.first_action,
      counts.action_count,
      lanes_.kind_of() + counts.first_action,
      {scratch.fraction.data(), scratch.gained.data(), scratch.scalar_cell.data()},
      level_.scalar_now.empty() ? 0.0F : level_.scalar_now[from_cell],
      value_.data + from_cell * values_.stride,
      action_.data + from_cell * values_.stride};
  for (const LaneRun& run : runs_) back_up_lanes(landings, run, values_, lane_cell);
}

}  // namespace tidewise
