#include "support/mdp/process_cases.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "mdp/process/row_writer.h"

namespace tidewise::test {
namespace {

/// Returns Q(s, a) of a row in double.
template <class Real>
double row_value(const mdp::DecisionProcess<Real>& process, const std::vector<double>& value,
                 std::int64_t row) {
  double expected = 0;
  for (auto n = process.row_begin[std::size_t(row)]; n < process.row_begin[std::size_t(row) + 1];
       ++n) {
    expected += double(process.probability[std::size_t(n)]) *
                value[std::size_t(process.successor[std::size_t(n)])];
  }
  return double(process.reward[std::size_t(row)]) + process.discount * expected;
}

template <class Real>
void add(mdp::RowWriter<Real>& writer, std::vector<mdp::Transition> transitions,
         double reward = 0) {
  const std::string fault = writer.add_row(transitions, reward);
  if (!fault.empty()) throw std::logic_error(fault);
}

}  // namespace

template <class Real>
mdp::DecisionProcess<Real> make_process(const RandomProcess& wanted) {
  std::mt19937_64 random(wanted.seed);
  const auto below = [&](std::int32_t bound) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(bound));
  };
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  mdp::RowWriter<Real> writer(wanted.states, wanted.actions, true);
  for (std::int32_t s = 0; s < wanted.states; ++s) {
    const bool terminal = s == wanted.states - 1 || unit() < wanted.terminal_share;
    const std::int32_t guaranteed = below(wanted.actions);  // in all but terminal states
    for (std::int32_t a = 0; a < wanted.actions; ++a) {
      std::vector<mdp::Transition> row;
      if (!terminal && (a == guaranteed || unit() >= wanted.lacking_share)) {
        const std::int32_t count = 1 + below(wanted.successors);
        double sum = 0;
        for (std::int32_t n = 0; n < count; ++n) {
          const std::int32_t to = wanted.local
                                      ? std::clamp(s + below(41) - 20, 0, wanted.states - 1)
                                      : below(wanted.states);
          row.push_back({to, 0.1 + unit(), 4 * unit() - 2});
          sum += row.back().probability;
        }
        for (mdp::Transition& transition : row) transition.probability /= sum;
      }
      add(writer, row, row.empty() ? 0 : 2 * unit() - 1);
    }
  }
  mdp::DecisionProcess<Real> process = writer.finish();
  process.discount = wanted.discount;
  return process;
}

template <class Real>
mdp::DecisionProcess<Real> make_costly_process(const RandomProcess& wanted) {
  auto process = make_process<Real>(wanted);
  for (Real& reward : process.reward) reward = Real(-0.5) - std::abs(reward);
  process.entry_reward.clear();
  process.discount = 1;
  process.initial_value.assign(std::size_t(wanted.states), 0);
  process.initial_value.back() = Real(3.5);
  return process;
}

std::vector<RandomProcess> policy_processes() {
  return {{.seed = 1},
          {.seed = 2, .states = 1},
          {.seed = 3, .states = 5000, .successors = 9, .local = true},
          {.seed = 4, .states = 999, .actions = 1},
          {.seed = 5, .states = 300, .actions = 33},
          {.seed = 6, .states = 50, .actions = 300},
          {.seed = 7, .states = 20, .actions = 2500},
          {.seed = 8, .terminal_share = 1}};
}

std::vector<RandomProcess> random_processes() {
  return {{.seed = 3},
          {.seed = 4, .actions = 1},
          {.seed = 5, .states = 30, .actions = 300},
          {.seed = 6, .states = 700, .local = true},
          {.seed = 7, .states = 1},
          {.seed = 9, .states = 2},
          {.seed = 10, .terminal_share = 0, .lacking_share = 0.9},
          {.seed = 8, .terminal_share = 1}};
}

template <class Real>
mdp::DecisionProcess<Real> three_state_process() {
  mdp::DecisionProcess<Real> process;
  process.state_count = 3;
  process.action_count = 2;
  process.row_begin = {0, 2, 3, 4, 6, 7, 8};
  process.successor = {0, 1, 1, 2, 0, 2, 2, 1};
  process.probability = {Real(.5), Real(.5), 1, 1, Real(.3), Real(.7), 1, 1};
  process.entry_reward = {0, 1, 0, 2, 0, 0, 0, 3};
  process.reward = {Real(.5), 0, 2, 0, 0, 3};
  process.discount = 0.9;
  return process;
}

template <class Real>
mdp::DecisionProcess<Real> four_cell_world() {
  // (state, action): right, down, left, up
  const std::int32_t to[3][4] = {{1, 2, 0, 0}, {1, 3, 0, 1}, {3, 2, 2, 0}};
  mdp::RowWriter<Real> writer(4, 4, true);
  for (const auto& moves : to) {
    for (const std::int32_t next : moves) add(writer, {{next, 1.0, next == 3 ? 10.0 : -1.0}});
  }
  mdp::DecisionProcess<Real> process = writer.finish();
  process.discount = 0.9;
  return process;
}

template <class Real>
std::vector<double> reference_values(const mdp::DecisionProcess<Real>& process) {
  std::vector<double> value(process.initial_value.begin(), process.initial_value.end());
  value.resize(static_cast<std::size_t>(process.state_count), 0.0);
  for (int sweep = 0; sweep < 1'000'000; ++sweep) {
    double change = 0;
    for (std::int32_t s = 0; s < process.state_count; ++s) {
      if (process.is_terminal(s)) continue;
      double best = -INFINITY;
      for (std::int32_t a = 0; a < process.action_count; ++a) {
        const std::int64_t row = process.row(s, a);
        if (process.is_allowed(row)) best = std::max(best, row_value(process, value, row));
      }
      change = std::max(change, std::abs(best - value[std::size_t(s)]));
      value[std::size_t(s)] = best;
    }
    if (change < 1e-13) return value;
  }
  throw std::logic_error("the reference does not converge");
}

template <class Real>
::testing::AssertionResult is_greedy(const mdp::DecisionProcess<Real>& process,
                                     const std::vector<double>& value,
                                     const std::vector<std::int32_t>& action, double tolerance) {
  double scale = 1;
  for (const double v : value) scale = std::max(scale, std::abs(v));
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    const std::int32_t taken = action[std::size_t(s)];
    if (process.is_terminal(s)) {
      if (taken == -1) continue;
      return ::testing::AssertionFailure() << "terminal state " << s << " has action " << taken;
    }
    if (taken < 0 || taken >= process.action_count || !process.is_allowed(process.row(s, taken))) {
      return ::testing::AssertionFailure() << "state " << s << " has no action " << taken;
    }
    const double taken_value = row_value(process, value, process.row(s, taken));
    for (std::int32_t a = 0; a < process.action_count; ++a) {
      const std::int64_t row = process.row(s, a);
      if (!process.is_allowed(row)) continue;
      const double other_value = row_value(process, value, row);
      if (other_value > taken_value + tolerance * scale) {
        return ::testing::AssertionFailure()
               << "state " << s << ": action " << a << " is worth " << other_value
               << ", the one taken, " << taken << ", " << taken_value;
      }
    }
  }
  return ::testing::AssertionSuccess();
}

#define TIDEWISE_INSTANTIATE(Real)                                                  \
  template mdp::DecisionProcess<Real> make_process(const RandomProcess&);           \
  template mdp::DecisionProcess<Real> make_costly_process(const RandomProcess&);    \
  template mdp::DecisionProcess<Real> three_state_process();                        \
  template mdp::DecisionProcess<Real> four_cell_world();                            \
  template std::vector<double> reference_values(const mdp::DecisionProcess<Real>&); \
  template ::testing::AssertionResult is_greedy(const mdp::DecisionProcess<Real>&,  \
                                                const std::vector<double>&,         \
                                                const std::vector<std::int32_t>&, double);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise::test
