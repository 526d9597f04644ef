#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
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

/// Options of simulated missions.
struct RolloutOptions {
  RolloutMode mode = RolloutMode::continuous;
  /// Realizations to fly through in `continuous` mode; empty: all.
  std::vector<std::int32_t> realizations = {};
  /// Number of flights in `chain` mode; 0: number of realizations.
  std::int32_t flights = 0;
  std::uint64_t seed = 1;    ///< seed of the draws in `chain` mode
  std::int32_t threads = 1;  ///< ≥ 1; the result does not depend on it
  /// Memory of the log, which collects points before they are added to trajectories [B]. The log
  /// holds at least one step of all tracked flights.
  std::size_t log_memory = std::size_t{16} << 20;
  /// Maximum number of flights whose points are kept, evenly spaced among all (tracked_flights()).
  /// Of the others only the departure and the end are kept.
  std::size_t tracks = std::numeric_limits<std::size_t>::max();
};

/// Refined effects of a level that replace those of its actions, (y, x), for that level's policy.
/// The view must stay valid until the next call.
using EffectsOfLevel = std::function<View<const ActionEffect>(TimeLevel, View<const std::int16_t>)>;

/// One of several missions that share an environment and a set of actions, its policy, and its
/// options. Mission and policy must outlive the flights; members may share a policy.
struct FlightMember {
  const Mission* mission;
  const PolicySource* policy;
  RolloutOptions options;
};

/// Result of the flights of a member.
struct MemberFlights {
  RolloutResult rollout;
  /// Error of this member's policy or options. It does not affect other members. Null if `rollout`
  /// is valid.
  std::exception_ptr failure;
};

/// fly() for several missions at once, with the same bits; each level is read once. Each member
/// uses the threads of its options. Errors: those of reading, which end the whole group.
std::vector<MemberFlights> fly_policies(const EnvironmentReader& environment,
                                        const PositionRule& rule,
                                        const std::vector<Action>& actions,
                                        const std::vector<FlightMember>& members,
                                        Progress& progress);

/// Simulates a policy from the mission's start at departure (continuous_step.h, chain_step.h). All
/// vehicles advance together, so each level is read once and only three are held. A flight that
/// starts in the target has arrived, with one point and no time; one that starts in a closed cell
/// has hit an obstacle. Errors: those of reading; InputError for a realization that the environment
/// does not have. `refined_effects`: effects that replace those of the actions (for example refined
/// headings); empty: none.
RolloutResult fly(const EnvironmentReader& environment, const PlanningProblem& problem,
                  const PolicySource& policy, const RolloutOptions& options, Progress& progress,
                  EffectsOfLevel refined_effects = {});

}  // namespace tidewise
