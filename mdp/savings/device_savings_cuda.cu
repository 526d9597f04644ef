#include "base/kernel/for_each.cuh"
#include "base/memory/stream.h"
#include "mdp/savings/iteration.h"

namespace tidewise::mdp {
namespace {

constexpr unsigned block_threads = 64;  // bodies are long, and states few

/// Computes the states of productivity blockIdx.y, with a thread for each asset. Copies the assets
/// and the rows of the productivity, which each thread reads throughout its search, to shared
/// memory first.
__global__ void save_off_grid_in_shared(const __grid_constant__ SaveOffGrid body) {
  extern __shared__ double shared[];
  const std::size_t count = body.view.asset_count();
  const std::size_t e = blockIdx.y;
  const bool has_slope = body.view.interpolation == Interpolation::cubic;
  for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) {
    shared[i] = body.view.assets[i];
    shared[count + i] = body.view.expected[e * count + i];
    if (has_slope) shared[2 * count + i] = body.view.slope[e * count + i];
  }
  __syncthreads();
  SaveOffGrid local = body;
  local.view.assets = {shared, count};
  local.view.expected = {shared + count, count};
  local.view.slope = {shared + 2 * count, count};
  local.view.first_row = e;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) local(e * count + i);
}

/// Runs a thread for each state.
class OnDevice {
 public:
  explicit OnDevice(bool uses_shared_memory) : uses_shared_memory_(uses_shared_memory) {}

  template <class Body>
  void operator()(std::size_t count, const Body& body) const {
    for_each_on_device(count, body, stream_, block_threads);
  }
  void operator()(std::size_t states, const SaveOffGrid& body) const {
    const std::size_t count = body.view.asset_count();
    const std::size_t bytes = 3 * count * sizeof(double);
    const std::size_t rows = states / count;
    if (!uses_shared_memory_) {
      for_each_on_device(states, body, stream_, block_threads);
      return;
    }
    const dim3 blocks(static_cast<unsigned>((count + block_threads - 1) / block_threads),
                      static_cast<unsigned>(rows));
    save_off_grid_in_shared<<<blocks, block_threads, bytes, native(stream_)>>>(body);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }
  void finish() const { stream_.synchronize(); }

 private:
  DeviceStream stream_;
  bool uses_shared_memory_;
};

}  // namespace

SavingsSolution solve_savings_on_device(const SavingsProblem& problem,
                                        const SavingsOptions& options, Progress& progress) {
  validate_savings(problem);
  validate_savings_options(options);
  OnDevice launch(options.uses_shared_memory && fits_shared_memory(problem));
  return SavingsIteration<MemorySpace::device, OnDevice>(problem, options, launch).run(progress);
}

}  // namespace tidewise::mdp
