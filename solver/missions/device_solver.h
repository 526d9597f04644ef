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

/// Results of one level for one member.
struct SolvedMember {
  std::int64_t decided = 0;         ///< number of cells
  bool overflow = false;            ///< true if some value is not finite
  View<const std::int16_t> action;  ///< (y, x), pinned; empty if k > L
  View<const float> value;          ///< (y, x), pinned; empty if k > L
};

/// Results of one level for a group.
struct SolvedGroupLevel {
  TimeLevel level;
  std::vector<SolvedMember> member;  ///< (member)
};

/// For .cu files: solves level after level for several missions on the device, from the largest L
/// down to 0. A level is counted ahead, while the level after it is backed up. Results come back
/// some levels later.
class DeviceGroupSolver {
 public:
  /// `info` and the missions must outlive the solver. Requires at least two missions. `memory`:
  /// device memory for the solver [B], at least group_memory(). `engine`: direct or lattice.
  /// `taken`: see GroupLegs::taken.
  DeviceGroupSolver(const EnvironmentInfo& info, const PositionRule& rule,
                    const std::vector<Action>& actions, const std::vector<const Mission*>& missions,
                    Engine engine, std::size_t memory, const std::vector<TakenPlace>& taken = {});
  ~DeviceGroupSolver();

  /// L of the longest mission.
  TimeLevel last() const;

  /// Streams that read a level's fields: preparation and counting. The fields must be ready for the
  /// preparation stream.
  const DeviceStream& preparation_stream() const;
  /// See preparation_stream().
  const DeviceStream& counting_stream() const;

  /// Begins to count level last(), then each level before the last one begun. `fields` are in
  /// device memory; they are read until the level has been backed up. At most two levels may be
  /// counted and not backed up.
  void count(TimeLevel k, const LevelView& fields);
  /// Number of levels begun and not yet backed up.
  std::int32_t awaiting_backup() const;

  /// Result of back_up().
  struct BackedUp {
    TimeLevel level;
    /// True if the flow is not finite or moves 1024 cells or more in a step.
    bool flow_refused = false;
  };
  /// Waits for the counts of the oldest level begun and submits its backup. Requires that fewer
  /// than depth() levels are in flight. After a refusal the solver cannot be used further.
  BackedUp back_up();

  /// Number of levels backed up and not yet collected, at most depth().
  std::int32_t in_flight() const;
  /// Maximum number of levels in flight.
  static std::int32_t depth();
  /// Waits for the oldest level in flight. The result is valid until the next back_up().
  SolvedGroupLevel collect();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise
