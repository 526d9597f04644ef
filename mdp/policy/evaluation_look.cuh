#pragma once

// For .cu files.

#include <cmath>
#include <cstddef>

#include "base/kernel/join_block.cuh"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "mdp/policy/evaluation_look.h"

namespace tidewise::mdp {

/// Threads per block of evaluation sweeps.
inline constexpr unsigned look_threads = 256;

struct Greater {
  __device__ double operator()(double one, double other) const { return other > one ? other : one; }
};

template <class Body>
__global__ void __launch_bounds__(look_threads)
    sweep_and_look(std::size_t states, const __grid_constant__ Body body, EvaluationLook look) {
  const bool has_ended =
      ends_evaluation(__longlong_as_double(static_cast<long long>(*look.before)), look.change);
  const std::size_t state = static_cast<std::size_t>(blockIdx.x) * look_threads + threadIdx.x;
  double residual = 0;
  if (state < states) {
    if (has_ended) {
      body.next[state] = body.value[state];
    } else {
      body(state);
      residual =
          std::abs(static_cast<double>(body.next[state]) - static_cast<double>(body.value[state]));
    }
  }
  residual = join_block(residual, Greater{});
  if (threadIdx.x > 0) return;
  // Atomics at one address are serialized, but few blocks exceed the earlier maximum.
  const auto bits = static_cast<EvaluationLook::Bits>(__double_as_longlong(residual));
  const volatile EvaluationLook::Bits* known = look.residual;
  if (bits > *known) atomicMax(look.residual, bits);
}

/// Calls body(state) in a thread for each state, which computes body.next[state] from body.value;
/// also finds the residual. For the body see for_each_on_device().
template <class Body>
void sweep_on_device(std::size_t states, const Body& body, const EvaluationLook& look,
                     const DeviceStream& stream) {
  if (states == 0) return;
  const auto blocks = static_cast<unsigned>((states + look_threads - 1) / look_threads);
  sweep_and_look<<<blocks, look_threads, 0, native(stream)>>>(states, body, look);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise::mdp
