#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "env/level_fields.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/missions/legs.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// What came of one level for one member.
struct SolvedMember {
  std::int64_t decided = 0;         ///< cells
  bool overflow = false;            ///< some value is no finite number
  View<const std::int16_t> action;  ///< (y, x), pinned; empty where k > L
  View<const float> value;          ///< (y, x), pinned; empty where k > L
};

/// What came of one level for a group.
struct SolvedGroupLevel {
  TimeLevel level;
  std::vector<SolvedMember> member;  ///< (member)
};

/// For .cu files: solves one level after the other for several missions on the device, from the
/// greatest L down to 0. A level is counted before its turn comes, beside the backup of the one
/// after it; results come back some levels later.
class DeviceGroupSolver {
 public:
  /// `info` and the missions must outlive the solver; two missions at least. `memory`: what the
  /// solver may take on the device [B], group_memory() at least. `engine`: direct or lattice.
  /// `taken`: as GroupLegs::taken.
  DeviceGroupSolver(const EnvironmentInfo& info, const PositionRule& rule,
                    const std::vector<Action>& actions, const std::vector<const Mission*>& missions,
                    Engine engine, std::size_t memory, const std::vector<TakenPlace>& taken = {});
  ~DeviceGroupSolver();

  /// L of the mission that lasts longest.
  TimeLevel last() const;

  /// What a level's fields must be ready for, and what reads them.
  const DeviceStream& preparation_stream() const;
  const DeviceStream& counting_stream() const;

  /// Begins level last(), then each level before the one that was begun last. `fields` are the
  /// device's; they are read until the level has been backed up. At most two may be in hand.
  void count(TimeLevel k, const LevelView& fields);
  std::int32_t in_hand() const;

  struct BackedUp {
    TimeLevel level;
    bool flow_refused = false;  ///< no finite number, or 1024 cells and more in a step
  };
  /// Waits for the count of the oldest level in hand, and puts its backup to work. Requires that
  /// fewer than depth() levels are in flight. After a refusal no more can be done.
  BackedUp back_up();

  /// Levels that are backed up and not yet collected.
  std::int32_t in_flight() const;
  static std::int32_t depth();
  /// Waits for the oldest level in flight; valid until the next back_up().
  SolvedGroupLevel collect();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise
