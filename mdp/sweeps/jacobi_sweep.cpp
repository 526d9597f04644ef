#include "mdp/sweeps/jacobi_sweep.h"

#include "mdp/backup/bellman.h"
#include "mdp/process/state_blocks.h"

namespace tidewise::mdp {
namespace {

/// Stores best_action() of states [begin, end); reads each row's start once.
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

}  // namespace

template <class Real>
ValueChange sweep_rows(const ProcessView<Real>& process, std::int32_t threads, const Real* from,
                       Real* to, std::int32_t* action) {
  // A block's change is computed while its values are still in the first cache.
  return gather_over_blocks(process.state_count, threads,
                            [&](std::int64_t begin, std::int64_t end) {
                              back_up_states(process, begin, end, from, to, action);
                              return change_between(from, to, begin, end);
                            });
}

template ValueChange sweep_rows(const ProcessView<float>&, std::int32_t, const float*, float*,
                                std::int32_t*);
template ValueChange sweep_rows(const ProcessView<double>&, std::int32_t, const double*, double*,
                                std::int32_t*);

}  // namespace tidewise::mdp
