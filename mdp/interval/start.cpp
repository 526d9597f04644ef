#include "mdp/interval/start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mdp/graph/end_components.h"

namespace tidewise::mdp {
namespace {

// Of two numbers the difference is rounded, their quotient is, and what comes of it.
constexpr double outward = 1 + 8 * std::numeric_limits<double>::epsilon();

constexpr int most_tried = 8;

/// What rows of a state prove; see IntervalStart. All policies of the rows near the best come to an
/// end, whether weights can show it or differ by less than a double holds.
struct Proof {
  double above_least = 0;
  double above_most = infinity;
  double below_least = 0;
  double below_most = infinity;
  double rounding = 0;

  /// Of rows of one state, where one is enough: by which less has to be taken off V, or, where that
  /// is nothing, may be.
  bool is_better_below(const Proof& other) const {
    return below_least < other.below_least ||
           (below_least == other.below_least && below_most > other.below_most);
  }
};

/// A row that brings `gain` more than V says, at most, and shrinks the weight by `fall`, at least:
/// above · fall ≥ gain.
void require_above(double gain, double fall, Proof& proof) {
  if (fall > 0) {
    if (gain > 0) proof.above_least = std::max(proof.above_least, gain / fall * outward);
  } else if (gain > 0) {
    proof.above_most = -1;
  } else if (fall < 0) {
    proof.above_most = std::min(proof.above_most, gain / fall / outward);
  }
}

/// The same of a row that brings `loss` less than V says, at most: below · fall ≥ loss.
void require_below(double loss, double fall, Proof& proof) {
  Proof turned;
  require_above(loss, fall, turned);
  proof.below_least = turned.above_most < 0 ? infinity : turned.above_least;
  proof.below_most = turned.above_most;
}

}  // namespace

template <class Real>
bool IntervalStarter<Real>::find(const TwoPartValues& values,
                                 const std::vector<std::int32_t>& action, IntervalStart& start) {
  if (rows_.solved().discount < 1)
    return attempt(values, action, infinity, start) == Attempt::found;
  const double least = 4 * residual(values);
  if (!std::isfinite(least)) return false;
  Attempt last = Attempt::goes_round;
  double near = std::max(tolerance_, least);
  for (int tried = 0; last == Attempt::goes_round && tried < most_tried; ++tried) {
    last = attempt(values, action, near, start);
    if (near == least) break;
    near = std::max(near / 100, least);
  }
  if (last == Attempt::too_far) last = attempt(values, action, infinity, start);
  return last == Attempt::found;
}

template <class Real>
double IntervalStarter<Real>::residual(const TwoPartValues& values) const {
  const DecisionProcess<Real>& process = rows_.solved();
  double greatest = 0;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    double best = -infinity;
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      const std::int64_t row = process.row(state, action);
      if (!process.is_allowed(row)) continue;
      best = std::max(best, rows_.sum(state, row, values, rows_.reward(row)).change());
    }
    if (best > -infinity) greatest = std::max(greatest, std::abs(best));
  }
  return greatest;
}

template <class Real>
typename IntervalStarter<Real>::Attempt IntervalStarter<Real>::attempt(
    const TwoPartValues& values, const std::vector<std::int32_t>& action, double near,
    IntervalStart& start) {
  take_near(values, near);
  const bool ends =
      rows_.solved().discount < 1 || find_end_components(rows_.solved(), is_near_).count == 0;
  constexpr double change = 0.1;  // of a step: what is left is one, nearly
  if (!ends || !weigh({&is_near_, nullptr, true}, change, action, start)) {
    return Attempt::goes_round;
  }
  if (prove(values, start)) return Attempt::found;
  return find_by_rounding(values, action, start) ? Attempt::found : Attempt::too_far;
}

template <class Real>
void IntervalStarter<Real>::take_near(const TwoPartValues& values, double near) {
  const DecisionProcess<Real>& process = rows_.solved();
  is_near_.assign(static_cast<std::size_t>(process.row_count()), 0);
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      const std::int64_t row = process.row(state, action);
      if (!process.is_allowed(row)) continue;
      const RowSum sum = rows_.sum(state, row, values, rows_.reward(row));
      // What stays for nothing is an end, or would have been collapsed.
      const bool is_end = rows_.reward(row) == 0 && !sum.leaves();
      is_near_[static_cast<std::size_t>(row)] = !is_end && !(-sum.change() > near) ? 1 : 0;
    }
  }
}

/// The most steps that rows near the best take to the end, nearly, or what else `rule` counts: with
/// a discount 1, which the discount shrinks.
template <class Real>
bool IntervalStarter<Real>::weigh(const RowRule& rule, double change,
                                  std::vector<std::int32_t> action, IntervalStart& start) {
  const DecisionProcess<Real>& process = rows_.solved();
  start.weight = {std::vector<double>(static_cast<std::size_t>(process.state_count), 0)};
  if (process.discount < 1) {
    for (std::int32_t state = 0; state < process.state_count; ++state) {
      start.weight.value[static_cast<std::size_t>(state)] = process.is_terminal(state) ? 0 : 1;
    }
    return true;
  }
  components_.solve(rule, change, most_sweeps_, start.weight, action);
  return std::all_of(start.weight.value.begin(), start.weight.value.end(),
                     [](double weight) { return std::isfinite(weight); });
}

template <class Real>
bool IntervalStarter<Real>::find_by_rounding(const TwoPartValues& values,
                                             const std::vector<std::int32_t>& action,
                                             IntervalStart& start) {
  const DecisionProcess<Real>& process = rows_.solved();
  if (process.discount < 1) return false;
  double steps = 1;
  for (const double one : start.weight.value) steps = std::max(steps, one);
  constexpr double share = 1e-3;  // of the tolerance, which all steps may add up to
  const double least = share * tolerance_ / steps;
  std::vector<double> rounding(is_near_.size(), 0);
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    for (std::int64_t row = process.row(state, 0); row < process.row(state + 1, 0); ++row) {
      if (is_near_[static_cast<std::size_t>(row)] == 0) continue;
      const RowSum sum = rows_.sum(state, row, values, rows_.reward(row));
      rounding[static_cast<std::size_t>(row)] = sum.error / sum.scale + least;
    }
  }
  return weigh({&is_near_, &rounding}, least, action, start) && prove(values, start);
}

template <class Real>
bool IntervalStarter<Real>::prove(const TwoPartValues& values, IntervalStart& start) const {
  const DecisionProcess<Real>& process = rows_.solved();
  Proof proof;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    Proof best;  // of the row by which V − below · weight is no more than what it brings
    best.below_least = infinity;
    bool goes_on = false;
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      const std::int64_t row = process.row(state, action);
      if (!process.is_allowed(row)) continue;
      const RowSum worth = rows_.sum(state, row, values, rows_.reward(row));
      if (rows_.reward(row) == 0 && !worth.leaves()) continue;
      goes_on = true;
      // Both are times the row's sum, which so plays no part.
      const double fall = -rows_.sum(state, row, start.weight, 0).gain_above();
      require_above(worth.gain_above(), fall, proof);
      if (is_near_[static_cast<std::size_t>(row)] == 0) continue;
      proof.rounding = std::max(proof.rounding, 2 * worth.error);
      Proof own;
      require_below(-worth.gain_below(), fall, own);
      if (own.is_better_below(best)) best = own;
    }
    if (!goes_on) continue;
    proof.below_least = std::max(proof.below_least, best.below_least);
    proof.below_most = std::min(proof.below_most, best.below_most);
  }
  start.above = proof.above_least;
  start.below = proof.below_least;
  start.rounding = proof.rounding;
  return proof.above_least <= proof.above_most && std::isfinite(proof.above_least) &&
         proof.below_least <= proof.below_most && std::isfinite(proof.below_least);
}

template class IntervalStarter<float>;
template class IntervalStarter<double>;

}  // namespace tidewise::mdp
