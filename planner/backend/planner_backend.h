#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/parallel/communicator.h"
#include "base/progress.h"
#include "env/file/reader.h"
#include "output/model/model_file.h"
#include "planner/backend/backend.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/fly/baseline_fleet.h"
#include "solver/fly/rollout.h"
#include "solver/induction/backward_induction.h"
#include "solver/missions/group.h"
#include "solver/policy/policy.h"
#include "solver/reachable/solver.h"
#include "solver/refine/refine_policy.h"
#include "solver/step/mission.h"

namespace tidewise {

struct PublishedOptions;

/// Inputs of missions that share transition counts. The references must outlive the backend.
struct PlannerTask {
  const EnvironmentReader& environment;
  const std::vector<Action>& actions;
  const RunRequest& request;  ///< only its [planner] is used
  PositionRule rule;

  PlanningProblem problem(const Mission& mission) const { return {actions, mission, rule}; }
};

/// Solves, evaluates and flies missions on the CPU or on GPUs, with the same bits. The rest of the
/// program does not depend on the choice. Errors: those of the functions of solver/ that do the
/// work.
class PlannerBackend {
 public:
  virtual ~PlannerBackend() = default;
  /// Returns the parts of a mission with up to `flights` simultaneous flights that the CPU computes
  /// instead of GPUs: a line with the reason for each, for the run's notes.
  virtual std::vector<std::string> moved_to_cpu(const Mission& /*mission*/,
                                                std::size_t /*flights*/) const {
    return {};
  }
  /// True if another thread may evaluate the policies of these missions while this one simulates
  /// their flights and those of baseline controllers, at most `flights` at once.
  virtual bool evaluates_beside_flights(const std::vector<const Mission*>& /*missions*/,
                                        std::size_t /*flights*/) const {
    return false;
  }
  /// Solves all legs by backward induction, by counting transitions or, if `model` is not null,
  /// from that explicit model (on a GPU by `method`).
  virtual SolveReport solve(const Mission& mission, const ModelFile* model, ExplicitMethod method,
                            PolicySink& sink, Progress& progress) = 0;
  /// Solves by counting from the start and the departure on, only in the cells that the vehicle can
  /// still reach, in this forecast or in others with currents as strong (Currents::as_strong). All
  /// levels of each leg go to `sink`; unreachable states have no action and a NaN value.
  virtual ReachableReport solve_from_start(const Mission& mission, PolicySink& sink,
                                           Progress& progress);
  /// Solves by counting, together with the other ranks' backends (solver/subdomains/induction.h).
  /// `sink` is rank 0's and null in the other ranks.
  virtual SolveReport solve_in_subdomains(const Mission& mission, Communicator& communicator,
                                          PolicySink* sink, Progress& progress) = 0;
  /// Solves several missions by one counting pass (solver/missions/group.h). Missions with an
  /// action hold are solved one by one.
  GroupReport solve_group(const std::vector<GroupMember>& members, Progress& progress);
  /// Evaluates the policies of several missions by one counting pass
  /// (solver/evaluate/group_evaluation.h).
  virtual std::vector<MemberOutcome> evaluate_group(const std::vector<EvaluationMember>& members,
                                                    Progress& progress) = 0;

  /// Evaluates one mission.
  ExpectedOutcome evaluate(const Mission& mission, const PolicySource& policy, Progress& progress);
  /// Flies several missions together, level by level (solver/fly/rollout.h). Flights then end where
  /// their batteries are empty (solver/fly/battery.h).
  std::vector<MemberFlights> fly_group(const std::vector<FlightMember>& members,
                                       Progress& progress);
  /// Flies one mission.
  RolloutResult fly(const Mission& mission, const PolicySource& policy,
                    const RolloutOptions& options, Progress& progress);
  /// Flies baseline controllers through the same realizations in continuous mode
  /// (solver/fly/baseline_rollout.h).
  std::vector<BaselineFlights> fly_baselines(const Mission& mission,
                                             const std::vector<BaselineSpeed>& speeds,
                                             const RolloutOptions& options, Progress& progress);
  /// Refines headings and speeds by golden-section search (solver/refine/refine_policy.h).
  virtual RefinedPolicy refine(const Mission& mission, const PolicySource& policy,
                               const StatesToRefine* states, RefinementOptions options,
                               Progress& progress) = 0;

 protected:
  /// `threads`: number of host threads, ≥ 1.
  PlannerBackend(std::int32_t threads, const PlannerTask& task) : threads_(threads), task_(task) {}
  const PlannerTask& task() const { return task_; }
  std::int32_t threads() const { return threads_; }
  /// Solves a mission by the published method (solver/published/solve.h). Threads, sub-grid and
  /// block size are the request's. Errors: InputError for action holds, margins and
  /// via points.
  SolveReport solve_as_published(const Mission& mission, ExplicitMethod method,
                                 PublishedOptions options, PolicySink& sink, Progress& progress);

 private:
  virtual GroupReport solve_together(const std::vector<GroupMember>& members,
                                     Progress& progress) = 0;
  virtual std::vector<MemberFlights> fly_members(const std::vector<FlightMember>& members,
                                                 Progress& progress) = 0;
  virtual std::vector<BaselineFlights> fly_controllers(const Mission& mission,
                                                       const std::vector<BaselineSpeed>& speeds,
                                                       const RolloutOptions& options,
                                                       Progress& progress) = 0;

  std::int32_t threads_;
  PlannerTask task_;
};

/// Returns the planner for `backend`. Errors: InputError when the GPU's memory is too small for it.
std::unique_ptr<PlannerBackend> make_planner_backend(const Backend& backend,
                                                     const PlannerTask& task);

/// Returns the planner for a CPU or for GPUs, as make_planner_backend() chooses.
std::unique_ptr<PlannerBackend> make_cpu_planner(const Backend& backend, const PlannerTask& task);
std::unique_ptr<PlannerBackend> make_device_planner(const Backend& backend,
                                                    const PlannerTask& task);

}  // namespace tidewise
