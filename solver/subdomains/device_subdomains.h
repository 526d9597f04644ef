#pragma once

#include <vector>

#include "base/parallel/communicator.h"
#include "base/progress.h"
#include "env/file/reader.h"
#include "solver/induction/backward_induction.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/device_halos.h"
#include "solver/subdomains/device_subdomain.h"

namespace tidewise {

/// solve_mission_on_device() by several devices of this host at once: the rows are divided between
/// them, in bands of about as much open water each, each with a thread of its own that reads what
/// its band needs. The same bits. Where rows are few for so many bands, the first devices take all.
/// Devices that are named twice have two bands, which `messages` alone allows. The report's
/// read_seconds are those of the device that waited longest. Errors: as one device's.
SolveReport solve_mission_on_devices(const EnvironmentReader& environment,
                                     const std::vector<int>& devices,
                                     const PlanningProblem& problem, const PlannerOptions& options,
                                     const LevelBudget& level_budget, HaloTransport transport,
                                     PolicySink& sink, Progress& progress);

/// The same with given bands, (band), no more than devices. Errors: also HaloTooShort.
SolveReport solve_subdomains_on_devices(
    const EnvironmentReader& environment, const std::vector<RowWindow>& subdomains,
    const std::vector<int>& devices, const PlanningProblem& problem, const PlannerOptions& options,
    const LevelBudget& level_budget, HaloTransport transport, PolicySink& sink, Progress& progress);

/// The same by all ranks of a communicator, a band each on the device that is current for it: see
/// solve_in_subdomains() (solver/subdomains/induction.h). Values travel as MessageDeviceHalo says.
SolveReport solve_mission_on_devices_of_ranks(const EnvironmentReader& whole,
                                              const PlanningProblem& problem,
                                              const PlannerOptions& options,
                                              const LevelBudget& level_budget,
                                              Communicator& communicator, PolicySink* sink,
                                              Progress& progress);

}  // namespace tidewise
