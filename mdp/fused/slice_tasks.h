#pragma once

#include <cstdint>
#include <vector>

#include "mdp/fused/packed_process.h"
#include "mdp/fused/slices.h"

namespace tidewise::mdp {

/// Assigns every slice to a task, slices with the same program together, up to slices_of_task;
/// tasks are nearly in the order of their first slices. With `threads` ≥ 1.
template <class Real>
std::vector<SliceTask> make_slice_tasks(const PackedProcess<Real>& process, std::int32_t threads);

}  // namespace tidewise::mdp
