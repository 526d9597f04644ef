#pragma once

// For .cu files.

#include <cub/util_type.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace tidewise {

/// One that includes the other, for what has include().
struct Included {
  template <class T>
  __device__ T operator()(T one, const T& other) const {
    one.include(other);
    return one;
  }
};

/// What `join` makes of all threads' `own`, in thread 0. In any order the same: for least, greatest
/// and best, not for sums of floating-point numbers. All threads of the block come, which are whole
/// warps; again only after a __syncthreads().
template <class T, class Join = Included>
__device__ T join_block(const T& own, const Join& join = {}) {
  using WarpReduce = cub::WarpReduce<T>;
  constexpr unsigned most_warps = 32;
  __shared__ typename WarpReduce::TempStorage memory[most_warps];
  __shared__ cub::Uninitialized<T> of_warp[most_warps];
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
