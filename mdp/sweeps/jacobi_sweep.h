#pragma once

#include <cstdint>
#include <functional>

#include "mdp/process/value_bounds.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// One sweep V' = T V over some layout of a process: reads `from`, writes `to` and the actions that
/// are greedy for `from` (−1 in terminal states), all of (state), and says how values changed.
template <class Real>
using Sweep = std::function<ValueChange(const Real* from, Real* to, std::int32_t* action)>;

/// The sweep over the rows as they are, by `threads`; the same bits by any number of them.
template <class Real>
ValueChange sweep_rows(const ProcessView<Real>& process, std::int32_t threads, const Real* from,
                       Real* to, std::int32_t* action);

/// The same as a Sweep. Borrows what `process` does.
template <class Real>
Sweep<Real> rows_sweep(const ProcessView<Real>& process, std::int32_t threads) {
  return [process, threads](const Real* from, Real* to, std::int32_t* action) {
    return sweep_rows(process, threads, from, to, action);
  };
}

}  // namespace tidewise::mdp
