#pragma once

// For .cu files.

#include <cub/util_type.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace tidewise {

/// Joins two objects by include().
struct Included {
  template <class T>
  __device__ T operator()(T one, const T& other) const {
    one.include(other);
    return one;
  }
};

/// Reduces the values `own` of all threads of a block by `join`; the result is in thread 0. `join`
/// must not depend on the order: use it for minimum, maximum and best, not for sums of
/// floating-point numbers. All threads of the block must call it, and the block consists of whole
/// warps. Call __syncthreads() between two calls.
template <class T, class Join = Included>
__device__ T join_block(const T& own, const Join& join = {}) {
  using WarpReduce = cub::WarpReduce<T>;
  constexpr unsigned max_warps = 32;
  __shared__ typename WarpReduce::TempStorage memory[max_warps];
  __shared__ cub::Uninitialized<T> of_warp[max_warps];
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = blockDim.x / 32;
  T all = WarpReduce(memory[warp]).Reduce(own, join);
  if (warps == 1) return all;
  if (threadIdx.x % 32 == 0) of_warp[warp].Alias() = all;
  __syncthreads();
  if (warp > 0) return all;
  const unsigned of = threadIdx.x < warps ? threadIdx.x : 0;
  return WarpReduce(memory[0]).Reduce(of_warp[of].Alias(), join, static_cast<int>(warps));
}

}  // namespace tidewise
