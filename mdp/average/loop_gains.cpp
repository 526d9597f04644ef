#include "mdp/average/loop_gains.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "mdp/average/exact_sum.h"
#include "mdp/average/loop_policies.h"
#include "mdp/graph/strong_components.h"

namespace tidewise::mdp {
namespace {

enum class LoopSign { losing, level, gaining, undecided };

constexpr int max_parts = 127;  // largest denominator of the fractions for a bias

/// The sign of the gain of one component.
template <class Real>
class LoopSigns {
 public:
  LoopSigns(const RewardRows<Real>& rows, std::vector<std::int32_t> states,
            const std::vector<std::uint8_t>& inside, std::vector<std::int32_t>& scratch,
            StrongComponents<Real>& strong)
      : rows_(rows),
        process_(rows.solved()),
        policies_(rows, std::move(states), inside, scratch, strong),
        states_(policies_.states()) {}

  /// Determines the sign. Fills shift in the states, and is_level for LoopSign::level. `action`,
  /// `zeros`: (state), the latter 0.
  LoopSign find_sign(std::vector<std::int32_t>& action, TwoPartValues& zeros, LoopGains& result) {
    std::vector<double>& shift = result.shift;
    if (has_gaining_self_loop()) return LoopSign::gaining;
    if (states_.size() == 1) return LoopSign::losing;
    bool is_gaining = false;
    const bool is_found = policies_.find_best(action, zeros, shift, [&] {
      is_gaining = is_class_gaining(action, shift);
      return is_gaining;
    });
    if (is_gaining) return LoopSign::gaining;
    if (!is_found) return LoopSign::undecided;
    if (are_all_losing(shift)) return LoopSign::losing;
    return find_level(shift, result.is_level, result.is_rounded);
  }

 private:
  bool has_gaining_self_loop() const {
    bool has_gain = false;
    policies_.for_rows([&](std::int32_t state, std::int32_t, std::int64_t row) {
      bool is_self_loop = true;
      rows_.for_entries(row, [&](std::int32_t to, double probability) {
        is_self_loop = is_self_loop && (to == state || !(probability > 0));
      });
      has_gain = has_gain || (is_self_loop && rows_.reward(row) > 0);
    });
    return has_gain;
  }

  /// True if each step of the policy within its best class is proved to gain.
  bool is_class_gaining(const std::vector<std::int32_t>& action,
                        const std::vector<double>& shift) const {
    return std::all_of(policies_.best_class().begin(), policies_.best_class().end(),
                       [&](std::int32_t state) {
                         const std::int64_t row = process_.row(state, action[state]);
                         return policies_.sum(state, row, shift).gain_below() > 0;
                       });
  }

  bool are_all_losing(const std::vector<double>& shift) const {
    bool lose = true;
    policies_.for_rows([&](std::int32_t state, std::int32_t, std::int64_t row) {
      lose = lose && policies_.sum(state, row, shift).gain_above() < 0;
    });
    return lose;
  }

  /// Exact sign of r + P h − h for h = shift / parts.
  std::optional<int> exact_sign(std::int32_t state, std::int64_t row, double parts,
                                const std::vector<double>& shift) const {
    ExactSum exact;
    const double reward = rows_.reward(row);
    const double state_shift = shift[state];
    rows_.for_entries(row, [&](std::int32_t to, double probability) {
      exact.add_product(probability, parts, reward);
      exact.add_product(probability, shift[to]);
      exact.add_product(probability, -state_shift);
    });
    return exact.sign();
  }

  /// Tries to prove that the gain is 0. Then the bias is the reward of the policy until it returns
  /// home. Tries this value, and fractions near it with fewer and fewer digits in the numerator,
  /// because rounding may have changed the value.
  LoopSign find_level(std::vector<double>& shift, std::vector<std::uint8_t>& is_level,
                      bool& is_rounded) const {
    double max = 0;
    for (const double reward : policies_.rewards()) max = std::max(max, std::abs(reward));
    if (!(max > 0)) return LoopSign::undecided;
    for (int parts = 1; parts <= max_parts; parts += 2) {
      for (const int digits : {0, 44, 34, 24, 12, 4}) {  // binary; 0: all
        if (digits == 0 && parts > 1) continue;
        const double grain = digits == 0 ? 0 : std::ldexp(1.0, std::ilogb(parts * max) - digits);
        for (std::size_t n = 0; n < states_.size(); ++n) {
          const double scaled = parts * policies_.rewards()[n];
          shift[states_[n]] = grain > 0 ? std::nearbyint(scaled / grain) * grain : scaled;
        }
        const LoopSign sign = sign_by(shift, parts, is_level);
        if (sign == LoopSign::undecided) continue;
        for (const std::int32_t state : states_) shift[state] /= parts;
        is_rounded = is_rounded || parts > 1;
        return sign;
      }
    }
    return LoopSign::undecided;
  }

  LoopSign sign_by(const std::vector<double>& shift, double parts,
                   std::vector<std::uint8_t>& is_level) const {
    bool is_without_gain = true;
    bool has_level = false;
    policies_.for_rows([&](std::int32_t state, std::int32_t, std::int64_t row) {
      if (!is_without_gain) return;
      const auto sign = exact_sign(state, row, parts, shift);
      is_without_gain = sign && *sign <= 0;
      is_level[row] = sign && *sign == 0 ? 1 : 0;
      has_level = has_level || is_level[row] != 0;
    });
    if (is_without_gain && has_level && has_endless_loop(is_level)) return LoopSign::level;
    policies_.for_rows([&](std::int32_t, std::int32_t, std::int64_t row) { is_level[row] = 0; });
    return is_without_gain ? LoopSign::losing : LoopSign::undecided;
  }

  /// True if some policy may loop for ever by the component's level rows. Otherwise each policy
  /// uses losing rows again and again.
  bool has_endless_loop(const std::vector<std::uint8_t>& is_level) const {
    std::vector<std::uint8_t> level_rows(is_level.size(), 0);
    policies_.for_rows(
        [&](std::int32_t, std::int32_t, std::int64_t row) { level_rows[row] = is_level[row]; });
    return find_end_components(process_, std::move(level_rows)).count > 0;
  }

  const RewardRows<Real>& rows_;
  const DecisionProcess<Real>& process_;
  LoopPolicies<Real> policies_;
  const std::vector<std::int32_t>& states_;
};

template <class Real>
class LoopGainFinder {
 public:
  explicit LoopGainFinder(const RewardRows<Real>& rows)
      : rows_(rows),
        process_(rows.solved()),
        loops_(find_loops(rows)),
        has_positive_(loops_.states.size(), 0),
        has_negative_(loops_.states.size(), 0) {}

  LoopGains find() {
    find_reward_signs();
    LoopGains result;
    for (std::size_t n = 0; n < loops_.states.size(); ++n) {
      if (has_positive_[n] == 0) continue;
      const LoopSign sign = has_negative_[n] == 0 ? LoopSign::gaining : sign_of_mixed(n, result);
      const auto append_states = [&](std::vector<std::int32_t>& states) {
        states.insert(states.end(), loops_.states[n].begin(), loops_.states[n].end());
      };
      if (sign == LoopSign::gaining) append_states(result.gaining);
      if (sign == LoopSign::undecided) append_states(result.undecided);
      has_level_ = has_level_ || sign == LoopSign::level;
    }
    std::sort(result.gaining.begin(), result.gaining.end());
    std::sort(result.undecided.begin(), result.undecided.end());
    if (!has_level_) result.shift = {};
    return result;
  }

 private:
  void find_reward_signs() {
    for (std::size_t n = 0; n < loops_.states.size(); ++n) {
      for (const std::int32_t state : loops_.states[n]) {
        for (std::int32_t action = 0; action < process_.action_count; ++action) {
          const std::int64_t row = process_.row(state, action);
          if (loops_.inside[row] == 0) continue;
          if (rows_.reward(row) > 0) has_positive_[n] = 1;
          if (rows_.reward(row) < 0) has_negative_[n] = 1;
        }
      }
    }
  }

  LoopSign sign_of_mixed(std::size_t component, LoopGains& result) {
    const auto states = static_cast<std::size_t>(process_.state_count);
    if (zeros_.value.empty()) {
      zeros_.value.assign(states, 0);
      zeros_.rest.assign(states, 0);
      action_.assign(states, -1);
      scratch_.assign(states, -1);
      strong_.emplace(process_);
    }
    if (result.shift.empty()) {
      result.shift.assign(states, 0);
      result.is_level.assign(loops_.inside.size(), 0);
    }
    const LoopSign sign =
        LoopSigns<Real>(rows_, loops_.states[component], loops_.inside, scratch_, *strong_)
            .find_sign(action_, zeros_, result);
    if (sign != LoopSign::level) {
      for (const std::int32_t state : loops_.states[component]) result.shift[state] = 0;
    }
    return sign;
  }

  const RewardRows<Real>& rows_;
  const DecisionProcess<Real>& process_;
  Loops loops_;
  std::vector<std::uint8_t> has_positive_;  // (component): a row inside has a positive reward
  std::vector<std::uint8_t> has_negative_;
  bool has_level_ = false;
  TwoPartValues zeros_;               // (state)
  std::vector<std::int32_t> action_;  // (state)
  std::vector<std::int32_t> scratch_;
  std::optional<StrongComponents<Real>> strong_;
};

}  // namespace

template <class Real>
LoopGains find_loop_gains(const RewardRows<Real>& rows) {
  return LoopGainFinder<Real>(rows).find();
}

template LoopGains find_loop_gains(const RewardRows<float>&);
template LoopGains find_loop_gains(const RewardRows<double>&);

}  // namespace tidewise::mdp
