#pragma once

#include <cstdint>

#include "mdp/process/value_bounds.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// One sweep V' = T V over the rows as they are: reads `from`, writes `to` and the actions that are
/// greedy for `from` (−1 in terminal states), all of (state), and says how values changed. The same
/// bits by any number of threads.
template <class Real>
ValueChange sweep_rows(const ProcessView<Real>& process, std::int32_t threads, const Real* from,
                       Real* to, std::int32_t* action);

}  // namespace tidewise::mdp
