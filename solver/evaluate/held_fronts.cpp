#include "solver/evaluate/held_fronts.h"

#include <algorithm>
#include <set>

namespace tidewise {
namespace {

constexpr std::size_t most_landings = std::size_t{1} << 16;  // of cells, held at once

}  // namespace

HeldFronts::HeldFronts(const EnvironmentInfo& info, const PlanningProblem& problem,
                       const PolicySource& policy)
    : info_(info),
      problem_(problem),
      policy_(policy),
      action_(static_cast<std::size_t>(info.grid.cell_count())),
      undecided_(info, problem),
      sharing_(info.grid) {}

bool HeldFronts::under_way() const {
  return undecided_.under_way() ||
         std::any_of(fronts_.begin(), fronts_.end(),
                     [](const auto& front) { return front.second.mass.under_way(); });
}

HeldFronts::Front& HeldFronts::front_of(std::int16_t action) {
  const auto known = fronts_.find(action);
  if (known != fronts_.end()) return known->second;
  Front front{ForwardPropagation(info_, problem_), {}};
  front.policy.action.assign(action_.size(), action);
  return fronts_.emplace(action, std::move(front)).first->second;
}

/// Gives each cell's mass to its action's front.
void HeldFronts::decide(TimeLevel k) {
  read_policy(policy_, k, problem_.actions.size(), action_);
  if (!holds_at(problem_.mission, k)) {
    for (auto& [action, front] : fronts_) {
      front.mass.hand_over([](CellIndex) { return true; }, undecided_);
    }
  }
  const auto action_in = [&](CellIndex cell) {
    return action_[static_cast<std::size_t>(cell.value)];
  };
  std::set<std::int16_t> taken;
  for (const CellIndex cell : undecided_.cells()) taken.insert(action_in(cell));
  taken.erase(no_action);
  for (const std::int16_t action : taken) {
    undecided_.hand_over([&](CellIndex cell) { return action_in(cell) == action; },
                         front_of(action).mass);
  }
}

void HeldFronts::step(TimeLevel k, const LevelView& now, const LevelView& next,
                      std::int32_t threads, const CountLevel& count) {
  decide(k);
  std::vector<Follower> at_work;
  for (auto& [action, front] : fronts_) {
    const View<const CellIndex> cells = front.mass.cells();
    if (cells.empty()) continue;
    front.policy.cells.assign(cells.begin(), cells.end());
    at_work.push_back({&front.mass, &front.policy});
  }
  sharing_.step(k, now, next, at_work, most_landings, threads, count);
  undecided_.begin_step(k, now, next, action_);
  undecided_.land(0, undecided_.cells().size, nothing_, threads);
  undecided_.end_step();
}

ExpectedOutcome HeldFronts::close() const {
  ExpectationAccumulator sum = undecided_.ended();
  for (const auto& [action, front] : fronts_) sum += front.mass.ended();
  return sum.close();
}

}  // namespace tidewise
