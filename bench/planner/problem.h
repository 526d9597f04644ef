#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/size.h"
#include "env/level_fields.h"
#include "env/tools/double_gyre.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Options of the double gyre of this size.
DoubleGyreOptions gyre_of(const BenchmarkSize& size);

/// A double gyre and missions in it, on the host.
class PlannerCase {
 public:
  /// `memory`: memory for the levels [B]. If it does not hold all of them, at least four levels,
  /// spread over the whole time, are used in turn. Errors: InputError for invalid sizes.
  PlannerCase(const BenchmarkSize& size, std::size_t memory);

  /// Grid and time of the gyre.
  const EnvironmentInfo& info() const { return source_.info(); }
  /// Actions at two speeds, half a cell and one cell per step.
  std::vector<Action> actions(std::int32_t headings) const;
  /// Rule that assigns positions to cells.
  const PositionRule& rule() const { return rule_; }
  /// A mission northwards through the jet, of `steps` steps. `target_radius`: [cells].
  Mission mission(Objective objective, std::int32_t steps, double target_radius = 0) const;

  /// Computes level k; `fields` must have the sizes of info().
  void fill(TimeLevel k, LevelFields<>& fields) const;
  /// Number of different levels.
  std::size_t place_count() const { return levels_.size(); }
  /// Index of level k among the different levels.
  std::size_t place(TimeLevel k) const;
  /// Computes one of the different levels.
  void fill_place(std::size_t place, LevelFields<>& fields) const;

 private:
  DoubleGyreSource source_;
  PositionRule rule_;
  std::vector<TimeLevel> levels_;  // (place): level of the gyre
};

/// A PlannerCase with its levels in memory of the current device, as after reading in a run.
class PlannerProblem : public PlannerCase {
 public:
  /// `memory`: of the device, for the levels [B]. Errors: also RunError without a device.
  PlannerProblem(const BenchmarkSize& size, std::size_t memory);

  /// Level k in device memory.
  LevelView on_device(TimeLevel k) const;

 private:
  std::vector<LevelFields<MemorySpace::device>> fields_;  // (place)
};

/// Memory for levels that exceeds the caches of any GPU [B].
inline constexpr std::size_t beyond_caches = std::size_t{128} << 20;

}  // namespace tidewise
