#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/mdp/exact_backup.h"
#include "solver/mdp/solve_process.h"

namespace tidewise {
namespace {

struct Judgement {
  ValueChange change;        // T V − V
  double greatest = 0;       // max |Q|
  std::int64_t longest = 0;  // entries of a row

  void include(const Judgement& other) {
    change.include(other.change);
    greatest = std::max(greatest, other.greatest);
    longest = std::max(longest, other.longest);
  }
};

template <class Real>
void judge_state(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                 std::int32_t state, Judgement& judgement) {
  BestAction<double> best;
  for (std::int32_t action = 0; action < process.action_count; ++action) {
    const auto row = static_cast<std::size_t>(process.row(state, action));
    const std::int64_t length = process.row_begin[row + 1] - process.row_begin[row];
    if (length == 0) continue;
    const double worth = exact_row_value(process, value, std::int64_t(row));
    take_better(best, worth, action);
    judgement.greatest = std::max(judgement.greatest, std::abs(worth));
    judgement.longest = std::max(judgement.longest, length);
  }
  const bool terminal = best.action < 0;
  judgement.change.include(terminal ? 0
                                    : best.value - static_cast<double>(value[std::size_t(state)]));
}

/// Of V itself, where bounds_after() speaks of T V: V* − V lies between the least and the greatest
/// of T V − V, each over 1 − γ. Source: as there.
ErrorBounds bounds_before(const ValueChange& change, double discount) {
  if (change.least == 0 && change.most == 0) return {0, 0};
  if (!(discount < 1)) return {};
  return {change.least / (1 - discount), change.most / (1 - discount)};
}

template <class Real>
Judgement judge_states(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                       std::int32_t threads) {
  Judgement whole;
#pragma omp parallel num_threads(threads) if (process.state_count >= 4096)
  {
    Judgement own;
#pragma omp for schedule(static) nowait
    for (std::int32_t state = 0; state < process.state_count; ++state) {
      judge_state(process, value, state, own);
    }
#pragma omp critical(tidewise_judge_solution)
    whole.include(own);
  }
  return whole;
}

/// What rounding adds within one sweep, at most.
template <class Real>
double rounding_of(const Judgement& judgement) {
  return static_cast<double>(judgement.longest + 2) *
         static_cast<double>(std::numeric_limits<Real>::epsilon()) * judgement.greatest;
}

}  // namespace

// Rounding. A row of n entries is n fused multiply-adds and one more, each wrong by half an ε of
// what it makes; the discount, rounded to Real, by half an ε of the rest. With rewards of one sign
// partial sums stay under max |Q| or nearly so; (n + 2) ε max |Q| leaves a factor of two for
// others. A sweep's error goes through all later sweeps, each of which shrinks it by γ: 1/(1−γ) of
// it in all. With γ = 1 nothing shrinks it, and one sweep's is reported.
template <class Real>
void judge_solution(const DecisionProcess<Real>& process, std::int32_t threads,
                    ProcessSolution<Real>& solution) {
  const Judgement whole = judge_states(process, solution.value, threads);
  solution.residual = whole.change.residual();
  solution.bounds = bounds_before(whole.change, process.discount);
  const double once = rounding_of<Real>(whole);
  solution.rounding = process.discount < 1 ? once / (1 - process.discount) : once;
}

// Rounding adds up over the steps as it does over sweeps. Values are taken to be nowhere greater
// than at the first step or beyond the last, as they are where rewards have one sign.
template <class Real>
void judge_steps(const DecisionProcess<Real>& process, std::int64_t steps, std::int32_t threads,
                 ProcessSolution<Real>& solution) {
  Judgement whole = judge_states(process, solution.value, threads);
  for (const Real value : process.initial_value) {
    whole.greatest = std::max(whole.greatest, std::abs(static_cast<double>(value)));
  }
  solution.residual = 0;
  solution.bounds = {0, 0};
  const double discount = static_cast<double>(process.discount);
  const auto count = static_cast<double>(steps);
  const double sweeps = discount < 1 ? (1 - std::pow(discount, count)) / (1 - discount) : count;
  solution.rounding = sweeps * rounding_of<Real>(whole);
}

#define TIDEWISE_INSTANTIATE(Real)                                                    \
  template void judge_solution(const DecisionProcess<Real>&, std::int32_t,            \
                               ProcessSolution<Real>&);                               \
  template void judge_steps(const DecisionProcess<Real>&, std::int64_t, std::int32_t, \
                            ProcessSolution<Real>&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise
