#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "base/random.h"
#include "mdp/backup/bellman.h"
#include "mdp/learning/q_table.h"
#include "mdp/learning/simulator.h"

namespace tidewise::mdp {

/// An agent between rounds.
struct LearningAgent {
  std::int64_t owned_row = -1;  ///< the row that it has to settle in this round; −1: none
  std::int64_t episode_step = 0;
  std::int64_t explored = 0;  ///< steps that it took at random
  std::int64_t episodes = 0;  ///< that have ended
  std::int32_t state = 0;
};

/// A lane that works alone, as on the host. Device lanes share an agent's actions: agent_lanes.cuh.
struct OneLane {
  TIDEWISE_HOST_DEVICE std::int32_t lane() const { return 0; }
  TIDEWISE_HOST_DEVICE std::int32_t width() const { return 1; }
  /// A bit for each lane that says yes.
  TIDEWISE_HOST_DEVICE std::uint32_t ballot(bool yes) const { return yes ? 1 : 0; }
  TIDEWISE_HOST_DEVICE std::int32_t count(std::uint32_t bits) const {
    return static_cast<std::int32_t>(bits);
  }
  /// The best that any lane has.
  template <class Real>
  TIDEWISE_HOST_DEVICE BestAction<Real> best(BestAction<Real> own) const {
    return own;
  }
};

/// What the actions of a state promise.
template <class Real>
struct StateChoices {
  BestAction<Real> best;     ///< action −1: the state has none
  std::int32_t allowed = 0;  ///< actions that it has
};

/// `value`: Q of the state's rows, (action). All lanes call it and have the same answer.
template <class Real, class Lanes>
TIDEWISE_HOST_DEVICE StateChoices<Real> look_at(const Real* value, std::int32_t action_count,
                                                const Lanes& lanes) {
  BestAction<Real> best;
  std::int32_t allowed = 0;
  for (std::int32_t first = 0; first < action_count; first += lanes.width()) {
    const std::int32_t action = first + lanes.lane();
    const Real own = action < action_count ? value[action] : no_action<Real>();
    const bool has = own > no_action<Real>();
    if (has) take_better(best, own, action);
    allowed += lanes.count(lanes.ballot(has));
  }
  return {lanes.best(best), allowed};
}

/// The `wanted`-th, from 0, of the actions that a state has. All lanes call it.
template <class Real, class Lanes>
TIDEWISE_HOST_DEVICE std::int32_t allowed_action(const Real* value, std::int32_t action_count,
                                                 std::uint32_t wanted, const Lanes& lanes) {
  auto before = static_cast<std::int32_t>(wanted);
  for (std::int32_t first = 0; first < action_count; first += lanes.width()) {
    const std::int32_t action = first + lanes.lane();
    std::uint32_t bits = lanes.ballot(action < action_count && value[action] > no_action<Real>());
    const std::int32_t here = lanes.count(bits);
    if (before >= here) {
      before -= here;
      continue;
    }
    for (; before > 0; --before) bits &= bits - 1;  // without its lowest
    return first + lanes.count((bits & (0u - bits)) - 1);
  }
  return -1;  // not reached: wanted is below their number
}

/// A round of many agents on one table. Every agent chooses by the table as the round found it, so
/// that the order of agents counts for nothing; then the rows that they visited are settled.
/// Random numbers are those of (agent, round). Trivially copyable.
/// Source: Watkins and Dayan, "Q-learning", Machine Learning 8, 1992.
template <class Real>
struct LearningRound {
  Simulator<Real> simulator;
  QTable<Real> table;
  View<LearningAgent> agents;
  View<const std::int32_t> starts;        ///< where an episode may begin
  View<const Real> terminal_value;        ///< (state), read where states end; empty: 0
  View<const std::uint64_t> exploration;  ///< ε · 2^32 of each stage
  std::int64_t stage_rounds = 1;          ///< rounds of a stage
  std::int64_t episode_steps = 1;
  Philox random{0};

  enum Purpose : std::uint32_t { a_step, a_beginning };

  TIDEWISE_HOST_DEVICE Philox::Words draw(std::size_t agent, std::int64_t round,
                                          Purpose purpose) const {
    const auto bits = static_cast<std::uint64_t>(round);
    return random(static_cast<std::uint32_t>(agent), static_cast<std::uint32_t>(bits),
                  static_cast<std::uint32_t>(bits >> 32), purpose);
  }

  /// One step of one agent. All of its lanes call it.
  template <class Lanes>
  TIDEWISE_HOST_DEVICE void act(std::size_t number, std::int64_t round, const Lanes& lanes) const {
    const ProcessView<Real>& process = simulator.process;
    const std::int32_t actions = process.action_count;
    LearningAgent agent = agents[number];
    const Philox::Words words = draw(number, round, a_step);
    const Real* here = table.value.data + process.row(agent.state, 0);
    const StateChoices<Real> choices = look_at(here, actions, lanes);
    const bool explores = words.word[0] < exploration[round / stage_rounds];
    std::int32_t action = choices.best.action;
    if (explores) {
      const auto allowed = static_cast<std::uint32_t>(choices.allowed);
      action = allowed_action(here, actions, to_range(words.word[1], 0, allowed), lanes);
    }
    const std::int64_t row = process.row(agent.state, action);
    const SimulatedStep<Real> step = simulator.step(row, words.word[2], words.word[3]);
    const Real* there = table.value.data + process.row(step.successor, 0);
    const BestAction<Real> next = look_at(there, actions, lanes).best;
    if (lanes.lane() != 0) return;
    const bool ends = next.action < 0;
    const Real worth = ends ? end_value(step.successor) : next.value;
    const Real error = close_row(worth, process.discount, step.reward) - here[action];
    agent.owned_row = table.add_error(row, error) ? row : -1;
    agent.explored += explores ? 1 : 0;
    agent.state = step.successor;
    ++agent.episode_step;
    if (ends || agent.episode_step >= episode_steps) begin_anew(agent, number, round);
    agents[number] = agent;
  }

  /// After all agents' steps.
  TIDEWISE_HOST_DEVICE void settle(std::size_t number) const {
    const std::int64_t row = agents[number].owned_row;
    if (row >= 0) table.settle(row);
  }

  TIDEWISE_HOST_DEVICE Real end_value(std::int32_t state) const {
    return terminal_value.empty() ? Real{0} : terminal_value[state];
  }

  TIDEWISE_HOST_DEVICE void begin_anew(LearningAgent& agent, std::size_t number,
                                       std::int64_t round) const {
    agent.state = random_start(number, round);
    agent.episode_step = 0;
    ++agent.episodes;
  }

  TIDEWISE_HOST_DEVICE std::int32_t random_start(std::size_t number, std::int64_t round) const {
    const Philox::Words words = draw(number, round, a_beginning);
    const auto count = static_cast<std::uint32_t>(starts.size);
    return starts[to_range(words.word[0], words.word[1], count)];
  }
};

}  // namespace tidewise::mdp
