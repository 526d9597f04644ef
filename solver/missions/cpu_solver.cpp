#include "solver/missions/cpu_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/backup/expectation.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/target_circles.h"

namespace tidewise {
namespace {

// Number of cells of a tile, which stays in the nearest cache while its lanes are rearranged.
constexpr std::size_t tile = 64;

// Copies one lane of a tile to its member's planes.
struct PlaneTile {
  const std::uint8_t* masked;  // (cell)
  const std::uint8_t* target;  // (cell)
  BoundaryValue boundary;
  std::size_t first;     // first of the tile's cells
  float* value;          // (cell)
  std::int16_t* action;  // (cell)

  float at_boundary(std::size_t c) const {
    return boundary(masked[c] != 0, target[c] != 0, first + c);
  }

  // Copies a level with actions; consecutive cells of `from_value` and `from_action` are `stride`
  // elements apart. Returns the number of decided cells; sets `finite` to 0 if a value is not
  // finite.
  std::int32_t fill(const float* from_value, const std::int16_t* from_action, std::size_t stride,
                    std::size_t count, std::int32_t& finite) const {
    constexpr float max = std::numeric_limits<float>::max();
    std::int32_t decided = 0;
    std::int32_t all_finite = 1;
    for (std::size_t c = 0; c < count; ++c) {
      const bool decides = is_non_terminal(masked[c] != 0, target[c] != 0);
      const float cell_value = decides ? from_value[c * stride] : at_boundary(c);
      value[c] = cell_value;
      action[c] = decides ? from_action[c * stride] : no_action;
      all_finite &= std::fabs(cell_value) <= max ? 1 : 0;
      decided += decides ? 1 : 0;
    }
    finite &= all_finite;
    return decided;
  }

  // Copies a last level.
  void fill_last(std::size_t count) const {
    for (std::size_t c = 0; c < count; ++c) {
      value[c] = at_boundary(c);
      action[c] = no_action;
    }
  }
};

}  // namespace

CpuGroupSolver::CpuGroupSolver(const EnvironmentInfo& info, const PositionRule& rule,
                               const std::vector<Action>& actions,
                               std::vector<const Mission*> missions, std::int32_t threads,
                               std::vector<TakenPlace> taken)
    : info_(info),
      rule_(rule),
      weights_(counting_weights(info, rule)),
      threads_(threads),
      lanes_(std::move(missions), actions, info.time.step),
      taken_(std::move(taken)),
      value_(cell_count() * lanes_.lane_count(), 0.0F),
      value_next_(cell_count() * lanes_.lane_count(), 0.0F),
      late_(cell_count() * lanes_.lane_count()),
      action_(cell_count() * lanes_.lane_count(), no_action),
      masked_next_(cell_count()),
      scalar_next_(info.has_scalar ? cell_count() : 0),
      targets_(cell_count(), 0),
      planes_{Array<float>(cell_count() * lane_block),
              Array<std::int16_t>(cell_count() * lane_block)},
      decided_(lanes_.member_count(), 0) {
  for (std::size_t member = 0; member < lanes_.member_count(); ++member) {
    target_cells_.push_back(place_cells(lanes_.mission(member).target));
  }
}

void CpuGroupSolver::count_targets(std::size_t member, std::int32_t change) {
  begun_ += change;
  for (const std::int32_t cell : target_cells_[member]) {
    targets_[static_cast<std::size_t>(cell)] += change;
  }
}

void CpuGroupSolver::find_non_terminal(const LevelFields<>& fields) {
  non_terminal_.clear();
  for (std::size_t cell = 0; cell < cell_count(); ++cell) {
    if (fields.masked[cell] == 0 && targets_[cell] < begun_) {
      non_terminal_.emplace_back(static_cast<std::int32_t>(cell));
    }
  }
}

void CpuGroupSolver::step(TimeLevel k, const LevelFields<>& fields, CountingEngine& engine) {
  std::swap(value_, value_next_);
  find_non_terminal(fields);
  LaneValues values = lanes_.values();
  values.next = value_next_.data();
  values.late = late_.data();
  values.scalar_next = scalar_next_.data();
  values.inverse_count = inverse_count(row_total(info_, rule_));
  // Obstacles that do not move need their table only once.
  if (!obstacles_ || info_.obstacles == Obstacles::moving) {
    obstacles_.emplace(info_.grid, fields.masked, masked_next_);
  }
  const GroupLevel level{{info_.grid, LastStep::no, {}, fields.masked, masked_next_},
                         fields.scalar};
  GroupBackup backup(k, level, *obstacles_, lanes_, values, threads_, value_, action_);
  engine.count_level(fields.view(info_), weights_, non_terminal_, backup);
  add_nearness(k, fields);
  for (std::size_t member = 0; member < lanes_.member_count(); ++member) {
    if (!lanes_.decides(member, k)) continue;
    for (const std::int32_t cell : target_cells_[member]) {
      value_[static_cast<std::size_t>(cell) * lanes_.lane_count() + lanes_.lane_of(member)] =
          lanes_.mission(member).arrival_reward;
    }
  }
  for (const TakenPlace& taken : taken_) {
    if (lanes_.decides(taken.leg, k)) take_over(taken);
  }
}

void CpuGroupSolver::take_over(const TakenPlace& taken) {
  const std::vector<std::uint8_t>& target = lanes_.mission(taken.next).target;
  for (const std::int32_t cell : *taken.cells) {
    const auto at = static_cast<std::size_t>(cell);
    const std::size_t to = at * lanes_.lane_count() + lanes_.lane_of(taken.leg);
    const std::size_t from = at * lanes_.lane_count() + lanes_.lane_of(taken.next);
    // A lane's own target holds the arrival reward (LaneValues::next); a vehicle that begins there
    // has arrived.
    const bool arrived = target[at] != 0;
    value_[to] = arrived ? 0.0F : value_[from];
    action_[to] = arrived ? no_action : action_[from];
  }
}

void CpuGroupSolver::add_nearness(TimeLevel k, const LevelFields<>& fields) {
  for (std::size_t member = 0; member < lanes_.member_count(); ++member) {
    const Mission& mission = lanes_.mission(member);
    if (!lanes_.decides(member, k) || !(mission.margin > 0)) continue;
    const NearnessPenalties penalties(
        {info_.grid, nearness_penalty(mission), fields.masked, masked_next_}, *obstacles_);
    const std::size_t lane = lanes_.lane_of(member);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t n = 0; n < non_terminal_.size(); ++n) {
      const CellIndex cell = non_terminal_[n];
      value_[static_cast<std::size_t>(cell.value) * lanes_.lane_count() + lane] += penalties(cell);
    }
  }
}

void CpuGroupSolver::begin(TimeLevel k) {
  std::vector<std::size_t> members;
  for (std::size_t member = 0; member < lanes_.member_count(); ++member) {
    if (!lanes_.is_present(member) || lanes_.mission(member).last != k) continue;
    members.push_back(member);
    count_targets(member, 1);
  }
  if (members.empty()) return;
  const std::size_t stride = lanes_.lane_count();
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::size_t cell = 0; cell < cell_count(); ++cell) {
    for (const std::size_t member : members) {
      const Mission& mission = lanes_.mission(member);
      const std::size_t place = cell * stride + lanes_.lane_of(member);
      const float late = boundary_value(info_, mission).late(static_cast<std::int32_t>(cell));
      late_[place] = late;
      value_[place] = mission.target[cell] != 0 ? mission.arrival_reward
                      : mission.kept            ? late  // the last step counts like any other
                                                : std::numeric_limits<float>::quiet_NaN();
    }
  }
}

std::uint32_t CpuGroupSolver::fill_planes(TimeLevel k, const LevelFields<>& fields,
                                          std::size_t block) {
  const std::size_t stride = lanes_.lane_count();
  const std::size_t cells = cell_count();
  std::uint32_t overflowed = 0;  // one bit per lane
  std::int64_t decided[lane_block] = {};
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(| : overflowed) \
    reduction(+ : decided)
  for (std::size_t first = 0; first < cells; first += tile) {
    const std::size_t count = std::min(tile, cells - first);
    for (std::size_t lane = 0; lane < lane_block; ++lane) {
      const std::size_t member = lanes_.member_at(block * lane_block + lane);
      if (member == GroupLanes::no_member || !lanes_.is_present(member)) continue;
      const Mission& mission = lanes_.mission(member);
      if (mission.last < k) continue;
      const PlaneTile plane{fields.masked.data() + first,
                            mission.target.data() + first,
                            boundary_value(info_, mission),
                            first,
                            planes_.value.data() + lane * cells + first,
                            planes_.action.data() + lane * cells + first};
      if (mission.last == k) {
        plane.fill_last(count);
        continue;
      }
      const std::size_t from = first * stride + block * lane_block + lane;
      std::int32_t finite = 1;
      decided[lane] +=
          plane.fill(value_.data() + from, action_.data() + from, stride, count, finite);
      if (finite == 0) overflowed |= 1u << lane;
    }
  }
  for (std::size_t lane = 0; lane < lane_block; ++lane) {
    if (decided[lane] != 0) decided_[lanes_.member_at(block * lane_block + lane)] += decided[lane];
  }
  return overflowed;
}

void CpuGroupSolver::hand_over(TimeLevel k, const LevelFields<>& fields, const TakeLevel& take) {
  const std::size_t cells = cell_count();
  for (std::size_t block = 0; block < lanes_.lane_count() / lane_block; ++block) {
    const std::uint32_t overflowed = fill_planes(k, fields, block);
    for (std::size_t lane = 0; lane < lane_block; ++lane) {
      const std::size_t member = lanes_.member_at(block * lane_block + lane);
      if (member == GroupLanes::no_member || !lanes_.is_present(member) ||
          lanes_.mission(member).last < k) {
        continue;
      }
      take(member, std::as_const(planes_.action).view().part(lane * cells, cells),
           std::as_const(planes_.value).view().part(lane * cells, cells),
           (overflowed >> lane & 1u) != 0);
    }
  }
  copy(masked_next_, fields.masked);
  copy(scalar_next_, fields.scalar);
}

void CpuGroupSolver::drop(std::size_t member) {
  lanes_.drop(member);
  count_targets(member, -1);
}

}  // namespace tidewise
