#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "base/random.h"
#include "mdp/backup/bellman.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// Q of an action that the state does not have: smaller than all numbers, so that a maximum needs
/// no special case.
template <class Real>
TIDEWISE_HOST_DEVICE Real no_action() {
  return -static_cast<Real>(INFINITY);
}

/// Adds to a number that others change concurrently, and returns the old value. Unsigned, because
/// devices only add unsigned numbers atomically; two's complement also works for signed sums.
template <class Unsigned>
TIDEWISE_HOST_DEVICE Unsigned fetch_and_add(Unsigned* sum, Unsigned value) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(sum, value);
#else
  return std::atomic_ref<Unsigned>(*sum).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// factor^count by squaring, in the same order everywhere.
TIDEWISE_HOST_DEVICE inline double power(double factor, std::uint32_t count) {
  double product = 1;
  for (; count > 0; count /= 2) {
    if (count % 2 == 1) product *= factor;
    factor *= factor;
  }
  return product;
}

/// Q(s, a) of all rows. Agents read it during a round; it changes at the round's end. Errors of a
/// round are summed as integers, so that the order of agents does not change bits.
template <class Real>
struct QTable {
  View<Real> value;                    ///< Q, (row); no_action() if there is none
  View<unsigned long long> error_sum;  ///< sum of errors in this round [1/to_fixed], signed, (row)
  View<unsigned> hits;                 ///< visits in this round, (row)
  View<std::int64_t> visits;           ///< visits before this round, (row)
  double to_fixed = 1;                 ///< a power of two: units of error_sum in 1
  double learning_rate = 0.1;          ///< α of a row before its first visit
  double learning_decay = 0;           ///< the rate is α / (1 + decay · visits)
  View<double> mean = {};              ///< mean of Q over the averaged visits, (row)
  View<std::int64_t> averaged = {};    ///< number of averaged visits, (row)

  /// Adds a temporal-difference error of a row. True for exactly one caller per row and round,
  /// which must settle the row.
  TIDEWISE_HOST_DEVICE bool add_error(std::int64_t row, Real error) const {
    const auto at = static_cast<std::size_t>(row);
    const auto units = static_cast<long long>(std::rint(static_cast<double>(error) * to_fixed));
    fetch_and_add(&error_sum[at], static_cast<unsigned long long>(units));
    return fetch_and_add(&hits[at], 1u) == 0;
  }

  /// Moves Q by the round's mean error as n successive visits would: they leave (1 − α)^n of the
  /// error. `averages`: the new Q is also included in its mean, once per visit.
  TIDEWISE_HOST_DEVICE void settle(std::int64_t row, bool averages = false) const {
    const auto at = static_cast<std::size_t>(row);
    const unsigned count = hits[at];
    const auto sum = static_cast<double>(static_cast<long long>(error_sum[at]));
    const double error = sum / to_fixed / count;
    const double rate = learning_rate / (1 + learning_decay * static_cast<double>(visits[at]));
    const double weight = 1 - power(1 - rate, count);
    value[at] = static_cast<Real>(std::fma(weight, error, static_cast<double>(value[at])));
    visits[at] += count;
    if (averages) {
      averaged[at] += count;
      const double share = static_cast<double>(count) / static_cast<double>(averaged[at]);
      mean[at] = std::fma(share, static_cast<double>(value[at]) - mean[at], mean[at]);
    }
    hits[at] = 0;
    error_sum[at] = 0;
  }
};

/// Result of an action.
template <class Real>
struct SimulatedStep {
  std::int32_t successor = 0;
  Real reward = 0;
};

/// Simulates a finite process, one transition at a time. Trivially copyable.
template <class Real>
struct Simulator {
  ProcessView<Real> process;
  View<const Real> row_reward;    ///< part of a row's reward independent of the transition, (row)
  View<const Real> entry_reward;  ///< additional reward of a transition, (entry); empty: 0

  /// Draws a transition of `row` with 64 random bits: the first entry at which the cumulative
  /// probability, summed in double, exceeds them. A deficit of the row's sum goes to the last
  /// possible entry. Requires a row with entries.
  TIDEWISE_HOST_DEVICE SimulatedStep<Real> step(std::int64_t row, std::uint32_t high,
                                                std::uint32_t low) const {
    const auto at = static_cast<std::size_t>(row);
    const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
    const double drawn = static_cast<double>(bits) * 0x1p-53;
    const auto end = static_cast<std::size_t>(process.row_begin[at + 1]);
    auto chosen = static_cast<std::size_t>(process.row_begin[at]);
    double cumulative = 0;
    for (std::size_t entry = chosen; entry < end && !(drawn < cumulative); ++entry) {
      const Real probability = process.probability[entry];
      if (probability > 0) chosen = entry;
      cumulative += static_cast<double>(probability);
    }
    const Real transition_reward = entry_reward.empty() ? Real{0} : entry_reward[chosen];
    return {process.successor[chosen], row_reward[at] + transition_reward};
  }
};

/// State of an agent between rounds.
struct LearningAgent {
  std::int64_t owned_row = -1;  ///< the row that it must settle in this round; −1: none
  std::int64_t episode_step = 0;
  std::int64_t explored = 0;  ///< steps with a random action
  std::int64_t episodes = 0;  ///< number of completed episodes
  std::int32_t state = 0;
};

/// A single lane, for the host. Lanes of a device share an agent's actions
/// (q_learning_on_device.cu).
struct OneLane {
  TIDEWISE_HOST_DEVICE std::int32_t lane() const { return 0; }
  TIDEWISE_HOST_DEVICE std::int32_t width() const { return 1; }
  /// A mask with a bit for each lane in which `condition` is true.
  TIDEWISE_HOST_DEVICE std::uint32_t ballot(bool condition) const { return condition ? 1 : 0; }
  TIDEWISE_HOST_DEVICE std::int32_t count(std::uint32_t bits) const {
    return static_cast<std::int32_t>(bits);
  }
  /// The best over all lanes.
  template <class Real>
  TIDEWISE_HOST_DEVICE BestAction<Real> best(BestAction<Real> lane_best) const {
    return lane_best;
  }
};

/// The best action and the number of actions of a state.
template <class Real>
struct StateChoices {
  BestAction<Real> best;     ///< action −1: the state has none
  std::int32_t allowed = 0;  ///< actions that it has
};

/// Finds the best action of a state. `value`: Q of the state's rows, (action). All lanes call it
/// and get the same result.
template <class Real, class Lanes>
TIDEWISE_HOST_DEVICE StateChoices<Real> find_choices(const Real* value, std::int32_t action_count,
                                                     const Lanes& lanes) {
  BestAction<Real> best;
  std::int32_t allowed = 0;
  for (std::int32_t first = 0; first < action_count; first += lanes.width()) {
    const std::int32_t action = first + lanes.lane();
    const Real q = action < action_count ? value[action] : no_action<Real>();
    const bool is_allowed = q > no_action<Real>();
    if (is_allowed) take_better(best, q, action);
    allowed += lanes.count(lanes.ballot(is_allowed));
  }
  return {lanes.best(best), allowed};
}

/// The action with this rank, from 0, among those of a state. All lanes call it.
template <class Real, class Lanes>
TIDEWISE_HOST_DEVICE std::int32_t allowed_action(const Real* value, std::int32_t action_count,
                                                 std::uint32_t rank, const Lanes& lanes) {
  auto remaining = static_cast<std::int32_t>(rank);
  for (std::int32_t first = 0; first < action_count; first += lanes.width()) {
    const std::int32_t action = first + lanes.lane();
    std::uint32_t bits = lanes.ballot(action < action_count && value[action] > no_action<Real>());
    const std::int32_t in_lanes = lanes.count(bits);
    if (remaining >= in_lanes) {
      remaining -= in_lanes;
      continue;
    }
    for (; remaining > 0; --remaining) bits &= bits - 1;  // clears the lowest bit
    return first + lanes.count((bits & (0u - bits)) - 1);
  }
  return -1;  // not reached: wanted is below their number
}

/// A round of many agents on one table. Every agent chooses by the table from the beginning of the
/// round, so that the order of agents does not matter; then the visited rows are settled. Random
/// numbers depend on (agent, round). Trivially copyable. Source: Watkins and Dayan, "Q-learning",
/// Machine Learning 8, 1992.
template <class Real>
struct LearningRound {
  Simulator<Real> simulator;
  QTable<Real> table;
  View<LearningAgent> agents;
  View<const std::int32_t> starts;        ///< states in which an episode may begin
  View<const Real> terminal_value;        ///< (state), for terminal states; empty: 0
  View<const std::uint64_t> exploration;  ///< ε · 2^32 of each stage
  std::int64_t stage_rounds = 1;          ///< rounds of a stage; the last one is unlimited
  std::int64_t first_averaged = 0;        ///< round from which Q is averaged
  std::int64_t episode_steps = 1;
  Philox random{0};

  enum Purpose : std::uint32_t { for_step, for_start };

  TIDEWISE_HOST_DEVICE Philox::Words draw(std::size_t agent, std::int64_t round,
                                          Purpose purpose) const {
    const auto bits = static_cast<std::uint64_t>(round);
    return random(static_cast<std::uint32_t>(agent), static_cast<std::uint32_t>(bits),
                  static_cast<std::uint32_t>(bits >> 32), purpose);
  }

  /// One step of one agent. All its lanes call it.
  template <class Lanes>
  TIDEWISE_HOST_DEVICE void act(std::size_t number, std::int64_t round, const Lanes& lanes) const {
    const ProcessView<Real>& process = simulator.process;
    const std::int32_t actions = process.action_count;
    LearningAgent agent = agents[number];
    const Philox::Words words = draw(number, round, for_step);
    const Real* values = table.value.data + process.row(agent.state, 0);
    const StateChoices<Real> choices = find_choices(values, actions, lanes);
    const bool explores = words.word[0] < exploration_in(round);
    std::int32_t action = choices.best.action;
    if (explores) {
      const auto allowed = static_cast<std::uint32_t>(choices.allowed);
      action = allowed_action(values, actions, to_range(words.word[1], 0, allowed), lanes);
    }
    const std::int64_t row = process.row(agent.state, action);
    const SimulatedStep<Real> step = simulator.step(row, words.word[2], words.word[3]);
    const Real* next_values = table.value.data + process.row(step.successor, 0);
    const BestAction<Real> next = find_choices(next_values, actions, lanes).best;
    if (lanes.lane() != 0) return;
    const bool is_end = next.action < 0;
    const Real next_value = is_end ? end_value(step.successor) : next.value;
    const Real error = close_row(next_value, process.discount, step.reward) - values[action];
    agent.owned_row = table.add_error(row, error) ? row : -1;
    agent.explored += explores ? 1 : 0;
    agent.state = step.successor;
    ++agent.episode_step;
    if (is_end || agent.episode_step >= episode_steps) begin_episode(agent, number, round);
    agents[number] = agent;
  }

  /// Settles an agent's row; call it after the steps of all agents.
  TIDEWISE_HOST_DEVICE void settle(std::size_t number, std::int64_t round) const {
    const std::int64_t row = agents[number].owned_row;
    if (row >= 0) table.settle(row, round >= first_averaged);
  }

  TIDEWISE_HOST_DEVICE std::uint64_t exploration_in(std::int64_t round) const {
    const auto stage = static_cast<std::size_t>(round / stage_rounds);
    return exploration[stage < exploration.size ? stage : exploration.size - 1];
  }

  TIDEWISE_HOST_DEVICE Real end_value(std::int32_t state) const {
    return terminal_value.empty() ? Real{0} : terminal_value[state];
  }

  TIDEWISE_HOST_DEVICE void begin_episode(LearningAgent& agent, std::size_t number,
                                          std::int64_t round) const {
    agent.state = random_start(number, round);
    agent.episode_step = 0;
    ++agent.episodes;
  }

  TIDEWISE_HOST_DEVICE std::int32_t random_start(std::size_t number, std::int64_t round) const {
    const Philox::Words words = draw(number, round, for_start);
    const auto count = static_cast<std::uint32_t>(starts.size);
    return starts[to_range(words.word[0], words.word[1], count)];
  }
};

}  // namespace tidewise::mdp
