#include "solver/evaluate/group_evaluation.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "env/levels/level_pair.h"
#include "solver/evaluate/forward_propagation.h"
#include "solver/evaluate/members.h"
#include "solver/evaluate/policy_sharing.h"
#include "solver/legs/legs.h"
#include "solver/pass/forward.h"
#include "solver/policy/rows.h"

namespace tidewise {
namespace {

// Members that are evaluated together. Their probability mass is divided into fronts, each of one
// leg and one held action; no_action is the front of mass that takes the policy's action at each
// level. At a decision all mass of a leg goes to that front and from there to the fronts of the
// policy's actions.
//
// Order of all sums: mass of several fronts in a cell is added front by front, in ascending order
// of their actions, no_action first. Each front's step is one sum over its cells (sum_over_cells).
// A member's outcome is the sum over its legs in ascending order and over the fronts of each in
// that order.
class EvaluationSlice {
 public:
  EvaluationSlice(const EnvironmentReader& environment, const PositionRule& rule,
                  const std::vector<Action>& actions, EvaluationMembers members,
                  std::int32_t threads, const EvaluationLimits& limits, const CountLevel& count)
      : environment_(environment),
        info_(environment.info()),
        actions_(actions),
        rule_(rule),
        members_(members),
        threads_(threads),
        limits_(limits),
        count_(count),
        outcome_(members.size),
        sharing_(info_.grid),
        has_mass_(static_cast<std::size_t>(info_.grid.cell_count())),
        to_depart_(members.size) {
    std::map<const PolicySource*, std::size_t> place;
    for (std::size_t m = 0; m < members_.size; ++m) {
      first_leg_.push_back(legs_.size());
      for (std::size_t leg = 0; leg < leg_count(members_[m]); ++leg) {
        const PolicySource* policy = &members_[m].policy->leg(leg);
        const auto [entry, is_new] = place.try_emplace(policy, policies_.size());
        if (is_new) {
          policies_.push_back({policy, {}, {}});
          policies_.back().shared.action.resize(has_mass_.size());
        }
        policies_[entry->second].legs.push_back(legs_.size());
        legs_.push_back({m, leg_mission(*members_[m].mission, leg), {}});
      }
    }
    for (Leg& leg : legs_) front(leg, no_action);
  }

  // Maximum memory of a front with its own policy [B].
  static std::size_t memory_of_front(const Grid& grid) {
    // Target, action, mark of cells to count, and index of landings of a cell.
    constexpr std::size_t bytes_per_cell =
        sizeof(std::uint8_t) + sizeof(std::int16_t) + sizeof(CellIndex) + 2 * sizeof(std::int32_t);
    return ForwardPropagation::memory(grid) +
           static_cast<std::size_t>(grid.cell_count()) * bytes_per_cell;
  }

  // `advanced`: called with the number of completed steps.
  std::vector<MemberOutcome> run(const std::function<void(std::int32_t)>& advanced) {
    const LevelSpan span(members_);
    LevelPair levels(environment_, span.first, span.last);
    walk_forward(levels, span.first, span.last, *this, advanced);
    for (std::size_t m = 0; m < members_.size; ++m) {
      ExpectationAccumulator sum;
      for (std::size_t leg = 0; leg < leg_count(members_[m]); ++leg) {
        for (const auto& [action, mass] : legs_[first_leg_[m] + leg].fronts) sum += mass.ended();
      }
      outcome_[m].expected = sum.close();
    }
    return std::move(outcome_);
  }

  // walk_forward() calls the following functions.
  void arrive(TimeLevel k, const LevelView& level) {
    for (std::size_t m = 0; m < members_.size; ++m) {
      const Mission& mission = *members_[m].mission;
      if (mission.departure != k) continue;
      legs_[first_leg_[m]].fronts.at(no_action).start(level.masked);
      if (k < mission.last) pass_via_points(m);
      --to_depart_;
    }
  }
  bool goes_on(TimeLevel) const {
    return to_depart_ > 0 ||
           std::any_of(legs_.begin(), legs_.end(), [&](const Leg& leg) { return under_way(leg); });
  }
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    std::vector<Follower> active_followers;
    const PolicySource* followed = nullptr;
    for (Followed& policy : policies_) {
      if (follow(policy, k, active_followers)) followed = policy.source;
    }
    const bool has_one_policy = !active_followers.empty() &&
                                active_followers.front().policy == active_followers.back().policy;
    hold(active_followers);
    const bool has_rows = has_one_policy &&
                          active_followers.front().policy == active_followers.back().policy &&
                          followed->rows() != nullptr;
    const CountLevel count_with_rows = [&](TimeLevel, const LevelView& level,
                                           View<const CellIndex> cells, CountSink& sink) {
      const std::vector<CellIndex> cells_without_rows =
          followed->rows()->give(k, cells, active_followers.front().policy->action, threads_, sink);
      if (!cells_without_rows.empty()) count_(k, level, cells_without_rows, sink);
    };
    sharing_.step(k, now, next, active_followers, limits_.landings, threads_,
                  has_rows ? count_with_rows : count_);
    for (std::size_t m = 0; m < members_.size; ++m) pass_via_points(m);
  }

 private:
  using Fronts = std::map<std::int16_t, ForwardPropagation>;  // (held action, or no_action)
  struct Leg {
    std::size_t member;
    Mission mission;
    Fronts fronts;  // fronts that ever had mass, and always that of no_action
  };
  // A policy and the legs that follow it.
  struct Followed {
    const PolicySource* source;
    std::vector<std::size_t> legs;
    SharedPolicy shared;
  };

  ForwardPropagation& front(Leg& leg, std::int16_t action) {
    return leg.fronts.try_emplace(action, info_, PlanningProblem{actions_, leg.mission, rule_})
        .first->second;
  }
  bool under_way(const Leg& leg) const {
    return !outcome_[leg.member].failure &&
           std::any_of(leg.fronts.begin(), leg.fronts.end(),
                       [](const auto& front) { return front.second.under_way(); });
  }

  // Moves mass in the cells where its leg ends to the next leg; the mass keeps its held action.
  void pass_via_points(std::size_t m) {
    const std::vector<ViaPlace>& via = members_[m].mission->via;
    for (std::size_t n = 0; n < via.size(); ++n) {
      Leg& leg = legs_[first_leg_[m] + n];
      Leg& next = legs_[first_leg_[m] + n + 1];
      const auto is_passed = [&](CellIndex cell) { return is_in(via[n], cell); };
      for (auto& [action, mass] : leg.fronts) {
        const View<const CellIndex> cells = mass.cells();
        if (std::none_of(cells.begin(), cells.end(), is_passed)) continue;
        mass.move_mass(is_passed, front(next, action));
      }
    }
  }

  // Adds the fronts that take a policy's action at level k. Returns true if there are any.
  bool follow(Followed& policy, TimeLevel k, std::vector<Follower>& active_followers) {
    std::vector<std::size_t> followers;
    for (const std::size_t n : policy.legs) {
      if (outcome_[legs_[n].member].failure) continue;
      if (!holds_at(legs_[n].mission, k)) release(legs_[n]);
      if (legs_[n].fronts.at(no_action).under_way()) followers.push_back(n);
    }
    if (followers.empty() || !read(policy, k, followers)) return false;
    std::vector<ForwardPropagation*> masses;
    for (const std::size_t n : followers) {
      if (legs_[n].mission.decisions.hold()) assign(legs_[n], policy.shared.action);
      ForwardPropagation& mass = legs_[n].fronts.at(no_action);
      if (mass.under_way()) masses.push_back(&mass);
    }
    add(policy.shared, masses, active_followers);
    return !masses.empty();
  }
  // Adds the fronts with a held action.
  void hold(std::vector<Follower>& active_followers) {
    std::map<std::int16_t, std::vector<ForwardPropagation*>> masses;
    for (Leg& leg : legs_) {
      if (outcome_[leg.member].failure) continue;
      for (auto& [action, mass] : leg.fronts) {
        if (action != no_action && mass.under_way()) masses[action].push_back(&mass);
      }
    }
    for (const auto& [action, action_masses] : masses) {
      SharedPolicy& policy = held_[action];
      policy.action.resize(has_mass_.size(), action);
      add(policy, action_masses, active_followers);
    }
  }

  void release(Leg& leg) {
    ForwardPropagation& undecided = leg.fronts.at(no_action);
    for (auto& [action, mass] : leg.fronts) {
      if (action != no_action) mass.move_mass([](CellIndex) { return true; }, undecided);
    }
  }
  // Mass in cells without an action stays in the front of no_action.
  void assign(Leg& leg, View<const std::int16_t> policy) {
    const auto action_in = [&](CellIndex cell) {
      return policy[static_cast<std::size_t>(cell.value)];
    };
    ForwardPropagation& undecided = leg.fronts.at(no_action);
    std::set<std::int16_t> chosen_actions;
    for (const CellIndex cell : undecided.cells()) chosen_actions.insert(action_in(cell));
    chosen_actions.erase(no_action);
    for (const std::int16_t action : chosen_actions) {
      undecided.move_mass([&](CellIndex cell) { return action_in(cell) == action; },
                          front(leg, action));
    }
  }

  // Returns false if the policy cannot be read; the members that follow it fail.
  bool read(Followed& policy, TimeLevel k, const std::vector<std::size_t>& followers) {
    auto& action = policy.shared.action;
    try {
      read_policy(*policy.source, k, actions_.size(), action);
      return true;
    } catch (...) {
      for (const std::size_t leg : followers) {
        outcome_[legs_[leg].member].failure = std::current_exception();
      }
      return false;
    }
  }

  // Adds masses that follow one policy, and adds their cells to the policy.
  void add(SharedPolicy& policy, const std::vector<ForwardPropagation*>& masses,
           std::vector<Follower>& active_followers) {
    gather_cells(policy, masses);
    for (ForwardPropagation* mass : masses) active_followers.push_back({mass, &policy});
  }
  void gather_cells(SharedPolicy& policy, const std::vector<ForwardPropagation*>& masses) {
    if (masses.size() == 1) {
      const View<const CellIndex> cells = masses[0]->cells();
      policy.cells.assign(cells.begin(), cells.end());
      return;
    }
    for (const ForwardPropagation* mass : masses) {
      for (const CellIndex cell : mass->cells()) {
        has_mass_[static_cast<std::size_t>(cell.value)] = 1;
      }
    }
    policy.cells.clear();
    for (std::size_t cell = 0; cell < has_mass_.size(); ++cell) {
      if (has_mass_[cell] != 0) policy.cells.emplace_back(static_cast<std::int32_t>(cell));
      has_mass_[cell] = 0;
    }
  }

  const EnvironmentReader& environment_;
  const EnvironmentInfo& info_;
  const std::vector<Action>& actions_;
  const PositionRule& rule_;
  EvaluationMembers members_;
  std::int32_t threads_;
  EvaluationLimits limits_;
  const CountLevel& count_;
  std::deque<Leg> legs_;                // member after member
  std::vector<std::size_t> first_leg_;  // (member)
  std::vector<MemberOutcome> outcome_;  // (member)
  std::vector<Followed> policies_;
  // (held action): policy with that action in every cell
  std::map<std::int16_t, SharedPolicy> held_;
  PolicySharing sharing_;
  std::vector<std::uint8_t> has_mass_;  // (y, x), 0 between uses
  std::size_t to_depart_;               // number of members that have not departed
};

// Number of fronts that are evaluated at once.
std::size_t max_fronts(const Grid& grid, const EvaluationLimits& limits) {
  return std::max<std::size_t>(limits.memory / EvaluationSlice::memory_of_front(grid), 1);
}

}  // namespace

std::size_t evaluation_memory(const Grid& grid, std::size_t fronts,
                              const EvaluationLimits& limits) {
  return std::min(fronts, max_fronts(grid, limits)) * EvaluationSlice::memory_of_front(grid);
}

std::vector<MemberOutcome> evaluate_policies(const EnvironmentReader& environment,
                                             const PositionRule& rule,
                                             const std::vector<Action>& actions,
                                             const std::vector<EvaluationMember>& members,
                                             std::int32_t threads, Progress& progress,
                                             const EvaluationLimits& limits,
                                             const CountLevel& count) {
  const EnvironmentInfo& info = environment.info();
  const CountLevel counts =
      count ? count : count_by_engine(Engine::lattice, info, rule, actions, threads);
  return evaluate_slices(
      slice(members, max_fronts(info.grid, limits), actions.size()), progress,
      [&](EvaluationMembers part, const std::function<void(std::int32_t)>& advanced) {
        return EvaluationSlice(environment, rule, actions, part, threads, limits, counts)
            .run(advanced);
      });
}

}  // namespace tidewise
