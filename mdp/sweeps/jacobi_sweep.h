#pragma once

#include <cstdint>

#include "mdp/process/value_bounds.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// A sweep V' = T V over the rows: reads `from`, writes `to` and the greedy actions for `from` (−1
/// in terminal states), all (state), and returns the change of values. The bits do not depend on
/// the number of threads.
template <class Real>
ValueChange sweep_rows(const ProcessView<Real>& process, std::int32_t threads, const Real* from,
                       Real* to, std::int32_t* action);

}  // namespace tidewise::mdp
