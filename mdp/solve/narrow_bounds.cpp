#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "mdp/backup/exact_backup.h"
#include "mdp/process/state_blocks.h"
#include "mdp/solve/solve_process.h"

namespace tidewise::mdp {
namespace {

constexpr double two_roundings = std::numeric_limits<double>::epsilon();

/// Bounds where some states are terminal, whose values are sure. A weight of 1 in all others, of
/// which a row keeps `kept`, shrinks by 1 − γ · kept, which next to an end is much more than 1 − γ:
/// Q(V) − V ≤ δ (1 − γ · kept) for all actions proves V* ≤ V + δ, and V − Q(V) ≤ δ (1 − γ · kept)
/// for one of each state proves V* ≥ V − δ (interval_iteration.h). Values that were moved into the
/// middle of their bounds fit badly to ends, and there alone.
template <class Real>
class WeightedBounds {
 public:
  WeightedBounds(const DecisionProcess<Real>& process, const std::vector<Real>& value)
      : process_(process), value_(value), goes_on_(value.size()) {
    for (std::int32_t state = 0; state < process.state_count; ++state) {
      const auto s = static_cast<std::size_t>(state);
      goes_on_[s] = process.is_terminal(state) ? 0 : 1;
      has_ends_ = has_ends_ || goes_on_[s] == 0;
      greatest_value_ = std::max(greatest_value_, std::abs(static_cast<double>(value[s])));
    }
  }
  bool has_ends() const { return has_ends_; }

  void include(std::int32_t state, ErrorBounds& bounds) const {
    if (goes_on_[static_cast<std::size_t>(state)] == 0) return;
    double below = std::numeric_limits<double>::infinity();
    for (std::int32_t action = 0; action < process_.action_count; ++action) {
      const std::int64_t row = process_.row(state, action);
      if (!process_.is_allowed(row)) continue;
      const Row has = look_at(row);
      const double gain = has.worth - static_cast<double>(value_[static_cast<std::size_t>(state)]);
      bounds.upper = std::max(bounds.upper, least_weight(gain + has.rounding, has.fall));
      below = std::min(below, least_weight(has.rounding - gain, has.fall));
    }
    bounds.lower = std::min(bounds.lower, -below);
  }

 private:
  struct Row {
    double worth;
    double rounding;  // of that, at most
    double fall;      // 1 − γ · kept, at least
  };

  Row look_at(std::int64_t row) const {
    const auto at = static_cast<std::size_t>(row);
    double sum = 0;
    double kept = 0;
    for (auto n = process_.row_begin[at]; n < process_.row_begin[at + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      const auto probability = static_cast<double>(process_.probability[entry]);
      sum += probability;
      kept += goes_on_[static_cast<std::size_t>(process_.successor[entry])] * probability;
    }
    const auto length = static_cast<double>(process_.row_begin[at + 1] - process_.row_begin[at]);
    const double magnitude =
        std::abs(static_cast<double>(process_.reward[at])) + sum * greatest_value_;
    return {exact_row_value(process_, value_, row), (length + 3) * two_roundings * magnitude,
            1 - process_.discount * (kept + (length + 4) * two_roundings)};
  }
  /// δ ≥ 0 with gain ≤ δ · fall.
  static double least_weight(double gain, double fall) {
    if (!(gain > 0)) return 0;
    return fall > 0 ? gain / fall * (1 + 4 * two_roundings)
                    : std::numeric_limits<double>::infinity();
  }

  const DecisionProcess<Real>& process_;
  const std::vector<Real>& value_;
  std::vector<std::uint8_t> goes_on_;  // (state)
  bool has_ends_ = false;
  double greatest_value_ = 0;  // max |V|
};

}  // namespace

template <class Real>
void narrow_bounds(const DecisionProcess<Real>& process, std::int32_t threads,
                   ProcessSolution<Real>& solution) {
  const WeightedBounds<Real> weighted(process, solution.value);
  if (!weighted.has_ends() || !(process.discount < 1)) return;
  struct Widest : ErrorBounds {
    Widest() : ErrorBounds{0, 0} {}
    void include(const Widest& other) {
      lower = std::min(lower, other.lower);
      upper = std::max(upper, other.upper);
    }
  };
  const auto whole = gather_over_blocks<Widest>(
      process.state_count, threads, [&](std::int64_t begin, std::int64_t end) {
        Widest own;
        for (std::int64_t s = begin; s < end; ++s) {
          weighted.include(static_cast<std::int32_t>(s), own);
        }
        return own;
      });
  solution.bounds = {std::max(solution.bounds.lower, whole.lower),
                     std::min(solution.bounds.upper, whole.upper)};
}

template void narrow_bounds(const DecisionProcess<float>&, std::int32_t, ProcessSolution<float>&);
template void narrow_bounds(const DecisionProcess<double>&, std::int32_t, ProcessSolution<double>&);

}  // namespace tidewise::mdp
