#pragma once

#include <cstdint>

#include "base/memory/stream.h"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/step/cell_reach.h"
#include "solver/evaluate/probability_gather.h"

// For .cu files: where policies' actions lead from the cells that hold mass. All memory is the
// device's.

namespace tidewise {

/// What is found out on the way of one member. In device memory, set to 0 before.
struct LandingFacts {
  /// Bits of the farthest reach that is not within 1024 cells, of a cell that holds mass; 0: none.
  unsigned long long too_far;
  std::int32_t holds;   ///< 1: some cell holds mass
  std::int32_t missed;  ///< 1: a landing lay outside its window, which cannot be
};

/// The landings of a batch of members' cells, [first, end). Trivially copyable.
struct LandingWork {
  DeviceCloud cloud;
  View<const MemberStep> members;
  std::int32_t action_reach = 0;
  const CellReach* reach = nullptr;  ///< (profile, y, x)
  std::size_t first = 0;
  std::size_t end = 0;
  std::int32_t window_words = 0;        ///< counters that any cell's window may take
  std::uint32_t* counts = nullptr;      ///< (cell − first, window_words)
  std::uint32_t* left = nullptr;        ///< cells that hold mass and have no rows, in any order …
  std::uint32_t* left_count = nullptr;  ///< … and how many they are
  LandingFacts* facts = nullptr;        ///< (member)
};

#if defined(__CUDACC__)

/// What must be known of a member's cell to find its landings.
struct LandingTask {
  std::uint32_t member;
  std::uint32_t cell;
  std::int32_t profile;  // that the action dives
  std::int32_t action;
  std::int32_t action_x;  // displacement
  std::int32_t action_y;
  std::int32_t origin_x;  // of the window that holds every landing
  std::int32_t origin_y;
  std::int32_t width;  // 0: nothing to count
  std::int32_t height;
};

/// Of the cell with that number.
__device__ inline LandingTask landing_task(const LandingWork& work, std::size_t number) {
  LandingTask task{};
  const std::size_t cells = work.members[0].probability.size;
  const MemberCell at = MemberCell::of(number, cells);
  task.member = at.member;
  task.cell = at.cell;
  const StepContext& context = work.members[task.member].step.context;
  LandingFacts& facts = work.facts[task.member];
  task.action = context.policy[task.cell];
  if (task.action != no_action) {
    task.profile = context.effect[static_cast<std::size_t>(task.action)].profile;
  }
  const CellReach reach = work.reach[static_cast<std::size_t>(task.profile) * cells + task.cell];
  if (!within_reach(reach.farthest, work.action_reach)) {
    atomicMax(&facts.too_far,
              static_cast<unsigned long long>(__double_as_longlong(reach.farthest)));
    return task;
  }
  if (task.action == no_action) return task;
  const Displacement step = context.effect[static_cast<std::size_t>(task.action)].displacement;
  task.action_x = step.x;
  task.action_y = step.y;
  const PositionRule& rule = work.cloud.rule;
  task.origin_x = rule.first_cell_of(reach.range.x_min + step.x);
  task.origin_y = rule.first_cell_of(reach.range.y_min + step.y);
  task.width = rule.last_cell_of(reach.range.x_max + step.x) - task.origin_x + 1;
  task.height = rule.last_cell_of(reach.range.y_max + step.y) - task.origin_y + 1;
  if (task.width * task.height > work.window_words) {
    task.width = 0;
    facts.missed = 1;
  }
  return task;
}

#endif

/// Counts the landings of the cells that have no rows, each over all realizations, exactly
/// (docs/model.md, 1.2), into windows that fit them.
void count_transitions(const LandingWork& work, std::int32_t multiprocessors,
                       const DeviceStream& stream);

}  // namespace tidewise
