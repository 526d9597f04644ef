#pragma once

// For .cu files: the kernels of the published algorithm, with their published names, and their
// launches. The caller supplies the work of a step and the content of an entry.

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device.h"
#include "base/memory/native_stream.h"
#include "model_builder/paper/kernels.h"
#include "model_builder/paper/launch.h"

namespace tidewise {

/// Maximum number of threads per block of these kernels.
inline constexpr int max_paper_threads = 1024;

/// x and y: cells; z: realizations, also within blocks. Concurrent blocks then belong to many
/// cells, and do not compete for the same words.
template <class Transition>
__global__ void __launch_bounds__(max_paper_threads)
    K_TRANSITION(const __grid_constant__ Transition transition, std::size_t cell_count,
                 std::size_t realization_count) {
  const std::size_t place = std::size_t{blockIdx.y} * gridDim.x + blockIdx.x;
  if (place >= cell_count) return;
  for (std::size_t r = std::size_t{blockIdx.z} * blockDim.x + threadIdx.x; r < realization_count;
       r += std::size_t{gridDim.z} * blockDim.x) {
    transition(place, r);
  }
}

template <class Mean>
__global__ void K_COMPUTE_MEAN(const __grid_constant__ Mean mean, std::size_t cell_count) {
  const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (place < cell_count) mean(place);
}

/// One block per cell; a thread examines one or several words of its sub-grid.
static __global__ void __launch_bounds__(max_paper_threads)
    K_COUNT(const std::uint32_t* s2_count, int subgrid_size, std::int32_t* entry_count) {
  const std::uint32_t* counts = s2_count + std::size_t{blockIdx.x} * subgrid_size;
  int entries = 0;
  for (int first = 0; first < subgrid_size; first += static_cast<int>(blockDim.x)) {
    const int s2 = first + static_cast<int>(threadIdx.x);
    entries += __syncthreads_count(s2 < subgrid_size && counts[s2] != 0);
  }
  if (threadIdx.x == 0) entry_count[blockIdx.x] = entries;
}

template <class Reduce>
__global__ void K_REDUCE_TO_COO(const __grid_constant__ Reduce reduce, std::size_t cell_count) {
  const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (place < cell_count) reduce(place);
}

/// The launch limits of the current device for these kernels.
inline LaunchLimits paper_launch_limits() {
  int device = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  cudaDeviceProp properties{};
  TIDEWISE_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return {static_cast<std::size_t>(std::min(properties.maxThreadsPerBlock, max_paper_threads)),
          static_cast<std::size_t>(properties.maxGridSize[0]),
          static_cast<std::size_t>(properties.maxGridSize[1]),
          static_cast<std::size_t>(properties.maxGridSize[2])};
}

/// Maximum number of words of S2_count. A word may need a COO entry of three more words, and half
/// of the memory is left for other uses. Entries of a batch then fit int32 easily.
inline std::size_t s2_count_words() {
  constexpr std::size_t max = std::size_t{1} << 28;
  return std::min(max, device_memory().free / (2 * 4 * sizeof(std::uint32_t)));
}

/// S2_count of a batch of cells, and the results of K_COUNT and the scan.
struct PaperCounts {
  DeviceArray<std::uint32_t> s2_count;    ///< (place, sub-grid): a cell's words are contiguous
  DeviceArray<std::int32_t> entry_count;  ///< (place + 1), the last is 0
  DeviceArray<std::int32_t> entry_start;  ///< (place + 1), the last is the number of entries
  DeviceArray<unsigned char> scan_space;
  PinnedArray<std::int32_t> entries{1};

  void make_room(std::size_t cells, std::size_t window) {
    fit(s2_count, cells * window);
    fit(entry_count, cells + 1);
    fit(entry_start, cells + 1);
  }
  void clear(std::size_t cells, std::size_t window, const DeviceStream& stream) {
    TIDEWISE_CUDA_CHECK(cudaMemsetAsync(s2_count.data(), 0, cells * window * sizeof(std::uint32_t),
                                        native(stream)));
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(entry_count.data() + cells, 0, sizeof(std::int32_t), native(stream)));
  }
};

inline unsigned blocks_of(std::size_t threads, std::int32_t block) {
  const auto size = static_cast<std::size_t>(block);
  return static_cast<unsigned>((threads + size - 1) / size);
}

template <class Transition>
void launch_transition(const Transition& transition, std::size_t cells, std::size_t realizations,
                       std::int32_t block, const LaunchLimits& limits, const DeviceStream& stream) {
  const CellBlocks span = span_cells(cells, limits);
  const dim3 blocks(static_cast<unsigned>(span.first), static_cast<unsigned>(span.second),
                    std::min(blocks_of(realizations, block), static_cast<unsigned>(limits.grid_z)));
  K_TRANSITION<<<blocks, static_cast<unsigned>(block), 0, native(stream)>>>(transition, cells,
                                                                            realizations);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

template <class Mean>
void launch_mean(const Mean& mean, std::size_t cells, std::int32_t block,
                 const DeviceStream& stream) {
  K_COMPUTE_MEAN<<<blocks_of(cells, block), static_cast<unsigned>(block), 0, native(stream)>>>(
      mean, cells);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

inline void launch_count(PaperCounts& counts, std::size_t cells, std::size_t window,
                         std::int32_t block, const DeviceStream& stream) {
  K_COUNT<<<static_cast<unsigned>(cells), static_cast<unsigned>(block), 0, native(stream)>>>(
      counts.s2_count.data(), static_cast<int>(window), counts.entry_count.data());
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

/// Writes each cell's first entry to counts.entry_start; returns the number of all entries. Waits
/// for the device.
inline std::size_t scan_entries(PaperCounts& counts, std::size_t cells,
                                const DeviceStream& stream) {
  const auto scan = [&](void* space, std::size_t& bytes) {
    TIDEWISE_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(
        space, bytes, counts.entry_count.data(), counts.entry_start.data(),
        static_cast<std::int32_t>(cells + 1), native(stream)));
  };
  std::size_t bytes = 0;
  scan(nullptr, bytes);
  fit(counts.scan_space, bytes);
  scan(counts.scan_space.data(), bytes);
  copy_bytes(MemorySpace::pinned, counts.entries.data(), MemorySpace::device,
             counts.entry_start.data() + cells, sizeof(std::int32_t), stream);
  stream.synchronize();
  return static_cast<std::size_t>(counts.entries[0]);
}

template <class Store>
void launch_reduce(const PaperCounts& counts, std::size_t cells, std::size_t window,
                   const Store& store, std::int32_t block, const DeviceStream& stream) {
  const PaperReduceToCoo<Store> reduce{counts.s2_count.data(), counts.entry_start.data(),
                                       static_cast<std::int32_t>(window), store};
  K_REDUCE_TO_COO<<<blocks_of(cells, block), static_cast<unsigned>(block), 0, native(stream)>>>(
      reduce, cells);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise
