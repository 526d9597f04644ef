#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/memory/device.h"
#include "env/device/device_environment.h"
#include "model_builder/engines.h"
#include "model_builder/paper/device_engine.h"
#include "planner/backend/device_budget.h"
#include "planner/backend/planner_backend.h"
#include "planner/backend/problem_estimate.h"
#include "planner/backend/unsupported.h"
#include "planner/error/codes.h"
#include "solver/evaluate/device_evaluation.h"
#include "solver/explicit/device_solver.h"
#include "solver/fly/baseline_rollout.h"
#include "solver/fly/device_baselines.h"
#include "solver/fly/device_rollout.h"
#include "solver/induction/device_induction.h"
#include "solver/legs/phases.h"
#include "solver/published/solve.h"
#include "solver/subdomains/agreement.h"
#include "solver/subdomains/device_subdomains.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

class DevicePlanner final : public PlannerBackend {
 public:
  DevicePlanner(const Backend& backend, const PlannerTask& task)
      : PlannerBackend(backend.threads, task),
        devices_(backend.devices),
        budget_(divide_device_memory(task.environment.info(), backend.device_memory,
                                     task.request.place("planner.device_memory"))) {}

  std::vector<std::string> moved_to_cpu(const Mission& mission,
                                        std::size_t flights) const override {
    std::vector<std::string> lines{counts_by_paper(mission) ? "" : limits().why_not_solved(mission),
                                   limits().why_not_evaluated(mission),
                                   limits().why_not_flown(mission, flights)};
    std::erase(lines, "");
    return lines;
  }

  bool evaluates_beside_flights(const std::vector<const Mission*>& missions,
                                std::size_t flights) const override {
    constexpr std::size_t evaluation_per_cell = 4096;  // more than the evaluation of one leg [B]
    DeviceBudget half = budget_;
    half.scratch /= 2;
    half.flight_log /= 2;
    const auto cells = static_cast<std::size_t>(task().environment.info().grid.cell_count());
    return levels_ && levels_->holds_all() && flights_fit(half, flights) &&
           missions.size() * cells * evaluation_per_cell < half.scratch &&
           std::all_of(missions.begin(), missions.end(), [&](const Mission* mission) {
             return mission->via.empty() && !mission->decisions.hold() &&
                    limits().why_not_evaluated(*mission).empty() &&
                    limits().why_not_flown(*mission, flights).empty();
           });
  }

  SolveReport solve(const Mission& mission, const ModelFile* model, ExplicitMethod method,
                    PolicySink& sink, Progress& progress) override {
    const EnvironmentReader& environment = task().environment;
    if (is_published(method)) {
      if (devices_.size() > 1) {
        throw input_error(errors::published_method_combined, to_string(method), "--devices");
      }
      levels_.reset();
      const PublishedMemory model_memory =
          method == ExplicitMethod::published ? PublishedMemory::device : PublishedMemory::host;
      return PlannerBackend::solve_as_published(
          mission, method, {.on_device = model_memory, .device_memory = devices_.front().memory},
          sink, progress);
    }
    if (model == nullptr && counts_by_paper(mission)) {
      return solve_by_paper(mission, sink, progress);
    }
    if (model == nullptr && !limits().why_not_solved(mission).empty()) {
      return solve_mission(environment, task().problem(mission), options(), sink, progress);
    }
    return solve_phases(mission, &sink, [&](const Mission& phase, PolicySink* phase_sink) {
      if (model != nullptr) {
        return solve_explicit_on_device(environment, task().problem(phase), threads(),
                                        model->stored(environment.info(), threads()), *phase_sink,
                                        progress, method);
      }
      if (devices_.size() > 1) return solve_on_all_devices(phase, *phase_sink, progress);
      // Shared counts save time from three legs on (bench/results/missions.md).
      if (phase.via.size() > 1 && !phase.decisions.hold()) {
        return solve_legs_together(phase, *phase_sink, progress);
      }
      return solve_mission_on_device(levels(), task().problem(phase), options(), *phase_sink,
                                     progress);
    });
  }

  SolveReport solve_in_subdomains(const Mission& mission, Communicator& communicator,
                                  PolicySink* sink, Progress& progress) override {
    work_and_agree(communicator,
                   [&] { refuse_on_devices_of_ranks(task().request, communicator.size()); });
    // If a host has more ranks than GPUs, ranks share a GPU and divide its memory.
    const int sharers = (communicator.local_size() + device_count() - 1) / device_count();
    DeviceLimits limits = this->limits();
    limits.devices = static_cast<std::size_t>(communicator.size());
    limits.budget.scratch /= static_cast<std::size_t>(sharers);
    if (communicator.all_max(limits.why_not_solved(mission).empty() ? 0 : 1) > 0) {
      return tidewise::solve_in_subdomains(task().environment, task().problem(mission), options(),
                                           communicator, sink, progress);
    }
    levels_.reset();
    const std::size_t memory = devices_.front().memory / static_cast<std::size_t>(sharers);
    return solve_phases(mission, sink, [&](const Mission& phase, PolicySink* phase_sink) {
      return solve_mission_on_devices_of_ranks(
          task().environment, task().problem(phase), options(),
          [&](const EnvironmentInfo& window, std::size_t) { return levels_memory(window, memory); },
          communicator, phase_sink, progress);
    });
  }

  GroupReport solve_together(const std::vector<GroupMember>& members, Progress& progress) override {
    const auto left_to_cpu = [&](const GroupMember& member) {
      return !limits().why_not_solved(*member.mission).empty();
    };
    if (counts_by_paper(*members.front().mission) ||
        std::any_of(members.begin(), members.end(), left_to_cpu)) {
      return solve_one_by_one(members, [&](const GroupMember& member) {
        return solve(*member.mission, nullptr, ExplicitMethod::padded, *member.sink, progress);
      });
    }
    return solve_missions_on_device(levels(), task().rule, task().actions, members, options(),
                                    progress);
  }

  std::vector<MemberOutcome> evaluate_group(const std::vector<EvaluationMember>& members,
                                            Progress& progress) override {
    use_device(devices_.front().number);  // the thread may differ from the solver's
    std::vector<MemberOutcome> outcomes(members.size());
    for (const bool on_device : {true, false}) {
      std::vector<EvaluationMember> subset;
      std::vector<std::size_t> index;
      for (std::size_t n = 0; n < members.size(); ++n) {
        if (limits().why_not_evaluated(*members[n].mission).empty() != on_device) continue;
        subset.push_back(members[n]);
        index.push_back(n);
      }
      if (subset.empty()) continue;
      std::vector<MemberOutcome> subset_outcomes =
          on_device ? evaluate_policies_on_device(levels(), task().rule, task().actions, subset,
                                                  threads(), progress, budget_.evaluation)
                    : evaluate_policies(task().environment, task().rule, task().actions, subset,
                                        threads(), progress);
      for (std::size_t n = 0; n < subset.size(); ++n)
        outcomes[index[n]] = std::move(subset_outcomes[n]);
    }
    return outcomes;
  }

  std::vector<MemberFlights> fly_members(const std::vector<FlightMember>& members,
                                         Progress& progress) override {
    const auto count = [](const FlightMember& member) {
      return static_cast<std::size_t>(flight_count(member.options));
    };
    std::vector<MemberFlights> flown;
    while (flown.size() < members.size()) {
      // Takes as many members as fit, at least one.
      std::vector<FlightMember> batch;
      std::size_t flights = 0;
      for (std::size_t n = flown.size(); n < members.size(); ++n) {
        if (!batch.empty() && !flights_fit(budget_, flights + count(members[n]))) break;
        flights += count(members[n]);
        batch.push_back(members[n]);
      }
      for (MemberFlights& flights_of_member : fly_at_once(std::move(batch), flights, progress)) {
        flown.push_back(std::move(flights_of_member));
      }
    }
    return flown;
  }

  std::vector<BaselineFlights> fly_controllers(const Mission& mission,
                                               const std::vector<BaselineSpeed>& speeds,
                                               const RolloutOptions& options,
                                               Progress& progress) override {
    const std::size_t flights =
        max_baseline_flights(mission, task().actions, task().environment.info().time, options);
    if (!limits().why_not_flown(mission, flights).empty()) {
      return tidewise::fly_baselines(task().environment, mission, speeds, options, progress);
    }
    return fly_baselines_on_device(levels(), mission, speeds, options, progress);
  }

  RefinedPolicy refine(const Mission& mission, const PolicySource& policy,
                       const StatesToRefine* states, RefinementOptions options,
                       Progress& progress) override {
    // Half of the scratch memory is for velocities, the rest for the other data of states.
    return refine_policy_on_device(levels(), task().problem(mission), policy, states, options,
                                   progress, budget_.scratch / 2);
  }

 private:
  std::vector<MemberFlights> fly_at_once(std::vector<FlightMember> members, std::size_t flights,
                                         Progress& progress) {
    if (!limits().why_not_flown(*members.front().mission, flights).empty()) {
      return fly_policies(task().environment, task().rule, task().actions, members, progress);
    }
    for (FlightMember& member : members) {
      member.options.log_memory = std::min(member.options.log_memory, budget_.flight_log);
    }
    return fly_policies_on_device(levels(), task().rule, task().actions, members, progress);
  }

  /// Counts on the device by the engine `paper` and backs up on the host. The engine allocates its
  /// memory itself, before levels_ allocates.
  SolveReport solve_by_paper(const Mission& mission, PolicySink& sink, Progress& progress) {
    const EnvironmentReader& environment = task().environment;
    const RunRequest& request = task().request;
    const EnvironmentInfo& info = environment.info();
    const auto engine =
        make_profile_engines(task().actions, [&](std::vector<Action> profile_actions) {
          return make_device_paper_engine(
              task().rule, info.grid, info.time, std::move(profile_actions),
              request.planner.subgrid_radius, request.planner.block_size);
        });
    constexpr std::int32_t calling_threads = 1;
    return solve_with_engine(environment, task().problem(mission), calling_threads, *engine, sink,
                             progress);
  }

  /// Solves all legs as one group, so that they share transition counts.
  SolveReport solve_legs_together(const Mission& mission, PolicySink& sink, Progress& progress) {
    const GroupReport report = solve_missions_on_device(levels(), task().rule, task().actions,
                                                        {{&mission, &sink}}, options(), progress);
    if (report.failure.front() != nullptr) std::rethrow_exception(report.failure.front());
    return report.all;
  }

  /// Solves in bands of rows, one for each device. The bands need the memory of levels_, which is
  /// freed first.
  SolveReport solve_on_all_devices(const Mission& mission, PolicySink& sink, Progress& progress) {
    levels_.reset();
    std::vector<int> numbers;
    for (const Backend::Device& device : devices_) numbers.push_back(device.number);
    return solve_mission_on_devices(
        task().environment, numbers, task().problem(mission), options(),
        [this](const EnvironmentInfo& window, std::size_t device) {
          return levels_memory(window, devices_[device].memory);
        },
        HaloTransport::nccl, sink, progress);
  }

  /// Returns the memory for the levels of a window of rows [B], where the run may take `memory` of
  /// a device.
  std::size_t levels_memory(const EnvironmentInfo& window, std::size_t memory) const {
    return divide_device_memory(window, memory, task().request.place("planner.device_memory"))
        .levels;
  }

  /// True if the engine `paper` counts the mission. A mission with a vehicle error is counted by
  /// the CPU.
  bool counts_by_paper(const Mission& mission) const {
    return task().request.planner.engine == Engine::paper && !mission.error.any();
  }

  DeviceLimits limits() const {
    return {task().environment.info(), task().actions, budget_, devices_.size()};
  }

  PlannerOptions options() const {
    return {task().request.planner.engine, threads(), task().request.planner.subgrid_radius,
            budget_.scratch};
  }

  /// Returns the levels that all passes share, so that each level is read only once.
  DeviceEnvironment& levels() {
    if (!levels_) levels_.emplace(task().environment, budget_.levels);
    return *levels_;
  }

  std::vector<Backend::Device> devices_;
  DeviceBudget budget_;
  std::optional<DeviceEnvironment> levels_;
};

}  // namespace

std::unique_ptr<PlannerBackend> make_device_planner(const Backend& backend,
                                                    const PlannerTask& task) {
  return std::make_unique<DevicePlanner>(backend, task);
}

}  // namespace tidewise
