#pragma once

#include <cstdint>
#include <vector>

#include "mdp/fused/packed_process.h"
#include "mdp/fused/slices.h"

namespace tidewise::mdp {

/// Every slice of the process in one task, those with the same program together, up to
/// slices_of_task of them; by their first slices almost in order. By `threads` ≥ 1.
template <class Real>
std::vector<SliceTask> make_slice_tasks(const PackedProcess<Real>& process, std::int32_t threads);

}  // namespace tidewise::mdp
