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

DoubleGyreOptions gyre_of(const BenchmarkSize& size);

/// A double gyre, and missions on it, on the host.
class PlannerCase {
 public:
  /// `memory`: what the levels may take [B]. Where it does not hold all of them, some levels,
  /// spread over the whole time and four at least, take turns. Errors: InputError for sizes that
  /// cannot be.
  PlannerCase(const BenchmarkSize& size, std::size_t memory);

  const EnvironmentInfo& info() const { return source_.info(); }
  /// At two speeds, half a cell and a cell a step.
  std::vector<Action> actions(std::int32_t headings) const;
  const PositionRule& rule() const { return rule_; }
  /// Northwards through the jet, in `steps` steps; the target has this radius [cells].
  Mission mission(Objective objective, std::int32_t steps, double target_radius = 0) const;

  /// Level k; `fields` are of info()'s sizes.
  void fill(TimeLevel k, LevelFields<>& fields) const;
  /// Levels that differ, and which of them is level k.
  std::size_t place_count() const { return taken_.size(); }
  std::size_t place(TimeLevel k) const;
  /// One of those.
  void fill_place(std::size_t place, LevelFields<>& fields) const;

 private:
  DoubleGyreSource source_;
  PositionRule rule_;
  std::vector<TimeLevel> taken_;  // (place): of the gyre
};

/// The same with its levels on the current device, as a run's are when they have been read.
class PlannerProblem : public PlannerCase {
 public:
  /// `memory`: of the device. Errors: also RunError without a device.
  PlannerProblem(const BenchmarkSize& size, std::size_t memory);

  /// Level k on the device.
  LevelView on_device(TimeLevel k) const;

 private:
  std::vector<LevelFields<MemorySpace::device>> fields_;  // (place)
};

/// Memory for levels [B] that no cache of a GPU holds.
inline constexpr std::size_t beyond_caches = std::size_t{128} << 20;

}  // namespace tidewise
