#pragma once

#include <cstdint>

#include "base/memory/stream.h"
#include "model_builder/cloud/cloud.cuh"
#include "model_builder/step/cell_reach.h"
#include "solver/evaluate/probability_gather.h"

// For .cu files: counts of policies' actions from the cells that hold probability mass. All memory
// is on the device.

namespace tidewise {

/// Facts about one member, found while its landings are counted. In device memory, set to 0 before.
struct LandingFacts {
  /// Bits of the largest reach of a cell with mass that is not within 1024 cells; 0: none.
  unsigned long long too_far;
  std::int32_t holds;   ///< 1: some cell holds mass
  std::int32_t missed;  ///< 1: a landing outside its window, which would be an internal error
};

/// Work to count the landings of the cells [first, end) of several members. Trivially copyable.
struct LandingWork {
  DeviceCloud cloud;
  View<const MemberStep> members;
  std::int32_t action_reach = 0;
  const CellReach* reach = nullptr;  ///< (profile, y, x)
  std::size_t first = 0;
  std::size_t end = 0;
  std::int32_t window_words = 0;        ///< maximum number of counters of a cell's window
  std::uint32_t* counts = nullptr;      ///< (cell − first, window_words)
  std::uint32_t* left = nullptr;        ///< cells that hold mass and have no rows, in any order
  std::uint32_t* left_count = nullptr;  ///< number of cells in `left`
  LandingFacts* facts = nullptr;        ///< (member)
};

#if defined(__CUDACC__)

/// Data of a member's cell from which its landings are counted.
struct LandingTask {
  std::uint32_t member;
  std::uint32_t cell;
  std::int32_t profile;  // profile of the action's dive
  std::int32_t action;
  std::int32_t action_x;  // displacement
  std::int32_t action_y;
  std::int32_t origin_x;  // origin of the window that contains every landing
  std::int32_t origin_y;
  std::int32_t width;  // 0: nothing to count
  std::int32_t height;
};

/// Task of the cell with this number.
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

/// Counts the landings of the cells without rows over all realizations, exactly
/// (docs/model.md, 1.2), into windows that contain them.
void count_transitions(const LandingWork& work, std::int32_t multiprocessors,
                       const DeviceStream& stream);

}  // namespace tidewise
