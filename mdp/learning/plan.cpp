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

// ε falls in so many steps: enough for any curve, few enough for a table that both sides read.
constexpr std::int64_t most_stages = 4096;

constexpr std::int32_t most_agents = 1 << 24;

void require_sensible(const QLearningOptions& options) {
  const auto require = [](bool sensible, const char* what, auto value, const char* remedy) {
    if (!sensible) throw input_error(errors::q_learning_option_invalid, value, what, remedy);
  };
  require(options.agents >= 1 && options.agents <= most_agents, "agents", options.agents,
          "1 to 16777216");
  require(options.steps >= 1, "steps of each agent", options.steps, "1 or more");
  require(options.episode_steps >= 1, "steps of an episode", options.episode_steps, "1 or more");
  require(options.learning_rate > 0 && options.learning_rate <= 1, "is no learning rate",
          options.learning_rate, "one above 0, at most 1");
  require(options.learning_decay >= 0 && std::isfinite(options.learning_decay),
          "is no decay of the learning rate", options.learning_decay, "0 or more");
  require(options.exploration >= 0 && options.exploration <= 1, "is no share of random steps",
          options.exploration, "one from 0 to 1");
  const bool falls = options.exploration_end > 0 && options.exploration_end <= options.exploration;
  require(falls || options.exploration_end == options.exploration,
          "is no last share of random steps", options.exploration_end,
          "one above 0 and no greater than the first, or both 0");
}

template <class Real>
double greatest(const std::vector<Real>& values) {
  double most = 0;
  for (const Real value : values) most = std::max(most, std::abs(static_cast<double>(value)));
  return most;
}

/// What each row brings in any case: its expected reward less that of its transitions.
template <class Real>
std::vector<Real> rewards_in_any_case(const DecisionProcess<Real>& process) {
  std::vector<Real> own(process.reward.begin(), process.reward.end());
  if (process.entry_reward.empty()) return own;
  for (std::size_t row = 0; row < own.size(); ++row) {
    const double of_entries = expected_reward(process, std::int64_t(row), process.entry_reward);
    own[row] = static_cast<Real>(static_cast<double>(own[row]) - of_entries);
  }
  return own;
}

/// Q of every row is the value that its state begins with.
template <class Real>
std::vector<Real> first_table_of(const DecisionProcess<Real>& process) {
  const std::vector<Real> value = first_values(process);
  std::vector<Real> table(static_cast<std::size_t>(process.row_count()), no_action<Real>());
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    if (!process.is_allowed(row)) continue;
    table[row] = value[row / process.action_count];
  }
  return table;
}

template <class Real>
std::vector<std::int32_t> starts_of(const DecisionProcess<Real>& process, EpisodeStart begins) {
  if (begins == EpisodeStart::initial) {
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

/// ε · 2^32 of each stage, from the first to the last geometrically.
std::vector<std::uint64_t> exploration_of(const QLearningOptions& options, std::int64_t stages) {
  std::vector<std::uint64_t> thresholds;
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    const double part =
        stages > 1 ? static_cast<double>(stage) / static_cast<double>(stages - 1) : 0;
    const double ratio =
        options.exploration > 0 ? options.exploration_end / options.exploration : 1;
    const double share = options.exploration * std::pow(ratio, part);
    thresholds.push_back(static_cast<std::uint64_t>(std::llround(share * 0x1p32)));
  }
  return thresholds;
}

/// The most that |Q| can come to: each update leaves it within the range of Q before, or of
/// r + γ max Q.
template <class Real>
double greatest_value(const DecisionProcess<Real>& process, double reward, std::int64_t steps) {
  const double first = greatest(process.initial_value);
  const double by_steps = first + static_cast<double>(steps) * reward;
  if (!(process.discount < 1)) return by_steps;
  return std::min(by_steps, std::max(first, reward / (1 - process.discount)));
}

/// The most bits below one with which a round's errors of all agents, in one row, stay within
/// 2^62.
int fixed_point_bits_for(double greatest_error, std::int32_t agents) {
  constexpr int most_bits = 60;
  const double greatest_sum = greatest_error * agents;
  if (!(greatest_sum > 0)) return most_bits;
  int exponent = 0;
  std::frexp(greatest_sum, &exponent);  // greatest_sum < 2^exponent
  return std::min(most_bits, 62 - exponent);
}

}  // namespace

template <class Real>
LearningPlan<Real>::LearningPlan(const DecisionProcess<Real>& process,
                                 const QLearningOptions& options)
    : process_(process), options_(options) {
  require_sensible(options);
  row_reward = rewards_in_any_case(process);
  first_table = first_table_of(process);
  starts = starts_of(process, options.begins);
  stage_rounds = (options.steps + most_stages - 1) / most_stages;
  exploration = exploration_of(options, (options.steps + stage_rounds - 1) / stage_rounds);
  const double reward = greatest(row_reward) + greatest(process.entry_reward);
  const double error = 2 * greatest_value(process, reward, options.steps) + reward;
  if (!std::isfinite(error) || error > 0x1p50) {
    throw input_error(errors::q_learning_overflows, error);
  }
  fixed_point_bits = fixed_point_bits_for(error, options.agents);
  if (!has_work()) return;
  first_agents.resize(static_cast<std::size_t>(options.agents));
  LearningRound<Real> before_all = round();
  before_all.starts = starts;
  for (std::size_t n = 0; n < first_agents.size(); ++n) {
    first_agents[n].state = before_all.random_start(n, options.steps);  // no round has this number
  }
}

template <class Real>
LearningRound<Real> LearningPlan<Real>::round() const {
  LearningRound<Real> round;
  round.table.to_fixed = std::ldexp(1.0, fixed_point_bits);
  round.table.learning_rate = options_.learning_rate;
  round.table.learning_decay = options_.learning_decay;
  round.stage_rounds = stage_rounds;
  round.episode_steps = options_.episode_steps;
  round.random = Philox(options_.seed);
  return round;
}

template <class Real>
ProcessSolution<Real> LearningPlan<Real>::solution(const std::vector<Real>& table,
                                                   std::vector<std::int64_t> visits,
                                                   const std::vector<LearningAgent>& agents) const {
  ProcessSolution<Real> solution;
  solution.value = first_values(process_);
  solution.action.assign(solution.value.size(), -1);
  for (std::int32_t state = 0; state < process_.state_count; ++state) {
    BestAction<Real> best;
    process_.for_actions(state, [&](std::int32_t action, std::int64_t row) {
      std::int32_t& first = solution.action[state];
      if (first < 0) first = action;
      if (visits[row] == 0) {
        ++solution.learning.unvisited_rows;
      } else {
        take_better(best, table[row], action);
      }
    });
    if (best.action < 0) continue;
    solution.value[state] = best.value;
    solution.action[state] = best.action;
  }
  for (const LearningAgent& agent : agents) {
    solution.learning.explored_steps += agent.explored;
    solution.learning.episodes += agent.episodes;
  }
  solution.sweeps = has_work() ? options_.steps : 0;
  solution.learning.steps = solution.sweeps * options_.agents;
  solution.learning.visits = std::move(visits);
  solution.converged = true;
  return solution;
}

template class LearningPlan<float>;
template class LearningPlan<double>;

}  // namespace tidewise::mdp
