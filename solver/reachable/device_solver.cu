#include <cmath>

#include "base/memory/device.h"
#include "base/memory/device_transfer.h"
#include "base/progress.h"
#include "model_builder/cloud/cell_lists.cuh"
#include "solver/induction/device_level_solver.h"
#include "solver/induction/value_overflow.h"
#include "solver/pass/device_backward.h"
#include "solver/reachable/device_solver.h"
#include "solver/reachable/reach.h"

namespace tidewise {

namespace {

class LevelwiseReachableSolver final : public DeviceReachableSolver {
 public:
  LevelwiseReachableSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                           Engine engine, const DeviceLevelsInMemory& levels)
      : info_(info),
        problem_(problem),
        levels_(on_its_device(levels)),
        finder_(info, problem_, 1),
        solver_(info, problem_, engine),
        coefficient_(
            static_cast<std::size_t>(problem.mission.last.value - levels.host().first().value + 1) *
            level_size()) {}

  bool solve(View<const float> coefficient, const StartState& from,
             ReachablePolicy& policy) override {
    use_device(levels_.device());
    const TimeLevel last = problem_.mission.last;
    EnsembleLevels host(levels_.host(), coefficient, info_.realization_count);
    const auto entries = [&](TimeLevel k, std::vector<CellIndex>& cells) {
      if (k == from.level) cells.push_back(from.cell);
    };
    SilentProgress silent;
    ReachableCells reach;
    finder_.find(host, from.level, last, entries, {}, reach, silent);
    policy.begin(std::move(reach));

    // The call returns after it has read `coefficient`, which is in pageable memory.
    const std::size_t begin = place_of(from.level);
    copy_bytes(MemorySpace::device, coefficient_.data() + begin, MemorySpace::host,
               coefficient.data + begin, (place_of(last) + level_size() - begin) * sizeof(float),
               solver_.preparation_stream());
    solver_.restart();
    Walk walk{*this, policy};
    walk_backward_in_flight(solver_, last, from.level, walk);
    // Completes all levels, because the next solve begins with the same memory.
    while (solver_.in_flight() > 0) (void)solver_.collect();
    return walk.taken;
  }

 private:
  // The argument `work` of walk_backward_in_flight().
  struct Walk {
    LevelwiseReachableSolver& solver;
    ReachablePolicy& policy;
    bool taken = true;

    bool goes_on() const { return taken; }
    LevelView fields(TimeLevel k) const { return solver.fields(k); }
    void settle() const {}
    void submitted(TimeLevel) const {}
    void collect() { taken = solver.collect(policy); }
  };

  static const DeviceLevelsInMemory& on_its_device(const DeviceLevelsInMemory& levels) {
    use_device(levels.device());
    return levels;
  }
  // Number of coefficients of a level.
  std::size_t level_size() const {
    return static_cast<std::size_t>(info_.mode_count) *
           static_cast<std::size_t>(info_.realization_count);
  }
  std::size_t place_of(TimeLevel k) const {
    return static_cast<std::size_t>(k.value - levels_.host().first().value) * level_size();
  }
  LevelView fields(TimeLevel k) const {
    LevelView level = levels_.level(k);
    level.realization_count = info_.realization_count;
    level.coefficient = coefficient_.view().part(place_of(k), level_size());
    return level;
  }
  bool collect(ReachablePolicy& policy) {
    const SolvedLevel solved = solver_.collect();
    if (solved.flow_refused) return false;
    const SolvedLeg& leg = solved.leg.front();
    for (const CellIndex cell : policy.reach().of(solved.level)) {
      if (std::isfinite(leg.value[static_cast<std::size_t>(cell.value)])) continue;
      refuse_overflow(info_.grid, solved.level, leg.value);
    }
    policy.take(solved.level, leg.action, leg.value);
    return true;
  }

  const EnvironmentInfo& info_;
  const PlanningProblem problem_;
  const DeviceLevelsInMemory& levels_;
  ReachFinder finder_;
  DeviceLevelSolver solver_;
  DeviceArray<float> coefficient_;  // (level − first held level, mode, realization)
};

}  // namespace

std::unique_ptr<DeviceReachableSolver> make_device_reachable_solver(
    const EnvironmentInfo& info, const PlanningProblem& problem, Engine engine,
    const DeviceLevelsInMemory& levels) {
  return std::make_unique<LevelwiseReachableSolver>(info, problem, engine, levels);
}

std::size_t DeviceReachableSolver::size(const EnvironmentInfo& info, TimeLevel first,
                                        TimeLevel last) {
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const auto modes = static_cast<std::size_t>(info.mode_count);
  const auto realizations = static_cast<std::size_t>(info.realization_count);
  // A level in flight: value, action, three lists of cells and marks; coefficients as integers.
  constexpr std::size_t cell_bytes =
      sizeof(float) + sizeof(std::int16_t) + 2 + sizeof(std::int32_t) * (frame_classes + 2);
  const std::size_t slot = cells * cell_bytes + 2 * realizations * (modes + 8);
  const std::size_t fixed = cells * (sizeof(std::uint8_t) + sizeof(float));
  return static_cast<std::size_t>(DeviceLevelSolver::depth() + 1) * slot + fixed +
         static_cast<std::size_t>(last.value - first.value + 1) * modes * realizations *
             sizeof(float);
}

}  // namespace tidewise
