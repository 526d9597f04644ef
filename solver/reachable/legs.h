#pragma once

#include <cstddef>
#include <vector>

#include "solver/reachable/solver.h"

namespace tidewise {

/// ReachableSolver::solve() of a mission that may pass places on its way (solver/legs/legs.h), for
/// a vehicle that is on leg `leg`: the policies of the legs from that one on, (leg less `leg`).
/// Where the vehicle stands in the leg's place it passes it at once, as flights do. Errors: as
/// there.
ReachableReport solve_legs_from(const EnvironmentInfo& info, const PlanningProblem& problem,
                                const PlannerOptions& options, LevelSource& levels,
                                const StartState& from, std::size_t leg, Currents currents,
                                std::vector<ReachablePolicy>& policies, Progress& progress);

/// Where the vehicle can be on each of these legs alone, (leg less `leg`); what finding that took
/// goes into `report`.
std::vector<ReachableCells> find_legs_reach(const EnvironmentInfo& info,
                                            const PlanningProblem& problem,
                                            const PlannerOptions& options, LevelSource& levels,
                                            const StartState& from, std::size_t leg,
                                            Currents currents, ReachableReport& report,
                                            Progress& progress);

}  // namespace tidewise
