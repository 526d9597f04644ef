#include "planner/run/arrival_constraint.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <vector>

#include "base/error.h"
#include "planner/error/codes.h"
#include "planner/mission/resolve/resolution.h"
#include "solver/policy/memory.h"

namespace tidewise {
namespace {

/// Maximum memory of the policies of one pass [B].
constexpr std::size_t max_memory = std::size_t{1} << 30;
constexpr std::size_t max_prices = 16;

class ArrivalConstraint {
 public:
  ArrivalConstraint(RunRequest request, std::shared_ptr<PlanningContext> context,
                    Progress& progress)
      : request_(std::move(request)),
        context_(std::move(context)),
        resolved_(resolve_mission(request_, context_->environment())),
        progress_(progress) {}

  RunRequest meet(double min) {
    if (!(min > 0 && min < 1)) {
      throw input_error(errors::arrival_probability_invalid, min);
    }
    if (request_.goal.objective == Objective::arrival) {
      throw input_error(errors::arrival_constraint_of_arrival);
    }
    if (keeps(request_.goal.objective)) {
      throw input_error(errors::arrival_constraint_without_arrival,
                        to_string(request_.goal.objective));
    }
    // Limits of the lateness penalty, as multiples of the cost of the costliest path. The default
    // penalty is 5; with 1000, only unavoidable lateness remains.
    double mild = 1.0 / 4096;
    double severe = 1024;
    const double path_cost = costliest_path();
    double arrival = 0;
    for (int pass = 0; pass < passes; ++pass) {
      const std::vector<double> prices =
          prices_between(mild * path_cost, severe * path_cost, pass > 0);
      const std::vector<double> arrivals = arrivals_at(prices);
      const auto sufficient = std::find_if(arrivals.begin(), arrivals.end(),
                                           [&](double probability) { return probability >= min; });
      if (sufficient == arrivals.end()) {
        if (pass == 0) refuse(min, *std::max_element(arrivals.begin(), arrivals.end()));
        break;  // the severe limit stays
      }
      const auto index = static_cast<std::size_t>(sufficient - arrivals.begin());
      severe = prices[index] / path_cost;
      arrival = arrivals[index];
      if (index == 0) break;  // the mildest price suffices
      mild = prices[index - 1] / path_cost;
      if (arrival - min < close_enough) break;
    }
    RunRequest best = at_price(severe * path_cost);
    best.arrival_at_least = min;
    return best;
  }

 private:
  static constexpr int passes = 3;
  static constexpr double close_enough = 1e-4;

  [[noreturn]] static void refuse(double min, double max) {
    throw input_error(errors::arrival_probability_not_reached, min, max);
  }

  RunRequest at_price(double price) const {
    RunRequest request = request_;
    RunRequest::Goal& goal = request.goal;
    const double reward = -price;
    goal.arrival_reward = 0;  // a reward would bound the price from below
    if (goal.failure_penalty) {
      goal.failure_penalty = reward;
    } else {
      goal.failure.late = reward;
    }
    return request;
  }

  ResolvedMission resolved_at(double price) const {
    return resolve_mission(at_price(price), context_->environment());
  }

  std::size_t legs() const { return resolved_.mission.via.size() + 1; }

  double costliest_path() const {
    const Mission& mission = resolved_.mission;
    const double step = context_->environment().info().time.step;
    const double costliest = costliest_step(mission, resolved_.actions, step);
    if (!(costliest > 0)) {
      throw input_error(errors::arrival_constraint_without_costs);
    }
    return costliest * (mission.last.value - mission.departure.value);
  }

  /// Returns prices between two limits, in equal ratios; `inside`: without the limits.
  std::vector<double> prices_between(double mild, double severe, bool inside) const {
    const Grid& grid = context_->environment().info().grid;
    const std::size_t mission_bytes = legs() * PolicyMemory::size(grid, resolved_.mission.last);
    const std::size_t count = std::clamp<std::size_t>(max_memory / mission_bytes, 3, max_prices);
    const double first = inside ? 1 : 0;
    const double intervals = static_cast<double>(count) + (inside ? 1 : -1);
    std::vector<double> prices;
    prices.reserve(count);
    for (std::size_t n = 0; n < count; ++n) {
      prices.push_back(mild *
                       std::pow(severe / mild, (static_cast<double>(n) + first) / intervals));
    }
    return prices;
  }

  /// Arrival probabilities (model estimates) of the plans that are optimal with each penalty.
  std::vector<double> arrivals_at(const std::vector<double>& prices) {
    std::vector<Mission> missions;
    missions.reserve(prices.size());
    for (const double price : prices) missions.push_back(resolved_at(price).mission);
    std::vector<PolicyMemory> policies;
    policies.reserve(prices.size());
    std::vector<GroupMember> members;
    const Grid& grid = context_->environment().info().grid;
    for (const Mission& mission : missions) {
      policies.emplace_back(grid, mission.last, std::vector<TimeLevel>{}, legs());
      members.push_back({&mission, &policies.back()});
    }
    const GroupReport report = context_->planner().solve_group(members, progress_);
    std::vector<EvaluationMember> solved;
    for (std::size_t n = 0; n < missions.size(); ++n) {
      if (report.failure[n]) std::rethrow_exception(report.failure[n]);
      solved.push_back({&missions[n], &policies[n]});
    }
    std::vector<double> arrivals;
    for (const MemberOutcome& outcome : context_->planner().evaluate_group(solved, progress_)) {
      if (outcome.failure) std::rethrow_exception(outcome.failure);
      arrivals.push_back(outcome.expected.arrival_probability);
    }
    return arrivals;
  }

  RunRequest request_;
  std::shared_ptr<PlanningContext> context_;
  ResolvedMission resolved_;
  Progress& progress_;
};

}  // namespace

RunRequest with_arrival_at_least(RunRequest request, double min,
                                 const std::shared_ptr<PlanningContext>& context,
                                 Progress& progress) {
  return ArrivalConstraint(std::move(request), context, progress).meet(min);
}

}  // namespace tidewise
