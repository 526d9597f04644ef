#include "mdp/learning/plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/file/transition_rewards.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {
namespace {

// Limit of the number of steps in which ε decreases: enough for any curve, small enough for a
// table.
constexpr std::int64_t max_stages = 4096;

constexpr std::int32_t max_agents = 1 << 24;

void require_sensible(const QLearningOptions& options) {
  const auto require = [](bool is_sensible, const char* what, auto value, const char* remedy) {
    if (!is_sensible) throw input_error(errors::q_learning_option_invalid, value, what, remedy);
  };
  require(options.agents >= 1 && options.agents <= max_agents, "agents", options.agents,
          "1 to 16777216");
  require(options.steps >= 1, "steps of each agent", options.steps, "1 or more");
  require(options.episode_steps >= 1, "steps of an episode", options.episode_steps, "1 or more");
  require(options.learning_rate > 0 && options.learning_rate <= 1, "is not a learning rate",
          options.learning_rate, "one above 0, at most 1");
  require(options.learning_decay >= 0 && std::isfinite(options.learning_decay),
          "is not a decay of the learning rate", options.learning_decay, "0 or more");
  require(options.exploration >= 0 && options.exploration <= 1, "is not a share of random steps",
          options.exploration, "one from 0 to 1");
  const bool is_linear = options.exploration_decrement > 0;
  const bool is_falling =
      options.exploration_end > 0 && options.exploration_end <= options.exploration;
  require(is_falling || options.exploration_end == options.exploration ||
              (is_linear && options.exploration_end == 0),
          "is not a final share of random steps", options.exploration_end,
          "one above 0 and no greater than the first, or both 0");
  require(options.exploration_decrement >= 0 && options.exploration_decrement <= 1,
          "is not a decrement of the share of random steps", options.exploration_decrement,
          "one from 0 to 1");
  require(options.averaged_share >= 0 && options.averaged_share <= 1,
          "is not a share of rounds to average", options.averaged_share, "one from 0 to 1");
  const bool is_width =
      options.lanes >= 0 && options.lanes <= 32 && (options.lanes & (options.lanes - 1)) == 0;
  require(is_width, "threads per agent", options.lanes, "0, 1, 2, 4, 8, 16 or 32");
}

template <class Real>
double max_magnitude(const std::vector<Real>& values) {
  double max = 0;
  for (const Real value : values) max = std::max(max, std::abs(static_cast<double>(value)));
  return max;
}

/// The part of each row's reward that does not depend on the transition.
template <class Real>
std::vector<Real> transition_independent_rewards(const DecisionProcess<Real>& process) {
  std::vector<Real> rewards(process.reward.begin(), process.reward.end());
  if (process.entry_reward.empty()) return rewards;
  for (std::size_t row = 0; row < rewards.size(); ++row) {
    const double entry_mean = expected_reward(process, std::int64_t(row), process.entry_reward);
    rewards[row] = static_cast<Real>(static_cast<double>(rewards[row]) - entry_mean);
  }
  return rewards;
}

template <class Real>
std::vector<std::int32_t> starts_of(const DecisionProcess<Real>& process, EpisodeStart start) {
  if (start == EpisodeStart::initial) {
    if (process.is_terminal(process.initial_state)) {
      throw input_error(errors::q_learning_starts_terminal, process.initial_state);
    }
    return {process.initial_state};
  }
  std::vector<std::int32_t> starts;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (!process.is_terminal(state)) starts.push_back(state);
  }
  return starts;
}

/// Number of rounds in which ε decreases.
std::int64_t falling_rounds(const QLearningOptions& options) {
  if (!(options.exploration_decrement > 0)) return options.steps;
  const double fall = options.exploration - options.exploration_end;
  const double rounds = std::ceil(fall / options.exploration_decrement) + 1;
  return rounds < static_cast<double>(options.steps) ? static_cast<std::int64_t>(rounds)
                                                     : options.steps;
}

/// ε of a stage of `rounds` rounds.
double exploration_in(const QLearningOptions& options, std::int64_t stage, std::int64_t stages,
                      std::int64_t rounds) {
  if (options.exploration_decrement > 0) {
    const double fallen = options.exploration_decrement * static_cast<double>(stage * rounds);
    return std::max(options.exploration - fallen, options.exploration_end);
  }
  const double part = stages > 1 ? static_cast<double>(stage) / static_cast<double>(stages - 1) : 0;
  const double ratio = options.exploration > 0 ? options.exploration_end / options.exploration : 1;
  return options.exploration * std::pow(ratio, part);
}

/// Bound of |Q|: each update keeps it within the range of the previous Q, or of r + γ max Q.
template <class Real>
double greatest_value(const DecisionProcess<Real>& process, double reward, std::int64_t steps) {
  const double first = max_magnitude(process.initial_value);
  const double by_steps = first + static_cast<double>(steps) * reward;
  if (!(process.discount < 1)) return by_steps;
  return std::min(by_steps, std::max(first, reward / (1 - process.discount)));
}

/// Largest number of fractional bits with which a round's errors of all agents in one row stay
/// within 2^62.
int fixed_point_bits_for(double greatest_error, std::int32_t agents) {
  constexpr int max_bits = 60;
  const double greatest_sum = greatest_error * agents;
  if (!(greatest_sum > 0)) return max_bits;
  int exponent = 0;
  std::frexp(greatest_sum, &exponent);  // greatest_sum < 2^exponent
  return std::min(max_bits, 62 - exponent);
}

}  // namespace

template <class Real>
LearningPlan<Real>::LearningPlan(const DecisionProcess<Real>& process,
                                 const QLearningOptions& options)
    : process_(process), options_(options) {
  require_sensible(options);
  row_reward = transition_independent_rewards(process);
  starts = starts_of(process, options.begins);
  const std::int64_t falling = falling_rounds(options);
  stage_rounds_ = (falling + max_stages - 1) / max_stages;
  const std::int64_t stages = (falling + stage_rounds_ - 1) / stage_rounds_;
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    const double share = exploration_in(options, stage, stages, stage_rounds_);
    exploration.push_back(static_cast<std::uint64_t>(std::llround(share * 0x1p32)));
  }
  const double reward = max_magnitude(row_reward) + max_magnitude(process.entry_reward);
  const double error = 2 * greatest_value(process, reward, options.steps) + reward;
  if (!std::isfinite(error) || error > 0x1p50) {
    throw input_error(errors::q_learning_overflows, error);
  }
  fixed_point_bits_ = fixed_point_bits_for(error, options.agents);
}

template <class Real>
LearnedTable<Real> LearningPlan<Real>::first_table() const {
  const auto rows = static_cast<std::size_t>(process_.row_count());
  const std::vector<Real> value = first_values(process_);
  LearnedTable<Real> table{std::vector<Real>(rows, no_action<Real>()),
                           std::vector<std::int64_t>(rows, 0),
                           std::vector<double>(rows, 0.0),
                           std::vector<std::int64_t>(rows, 0),
                           {}};
  for (std::int64_t row = 0; row < process_.row_count(); ++row) {
    if (process_.is_allowed(row)) table.value[row] = value[row / process_.action_count];
  }
  if (starts.empty()) return table;
  table.agents.resize(static_cast<std::size_t>(options_.agents));
  LearningRound<Real> start_round = round();
  start_round.starts = starts;
  for (std::size_t n = 0; n < table.agents.size(); ++n) {
    table.agents[n].state =
        start_round.random_start(n, options_.steps);  // a counter not used by rounds
  }
  return table;
}

template <class Real>
LearningRound<Real> LearningPlan<Real>::round() const {
  LearningRound<Real> round;
  round.table.to_fixed = std::ldexp(1.0, fixed_point_bits_);
  round.table.learning_rate = options_.learning_rate;
  round.table.learning_decay = options_.learning_decay;
  round.stage_rounds = stage_rounds_;
  const double last = static_cast<double>(options_.steps);
  round.first_averaged =
      static_cast<std::int64_t>(last - std::floor(last * options_.averaged_share));
  round.episode_steps = options_.episode_steps;
  round.random = Philox(options_.seed);
  return round;
}

template <class Real>
std::int64_t LearningPlan<Real>::next_curve_point(std::int64_t done) const {
  for (std::int32_t point = 1; point < options_.curve_points; ++point) {
    const std::int64_t rounds = options_.steps * point / options_.curve_points;
    if (rounds > done) return rounds;
  }
  return options_.steps;
}

template <class Real>
ProcessSolution<Real> LearningPlan<Real>::solution(LearnedTable<Real> table,
                                                   std::int64_t rounds) const {
  ProcessSolution<Real> solution;
  solution.value = first_values(process_);
  solution.action.assign(solution.value.size(), -1);
  for (std::int32_t state = 0; state < process_.state_count; ++state) {
    BestAction<Real> best;
    process_.for_actions(state, [&](std::int32_t action, std::int64_t row) {
      std::int32_t& first = solution.action[state];
      if (first < 0) first = action;
      if (table.visits[row] == 0) {
        ++solution.learning.unvisited_rows;
        return;
      }
      const bool is_mean = table.averaged[row] > 0;
      take_better(best, is_mean ? static_cast<Real>(table.mean[row]) : table.value[row], action);
    });
    if (best.action < 0) continue;
    solution.value[state] = best.value;
    solution.action[state] = best.action;
  }
  for (const LearningAgent& agent : table.agents) {
    solution.learning.explored_steps += agent.explored;
    solution.learning.episodes += agent.episodes;
  }
  solution.sweeps = rounds;
  solution.learning.steps = rounds * options_.agents;
  solution.learning.visits = std::move(table.visits);
  solution.converged = true;
  return solution;
}

template class LearningPlan<float>;
template class LearningPlan<double>;

}  // namespace tidewise::mdp
