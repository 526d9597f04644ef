#include "mdp/average/loop_gains.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "mdp/average/exact_sum.h"
#include "mdp/graph/end_components.h"
#include "mdp/graph/strong_components.h"
#include "mdp/interval/policy_elimination.h"

namespace tidewise::mdp {
namespace {

enum class LoopSign { loses, levels, gains, undecided };

constexpr double most_loop_work = 1e8;  // multiplications of an elimination
constexpr double most_loop_entries = 2e7;
constexpr int most_loop_improvements = 100;
constexpr int most_parts = 127;  // of the fractions of 1 that a bias is looked for in
// More of a step's rounding than this is better.
constexpr double least_better = 4;

/// One component's.
template <class Real>
class LoopPolicies {
 public:
  /// `states`: ascending. `inside`, (row): does not lead out of them. `scratch`: (state), −1.
  LoopPolicies(const RewardRows<Real>& rows, std::vector<std::int32_t> states,
               const std::vector<std::uint8_t>& inside, std::vector<std::int32_t>& scratch,
               StrongComponents<Real>& strong)
      : rows_(rows),
        process_(rows.solved()),
        states_(std::move(states)),
        inside_(inside),
        group_of_(scratch),
        strong_(strong) {}

  /// Fills shift in the states, and is_level where that is LoopSign::levels. `action`,
  /// `nothing`: (state), the latter 0.
  LoopSign judge(std::vector<std::int32_t>& action, const std::vector<double>& nothing,
                 LoopGains& found) {
    std::vector<double>& shift = found.shift;
    if (stays_and_gains()) return LoopSign::gains;
    if (states_.size() == 1) return LoopSign::loses;
    if (!is_small()) return LoopSign::undecided;
    for (const std::int32_t state : states_) {
      std::int32_t& first = action[static_cast<std::size_t>(state)];
      for (first = 0; !is_inside(process_.row(state, first));) ++first;
    }
    for (int improvement = 0; improvement < most_loop_improvements; ++improvement) {
      if (!evaluate(action, nothing, shift)) return LoopSign::undecided;
      if (class_gains(action, shift)) return LoopSign::gains;
      if (!improve(shift, action)) break;
    }
    if (all_lose(shift)) return LoopSign::loses;
    return find_level(shift, found.is_level, found.is_rounded);
  }

 private:
  bool is_inside(std::int64_t row) const { return inside_[static_cast<std::size_t>(row)] != 0; }

  template <class Take>
  void for_rows(const Take& take) const {
    for (const std::int32_t state : states_) {
      for (std::int32_t action = 0; action < process_.action_count; ++action) {
        const std::int64_t row = process_.row(state, action);
        if (is_inside(row)) take(state, action, row);
      }
    }
  }
  RowSum sum(std::int32_t state, std::int64_t row, const std::vector<double>& shift) const {
    return rows_.sum(state, row, shift, rows_.reward(row));
  }

  bool stays_and_gains() const {
    bool found = false;
    for_rows([&](std::int32_t state, std::int32_t, std::int64_t row) {
      bool stays = true;
      rows_.for_entries(row, [&](std::int32_t to, double probability) {
        stays = stays && (to == state || !(probability > 0));
      });
      found = found || (stays && rows_.reward(row) > 0);
    });
    return found;
  }

  bool is_small() const {
    std::int64_t band = 0;
    for_rows([&](std::int32_t state, std::int32_t, std::int64_t row) {
      rows_.for_entries(row, [&](std::int32_t to, double) {
        band = std::max(band, std::int64_t{std::abs(place_of(to) - place_of(state))});
      });
    });
    const auto width = static_cast<double>(band);
    const auto count = static_cast<double>(states_.size());
    return count * (2 * width + 1) <= most_loop_entries && count * width * width <= most_loop_work;
  }
  std::int32_t place_of(std::int32_t state) const {
    return static_cast<std::int32_t>(std::lower_bound(states_.begin(), states_.end(), state) -
                                     states_.begin());
  }

  /// The closed classes of a policy.
  std::vector<std::vector<std::int32_t>> classes_of(const std::vector<std::int32_t>& action) {
    StateGroups groups;
    for (const std::int32_t state : states_) strong_.forget(state);
    strong_.find(
        states_.data(), states_.size(),
        [&](std::int64_t row) {
          const auto state = static_cast<std::int32_t>(row / process_.action_count);
          return process_.row(state, action[static_cast<std::size_t>(state)]) == row;
        },
        groups);
    std::vector<std::vector<std::int32_t>> classes;
    for (std::int64_t group = 0; group < groups.count(); ++group) {
      std::vector<std::int32_t> members(groups.first(group),
                                        groups.first(group) + groups.size(group));
      std::sort(members.begin(), members.end());
      bool closed = true;
      for (const std::int32_t state : members) {
        const std::int64_t row = process_.row(state, action[static_cast<std::size_t>(state)]);
        rows_.for_entries(row, [&](std::int32_t to, double probability) {
          const bool stays = std::binary_search(members.begin(), members.end(), to);
          closed = closed && (stays || !(probability > 0));
        });
      }
      if (closed) classes.push_back(std::move(members));
    }
    return classes;
  }

  /// What the policy brings, and how long it takes, until it comes to `home` from each of `members`
  /// (all but that), with `reward` and `steps`, (place in members), and from home itself.
  struct Return {
    double reward = 0;
    double steps = 0;
    std::vector<double> rewards = {};
    std::vector<double> times = {};
    double gain() const { return reward / steps; }
  };
  bool find_return(std::vector<std::int32_t> members, std::int32_t home, bool may_change,
                   std::vector<std::int32_t>& action, const std::vector<double>& nothing,
                   Return& found) {
    std::erase(members, home);
    const RowRule of_rewards{&inside_, false};
    const RowRule of_steps{&inside_, true};
    for (const std::int32_t state : members) group_of_[static_cast<std::size_t>(state)] = 0;
    bool is_found = true;
    if (!members.empty()) {
      PolicyElimination<Real> rewards(rows_, of_rewards, members, group_of_);
      PolicyElimination<Real> steps(rows_, of_steps, members, group_of_);
      is_found = !may_change || rewards.choose_ending_policy(action);
      is_found = is_found && rewards.evaluate(action, nothing, found.rewards) &&
                 steps.evaluate(action, nothing, found.times);
    }
    for (const std::int32_t state : members) group_of_[static_cast<std::size_t>(state)] = -1;
    if (!is_found) return false;
    const std::int64_t row = process_.row(home, action[static_cast<std::size_t>(home)]);
    double scale = 0;
    double reward = 0;
    double steps = 0;
    rows_.for_entries(row, [&](std::int32_t to, double probability) {
      scale += probability;
      const auto at = std::lower_bound(members.begin(), members.end(), to);
      if (at == members.end() || *at != to) return;
      const auto place = static_cast<std::size_t>(at - members.begin());
      reward += probability * found.rewards[place];
      steps += probability * found.times[place];
    });
    found.reward = rows_.reward(row) + reward / scale;
    found.steps = 1 + steps / scale;
    return std::isfinite(found.reward) && std::isfinite(found.steps);
  }

  /// The bias of the policy, after the states that do not come to its best class have been led
  /// there.
  bool evaluate(std::vector<std::int32_t>& action, const std::vector<double>& nothing,
                std::vector<double>& shift) {
    double best = -std::numeric_limits<double>::infinity();
    std::int32_t home = -1;
    for (const auto& members : classes_of(action)) {
      Return around;
      if (!find_return(members, members.front(), false, action, nothing, around)) return false;
      if (around.gain() > best) {
        best = around.gain();
        home = members.front();
        class_ = members;
      }
    }
    Return whole;
    if (home < 0 || !find_return(states_, home, true, action, nothing, whole)) return false;
    rewards_.assign(states_.size(), 0);
    std::size_t place = 0;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      double& own = shift[static_cast<std::size_t>(states_[n])];
      own = 0;
      if (states_[n] == home) continue;
      rewards_[n] = whole.rewards[place];
      own = whole.rewards[place] - whole.gain() * whole.times[place];
      if (!std::isfinite(own)) return false;
      ++place;
    }
    return true;
  }

  /// Whether each step of the policy within its best class is proved to gain.
  bool class_gains(const std::vector<std::int32_t>& action,
                   const std::vector<double>& shift) const {
    return std::all_of(class_.begin(), class_.end(), [&](std::int32_t state) {
      const std::int64_t row = process_.row(state, action[static_cast<std::size_t>(state)]);
      return sum(state, row, shift).gain_below() > 0;
    });
  }

  bool improve(const std::vector<double>& shift, std::vector<std::int32_t>& action) const {
    bool improved = false;
    for (const std::int32_t state : states_) {
      std::int32_t& taken = action[static_cast<std::size_t>(state)];
      const RowSum own = sum(state, process_.row(state, taken), shift);
      double best = own.change() + least_better * own.error;
      const std::int32_t before = taken;
      for (std::int32_t one = 0; one < process_.action_count; ++one) {
        const std::int64_t row = process_.row(state, one);
        if (one == before || !is_inside(row)) continue;
        const RowSum other = sum(state, row, shift);
        if (other.change() - least_better * other.error <= best) continue;
        best = other.change();
        taken = one;
      }
      improved = improved || taken != before;
    }
    return improved;
  }

  bool all_lose(const std::vector<double>& shift) const {
    bool lose = true;
    for_rows([&](std::int32_t state, std::int32_t, std::int64_t row) {
      lose = lose && sum(state, row, shift).gain_above() < 0;
    });
    return lose;
  }

  /// Of r + P h − h for h = shift / parts, without rounding.
  std::optional<int> exact_sign(std::int32_t state, std::int64_t row, double parts,
                                const std::vector<double>& shift) const {
    ExactSum exact;
    const double reward = rows_.reward(row);
    const double own = shift[static_cast<std::size_t>(state)];
    rows_.for_entries(row, [&](std::int32_t to, double probability) {
      exact.add_product(probability, parts, reward);
      exact.add_product(probability, shift[static_cast<std::size_t>(to)]);
      exact.add_product(probability, -own);
    });
    return exact.sign();
  }

  /// Tries what the policy brings until it is at home, which is its bias where it gains nothing: as
  /// it is, and as multiples of fractions whose numerators have fewer and fewer digits, since
  /// rounding moved it off these.
  LoopSign find_level(std::vector<double>& shift, std::vector<std::uint8_t>& is_level,
                      bool& is_rounded) const {
    double greatest = 0;
    for (const double one : rewards_) greatest = std::max(greatest, std::abs(one));
    if (!(greatest > 0)) return LoopSign::undecided;
    for (int parts = 1; parts <= most_parts; parts += 2) {
      for (const int digits : {0, 44, 34, 24, 12, 4}) {  // binary; 0: all
        if (digits == 0 && parts > 1) continue;
        const double grain =
            digits == 0 ? 0 : std::ldexp(1.0, std::ilogb(parts * greatest) - digits);
        for (std::size_t n = 0; n < states_.size(); ++n) {
          const double one = parts * rewards_[n];
          shift[static_cast<std::size_t>(states_[n])] =
              grain > 0 ? std::nearbyint(one / grain) * grain : one;
        }
        const LoopSign sign = sign_by(shift, parts, is_level);
        if (sign == LoopSign::undecided) continue;
        for (const std::int32_t state : states_) shift[static_cast<std::size_t>(state)] /= parts;
        is_rounded = is_rounded || parts > 1;
        return sign;
      }
    }
    return LoopSign::undecided;
  }

  LoopSign sign_by(const std::vector<double>& shift, double parts,
                   std::vector<std::uint8_t>& is_level) const {
    bool none_gains = true;
    bool some_level = false;
    for_rows([&](std::int32_t state, std::int32_t, std::int64_t row) {
      if (!none_gains) return;
      const auto sign = exact_sign(state, row, parts, shift);
      none_gains = sign && *sign <= 0;
      is_level[static_cast<std::size_t>(row)] = sign && *sign == 0 ? 1 : 0;
      some_level = some_level || is_level[static_cast<std::size_t>(row)] != 0;
    });
    if (none_gains) return some_level ? LoopSign::levels : LoopSign::loses;
    for_rows([&](std::int32_t, std::int32_t, std::int64_t row) {
      is_level[static_cast<std::size_t>(row)] = 0;
    });
    return LoopSign::undecided;
  }

  const RewardRows<Real>& rows_;
  const DecisionProcess<Real>& process_;
  std::vector<std::int32_t> states_;
  const std::vector<std::uint8_t>& inside_;
  std::vector<std::int32_t>& group_of_;
  StrongComponents<Real>& strong_;
  std::vector<std::int32_t> class_;  // closed, the best of the policy
  std::vector<double> rewards_;      // (place): until the policy comes to a state of that
};

template <class Real>
class LoopJudge {
 public:
  explicit LoopJudge(const RewardRows<Real>& rows)
      : rows_(rows),
        process_(rows.solved()),
        components_(find_end_components(
            process_, std::vector<std::uint8_t>(std::size_t(process_.row_count()), 1))),
        inside_(static_cast<std::size_t>(process_.row_count()), 0),
        members_(static_cast<std::size_t>(components_.count)),
        gains_(members_.size(), 0),
        loses_(members_.size(), 0) {}

  LoopGains judge() {
    look_at_signs();
    LoopGains found;
    for (std::size_t n = 0; n < members_.size(); ++n) {
      if (gains_[n] == 0) continue;
      const LoopSign sign = loses_[n] == 0 ? LoopSign::gains : judge_both(n, found);
      const auto keep = [&](std::vector<std::int32_t>& states) {
        states.insert(states.end(), members_[n].begin(), members_[n].end());
      };
      if (sign == LoopSign::gains) keep(found.gaining);
      if (sign == LoopSign::undecided) keep(found.undecided);
      has_level_ = has_level_ || sign == LoopSign::levels;
    }
    std::sort(found.gaining.begin(), found.gaining.end());
    std::sort(found.undecided.begin(), found.undecided.end());
    if (!has_level_) found.shift = {};
    return found;
  }

 private:
  void look_at_signs() {
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      const std::int32_t component = components_.of_state[static_cast<std::size_t>(state)];
      if (component < 0) continue;
      const auto at = static_cast<std::size_t>(component);
      members_[at].push_back(state);
      for (std::int32_t action = 0; action < process_.action_count; ++action) {
        const std::int64_t row = process_.row(state, action);
        if (!stays_in(row, component)) continue;
        inside_[static_cast<std::size_t>(row)] = 1;
        if (rows_.reward(row) > 0) gains_[at] = 1;
        if (rows_.reward(row) < 0) loses_[at] = 1;
      }
    }
  }
  bool stays_in(std::int64_t row, std::int32_t component) const {
    bool stays = process_.is_allowed(row);
    rows_.for_entries(row, [&](std::int32_t to, double probability) {
      stays = stays && (!(probability > 0) ||
                        components_.of_state[static_cast<std::size_t>(to)] == component);
    });
    return stays;
  }

  LoopSign judge_both(std::size_t component, LoopGains& found) {
    const auto states = static_cast<std::size_t>(process_.state_count);
    if (nothing_.empty()) {
      nothing_.assign(states, 0);
      action_.assign(states, -1);
      scratch_.assign(states, -1);
      strong_.emplace(process_);
    }
    if (found.shift.empty()) {
      found.shift.assign(states, 0);
      found.is_level.assign(inside_.size(), 0);
    }
    const LoopSign sign =
        LoopPolicies<Real>(rows_, members_[component], inside_, scratch_, *strong_)
            .judge(action_, nothing_, found);
    if (sign != LoopSign::levels) {
      for (const std::int32_t state : members_[component]) {
        found.shift[static_cast<std::size_t>(state)] = 0;
      }
    }
    return sign;
  }

  const RewardRows<Real>& rows_;
  const DecisionProcess<Real>& process_;
  EndComponents components_;
  std::vector<std::uint8_t> inside_;                // (row): does not leave its component
  std::vector<std::vector<std::int32_t>> members_;  // (component)
  std::vector<std::uint8_t> gains_;                 // (component): a row inside does
  std::vector<std::uint8_t> loses_;
  bool has_level_ = false;
  std::vector<double> nothing_;       // (state)
  std::vector<std::int32_t> action_;  // (state)
  std::vector<std::int32_t> scratch_;
  std::optional<StrongComponents<Real>> strong_;
};

}  // namespace

template <class Real>
LoopGains judge_loops(const RewardRows<Real>& rows) {
  return LoopJudge<Real>(rows).judge();
}

template LoopGains judge_loops(const RewardRows<float>&);
template LoopGains judge_loops(const RewardRows<double>&);

}  // namespace tidewise::mdp
