#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "env/environment_info.h"
#include "model_builder/explicit/device_compact_level.h"
#include "solver/explicit/launch.h"
#include "solver/explicit/method.h"
#include "solver/explicit/sparse_product.h"
#include "solver/flight/device_step_tables.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Backs up levels of the explicit model on the current device, one method's way. Keeps what is the
/// same for all levels of a mission there.
class ExplicitDeviceBackup {
 public:
  /// `info` and the problem must outlive it. Errors: RunError for a method that the build lacks.
  ExplicitDeviceBackup(const EnvironmentInfo& info, const PlanningProblem& problem,
                       ExplicitMethod method);

  /// What can be known of a level before any value is: how its landings end, and what `sparse`
  /// makes of it.
  void prepare(TimeLevel k, const DeviceCompactLevel& level, const OutcomeFields& fields,
               const DeviceStream& stream);
  /// v and π of level k into `value` and `action`, (y, x). Requires that the same level was
  /// prepared last, on the same stream. A method whose tables are too large for the device's shared
  /// memory is replaced by `look_up`: the same bits.
  void back_up(TimeLevel k, const DeviceCompactLevel& level, const OutcomeFields& fields,
               View<float> value, View<std::int16_t> action, const DeviceStream& stream);

  /// What a backup reads of a level's model [B].
  std::size_t model_bytes(const DeviceCompactLevel& level) const;

 private:
  ExplicitRule rule(TimeLevel k, const DeviceCompactLevel& level,
                    const OutcomeFields& fields) const;
  const ExplicitLaunch& launch_for(const DeviceCompactLevel& level);
  View<float> expected(std::size_t rows);

  const EnvironmentInfo& info_;
  const Mission& mission_;
  float inverse_count_;
  ExplicitMethod method_;
  DeviceMission there_;
  DeviceArray<OutcomeWord> outcomes_;  // (cell, word)
  DeviceArray<float> expected_;        // (row): of `look_up` and `sparse`
  std::unique_ptr<SparseProduct> sparse_;
  ExplicitLaunch launch_;  // for levels of the sizes below
  EntryWidth planned_width_ = EntryWidth::narrow;
  std::int32_t planned_places_ = -1;
};

}  // namespace tidewise
