#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "mdp/process/decision_process.h"
#include "mdp/process/row_writer.h"

namespace tidewise::test {

/// An action: (successor, probability) of each transition, and the reward.
struct Row {
  std::vector<std::pair<std::int32_t, double>> to;
  double reward = 0;
};
inline Row row(std::vector<std::pair<std::int32_t, double>> to, double reward = 0) {
  return {std::move(to), reward};
}

/// Returns an action of a process.
inline Row row_of(const mdp::DecisionProcess<double>& process, std::int32_t state,
                  std::int32_t action) {
  const auto index = std::size_t(process.row(state, action));
  Row row{{}, process.reward[index]};
  for (auto n = process.row_begin[index]; n < process.row_begin[index + 1]; ++n) {
    row.to.emplace_back(process.successor[std::size_t(n)], process.probability[std::size_t(n)]);
  }
  return row;
}

/// Makes a process from the actions of each state, (state)(action); the discount is 1.
template <class Real>
mdp::DecisionProcess<Real> rows_process(std::int32_t states, std::int32_t actions,
                                        const std::vector<std::vector<Row>>& rows) {
  mdp::RowWriter<Real> writer(states, actions);
  for (std::size_t s = 0; s < std::size_t(states); ++s) {
    for (std::size_t a = 0; a < std::size_t(actions); ++a) {
      std::vector<mdp::Transition> transitions;
      const bool is_listed = s < rows.size() && a < rows[s].size();
      if (is_listed) {
        for (const auto& [to, probability] : rows[s][a].to) {
          transitions.push_back({to, probability, 0});
        }
      }
      EXPECT_EQ(writer.add_row(transitions, is_listed ? rows[s][a].reward : 0), "");
    }
  }
  return writer.finish();
}

/// Signs that the rewards of a random process may have.
enum class Signs { none_negative, none_positive, both };

/// Description of a small random process.
struct SmallProcess {
  std::int32_t states = 4;
  std::int32_t actions = 2;
  Signs signs = Signs::both;
};

/// Makes a process with a terminal last state, many loops and many rewards of 0. Its probabilities
/// are eighths, which float and double represent exactly.
template <class Real>
mdp::DecisionProcess<Real> random_small_process(std::mt19937& random, const SmallProcess& wanted) {
  std::vector<std::vector<Row>> rows(std::size_t(wanted.states) - 1);
  for (auto& actions : rows) {
    const auto count = 1 + random() % std::uint32_t(wanted.actions);
    for (std::uint32_t a = 0; a < count; ++a) {
      std::vector<std::pair<std::int32_t, double>> to;
      int remaining = 8;
      while (remaining > 0) {
        const int share =
            random() % 3 == 0 ? remaining : 1 + int(random() % std::uint32_t(remaining));
        to.emplace_back(std::int32_t(random() % std::uint32_t(wanted.states)), share / 8.0);
        remaining -= share;
      }
      double reward = random() % 2 == 0 ? 0 : double(1 + random() % 3);
      const bool negative = wanted.signs == Signs::none_positive ||
                            (wanted.signs == Signs::both && random() % 2 == 0);
      actions.push_back(row(to, negative ? -reward : reward));
    }
  }
  auto process = rows_process<Real>(wanted.states, wanted.actions, rows);
  process.initial_value.assign(std::size_t(wanted.states), Real(random() % 4 == 0 ? 7 : 0));
  const Real end = wanted.signs == Signs::none_negative ? Real(random() % 2) : Real(0);
  process.initial_value.back() = end;
  return process;
}

}  // namespace tidewise::test
