#include "mdp/long_run/average_reward.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/stopwatch.h"
#include "mdp/average/loop_policies.h"
#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/proper_policy.h"
#include "mdp/interval/reward_rows.h"
#include "mdp/solve/method_choice.h"
#include "mdp/solve/solve_process.h"

namespace tidewise::mdp {
namespace {

/// What is known of a loop's best average.
struct Average {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  double middle() const { return lower + 0.5 * (upper - lower); }
  /// Of middle(), at most.
  double error() const {
    return std::nextafter(std::max(upper - middle(), middle() - lower),
                          std::numeric_limits<double>::infinity());
  }
};

template <class Real>
class AverageSolver {
 public:
  AverageSolver(const DecisionProcess<Real>& process, const SolveOptions& options,
                Progress& progress)
      : process_(process),
        options_(options),
        progress_(progress),
        rows_(process, nullptr),
        loops_(find_loops(rows_)),
        action_(static_cast<std::size_t>(process.state_count), -1),
        bias_(action_.size(), 0),
        next_(action_.size(), 0) {}

  AverageSolution<Real> solve() {
    const Stopwatch whole;
    AverageSolution<Real> found;
    found.loops = static_cast<std::int64_t>(loops_.states.size());
    ProcessSolution<Real>& solution = found.solution;
    solution.is_average = true;
    bool all_near = true;
    double error = 0;
    std::vector<Average> averages;
    progress_.begin("averaging over loops", found.loops, "loops");
    for (std::size_t n = 0; n < loops_.states.size(); ++n) {
      averages.push_back(find_average(n, solution.sweeps));
      all_near = all_near && is_near(averages.back());
      error = std::max(error, averages.back().error());
      progress_.advance_to(static_cast<std::int64_t>(n) + 1);
    }
    progress_.end();
    find_best_end(averages);
    find_sure_ways(with_ends(averages, Ends::best_alone));
    const DecisionProcess<double> ends = with_ends(averages, Ends::all);
    SolveOptions way = options_;
    way.tolerance = options_.tolerance / 2;
    way.endings = Endings::sure;
    way.backend = BackendChoice::cpu;
    way.history = nullptr;
    if (way.method == Method::automatic) {
      choose_method(ends, way).settle(way);
    }
    const ProcessSolution<double> chosen = solve_process(ends, way, progress_);
    take(chosen, averages, error, solution);
    const bool is_answered = is_answer(chosen.outcome) && all_near;
    solution.outcome = !is_answered            ? Outcome::gave_up
                       : is_as_asked(solution) ? Outcome::within_tolerance
                                               : Outcome::limited_by_rounding;
    solution.converged = solution.outcome == Outcome::within_tolerance;
    solution.is_as_near_as_asked = solution.converged;
    solution.seconds = solution.sweep_seconds = whole.seconds();
    return found;
  }

 private:
  /// What may be left of the tolerance, or what rounding leaves.
  bool is_near(const Average& average) const {
    constexpr double share = 0.25;
    const bool is_relative = options_.error_measure == ErrorMeasure::relative;
    const double scale = is_relative ? std::abs(average.middle()) : 1;
    return average.error() <= share * options_.tolerance * scale;
  }

  Average find_average(std::size_t loop, std::int64_t& sweeps) {
    if (!strong_) {
      strong_.emplace(process_);
      nothing_.assign(bias_.size(), 0);
      scratch_.assign(bias_.size(), -1);
    }
    const std::vector<std::int32_t>& states = loops_.states[loop];
    LoopPolicies<Real> policies(rows_, states, loops_.inside, scratch_, *strong_);
    const bool is_found = policies.find_best(action_, nothing_, bias_, [] { return false; });
    if (!is_found) {
      for (const std::int32_t state : states) bias_[static_cast<std::size_t>(state)] = 0;
    }
    Average best;
    double least_gap = std::numeric_limits<double>::infinity();
    std::int64_t since = 0;
    for (std::int64_t sweep = 0; sweep < options_.most_sweeps; ++sweep) {
      ++sweeps;
      const Average now = improve(states);
      // Each bias bounds the same number.
      best.lower = std::max(best.lower, now.lower);
      best.upper = std::min(best.upper, now.upper);
      if (is_near(best)) break;
      // Rounding keeps them apart once the bias has come to rest.
      const double gap = now.upper - now.lower;
      since = gap < least_gap ? 0 : since + 1;
      least_gap = std::min(least_gap, gap);
      if (since > patience) break;
    }
    return best;
  }

  /// Bounds by T h − h, greedy actions, and half a step of relative value iteration: whole ones go
  /// round for ever where a loop has a period.
  Average improve(const std::vector<std::int32_t>& states) {
    Average found{std::numeric_limits<double>::infinity(),
                  -std::numeric_limits<double>::infinity()};
    for (const std::int32_t state : states) {
      double best = -std::numeric_limits<double>::infinity();
      double below = best;
      for (std::int32_t action = 0; action < process_.action_count; ++action) {
        const std::int64_t row = process_.row(state, action);
        if (loops_.inside[static_cast<std::size_t>(row)] == 0) continue;
        const RowSum sum = rows_.sum(state, row, bias_, rows_.reward(row));
        found.upper = std::max(found.upper, sum.change_above());
        if (!(sum.change() > best)) continue;
        best = sum.change();
        below = sum.change_below();
        action_[static_cast<std::size_t>(state)] = action;
      }
      found.lower = std::min(found.lower, below);
      next_[static_cast<std::size_t>(state)] = bias_[static_cast<std::size_t>(state)] + 0.5 * best;
    }
    const double first = next_[static_cast<std::size_t>(states.front())];
    for (const std::int32_t state : states) {
      bias_[static_cast<std::size_t>(state)] = next_[static_cast<std::size_t>(state)] - first;
    }
    return found;
  }

  /// What the best loop or end is worth, and the number of its state in with_ends().
  void find_best_end(const std::vector<Average>& averages) {
    for (std::size_t n = 0; n < averages.size(); ++n) {
      if (best_end_ >= 0 && averages[n].middle() <= best_) continue;
      best_ = averages[n].middle();
      best_end_ = process_.state_count + static_cast<std::int32_t>(n);
    }
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      if (!process_.is_terminal(state) || (best_end_ >= 0 && best_ >= 0)) continue;
      best_ = 0;
      best_end_ = state;
    }
  }

  enum class Ends { all, best_alone };

  /// The process without rewards, and an end for each loop that its first state may go to, worth
  /// its average. best_alone: those that are worth less go round for a price. Else states with a
  /// sure way go to the best end at once: among rows that are all alike nobody need choose.
  DecisionProcess<double> with_ends(const std::vector<Average>& averages, Ends which) const {
    DecisionProcess<double> ends;
    const auto loops = static_cast<std::int32_t>(averages.size());
    ends.state_count = process_.state_count + loops;
    ends.action_count = process_.action_count + 1;
    ends.initial_state = process_.initial_state;
    std::vector<std::int32_t> loop_of(action_.size(), -1);
    for (std::int32_t n = 0; n < loops; ++n) {
      loop_of[static_cast<std::size_t>(loops_.states[static_cast<std::size_t>(n)].front())] = n;
    }
    const auto rows = static_cast<std::size_t>(ends.row_count());
    auto& begin = ends.row_begin.own();
    auto& successor = ends.successor.own();
    auto& probability = ends.probability.own();
    auto& reward = ends.reward.own();
    reward.assign(rows, 0);
    const auto end_row = [&] { begin.push_back(static_cast<std::int64_t>(successor.size())); };
    const auto lead = [&](std::int32_t to) {
      successor.push_back(to);
      probability.push_back(1);
    };
    const auto go_round = [&](std::int32_t state) {
      reward[begin.size() - 1] = -1;
      lead(state);
    };
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      const bool is_sure = which == Ends::all && way_[static_cast<std::size_t>(state)] >= 0;
      for (std::int32_t action = 0; action < process_.action_count; ++action) {
        const auto row = static_cast<std::size_t>(process_.row(state, action));
        for (auto n = process_.row_begin[row]; !is_sure && n < process_.row_begin[row + 1]; ++n) {
          successor.push_back(process_.successor[static_cast<std::size_t>(n)]);
          probability.push_back(
              static_cast<double>(process_.probability[static_cast<std::size_t>(n)]));
        }
        end_row();
      }
      const std::int32_t loop = loop_of[static_cast<std::size_t>(state)];
      if (is_sure) {
        lead(best_end_);
      } else if (loop >= 0) {
        lead(process_.state_count + loop);
      } else if (which == Ends::best_alone && process_.is_terminal(state) && best_ > 0) {
        go_round(state);
      }
      end_row();
    }
    for (std::int32_t n = 0; n < loops; ++n) {
      const bool is_less = averages[static_cast<std::size_t>(n)].middle() < best_;
      if (which == Ends::best_alone && is_less) go_round(process_.state_count + n);
      for (std::int32_t action = 0; action < ends.action_count; ++action) end_row();
    }
    ends.initial_value.assign(static_cast<std::size_t>(ends.state_count), 0);
    for (std::size_t n = 0; n < averages.size(); ++n) {
      ends.initial_value[action_.size() + n] = averages[n].middle();
    }
    return ends;
  }

  /// Actions by which states surely come to a best end, where they can: each leads on with some
  /// probability, and never to where that cannot be.
  void find_sure_ways(const DecisionProcess<double>& ends) {
    std::vector<std::uint8_t> is_sure(static_cast<std::size_t>(ends.state_count), 1);
    for (const std::int32_t state : find_proper_policies(ends).improper) {
      is_sure[static_cast<std::size_t>(state)] = 0;
    }
    way_.assign(is_sure.size(), -1);
    std::vector<std::int32_t> found;
    for (std::int32_t state = 0; state < ends.state_count; ++state) {
      if (ends.is_terminal(state)) found.push_back(state);
    }
    const PredecessorRows<std::int64_t> leading(ends);
    const auto stays_sure = [&](std::int64_t row) {
      const auto end = ends.row_begin[static_cast<std::size_t>(row) + 1];
      bool all = true;
      for (auto n = ends.row_begin[static_cast<std::size_t>(row)]; n < end; ++n) {
        const auto entry = static_cast<std::size_t>(n);
        all = all && (!(ends.probability[entry] > 0) ||
                      is_sure[static_cast<std::size_t>(ends.successor[entry])] != 0);
      }
      return all;
    };
    for (std::size_t n = 0; n < found.size(); ++n) {
      for (const std::int64_t row : leading.of(found[n])) {
        const auto state = static_cast<std::int32_t>(row / ends.action_count);
        std::int32_t& way = way_[static_cast<std::size_t>(state)];
        if (way >= 0 || is_sure[static_cast<std::size_t>(state)] == 0 || !stays_sure(row)) continue;
        way = static_cast<std::int32_t>(row % ends.action_count);
        found.push_back(state);
      }
    }
  }

  /// The best loop's average is the value, and its states stay in it. `error`: of all averages.
  void take(const ProcessSolution<double>& chosen, const std::vector<Average>& averages,
            double error, ProcessSolution<Real>& solution) {
    const auto states = static_cast<std::ptrdiff_t>(process_.state_count);
    solution.value.assign(chosen.value.begin(), chosen.value.begin() + states);
    solution.action.assign(chosen.action.begin(), chosen.action.begin() + states);
    for (std::size_t s = 0; s < solution.action.size(); ++s) {
      if (way_[s] >= 0) solution.action[s] = way_[s];
    }
    for (std::size_t n = 0; n < averages.size(); ++n) {
      const std::vector<std::int32_t>& loop = loops_.states[n];
      const auto first = static_cast<std::size_t>(loop.front());
      const bool stays = way_[first] >= 0 ? averages[n].middle() == best_
                                          : chosen.action[first] == process_.action_count;
      if (!stays) continue;
      for (const std::int32_t state : loop) {
        solution.action[static_cast<std::size_t>(state)] = action_[static_cast<std::size_t>(state)];
      }
    }
    solution.sweeps += chosen.sweeps;
    solution.interval_sweeps = chosen.interval_sweeps;
    solution.residual = chosen.residual;
    solution.rounding = chosen.rounding;
    solution.method = chosen.method;
    solution.bounds = {chosen.bounds.lower - error, chosen.bounds.upper + error};
    for (std::size_t s = 0; s < chosen.lower.size() && s < solution.value.size(); ++s) {
      solution.lower.push_back(chosen.lower[s] - error);
      solution.upper.push_back(chosen.upper[s] + error);
    }
    if (sizeof(Real) < sizeof(double)) round_bounds(chosen, solution);
  }

  /// The value has been rounded since.
  static void round_bounds(const ProcessSolution<double>& chosen, ProcessSolution<Real>& solution) {
    double rounding = 0;
    for (std::size_t s = 0; s < solution.value.size(); ++s) {
      rounding =
          std::max(rounding, std::abs(static_cast<double>(solution.value[s]) - chosen.value[s]));
    }
    solution.rounding += rounding;
    solution.bounds.lower -= rounding;
    solution.bounds.upper += rounding;
  }

  bool is_as_asked(const ProcessSolution<Real>& solution) const {
    if (options_.error_measure != ErrorMeasure::relative) {
      return solution.bounds.error() <= options_.tolerance;
    }
    for (std::size_t s = 0; s < solution.lower.size(); ++s) {
      const auto value = static_cast<double>(solution.value[s]);
      const double off = std::max(solution.upper[s] - value, value - solution.lower[s]);
      if (off > options_.tolerance * std::abs(value)) return false;
    }
    return !solution.lower.empty();
  }

  static constexpr std::int64_t patience = 100;  // sweeps that bring bounds no nearer

  const DecisionProcess<Real>& process_;
  SolveOptions options_;
  Progress& progress_;
  RewardRows<Real> rows_;
  Loops loops_;
  std::vector<std::int32_t> action_;  // (state): of its loop's best policy
  std::vector<double> bias_;          // (state)
  std::vector<std::int32_t> way_;     // (state): surely to a best end, or −1
  double best_ = 0;                   // what that is worth
  std::int32_t best_end_ = -1;
  std::vector<double> next_;
  std::vector<double> nothing_;  // (state)
  std::vector<std::int32_t> scratch_;
  std::optional<StrongComponents<Real>> strong_;
};

}  // namespace

template <class Real>
AverageSolution<Real> solve_average(DecisionProcess<Real>& process, const SolveOptions& options,
                                    Progress& progress) {
  process.discount = 1;
  return AverageSolver<Real>(process, options, progress).solve();
}

template AverageSolution<float> solve_average(DecisionProcess<float>&, const SolveOptions&,
                                              Progress&);
template AverageSolution<double> solve_average(DecisionProcess<double>&, const SolveOptions&,
                                               Progress&);

}  // namespace tidewise::mdp
