#include "solver/evaluate/group_evaluation.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

#include "env/levels/level_pair.h"
#include "model_builder/engines.h"
#include "solver/evaluate/forward_propagation.h"
#include "solver/evaluate/members.h"
#include "solver/evaluate/policy_sharing.h"
#include "solver/legs/legs.h"
#include "solver/pass/forward.h"
#include "solver/policy/rows.h"

namespace tidewise {
namespace {

/// Members that fit in memory together, on their way through the levels.
class EvaluationSlice {
 public:
  EvaluationSlice(const EnvironmentReader& environment, const PositionRule& rule,
                  const std::vector<Action>& actions, EvaluationMembers members,
                  std::int32_t threads, const EvaluationLimits& limits, const CountLevel& count)
      : environment_(environment),
        info_(environment.info()),
        action_count_(actions.size()),
        members_(members),
        threads_(threads),
        limits_(limits),
        count_(count),
        outcome_(members.size),
        sharing_(info_.grid),
        held_(static_cast<std::size_t>(info_.grid.cell_count())),
        to_depart_(members.size) {
    std::map<const PolicySource*, std::size_t> place;
    for (std::size_t m = 0; m < members_.size; ++m) {
      first_leg_.push_back(legs_.size());
      for (std::size_t leg = 0; leg < leg_count(members_[m]); ++leg) {
        const PolicySource* policy = &members_[m].policy->leg(leg);
        const auto [known, is_new] = place.try_emplace(policy, policies_.size());
        if (is_new) {
          policies_.push_back({policy, {}, {}});
          policies_.back().shared.action.resize(held_.size());
        }
        policies_[known->second].legs.push_back(legs_.size());
        const Mission& mission = missions_.emplace_back(leg_mission(*members_[m].mission, leg));
        legs_.push_back({m, ForwardPropagation(info_, {actions, mission, rule})});
      }
    }
  }

  /// What a leg and a policy of its own hold at most [B].
  static std::size_t memory_of_leg(const Grid& grid) {
    // Its target and action, whether it wants to be counted, and the place of its landings.
    constexpr std::size_t of_cell =
        sizeof(std::uint8_t) + sizeof(std::int16_t) + sizeof(CellIndex) + 2 * sizeof(std::int32_t);
    return ForwardPropagation::memory(grid) + static_cast<std::size_t>(grid.cell_count()) * of_cell;
  }

  /// `advanced`: called with the number of steps that are behind us.
  std::vector<MemberOutcome> run(const std::function<void(std::int32_t)>& advanced) {
    const LevelSpan span(members_);
    LevelPair levels(environment_, span.first, span.last);
    walk_forward(levels, span.first, span.last, *this, advanced);
    for (std::size_t m = 0; m < members_.size; ++m) {
      ExpectationAccumulator sum = legs_[first_leg_[m]].front.ended();
      for (std::size_t leg = 1; leg < leg_count(members_[m]); ++leg) {
        sum += legs_[first_leg_[m] + leg].front.ended();
      }
      outcome_[m].expected = sum.close();
    }
    return std::move(outcome_);
  }

  // The walk over levels (walk_forward).
  void arrive(TimeLevel k, const LevelView& level) {
    for (std::size_t m = 0; m < members_.size; ++m) {
      const Mission& mission = *members_[m].mission;
      if (mission.departure != k) continue;
      legs_[first_leg_[m]].front.start(level.masked);
      if (k < mission.last) pass_places(m);
      --to_depart_;
    }
  }
  bool goes_on(TimeLevel) const {
    return to_depart_ > 0 ||
           std::any_of(legs_.begin(), legs_.end(), [&](const Leg& leg) { return under_way(leg); });
  }
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    std::vector<Follower> at_work;
    std::size_t policies = 0;
    const Followed* followed = nullptr;
    for (Followed& policy : policies_) {
      std::vector<std::size_t> followers;
      for (const std::size_t leg : policy.legs) {
        if (under_way(legs_[leg])) followers.push_back(leg);
      }
      if (followers.empty() || !read(policy, k, followers)) continue;
      gather_cells(policy.shared, followers);
      followed = &policy;
      ++policies;
      for (const std::size_t leg : followers)
        at_work.push_back({&legs_[leg].front, &policy.shared});
    }
    const CountLevel kept_rows = [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                                     CountSink& sink) {
      const std::vector<CellIndex> others =
          followed->source->rows()->give(k, cells, followed->shared.action, threads_, sink);
      if (!others.empty()) count_(k, level, others, sink);
    };
    sharing_.step(k, now, next, at_work, limits_.landings, threads_,
                  policies == 1 && followed->source->rows() != nullptr ? kept_rows : count_);
    for (std::size_t m = 0; m < members_.size; ++m) pass_places(m);
  }

 private:
  /// The probability mass of a member on one of its legs.
  struct Leg {
    std::size_t member;
    ForwardPropagation front;
  };
  /// A policy and the legs that follow it.
  struct Followed {
    const PolicySource* source;
    std::vector<std::size_t> legs;
    SharedPolicy shared;
  };

  bool under_way(const Leg& leg) const {
    return !outcome_[leg.member].failure && leg.front.under_way();
  }
  /// What has come to the place where its leg ends goes over to the next one.
  void pass_places(std::size_t m) {
    const std::vector<ViaPlace>& via = members_[m].mission->via;
    for (std::size_t n = 0; n < via.size(); ++n) {
      Leg* leg = &legs_[first_leg_[m] + n];
      leg[0].front.hand_over([&](CellIndex cell) { return is_in(via[n], cell); }, leg[1].front);
    }
  }

  /// A policy that cannot be read fails those that follow it now: false.
  bool read(Followed& policy, TimeLevel k, const std::vector<std::size_t>& followers) {
    auto& action = policy.shared.action;
    try {
      read_policy(*policy.source, k, action_count_, action);
      return true;
    } catch (...) {
      for (const std::size_t leg : followers) {
        outcome_[legs_[leg].member].failure = std::current_exception();
      }
      return false;
    }
  }

  /// All that hold mass of some follower.
  void gather_cells(SharedPolicy& policy, const std::vector<std::size_t>& followers) {
    if (followers.size() == 1) {
      const View<const CellIndex> cells = legs_[followers[0]].front.cells();
      policy.cells.assign(cells.begin(), cells.end());
      return;
    }
    for (const std::size_t leg : followers) {
      for (const CellIndex cell : legs_[leg].front.cells()) {
        held_[static_cast<std::size_t>(cell.value)] = 1;
      }
    }
    policy.cells.clear();
    for (std::size_t cell = 0; cell < held_.size(); ++cell) {
      if (held_[cell] != 0) policy.cells.emplace_back(static_cast<std::int32_t>(cell));
      held_[cell] = 0;
    }
  }

  const EnvironmentReader& environment_;
  const EnvironmentInfo& info_;
  std::size_t action_count_;
  EvaluationMembers members_;
  std::int32_t threads_;
  EvaluationLimits limits_;
  const CountLevel& count_;
  std::deque<Mission> missions_;        // (leg), those of one member after the other
  std::vector<Leg> legs_;               // the same
  std::vector<std::size_t> first_leg_;  // (member)
  std::vector<MemberOutcome> outcome_;  // (member)
  std::vector<Followed> policies_;
  PolicySharing sharing_;
  std::vector<std::uint8_t> held_;  // (y, x), 0 between uses
  std::size_t to_depart_;           // members that are to start yet
};

/// How many legs are evaluated at once, of any number.
std::size_t most_legs(const Grid& grid, const EvaluationLimits& limits) {
  return std::max<std::size_t>(limits.memory / EvaluationSlice::memory_of_leg(grid), 1);
}

}  // namespace

std::size_t evaluation_memory(const Grid& grid, std::size_t legs, const EvaluationLimits& limits) {
  return std::min(legs, most_legs(grid, limits)) * EvaluationSlice::memory_of_leg(grid);
}

std::vector<MemberOutcome> evaluate_policies(const EnvironmentReader& environment,
                                             const PositionRule& rule,
                                             const std::vector<Action>& actions,
                                             const std::vector<EvaluationMember>& members,
                                             std::int32_t threads, Progress& progress,
                                             const EvaluationLimits& limits) {
  const EnvironmentInfo& info = environment.info();
  const auto engine =
      make_cpu_engine(Engine::lattice, rule, info.grid, info.time, actions, threads);
  const auto weights = counting_weights(info, rule);
  return evaluate_policies(
      environment, rule, actions, members, threads, progress, limits,
      [&](TimeLevel, const LevelView& level, View<const CellIndex> cells, CountSink& sink) {
        engine->count_level(level, weights, cells, sink);
      });
}

std::vector<MemberOutcome> evaluate_policies(const EnvironmentReader& environment,
                                             const PositionRule& rule,
                                             const std::vector<Action>& actions,
                                             const std::vector<EvaluationMember>& members,
                                             std::int32_t threads, Progress& progress,
                                             const EvaluationLimits& limits,
                                             const CountLevel& count) {
  return evaluate_slices(
      slice(members, most_legs(environment.info().grid, limits), actions.size()), progress,
      [&](EvaluationMembers part, const std::function<void(std::int32_t)>& advanced) {
        return EvaluationSlice(environment, rule, actions, part, threads, limits, count)
            .run(advanced);
      });
}

}  // namespace tidewise
