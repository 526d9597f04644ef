#include "mdp/sweeps/jacobi_sweep.h"

#include <algorithm>

#include "mdp/backup/bellman.h"

namespace tidewise::mdp {
namespace {

// States that a thread backs up before it looks at how they changed: few enough that their values
// still are in its first cache.
constexpr std::int64_t block_states = 1024;
// Fewer are not worth a second thread.
constexpr std::int32_t least_shared = 4096;

/// best_action() of states [begin, end), which reads each row's start once.
template <class Real>
void back_up_states(const ProcessView<Real>& process, std::int64_t begin, std::int64_t end,
                    const Real* from, Real* to, std::int32_t* action) {
  const std::int32_t actions = process.action_count;
  const std::int32_t* const successor = process.successor.data;
  const Real* const probability = process.probability.data;
  const std::int64_t* row_end = process.row_begin.data + begin * actions;
  const Real* reward = process.reward.data + begin * actions;
  const Real discount = process.discount;
  std::int64_t entry = *row_end++;
  for (std::int64_t state = begin; state < end; ++state) {
    BestAction<Real> best{from[state], -1};
    for (std::int32_t a = 0; a < actions; ++a, ++row_end, ++reward) {
      const std::int64_t last = *row_end;
      if (entry == last) continue;
      Real expected = 0;
      for (; entry < last; ++entry) {
        expected = std::fma(probability[entry], from[successor[entry]], expected);
      }
      take_better(best, close_row(expected, discount, *reward), a);
    }
    to[state] = best.value;
    action[state] = best.action;
  }
}

template <class Real>
ValueChange change_of(const Real* from, const Real* to, std::int64_t begin, std::int64_t end) {
  ValueChange change;
  for (std::int64_t state = begin; state < end; ++state) {
    change.include(static_cast<double>(to[state]) - static_cast<double>(from[state]));
  }
  return change;
}

}  // namespace

template <class Real>
ValueChange sweep_rows(const ProcessView<Real>& process, std::int32_t threads, const Real* from,
                       Real* to, std::int32_t* action) {
  const std::int64_t states = process.state_count;
  const std::int64_t blocks = (states + block_states - 1) / block_states;
  ValueChange whole;
#pragma omp parallel num_threads(threads) if (states >= least_shared)
  {
    ValueChange own;
#pragma omp for schedule(static) nowait
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t begin = block * block_states;
      const std::int64_t end = std::min(begin + block_states, states);
      back_up_states(process, begin, end, from, to, action);
      own.include(change_of(from, to, begin, end));
    }
#pragma omp critical(tidewise_sweep_rows)
    whole.include(own);
  }
  return whole;
}

template ValueChange sweep_rows(const ProcessView<float>&, std::int32_t, const float*, float*,
                                std::int32_t*);
template ValueChange sweep_rows(const ProcessView<double>&, std::int32_t, const double*, double*,
                                std::int32_t*);

}  // namespace tidewise::mdp
