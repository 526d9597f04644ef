#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "mdp/backup/row_gain.h"
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
    }
  }
  bool has_ends() const { return has_ends_; }

  void include(std::int32_t state, ErrorBounds& bounds) const {
    if (goes_on_[state] == 0) return;
    double below = std::numeric_limits<double>::infinity();
    process_.for_actions(state, [&](std::int32_t, std::int64_t row) {
      const RowGain has = gain_of_row(process_, value_, state, row, goes_on_.data());
      const double fall = least_fall(row, has.ending);
      bounds.upper = std::max(bounds.upper, least_weight(has.gain + has.error, fall));
      below = std::min(below, least_weight(has.error - has.gain, fall));
    });
    bounds.lower = std::min(bounds.lower, -below);
  }

 private:
  /// 1 − γ · kept, as (1 − γ) + γ · what ends.
  double least_fall(std::int64_t row, double ending) const {
    const auto at = static_cast<std::size_t>(row);
    const auto length = static_cast<double>(process_.row_begin[at + 1] - process_.row_begin[at]);
    return ((1 - process_.discount) + process_.discount * ending) *
           (1 - (length + 4) * two_roundings);
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
