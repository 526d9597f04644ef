#pragma once

#include <cstddef>
#include <memory>

#include "env/environment_info.h"
#include "model_builder/step/counting_engine.h"
#include "solver/reachable/in_memory_levels.h"
#include "solver/reachable/policy.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Copy of InMemoryLevels, without coefficients, in the memory of the device that was current at
/// construction. Many threads may read it at once.
class DeviceLevelsInMemory {
 public:
  /// `held` must outlive the object. Errors: RunError if the device's memory is too small.
  explicit DeviceLevelsInMemory(const InMemoryLevels& held);

  /// Index of the device.
  int device() const { return device_; }
  /// The levels in host memory.
  const InMemoryLevels& host() const { return held_; }
  /// Level in device memory, without coefficients. Requires a level that is held.
  LevelView level(TimeLevel k) const;

 private:
  const InMemoryLevels& held_;
  int device_;
  std::vector<LevelFields<MemorySpace::device>> fields_;  // without coefficients
};

/// ReachableSolver::solve() with the levels on a device. The host finds the reach, and the device
/// solves all cells; the results have the same bits. The object keeps its memory from one solve to
/// the next. Used by one thread at a time, on the device that is current for it; several objects
/// may work at once.
class DeviceReachableSolver {
 public:
  virtual ~DeviceReachableSolver() = default;

  /// Solves with `coefficient`, as in EnsembleLevels; coefficients of levels before from.level are
  /// not read. Returns false if the device refuses the flow of some level, which may be a level
  /// outside the reach; ReachableSolver then returns the result or throws the error. Requirements:
  /// those of ReachableSolver::solve(). Errors: also RunError of the device.
  virtual bool solve(View<const float> coefficient, const StartState& from,
                     ReachablePolicy& policy) = 0;

  /// Device memory of one object, without the levels [B].
  static std::size_t size(const EnvironmentInfo& info, TimeLevel first, TimeLevel last);
};

/// Arguments as for ReachableSolver; all must outlive the object. Errors: RunError of the device,
/// and always in a build without CUDA.
std::unique_ptr<DeviceReachableSolver> make_device_reachable_solver(
    const EnvironmentInfo& info, const PlanningProblem& problem, Engine engine,
    const DeviceLevelsInMemory& levels);

}  // namespace tidewise
