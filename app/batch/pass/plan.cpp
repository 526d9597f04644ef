#include "app/batch/pass/plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "env/file/reader.h"
#include "output/run/policy_store.h"
#include "planner/mission/read/key_table.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/fly/battery.h"

namespace tidewise {
namespace {

/// Values by key, in the order in which the keys first occurred.
template <class Value>
class OrderedGroups {
 public:
  Value& operator[](const std::string& key) {
    const auto [known, is_new] = places_.emplace(key, groups_.size());
    if (is_new) groups_.emplace_back();
    return groups_[known->second];
  }
  std::vector<Value>& groups() { return groups_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<Value> groups_;
};

/// A solve and its size.
struct ValidatedSolve {
  SharedSolve missions;
  std::int64_t levels = 0;  ///< L + 1
  std::int64_t legs = 1;
  double flight_memory = 0;      ///< of the flights of all its missions [B]
  double disk = 0;               ///< of trajectories of all its missions, at most [B]
  std::int64_t max_flights = 0;  ///< largest number for one mission
  std::int64_t held = 0;         ///< held_actions() of each mission
};

std::int64_t open_cells(const EnvironmentReader& environment) {
  const auto closed = environment.read_masked(TimeLevel(0));
  return std::count(closed.begin(), closed.end(), std::uint8_t{0});
}

class GroupPlanner {
 public:
  GroupPlanner(const std::vector<BatchMission>& missions, const PassLimits& limits,
               const Backend& backend, PolicyFiles policies, BatchPlan& plan)
      : missions_(missions), limits_(limits), backend_(backend), policies_(policies), plan_(plan) {}

  /// Adds missions that have the same counting_key().
  void add(const std::vector<std::size_t>& group) {
    const RunRequest& first = missions_[group.front()].request;
    try {
      const EnvironmentReader environment = open_environment(first);
      add(group, environment);
    } catch (const std::exception& error) {
      for (const auto mission : group) plan_.failures.push_back({mission, error.what()});
    }
  }

 private:
  void add(const std::vector<std::size_t>& group, const EnvironmentReader& environment) {
    OrderedGroups<ValidatedSolve> solves;
    std::size_t actions = 0;
    for (const auto mission : group) {
      try {
        actions = validate(mission, environment, solves);
      } catch (const std::exception& error) {
        plan_.failures.push_back({mission, error.what()});
      }
    }
    if (solves.groups().empty()) return;
    open_cells_ = open_cells(environment);
    actions_ = static_cast<std::int64_t>(actions);
    divide(solves.groups(), environment.info());
  }

  std::size_t validate(std::size_t index, const EnvironmentReader& environment,
                       OrderedGroups<ValidatedSolve>& solves) {
    const RunRequest& request = missions_[index].request;
    const ResolvedMission resolved = resolve_mission(request, environment);
    const Mission& mission = resolved.mission;
    const auto realizations = resolve_realizations(request, environment.info());
    require_flights_fit(request, realizations, mission.last.value - mission.departure.value);
    require_held_fit(request, mission, environment.info().grid, resolved.actions.size());
    ValidatedSolve& solve = solves[solve_key(request, mission)];
    solve.missions.push_back(index);
    solve.levels = mission.last.value + 1;
    solve.legs = static_cast<std::int64_t>(mission.via.size()) + 1;
    solve.held = held_actions(mission, resolved.actions.size());
    const std::int64_t flights = flight_count(request, realizations);
    solve.flight_memory +=
        estimate_flight_memory(flights, mission.last.value - mission.departure.value,
                               tracks_to_keep(mission, limits_.tracks));
    solve.disk += estimate_trajectory_bytes(flights, solve.levels, limits_.tracks);
    solve.max_flights = std::max(solve.max_flights, flights);
    return resolved.actions.size();
  }

  /// Uses the fewest passes within the limits, of about equal size.
  void divide(const std::vector<ValidatedSolve>& solves, const EnvironmentInfo& info) {
    const std::size_t solves_per_pass = std::max<std::size_t>(1, max_solves(solves, info));
    const std::size_t parts = (solves.size() + solves_per_pass - 1) / solves_per_pass;
    for (std::size_t part = 0; part < parts; ++part) {
      const auto begin = solves.begin() + std::ptrdiff_t(solves.size() * part / parts);
      const auto end = solves.begin() + std::ptrdiff_t(solves.size() * (part + 1) / parts);
      add_pass({begin, end}, info);
    }
  }

  std::size_t max_solves(const std::vector<ValidatedSolve>& solves,
                         const EnvironmentInfo& info) const {
    double largest = 0;
    for (const auto& solve : solves) {
      largest = std::max(largest, policy_memory(solve, info));
    }
    const auto fitting = static_cast<double>(limits_.memory) / largest;
    return fitting >= double(limits_.max_solves) ? limits_.max_solves
                                                 : static_cast<std::size_t>(fitting);
  }

  static std::int64_t max_legs(const std::vector<ValidatedSolve>& solves) {
    std::int64_t max = 1;
    for (const auto& solve : solves) max = std::max(max, solve.legs);
    return max;
  }

  /// Gives the remaining memory to levels that wait to be written, up to all levels, so that the
  /// solver need not wait for the disk.
  void add_waiting_memory(CountingPass& pass, const EnvironmentInfo& info) const {
    const auto solves = static_cast<double>(pass.solves.size());
    const double required = solves * static_cast<double>(PolicyStore::waiting_memory(info.grid));
    const double max = solves * static_cast<double>(pass.levels) *
                       static_cast<double>(info.grid.cell_count()) * sizeof(float);
    const double remaining = static_cast<double>(limits_.memory) - pass.memory;
    const double extra = policies_ == PolicyFiles::none ? 0 : std::min(max - required, remaining);
    pass.waiting = required + std::max(0.0, extra);
    pass.memory += std::max(0.0, extra);
  }

  double policy_memory(const ValidatedSolve& solve, const EnvironmentInfo& info) const {
    return static_cast<double>(PolicyStore::memory_needed(
        info.grid, TimeLevel(static_cast<std::int32_t>(solve.levels - 1)), solve.missions.size(),
        static_cast<std::size_t>(solve.legs)));
  }

  void add_pass(const std::vector<ValidatedSolve>& solves, const EnvironmentInfo& info) {
    CountingPass pass;
    GroupWorkload work{{info, actions_, 0, 0, 0}, 0, 0};
    double flight_memory = 0;
    std::int64_t fronts = 0;  // of all missions, which are evaluated together
    for (const auto& solve : solves) {
      pass.solves.push_back(solve.missions);
      pass.levels = std::max(pass.levels, solve.levels);
      fronts += (solve.legs + solve.held) * static_cast<std::int64_t>(solve.missions.size());
      pass.memory += policy_memory(solve, info);
      work.solves += 1;
      work.longest.held = std::max(work.longest.held, solve.held);
      work.missions += static_cast<std::int64_t>(solve.missions.size());
      work.longest.flights = std::max(work.longest.flights, solve.max_flights);
      flight_memory += solve.flight_memory;
      pass.disk += solve.disk;
      if (policies_ == PolicyFiles::all) {
        pass.disk += estimate_policy_bytes(info, solve.levels) *
                     double(solve.legs * static_cast<std::int64_t>(solve.missions.size()));
      }
    }
    add_waiting_memory(pass, info);
    work.longest.levels = pass.levels;
    work.longest.open_states = open_cells_ * (pass.levels - 1);
    const Engine engine = missions_[pass.solves.front().front()].request.planner.engine;
    // Transitions are counted once for the last legs of all missions, then for each earlier leg.
    pass.seconds =
        static_cast<double>(max_legs(solves)) * estimate_group_seconds(work, engine, backend_);
    const double mission_memory = static_cast<double>(estimate_memory(work.longest, backend_.kind));
    // Groups of flights in memory at a time. `mission_memory` includes the flights of a mission
    // that needs a group of its own.
    constexpr double groups_at_a_time = 3;
    const double flown = std::min(flight_memory, groups_at_a_time * flight_group_memory);
    plan_.greatest_memory =
        std::max(plan_.greatest_memory,
                 mission_memory + pass.memory + shared_evaluation(info, fronts) + flown);
    plan_.passes.push_back(std::move(pass));
  }

  /// Memory for the joint evaluation of all missions of a pass [B]; a GPU uses its own memory.
  double shared_evaluation(const EnvironmentInfo& info, std::int64_t fronts) const {
    if (backend_.kind == BackendKind::cuda) return 0;
    return static_cast<double>(evaluation_memory(info.grid, static_cast<std::size_t>(fronts)));
  }

  const std::vector<BatchMission>& missions_;
  PassLimits limits_;
  const Backend& backend_;
  PolicyFiles policies_;
  BatchPlan& plan_;
  std::int64_t open_cells_ = 0;
  std::int64_t actions_ = 0;
};

BatchPlan plan_with(const std::vector<BatchMission>& missions,
                    const std::vector<std::vector<std::size_t>>& groups, const PassLimits& limits,
                    const Backend& backend, PolicyFiles policies) {
  BatchPlan plan;
  GroupPlanner planner(missions, limits, backend, policies, plan);
  for (const auto& group : groups) planner.add(group);
  std::sort(plan.failures.begin(), plan.failures.end(),
            [](const auto& a, const auto& b) { return a.mission < b.mission; });
  return plan;
}

}  // namespace

std::size_t CountingPass::missions() const {
  std::size_t count = 0;
  for (const auto& solve : solves) count += solve.size();
  return count;
}

std::size_t BatchPlan::solves() const {
  std::size_t count = 0;
  for (const auto& pass : passes) count += pass.solves.size();
  return count;
}

std::size_t BatchPlan::missions() const {
  std::size_t count = 0;
  for (const auto& pass : passes) count += pass.missions();
  return count;
}

std::string counting_key(const RunRequest& request) {
  std::string key = to_json(request, {Changes::counts}).dump();
  const auto policy = to_json(request, {Changes::policy});
  // The vehicle's own error in a step depends on the time between two decisions.
  const RunRequest::Vehicle& vehicle = request.vehicle;
  if (request.goal.decide_every && (vehicle.speed_error > 0 || vehicle.heading_error > 0)) {
    key += policy["mission"]["decide_every"].dump();
  }
  if (!keeps(request.goal.objective)) return key;
  // For station keeping the environment has a field of the place, which missions must share.
  for (const auto& [name, value] : policy["mission"].items()) {
    if (name == "objective" || name == "follow" || name.starts_with("target")) key += value.dump();
  }
  return key;
}

std::string solve_key(const RunRequest& request, const Mission& mission) {
  // With action holds, missions share a solve only if they decide at the same levels.
  return fmt::format("{} to level {}, deciding {} after",
                     to_json(request, {Changes::policy}).dump(), mission.last.value,
                     mission.decisions.since(TimeLevel(0)));
}

BatchPlan plan_batch(const std::vector<BatchMission>& missions,
                     const std::vector<std::size_t>& chosen, const PassLimits& limits,
                     const Backend& backend, PolicyFiles policies) {
  OrderedGroups<std::vector<std::size_t>> groups;
  for (const auto mission : chosen) {
    groups[counting_key(missions[mission].request)].push_back(mission);
  }
  BatchPlan plan = plan_with(missions, groups.groups(), limits, backend, policies);
  // If workers are idle, passes become smaller, although each counts its own transitions.
  PassLimits smaller = limits;
  while (plan.passes.size() < limits.workers && smaller.max_solves > 1) {
    std::size_t largest = 1;
    for (const auto& pass : plan.passes) largest = std::max(largest, pass.solves.size());
    if (largest == 1) break;
    smaller.max_solves = (largest + 1) / 2;
    plan = plan_with(missions, groups.groups(), smaller, backend, policies);
  }
  return plan;
}

}  // namespace tidewise
