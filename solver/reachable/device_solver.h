#pragma once

#include <cstddef>
#include <memory>

#include "env/environment_info.h"
#include "model_builder/step/counting_engine.h"
#include "solver/reachable/in_memory_levels.h"
#include "solver/reachable/policy.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// What InMemoryLevels hold but for the coefficients, in the memory of the device that was current
/// when it was made. Many threads may read it at once.
class DeviceLevelsInMemory {
 public:
  /// `held` must outlive it. Errors: RunError where the device's memory is too small.
  explicit DeviceLevelsInMemory(const InMemoryLevels& held);

  /// Which device that is.
  int device() const { return device_; }
  const InMemoryLevels& here() const { return held_; }
  /// Of device memory, without coefficients. Requires a level that is held.
  LevelView level(TimeLevel k) const;

 private:
  const InMemoryLevels& held_;
  int device_;
  std::vector<LevelFields<MemorySpace::device>> fields_;  // no coefficients
};

/// ReachableSolver::solve() with the levels on a device: where the vehicle can be is found here,
/// all cells are solved there, and the same bits are kept. Keeps its memory from one solve to the
/// next. Used by one thread at a time, whose current device it is from then on; many may work at
/// once.
class DeviceReachableSolver {
 public:
  virtual ~DeviceReachableSolver() = default;

  /// Under these coefficients (as EnsembleLevels have them); those of levels before from.level are
  /// not looked at. False where the device refuses the flow of some level, which may be one that
  /// the vehicle cannot come to: then ReachableSolver has the answer, or the reason for none.
  /// Requires as there. Errors: as there; RunError of the device.
  virtual bool solve(View<const float> coefficient, const StartState& from,
                     ReachablePolicy& policy) = 0;

  /// Device memory that one of them takes [B], the levels aside.
  static std::size_t size(const EnvironmentInfo& info, TimeLevel first, TimeLevel last);
};

/// As ReachableSolver; all must outlive it. Errors: RunError of the device; in a build without CUDA
/// always.
std::unique_ptr<DeviceReachableSolver> make_device_reachable_solver(
    const EnvironmentInfo& info, const PlanningProblem& problem, Engine engine,
    const DeviceLevelsInMemory& levels);

}  // namespace tidewise
