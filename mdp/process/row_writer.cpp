#include "mdp/process/row_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "mdp/process/merge_transitions.h"

namespace tidewise::mdp {
namespace {

std::string transition_fault(const Transition& transition, std::int32_t state_count) {
  if (transition.successor < 0 || transition.successor >= state_count) {
    return fmt::format("it leads to state {}, but there are {}", transition.successor, state_count);
  }
  if (!(transition.probability >= 0 && transition.probability <= 1 + probability_tolerance)) {
    return fmt::format("state {} has the probability {}; give one from 0 to 1",
                       transition.successor, transition.probability);
  }
  if (!std::isfinite(transition.reward)) {
    return fmt::format("state {} has the reward {}; give a number", transition.successor,
                       transition.reward);
  }
  return {};
}

}  // namespace

template <class Real>
RowWriter<Real>::RowWriter(std::int32_t state_count, std::int32_t action_count, bool keep_rewards)
    : keep_rewards_(keep_rewards) {
  process_.state_count = state_count;
  process_.action_count = action_count;
  const auto rows = static_cast<std::size_t>(process_.row_count());
  process_.row_begin.reserve(rows + 1);
  process_.reward.reserve(rows);
}

template <class Real>
void RowWriter<Real>::reserve(std::int64_t entries) {
  process_.successor.reserve(static_cast<std::size_t>(entries));
  process_.probability.reserve(static_cast<std::size_t>(entries));
  if (keep_rewards_) process_.entry_reward.reserve(static_cast<std::size_t>(entries));
}

template <class Real>
std::string RowWriter<Real>::add_row(std::vector<Transition>& transitions, double reward) {
  if (!std::isfinite(reward)) return fmt::format("its reward is {}; give a number", reward);
  for (const Transition& transition : transitions) {
    std::string fault = transition_fault(transition, process_.state_count);
    if (!fault.empty()) return fault;
  }
  const auto is_before = [](const Transition& a, const Transition& b) {
    return a.successor < b.successor;
  };
  std::stable_sort(transitions.begin(), transitions.end(), is_before);
  const bool is_action = !transitions.empty();
  transitions.resize(merge_equal_successors(transitions.data(), transitions.size()));
  double sum = 0;
  for (const Transition& transition : transitions) sum += transition.probability;
  if (is_action && !(std::abs(sum - 1) <= probability_tolerance)) {
    return fmt::format("its probabilities sum to {:.9g}; they must sum to 1", sum);
  }
  if (is_action && !sums_to_one<Real>(sum, transitions.size())) {
    for (Transition& transition : transitions) transition.probability /= sum;
    process_.scaled.include(sum);
  }
  double expected = reward;
  for (const Transition& transition : transitions) {
    expected += transition.probability * transition.reward;
    process_.successor.push_back(transition.successor);
    process_.probability.push_back(static_cast<Real>(transition.probability));
    if (keep_rewards_) process_.entry_reward.push_back(static_cast<Real>(transition.reward));
  }
  process_.row_begin.push_back(process_.entry_count());
  process_.reward.push_back(static_cast<Real>(expected));
  return {};
}

template <class Real>
DecisionProcess<Real> RowWriter<Real>::finish() {
  const auto rows = static_cast<std::size_t>(process_.row_count());
  process_.row_begin.resize(rows + 1, process_.entry_count());
  process_.reward.resize(rows, Real{0});
  return std::move(process_);
}

template class RowWriter<float>;
template class RowWriter<double>;

}  // namespace tidewise::mdp
