#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "env/device/device_environment.h"
#include "env/file/file_in_error.h"
#include "model_builder/engines.h"
#include "solver/induction/backward_induction.h"
#include "solver/induction/device_induction.h"
#include "solver/step/planning_problem.h"
#include "support/backends.h"
#include "support/ocean/reference_solver.h"

namespace tidewise::test {

/// A solver of missions.
struct SolvingBackend {
  std::string name;  ///< letters, digits and underscores
  Backend kind = Backend::cpu;
  std::function<void(const EnvironmentReader&, const PlanningProblem&, PolicySink&)> solve;
};

inline std::ostream& operator<<(std::ostream& stream, const SolvingBackend& backend) {
  return stream << backend.name;
}

/// Makes a solver of LevelBackup with the counts of any engine on any backend.
inline SolvingBackend backup_of(const CountingBackend& counting) {
  return {counting.name, counting.kind,
          [counting](const EnvironmentReader& environment, const PlanningProblem& problem,
                     PolicySink& sink) {
            const EnvironmentInfo& info = environment.info();
            const auto engine =
                make_profile_engines(problem.actions, [&](std::vector<Action> profile_actions) {
                  return counting.make(problem.rule, info.grid, info.time,
                                       std::move(profile_actions));
                });
            const auto weights = counting_weights(info, problem.rule);
            SilentProgress progress;
            solve_backward(
                environment, problem, counting.threads,
                [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                    CountSink& counts) { engine->count_level(level, weights, cells, counts); },
                sink, progress);
          }};
}

/// Backward induction on the device, counting and backup in one kernel.
inline SolvingBackend device_induction(const std::string& name, Engine engine) {
  return {name, Backend::cuda,
          [engine](const EnvironmentReader& environment, const PlanningProblem& problem,
                   PolicySink& sink) {
            constexpr std::size_t budget = std::size_t{64} << 20;  // [B] ample for small problems
            DeviceEnvironment on_device(environment, budget);
            PlannerOptions options;
            options.engine = engine;
            SilentProgress progress;
            solve_mission_on_device(on_device, problem, options, sink, progress);
          }};
}

/// Returns all solvers of this build, first the reference solver with plain loops.
inline std::vector<SolvingBackend> solving_backends() {
  std::vector<SolvingBackend> backends{{"cpu_reference", Backend::cpu, solve_reference}};
  for (const CountingBackend& counting : counting_backends()) {
    backends.push_back(backup_of(counting));
  }
  if (cuda_support() == CudaSupport::compiled) {
    backends.push_back(device_induction("cuda_induction_direct", Engine::direct));
    backends.push_back(device_induction("cuda_induction_lattice", Engine::lattice));
  }
  return backends;
}

}  // namespace tidewise::test
