#pragma once

#include <cstddef>
#include <vector>

#include "solver/confined/solver.h"

namespace tidewise {

/// ConfinedSolver::solve() of a mission that may pass places on its way (solver/legs/legs.h), for a
/// vehicle that is on leg `leg`: the policies of the legs from that one on, (leg less `leg`). Where
/// the vehicle stands in the leg's place it passes it at once, as flights do. Errors: as there.
ConfinedReport solve_legs_from(const EnvironmentInfo& info, const PlanningProblem& problem,
                               const PlannerOptions& options, LevelSource& levels,
                               const StartState& from, std::size_t leg, Currents currents,
                               std::vector<ConfinedPolicy>& policies, Progress& progress);

/// Where the vehicle can be on each of these legs alone, (leg less `leg`); what finding that took
/// goes into `report`.
std::vector<ReachableCells> find_legs_reach(const EnvironmentInfo& info,
                                            const PlanningProblem& problem,
                                            const PlannerOptions& options, LevelSource& levels,
                                            const StartState& from, std::size_t leg,
                                            Currents currents, ConfinedReport& report,
                                            Progress& progress);

}  // namespace tidewise
