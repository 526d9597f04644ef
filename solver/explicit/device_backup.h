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

/// Backs up levels of the explicit model on the current device, by one method. Keeps data that all
/// levels of a mission share in device memory.
class ExplicitDeviceBackup {
 public:
  /// `info` and the problem must outlive the object. Errors: RunError for a method that the build
  /// lacks.
  ExplicitDeviceBackup(const EnvironmentInfo& info, const PlanningProblem& problem,
                       ExplicitMethod method);

  /// Computes data of a level that do not depend on values: the ends of its landings, and the
  /// matrix for `sparse`.
  void prepare(TimeLevel k, const DeviceCompactLevel& level, const OutcomeFields& fields,
               const DeviceStream& stream);
  /// Writes v and π of level k to `value` and `action`, (y, x). Requires that prepare() was last
  /// called for the same level and stream. If a method's tables exceed the device's shared memory,
  /// `look_up` is used, with the same bits.
  void back_up(TimeLevel k, const DeviceCompactLevel& level, const OutcomeFields& fields,
               View<float> value, View<std::int16_t> action, const DeviceStream& stream);

  /// Size of the part of a level's model that a backup reads [B].
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
  DeviceMission device_mission_;
  DeviceArray<OutcomeWord> outcomes_;  // (cell, word)
  DeviceArray<float> expected_;        // (row): used by `look_up` and `sparse`
  std::unique_ptr<SparseProduct> sparse_;
  ExplicitLaunch launch_;  // for levels of the sizes below
  EntryWidth planned_width_ = EntryWidth::narrow;
  std::int32_t planned_places_ = -1;
};

}  // namespace tidewise
