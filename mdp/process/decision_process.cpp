#include "mdp/process/decision_process.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {
namespace {

template <class Real>
void require_shapes(const DecisionProcess<Real>& process, const std::string& name) {
  const auto fail = [&](const std::string& why) { throw InputError(name + ": " + why); };
  if (process.state_count < 1) fail(error_text(errors::process_without_state));
  if (process.action_count < 1) fail(error_text(errors::process_without_action));
  const auto rows = static_cast<std::size_t>(process.row_count());
  if (process.row_begin.size() != rows + 1) {
    fail(error_text(errors::process_row_starts_length, process.row_begin.size(),
                    process.state_count, process.action_count, rows + 1));
  }
  if (process.row_begin.front() != 0 || process.row_begin.back() != process.entry_count()) {
    fail(error_text(errors::process_row_starts_range, process.row_begin.front(),
                    process.row_begin.back(), process.entry_count()));
  }
  const auto require_size = [&](std::size_t size, std::size_t needed, const char* what) {
    if (size != needed) fail(error_text(errors::process_array_length, what, size, needed));
  };
  require_size(process.probability.size(), process.successor.size(), "probabilities");
  require_size(process.reward.size(), rows, "rewards of rows");
  const auto require_size_or_none = [&](std::size_t size, std::size_t needed, const char* what) {
    if (size != 0) require_size(size, needed, what);
  };
  require_size_or_none(process.entry_reward.size(), process.successor.size(),
                       "rewards of transitions");
  const auto states = static_cast<std::size_t>(process.state_count);
  require_size_or_none(process.initial_value.size(), states, "initial values");
  require_size_or_none(process.state_names.size(), states, "names of states");
  if (!(process.discount >= 0 && process.discount <= 1)) {
    fail(error_text(errors::discount_invalid, process.discount));
  }
  if (process.initial_state < 0 || process.initial_state >= process.state_count) {
    fail(error_text(errors::process_initial_state_outside, process.initial_state,
                    process.state_count));
  }
}

/// The fault of a row; empty if there is none.
template <class Real>
std::string row_fault(const DecisionProcess<Real>& process, std::int64_t row) {
  const auto begin = process.row_begin[row];
  const auto end = process.row_begin[row + 1];
  if (end < begin || end > process.entry_count()) {
    return fmt::format("its entries lead from {} to {}; row starts must ascend", begin, end);
  }
  const auto reward = double(process.reward[row]);
  if (!std::isfinite(reward)) return fmt::format("its reward is {}", reward);
  double sum = 0;
  for (auto n = std::size_t(begin); n < std::size_t(end); ++n) {
    const std::int32_t to = process.successor[n];
    const auto probability = double(process.probability[n]);
    if (to < 0 || to >= process.state_count) {
      return fmt::format("it leads to state {}, but there are {}", to, process.state_count);
    }
    if (n > std::size_t(begin) && to <= process.successor[n - 1]) {
      return fmt::format("state {} comes after state {}; successors must ascend", to,
                         process.successor[n - 1]);
    }
    if (!(probability >= 0 && probability <= 1 + probability_tolerance)) {
      return fmt::format("state {} has the probability {}; it must be from 0 to 1", to,
                         probability);
    }
    if (!process.entry_reward.empty() && !std::isfinite(double(process.entry_reward[n]))) {
      return fmt::format("state {} has the reward {}", to, double(process.entry_reward[n]));
    }
    sum += probability;
  }
  if (begin < end && !(std::abs(sum - 1) <= probability_tolerance)) {
    return fmt::format("its probabilities sum to {:.9g}; they must sum to 1", sum);
  }
  return {};
}

}  // namespace

template <class Real>
void require_sound(const DecisionProcess<Real>& process, const std::string& name) {
  require_shapes(process, name);
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    const std::string fault = row_fault(process, row);
    if (fault.empty()) continue;
    throw InputError(fmt::format("{}: {}", name,
                                 error_text(errors::row_invalid, row / process.action_count,
                                            row % process.action_count, fault)));
  }
  for (std::size_t s = 0; s < process.initial_value.size(); ++s) {
    if (!std::isfinite(double(process.initial_value[s]))) {
      throw input_error(errors::process_value_not_finite, name, s,
                        double(process.initial_value[s]));
    }
  }
}

template <class Real>
void scale_rows(DecisionProcess<Real>& process) {
  const DecisionProcess<Real>& readable = process;  // const access does not copy borrowed arrays
  for (std::size_t row = 0; row < static_cast<std::size_t>(readable.row_count()); ++row) {
    const auto begin = static_cast<std::size_t>(readable.row_begin[row]);
    const auto end = static_cast<std::size_t>(readable.row_begin[row + 1]);
    double sum = 0;
    for (std::size_t n = begin; n < end; ++n) sum += static_cast<double>(readable.probability[n]);
    if (begin == end || sums_to_one<Real>(sum, end - begin)) continue;
    std::vector<Real>& values = process.probability.own();
    for (std::size_t n = begin; n < end; ++n) {
      values[n] = static_cast<Real>(static_cast<double>(values[n]) / sum);
    }
    process.scaled.include(sum);
  }
}

template <class To, class From>
DecisionProcess<To> convert(const DecisionProcess<From>& process) {
  DecisionProcess<To> other;
  other.state_count = process.state_count;
  other.action_count = process.action_count;
  other.row_begin = process.row_begin;
  other.successor = process.successor;
  other.probability.assign(process.probability.begin(), process.probability.end());
  other.reward.assign(process.reward.begin(), process.reward.end());
  other.entry_reward.assign(process.entry_reward.begin(), process.entry_reward.end());
  other.initial_value.assign(process.initial_value.begin(), process.initial_value.end());
  other.discount = process.discount;
  other.initial_state = process.initial_state;
  other.state_names = process.state_names;
  other.action_names = process.action_names;
  other.labels = process.labels;
  other.scaled = process.scaled;
  return other;
}

template void require_sound(const DecisionProcess<float>&, const std::string&);
template void require_sound(const DecisionProcess<double>&, const std::string&);
template void scale_rows(DecisionProcess<float>&);
template void scale_rows(DecisionProcess<double>&);
template DecisionProcess<float> convert(const DecisionProcess<float>&);
template DecisionProcess<float> convert(const DecisionProcess<double>&);
template DecisionProcess<double> convert(const DecisionProcess<float>&);
template DecisionProcess<double> convert(const DecisionProcess<double>&);

}  // namespace tidewise::mdp
