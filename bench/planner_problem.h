#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/double_gyre.h"
#include "env/level_fields.h"
#include "model_builder/actions.h"
#include "solver/mission.h"

namespace tidewise {

struct PlannerProblemSize {
  std::int32_t cells = 200;  ///< a side of the grid
  std::int32_t realizations = 5000;
  std::int32_t modes = 10;
  std::int32_t steps = 199;  ///< L
};

/// A double gyre whose levels lie on the current device, as a run's do when they have been read.
class PlannerProblem {
 public:
  /// `memory`: what the levels may take on the device [B]. Where it does not hold all of them, some
  /// levels, spread over the whole time and four at least, take turns. Errors: InputError for sizes
  /// that cannot be; RunError without a device.
  PlannerProblem(const PlannerProblemSize& size, std::size_t memory);

  const EnvironmentInfo& info() const { return source_.info(); }
  /// At two speeds, half a cell and a cell a step.
  std::vector<Action> actions(std::int32_t headings) const;
  /// Northwards through the jet, in `steps` steps; the target has this radius [cells].
  Mission mission(Objective objective, std::int32_t steps, double target_radius = 0) const;

  /// Level k on the device.
  LevelView on_device(TimeLevel k) const;
  /// The same on the host; `fields` are of info()'s sizes.
  void fill(TimeLevel k, LevelFields<>& fields) const;

 private:
  std::size_t place(TimeLevel k) const;

  DoubleGyreSource source_;
  std::vector<TimeLevel> taken_;                          // (place): of the gyre
  std::vector<LevelFields<MemorySpace::device>> fields_;  // (place)
};

/// Memory for levels [B] that no cache of a GPU holds.
inline constexpr std::size_t beyond_caches = std::size_t{128} << 20;

}  // namespace tidewise
