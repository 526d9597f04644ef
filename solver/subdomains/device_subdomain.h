#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "env/device/device_environment.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/induction/device_halo_exchange.h"
#include "solver/induction/device_level_solver.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/agreement.h"

namespace tidewise {

/// Whom a band's pass tells what it finds. Called by the band's thread.
class SubdomainHost {
 public:
  virtual ~SubdomainHost() = default;
  /// Looks at a level that is solved; throws where it is wrong. Not called where a halo was too
  /// short at that level or before, which leaves no value right.
  virtual void validate(const SolvedLevel& solved) = 0;
  /// Once the band has its memory, before each level that is submitted, and with each one that is
  /// collected after the last: how this band fares so far. Throws where the pass is to end, over
  /// this band's outcome or another's.
  virtual void agree(const SubdomainLevelOutcome& outcome) = 0;
  /// The band's own rows of the next level, L, L−1, … 0, judged and agreed on; as judge().
  virtual void take(const SolvedLevel& solved) = 0;
  /// This band's pass ends before its time, and is about to wait until the others have left: lets
  /// none of them wait for its levels.
  virtual void give_up() noexcept {}
};

/// How often a band calls agree() in a mission that is solved to its end. `last`: L. Who has no
/// band of its own, and is to agree with those that have, agrees as often. Errors: RunError in a
/// build without CUDA.
std::int64_t agreements_of_a_subdomain(TimeLevel last);

/// What came of one band.
struct SubdomainReport {
  std::int64_t rows = 0;  ///< state-action pairs that were decided on
  double read_seconds = 0;
  std::int32_t needed_halo = 0;  ///< of all levels, where the halo was too short; else 0
};

/// Solves the band of `environment`'s window on the current device, as solve_mission_on_device()
/// does a whole grid, with values brought by `exchange`; by one of several threads or processes,
/// all of which call it at a time. Its mission: subdomain_mission() of the window. Errors: those of
/// reading, of `exchange` and of `host`; `exchange` has been given up then, and left in any case.
SubdomainReport solve_subdomain_on_device(DeviceEnvironment& environment,
                                          const PlanningProblem& problem, Engine engine,
                                          DeviceHaloExchange& exchange, SubdomainHost& host,
                                          Progress& progress);

}  // namespace tidewise
