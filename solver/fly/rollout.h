#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "solver/flight/step_context.h"
#include "solver/fly/trajectory.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

struct RolloutOptions {
  RolloutMode mode = RolloutMode::continuous;
  /// Those to fly through, in `continuous` mode; empty: all.
  std::vector<std::int32_t> realizations = {};
  /// Number of flights in `chain` mode; 0: as many as realizations are asked for.
  std::int32_t flights = 0;
  std::uint64_t seed = 1;    ///< of the draws in `chain` mode
  std::int32_t threads = 1;  ///< ≥ 1; the result does not depend on it
  /// Memory that points may take on their way into trajectories [B]: some steps of all flights at a
  /// time; one step is always taken.
  std::size_t log_memory = std::size_t{16} << 20;
};

/// What is done in each cell at a level in place of its action, (y, x), by that level's policy.
/// What it sees must stay until the next call.
using EffectsOfLevel = std::function<View<const ActionEffect>(TimeLevel, View<const std::int16_t>)>;

/// One of several missions that share an environment and a set of actions, the policy by which it
/// is flown, and how. What it points to must outlive the flights; members may have the same policy.
struct FlightMember {
  const Mission* mission;
  const PolicySource* policy;
  RolloutOptions options;
};

/// What came of a member.
struct MemberFlights {
  RolloutResult rollout;
  /// What its policy threw, or what is wrong with its options: the others are not touched by it.
  /// Null where `rollout` is valid.
  std::exception_ptr failure;
};

/// fly() for several missions at once, with the same bits: each level is read once. Each flies with
/// the threads that it says. Errors: those of reading, which end the whole group.
std::vector<MemberFlights> fly_policies(const EnvironmentReader& environment,
                                        const PositionRule& rule,
                                        const std::vector<Action>& actions,
                                        const std::vector<FlightMember>& members,
                                        Progress& progress);

/// Flies a policy from the mission's start at its departure (continuous_step.h, chain_step.h). All
/// vehicles advance together, so each level is read once and three are held, whatever their number.
/// A start in the target has arrived: one point, no time. A start in a closed cell is an obstacle.
/// Errors: those of reading; InputError for a realization that the environment does not have.
/// `effects_instead`: where actions do something else than usual (refined headings, say), else
/// empty.
RolloutResult fly(const EnvironmentReader& environment, const PlanningProblem& problem,
                  const PolicySource& policy, const RolloutOptions& options, Progress& progress,
                  EffectsOfLevel effects_instead = {});

}  // namespace tidewise
