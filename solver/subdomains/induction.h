#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/parallel/communicator.h"
#include "base/progress.h"
#include "env/file/reader.h"
#include "env/row_window.h"
#include "solver/induction/backward_induction.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/agreement.h"

namespace tidewise {

/// The mission in a band: its target and the cells in which a leg ends are those of the window's
/// known rows, (known row, x). Start and departure, which a solve does not use, are unchanged.
/// `grid`: grid of all rows.
Mission subdomain_mission(const Mission& mission, const RowWindow& window, const Grid& grid);

/// Maximum number of rows that a step from the cells of one level moves to the south or north, by
/// the bounds of model_builder/step/level_bounds.h. Errors: those of bound_displacements().
std::int32_t reach_in_rows(const LevelView& level, const TimeAxis& time,
                           View<const CellIndex> cells, const std::vector<Action>& actions,
                           const PositionRule& rule, std::int32_t threads);

/// A halo that probably suffices for all levels up to L, from some sample levels. Each rank
/// examines its share of rows; all return the same halo. `whole` is read without a window. Errors
/// in a level are left to the pass over all levels.
std::int32_t choose_halo(const EnvironmentReader& whole, const PlanningProblem& problem,
                         std::int32_t threads, Communicator& communicator);

/// Subdomains with halos of `halo` rows: at most `max_subdomains` ≥ 1, and so few that none is
/// lower than its neighbours' halos.
std::vector<RowWindow> make_subdomains(std::int32_t ny, std::int32_t max_subdomains,
                                       std::int32_t halo);

/// Solves with bands that have halos of `halo` rows, and again with higher halos whenever `solve`
/// throws HaloTooShort. Levels that an earlier pass passed to `sink` (null on other ranks than 0)
/// are not passed again.
using SolveSubdomains =
    std::function<SolveReport(const std::vector<RowWindow>& subdomains, PolicySink* sink)>;
SolveReport solve_with_halo(std::int32_t ny, std::int32_t max_subdomains, std::int32_t halo,
                            PolicySink* sink, const SolveSubdomains& solve);

/// One rank's part of solving a mission: the rows of subdomains[rank], as a smaller problem (none
/// if there are fewer bands than ranks). Called by all ranks. `sink`: on rank 0 receives whole
/// levels with the bits of solve_mission(); null on other ranks. The report's rows and transitions
/// are those of all bands, its seconds those of this rank. Errors: those of solve_mission(), equal
/// on every rank, and HaloTooShort.
SolveReport solve_subdomain(const EnvironmentReader& whole,
                            const std::vector<RowWindow>& subdomains,
                            const PlanningProblem& problem, const PlannerOptions& options,
                            Communicator& communicator, PolicySink* sink, Progress& progress);

/// solve_mission() by all ranks of a communicator: chooses halo and bands, and repeats the pass if
/// a halo is too short.
SolveReport solve_in_subdomains(const EnvironmentReader& whole, const PlanningProblem& problem,
                                const PlannerOptions& options, Communicator& communicator,
                                PolicySink* sink, Progress& progress);

}  // namespace tidewise
