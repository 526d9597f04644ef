#include "mdp/budget/solve_within_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/stopwatch.h"
#include "mdp/budget/reward_costs.h"
#include "mdp/process/first_values.h"
#include "mdp/solve/method_choice.h"
#include "mdp/solve/solve_process.h"

namespace tidewise::mdp {
namespace {

constexpr double most_bytes = 8.0 * (1u << 30);

/// A level: rows with the transitions that cost nothing, and one more state, an end worth 0, for
/// the rest of the probability, whose worth is in the row's reward.
template <class Real>
DecisionProcess<double> level_frame(const DecisionProcess<Real>& process,
                                    const RewardCosts& costs) {
  DecisionProcess<double> level;
  level.state_count = process.state_count + 1;
  level.action_count = process.action_count;
  auto& begin = level.row_begin.own();
  auto& successor = level.successor.own();
  auto& probability = level.probability.own();
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    double rest = 0;
    const auto end = process.row_begin[static_cast<std::size_t>(row) + 1];
    for (auto n = process.row_begin[static_cast<std::size_t>(row)]; n < end; ++n) {
      const auto at = static_cast<std::size_t>(n);
      const auto share = static_cast<double>(process.probability[at]);
      if (costs.cost[at] > 0) {
        rest += share;
        continue;
      }
      successor.push_back(process.successor[at]);
      probability.push_back(share);
    }
    if (rest > 0) {
      successor.push_back(process.state_count);
      probability.push_back(rest);
    }
    begin.push_back(static_cast<std::int64_t>(successor.size()));
  }
  const auto rows = static_cast<std::size_t>(level.row_count());
  begin.resize(rows + 1, begin.back());
  level.reward.own().assign(rows, 0);
  level.initial_value.assign(static_cast<std::size_t>(level.state_count), 0);
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (!process.is_terminal(state) || process.initial_value.empty()) continue;
    const auto s = static_cast<std::size_t>(state);
    level.initial_value[s] = static_cast<double>(process.initial_value[s]);
  }
  return level;
}

/// States behind all that they lead to within a level.
struct LevelOrder {
  std::vector<std::int32_t> states;  ///< empty: some go round
  std::int64_t depth = 1;            ///< of the longest way through them
};

LevelOrder order_within(const DecisionProcess<double>& level) {
  const std::int32_t states = level.state_count - 1;
  std::vector<std::int64_t> first(static_cast<std::size_t>(states) + 1, 0);
  const auto for_edges = [&](const auto& see) {
    for (std::int64_t row = 0; row < std::int64_t{states} * level.action_count; ++row) {
      const auto r = static_cast<std::size_t>(row);
      for (auto n = level.row_begin[r]; n < level.row_begin[r + 1]; ++n) {
        const std::int32_t to = level.successor[static_cast<std::size_t>(n)];
        if (to < states) see(static_cast<std::int32_t>(row / level.action_count), to);
      }
    }
  };
  std::vector<std::int64_t> left(static_cast<std::size_t>(states), 0);  // that it leads to
  for_edges([&](std::int32_t from, std::int32_t to) {
    ++first[static_cast<std::size_t>(to) + 1];
    ++left[static_cast<std::size_t>(from)];
  });
  for (std::size_t s = 0; s < left.size(); ++s) first[s + 1] += first[s];
  std::vector<std::int32_t> from_states(static_cast<std::size_t>(first.back()));
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  for_edges([&](std::int32_t from, std::int32_t to) {
    from_states[static_cast<std::size_t>(next[static_cast<std::size_t>(to)]++)] = from;
  });
  LevelOrder found;
  std::vector<std::int32_t>& order = found.states;
  std::vector<std::int64_t> depth(left.size(), 1);
  order.reserve(left.size());
  for (std::int32_t s = 0; s < states; ++s) {
    if (left[static_cast<std::size_t>(s)] == 0) order.push_back(s);
  }
  for (std::size_t n = 0; n < order.size(); ++n) {
    const auto s = static_cast<std::size_t>(order[n]);
    for (auto k = first[s]; k < first[s + 1]; ++k) {
      const auto from = static_cast<std::size_t>(from_states[static_cast<std::size_t>(k)]);
      depth[from] = std::max(depth[from], depth[s] + 1);
      found.depth = std::max(found.depth, depth[from]);
      if (--left[from] == 0) order.push_back(static_cast<std::int32_t>(from));
    }
  }
  if (order.size() < left.size()) order.clear();
  return found;
}

template <class Real>
class BudgetLevels {
 public:
  BudgetLevels(const DecisionProcess<Real>& process, double budget, Direction direction)
      : process_(process), costs_(find_reward_costs(process, budget, direction)) {
    const double bytes = 8.0 * (costs_.greatest + 1) * process.state_count;
    if (bytes > most_bytes) {
      throw InputError(fmt::format(
          "the largest reward is {} units of {}, so that values of as many levels of the budget "
          "take {:.1f} GB, and {:.1f} is the most; round the rewards",
          costs_.greatest, costs_.unit, bytes * 1e-9, most_bytes * 1e-9));
    }
    level_ = level_frame(process, costs_);
    order_ = order_within(level_);
    known_.assign(static_cast<std::size_t>(costs_.greatest) + 1, {});
    for (std::int64_t row = 0; row < process.row_count(); ++row) {
      const auto r = static_cast<std::size_t>(row);
      longest_row_ = std::max(longest_row_, process.row_begin[r + 1] - process.row_begin[r]);
    }
  }

  BudgetSolution<Real> solve(SolveOptions options, Progress& progress) {
    const Stopwatch whole;
    const double tolerance = options.tolerance;
    BudgetSolution<Real> found;
    ProcessSolution<double> last;
    found.unit = costs_.unit;
    found.levels = costs_.budget + 1;
    options.tolerance =
        std::max(options.tolerance / (2.0 * static_cast<double>(found.levels)), 1e-14);
    options.backend = BackendChoice::cpu;
    options.endings = Endings::free;
    options.error_measure = ErrorMeasure::absolute;
    options.history = nullptr;
    if (order_.states.empty() && options.method == Method::automatic) {
      choose_method(level_, options).settle(options);
    }
    found.method = order_.states.empty() ? options.method : Method::backward;
    ProcessSolution<Real>& solution = found.solution;
    solution.method = found.method;
    bool all_answered = true;
    SilentProgress silent;
    double error = 0;
    progress.begin("spending the budget", found.levels, "levels");
    for (std::int64_t left = 0; left <= costs_.budget; ++left) {
      take_known_levels(left);
      last = order_.states.empty() ? solve_process(level_, options, silent) : pass_through();
      all_answered = all_answered && is_answer(last.outcome);
      solution.sweeps += last.sweeps;
      solution.residual = std::max(solution.residual, last.residual);
      error += last.bounds.error();
      level_.initial_value = last.value;  // less than the next level's, and near to it
      known_[static_cast<std::size_t>(left % (costs_.greatest + 1))] = last.value;
      progress.advance_to(left + 1);
    }
    progress.end();
    const auto states = static_cast<std::ptrdiff_t>(process_.state_count);
    solution.value.assign(last.value.begin(), last.value.begin() + states);
    solution.action.assign(last.action.begin(), last.action.begin() + states);
    if (sizeof(Real) < sizeof(double)) error += std::numeric_limits<float>::epsilon();
    solution.bounds = {-error, error};
    solution.outcome = !all_answered        ? Outcome::gave_up
                       : error <= tolerance ? Outcome::within_tolerance
                                            : Outcome::limited_by_rounding;
    solution.converged = solution.outcome == Outcome::within_tolerance;
    solution.rounding = error;
    solution.sweep_seconds = solution.seconds = whole.seconds();
    return found;
  }

 private:
  /// Rewards of the level with `left` units: what its transitions that cost something come to.
  void take_known_levels(std::int64_t left) {
    auto& reward = level_.reward.own();
    for (std::int64_t row = 0; row < process_.row_count(); ++row) {
      const auto r = static_cast<std::size_t>(row);
      double worth = 0;
      for (auto n = process_.row_begin[r]; n < process_.row_begin[r + 1]; ++n) {
        const auto at = static_cast<std::size_t>(n);
        const std::int32_t cost = costs_.cost[at];
        if (cost == 0 || cost > left) continue;
        const auto& later = known_[static_cast<std::size_t>((left - cost) % (costs_.greatest + 1))];
        worth += static_cast<double>(process_.probability[at]) *
                 later[static_cast<std::size_t>(process_.successor[at])];
      }
      reward[r] = worth;
    }
  }

  /// One backup of each state, behind those that it leads to.
  ProcessSolution<double> pass_through() const {
    ProcessSolution<double> found;
    found.value = level_.initial_value;
    found.action.assign(found.value.size(), -1);
    for (const std::int32_t state : order_.states) {
      if (level_.is_terminal(state)) continue;
      double best = -std::numeric_limits<double>::infinity();
      for (std::int32_t action = 0; action < level_.action_count; ++action) {
        const std::int64_t row = level_.row(state, action);
        if (!level_.is_allowed(row)) continue;
        const auto r = static_cast<std::size_t>(row);
        double worth = level_.reward[r];
        for (auto n = level_.row_begin[r]; n < level_.row_begin[r + 1]; ++n) {
          const auto at = static_cast<std::size_t>(n);
          worth +=
              level_.probability[at] * found.value[static_cast<std::size_t>(level_.successor[at])];
        }
        if (worth > best) {
          best = worth;
          found.action[static_cast<std::size_t>(state)] = action;
        }
      }
      found.value[static_cast<std::size_t>(state)] = best;
    }
    // A sum of so many numbers up to 1, of sums like it.
    const double error = static_cast<double>(longest_row_ + 2) * static_cast<double>(order_.depth) *
                         std::numeric_limits<double>::epsilon();
    found.bounds = {-error, error};
    found.outcome = Outcome::within_tolerance;
    found.converged = true;
    found.sweeps = 1;
    return found;
  }

  const DecisionProcess<Real>& process_;
  RewardCosts costs_;
  DecisionProcess<double> level_;
  LevelOrder order_;
  std::vector<std::vector<double>> known_;  // by what is left, modulo the greatest cost + 1
  std::int64_t longest_row_ = 0;
};

}  // namespace

template <class Real>
BudgetSolution<Real> solve_within_budget(const DecisionProcess<Real>& process, double budget,
                                         Direction direction, const SolveOptions& options,
                                         Progress& progress) {
  return BudgetLevels<Real>(process, budget, direction).solve(options, progress);
}

template BudgetSolution<float> solve_within_budget(const DecisionProcess<float>&, double, Direction,
                                                   const SolveOptions&, Progress&);
template BudgetSolution<double> solve_within_budget(const DecisionProcess<double>&, double,
                                                    Direction, const SolveOptions&, Progress&);

}  // namespace tidewise::mdp
