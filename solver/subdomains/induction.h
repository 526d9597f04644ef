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

/// The mission as a band sees it: its target is that of the window's known rows, (known row, x),
/// and so is the place where a leg ends. Start and departure, which a solve does not look at, stay
/// as they are. `grid`: the whole one.
Mission subdomain_mission(const Mission& mission, const RowWindow& window, const Grid& grid);

/// The rows that a step from the cells of one level may cross, to the south or to the north,
/// by the bounds of model_builder/step/level_bounds.h. Errors: those of bound_displacements().
std::int32_t reach_in_rows(const LevelView& level, const TimeAxis& time,
                           View<const CellIndex> cells, const std::vector<Action>& actions,
                           const PositionRule& rule, std::int32_t threads);

/// A halo that most likely is enough for all levels up to L, by a look at a few of them, which the
/// ranks share: each looks at rows of its own. The same at all ranks. `whole` is read without a
/// window. What is wrong with a level is left to the pass over all of them.
std::int32_t choose_halo(const EnvironmentReader& whole, const PlanningProblem& problem,
                         std::int32_t threads, Communicator& communicator);

/// Subdomains with halos of `halo` rows, as many as `most` and as rows allow: none is lower than
/// its neighbours' halos. `most` ≥ 1.
std::vector<RowWindow> make_subdomains(std::int32_t ny, std::int32_t most, std::int32_t halo);

/// Solves with bands that have halos of `halo` rows, and again with higher ones as long as `solve`
/// throws HaloTooShort. Levels that a pass before has given to `sink` (null where this rank has
/// none) are not given again.
using SolveSubdomains =
    std::function<SolveReport(const std::vector<RowWindow>& subdomains, PolicySink* sink)>;
SolveReport solve_with_halo(std::int32_t ny, std::int32_t most_subdomains, std::int32_t halo,
                            PolicySink* sink, const SolveSubdomains& solve);

/// One rank's part in solving a mission: the rows of bands[rank] (nothing where there are fewer
/// bands than ranks), as a smaller problem of its own. Called by all ranks; `sink` is rank 0's,
/// which gets the whole levels, and the bits that solve_mission() would give it; null at the
/// others. The report's rows and transitions are those of all bands, its seconds this one's.
/// Errors: those of solve_mission(), in every rank the same, and HaloTooShort.
SolveReport solve_subdomain(const EnvironmentReader& whole,
                            const std::vector<RowWindow>& subdomains,
                            const PlanningProblem& problem, const PlannerOptions& options,
                            Communicator& communicator, PolicySink* sink, Progress& progress);

/// All of the above: solve_mission() by all ranks of a communicator together.
SolveReport solve_in_subdomains(const EnvironmentReader& whole, const PlanningProblem& problem,
                                const PlannerOptions& options, Communicator& communicator,
                                PolicySink* sink, Progress& progress);

}  // namespace tidewise
