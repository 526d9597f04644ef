#include "solver/evaluate/group_evaluation.h"

#include <algorithm>
#include <functional>
#include <map>

#include "env/levels/level_pair.h"
#include "model_builder/engines.h"
#include "solver/evaluate/forward_propagation.h"
#include "solver/evaluate/members.h"
#include "solver/evaluate/policy_sharing.h"

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
    for (const EvaluationMember& member : members_) {
      const auto [known, is_new] = place.try_emplace(member.policy, policies_.size());
      if (is_new) {
        policies_.push_back({member.policy, {}, {}});
        policies_.back().shared.action.resize(held_.size());
      }
      policies_[known->second].members.push_back(fronts_.size());
      fronts_.emplace_back(info_, PlanningProblem{actions, *member.mission, rule});
    }
  }

  /// What a member and a policy of its own hold at most [B].
  static std::size_t memory_of_member(const Grid& grid) {
    // Its action, whether it wants to be counted, and the place of its landings.
    constexpr std::size_t of_cell =
        sizeof(std::int16_t) + sizeof(CellIndex) + 2 * sizeof(std::int32_t);
    return ForwardPropagation::memory(grid) + static_cast<std::size_t>(grid.cell_count()) * of_cell;
  }

  /// `advanced`: called with the number of steps that are behind us.
  std::vector<MemberOutcome> run(const std::function<void(std::int32_t)>& advanced) {
    const LevelSpan span(members_);
    LevelPair levels(environment_, span.first, span.last);
    for (TimeLevel k = span.first;; ++k.value) {
      depart(k, levels.next().masked);
      if (k == span.last || over()) break;
      levels.advance();
      step(k, levels.now(), levels.next());
      advanced(k.value + 1 - span.first.value);
    }
    for (std::size_t m = 0; m < fronts_.size(); ++m) outcome_[m].expected = fronts_[m].close();
    return std::move(outcome_);
  }

 private:
  /// A policy and the members that follow it.
  struct Followed {
    const PolicySource* source;
    std::vector<std::size_t> members;
    SharedPolicy shared;
  };

  bool under_way(std::size_t member) const {
    return !outcome_[member].failure && fronts_[member].under_way();
  }
  bool over() const {
    for (std::size_t m = 0; m < fronts_.size(); ++m) {
      if (under_way(m)) return false;
    }
    return to_depart_ == 0;
  }

  void depart(TimeLevel k, View<const std::uint8_t> masked) {
    for (std::size_t m = 0; m < fronts_.size(); ++m) {
      if (members_[m].mission->departure != k) continue;
      fronts_[m].start(masked);
      --to_depart_;
    }
  }

  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    std::vector<Follower> at_work;
    for (Followed& policy : policies_) {
      std::vector<std::size_t> followers;
      for (const std::size_t m : policy.members) {
        if (under_way(m)) followers.push_back(m);
      }
      if (followers.empty() || !read(policy, k, followers)) continue;
      gather_cells(policy.shared, followers);
      for (const std::size_t m : followers) at_work.push_back({&fronts_[m], &policy.shared});
    }
    sharing_.step(k, now, next, at_work, limits_.landings, threads_, count_);
  }

  /// A policy that cannot be read fails those that follow it now: false.
  bool read(Followed& policy, TimeLevel k, const std::vector<std::size_t>& followers) {
    auto& action = policy.shared.action;
    try {
      read_policy(*policy.source, k, action_count_, action);
      return true;
    } catch (...) {
      for (const std::size_t m : followers) outcome_[m].failure = std::current_exception();
      return false;
    }
  }

  /// All that hold mass of some follower.
  void gather_cells(SharedPolicy& policy, const std::vector<std::size_t>& followers) {
    if (followers.size() == 1) {
      const View<const CellIndex> cells = fronts_[followers[0]].cells();
      policy.cells.assign(cells.begin(), cells.end());
      return;
    }
    for (const std::size_t m : followers) {
      for (const CellIndex cell : fronts_[m].cells()) {
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
  std::vector<ForwardPropagation> fronts_;  // (member)
  std::vector<MemberOutcome> outcome_;      // (member)
  std::vector<Followed> policies_;
  PolicySharing sharing_;
  std::vector<std::uint8_t> held_;  // (y, x), 0 between uses
  std::size_t to_depart_;           // members that are to start yet
};

/// How many members are evaluated at once, of any number.
std::size_t most_members(const Grid& grid, const EvaluationLimits& limits) {
  return std::max<std::size_t>(limits.memory / EvaluationSlice::memory_of_member(grid), 1);
}

}  // namespace

std::size_t evaluation_memory(const Grid& grid, std::size_t members,
                              const EvaluationLimits& limits) {
  return std::min(members, most_members(grid, limits)) * EvaluationSlice::memory_of_member(grid);
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
  const CountLevel count = [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                               CountSink& sink) {
    engine->count_level(level, weights, cells, sink);
  };
  return evaluate_slices(
      slice(members, most_members(info.grid, limits)), progress,
      [&](EvaluationMembers part, const std::function<void(std::int32_t)>& advanced) {
        return EvaluationSlice(environment, rule, actions, part, threads, limits, count)
            .run(advanced);
      });
}

}  // namespace tidewise
