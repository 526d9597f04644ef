#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>

#include <algorithm>
#include <new>
#include <string>

#include "base/memory/cuda_check.h"
#include "base/memory/device.h"
#include "base/memory/native_stream.h"
#include "model_builder/cloud/coefficients.h"
#include "model_builder/paper/device_model.h"
#include "model_builder/paper/kernels.h"

namespace tidewise {
namespace {

constexpr int cell_block = 128;  // threads of the kernels that give a thread to each cell
constexpr int most_threads = 1024;

/// x and y: cells; z: realizations, in the blocks as well. Blocks that run at a time are so of
/// many cells, and do not all wait for the same words.
__global__ void __launch_bounds__(most_threads)
    K_TRANSITION(PaperTransition transition, std::size_t cell_count) {
  const std::size_t place = std::size_t{blockIdx.y} * gridDim.x + blockIdx.x;
  if (place >= cell_count) return;
  const auto realizations = static_cast<std::size_t>(transition.level.realization_count);
  for (std::size_t r = std::size_t{blockIdx.z} * blockDim.x + threadIdx.x; r < realizations;
       r += std::size_t{gridDim.z} * blockDim.x) {
    transition(place, r);
  }
}

__global__ void K_COMPUTE_MEAN(PaperMean mean, std::size_t cell_count) {
  const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (place < cell_count) mean(place);
}

/// A block for each cell, a thread for each word of its sub-grid, or for several.
__global__ void __launch_bounds__(most_threads)
    K_COUNT(const std::uint32_t* s2_count, int subgrid_size, std::int32_t* entry_count) {
  const std::uint32_t* counts = s2_count + std::size_t{blockIdx.x} * subgrid_size;
  int entries = 0;
  for (int first = 0; first < subgrid_size; first += static_cast<int>(blockDim.x)) {
    const int s2 = first + static_cast<int>(threadIdx.x);
    entries += __syncthreads_count(s2 < subgrid_size && counts[s2] != 0);
  }
  if (threadIdx.x == 0) entry_count[blockIdx.x] = entries;
}

__global__ void K_REDUCE_TO_COO(PaperReduceToCoo reduce, std::size_t cell_count) {
  const std::size_t place = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (place < cell_count) reduce(place);
}

LaunchLimits limits_of_device() {
  int device = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  cudaDeviceProp properties{};
  TIDEWISE_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return {static_cast<std::size_t>(std::min(properties.maxThreadsPerBlock, most_threads)),
          static_cast<std::size_t>(properties.maxGridSize[0]),
          static_cast<std::size_t>(properties.maxGridSize[1]),
          static_cast<std::size_t>(properties.maxGridSize[2])};
}

/// Words of S2_count that leave room for everything else: a word may bring a COO entry of three
/// more, and half of the memory is not ours. Entries of a batch fit int32 many times over.
std::size_t words_of_device() {
  constexpr std::size_t most = std::size_t{1} << 28;
  return std::min(most, device_memory().free / (2 * 4 * sizeof(std::uint32_t)));
}

unsigned blocks_for(std::size_t cells) {
  return static_cast<unsigned>((cells + cell_block - 1) / cell_block);
}

/// A call into Thrust, which has exceptions of its own.
template <class Call>
auto with_thrust(const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw_cuda_error(cudaErrorMemoryAllocation, "thrust", __FILE__, __LINE__);
    throw;
  } catch (const thrust::system_error& error) {
    throw_cuda_error(static_cast<cudaError_t>(error.code().value()), "thrust", __FILE__, __LINE__);
    throw;
  }
}

/// Appends `count` elements from the device; complete when the stream has come to it.
template <class T>
void append_from(const DeviceArray<T>& source, std::size_t count, std::vector<T>& destination,
                 const DeviceStream& stream) {
  const std::size_t before = destination.size();
  destination.resize(before + count);
  copy_bytes(MemorySpace::host, destination.data() + before, MemorySpace::device, source.data(),
             count * sizeof(T), stream);
}

}  // namespace

DevicePaperModel::DevicePaperModel(const PositionRule& rule, const Grid& grid, const TimeAxis& time,
                                   const std::vector<Action>& actions, std::int32_t block_size,
                                   std::int32_t batch)
    : rule_(rule),
      scale_(grid, time),
      actions_(actions),
      block_size_(block_size),
      batch_(static_cast<std::size_t>(std::max(batch, 1))),
      words_(words_of_device()),
      limits_(limits_of_device()) {
  require_block_size(block_size, limits_);
}

void DevicePaperModel::build_level(const DevicePaperLevel& level, std::vector<PaperModel>& models,
                                   const DeviceStream& stream) {
  models.resize(actions_.size());
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    build_action(level, ActionIndex(static_cast<std::int32_t>(a)), models[a], stream);
  }
}

void DevicePaperModel::build_action(const DevicePaperLevel& level, ActionIndex action,
                                    PaperModel& model, const DeviceStream& stream) {
  if (level.cells.empty()) return;
  const auto window = static_cast<std::size_t>(level.subgrid.size());
  const std::size_t batch_size = make_room(level);
  if (!coefficients_) {
    coefficients_ =
        std::make_shared<DeviceCoefficients>(level.level.mode_count, level.level.realization_count);
  }
  coefficients_->make(level.level, scale_, rule_, stream);
  for (std::size_t first = 0; first < level.cells.size; first += batch_size) {
    const Batch batch{first, std::min(batch_size, level.cells.size - first)};
    transition(level, batch, actions_[static_cast<std::size_t>(action.value)].displacement, stream);
    compute_mean(level, batch, stream);
    const std::size_t entries = count_entries(batch, window, stream);
    reduce_to_coo(batch, window, entries, stream);
    append(level, batch, entries, model, stream);
  }
}

std::size_t DevicePaperModel::make_room(const DevicePaperLevel& level) {
  const auto window = static_cast<std::size_t>(level.subgrid.size());
  const std::size_t cells =
      std::min({batch_, cells_a_batch(window, words_, limits_), level.cells.size});
  fit(s2_count_, cells * window);
  fit(entry_count_, cells);
  fit(entry_start_, cells);
  if (!level.landing_reward.empty()) fit(sum_r_, cells);
  return cells;
}

void DevicePaperModel::transition(const DevicePaperLevel& level, const Batch& batch,
                                  Displacement action, const DeviceStream& stream) {
  const auto window = static_cast<std::size_t>(level.subgrid.size());
  set_to_zero(s2_count_.data(), batch.count * window, stream);
  View<const float> rewards;
  if (!level.landing_reward.empty()) {
    rewards = level.landing_reward.part(batch.first * window, batch.count * window);
    set_to_zero(sum_r_.data(), batch.count, stream);
  }
  const PaperTransition transition{
      level.level,      level.weights, level.cells.part(batch.first, batch.count),
      scale_,           rule_,         coefficients_->mode_scale(),
      action,           level.subgrid, rewards,
      s2_count_.data(), sum_r_.data()};
  const auto block = static_cast<unsigned>(block_size_);
  const auto realizations = static_cast<unsigned>(level.level.realization_count);
  const CellBlocks span = span_cells(batch.count, limits_);
  const dim3 blocks(
      static_cast<unsigned>(span.first), static_cast<unsigned>(span.second),
      std::min((realizations - 1) / block + 1, static_cast<unsigned>(limits_.grid_z)));
  K_TRANSITION<<<blocks, block, 0, native(stream)>>>(transition, batch.count);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void DevicePaperModel::compute_mean(const DevicePaperLevel& level, const Batch& batch,
                                    const DeviceStream& stream) {
  if (level.landing_reward.empty()) return;
  std::uint32_t total = static_cast<std::uint32_t>(level.level.realization_count);
  if (!level.weights.empty()) {
    total = rule_.landing == LandingBy::area ? most_realizations_by_area : weight_total;
  }
  K_COMPUTE_MEAN<<<blocks_for(batch.count), cell_block, 0, native(stream)>>>(
      PaperMean{sum_r_.data(), static_cast<float>(total * rule_.share())}, batch.count);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

std::size_t DevicePaperModel::count_entries(const Batch& batch, std::size_t window,
                                            const DeviceStream& stream) {
  const auto threads = static_cast<unsigned>(std::min(window, limits_.block_threads));
  K_COUNT<<<static_cast<unsigned>(batch.count), threads, 0, native(stream)>>>(
      s2_count_.data(), static_cast<int>(window), entry_count_.data());
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
  const std::int32_t* counts = entry_count_.data();
  const auto on_stream = thrust::cuda::par.on(native(stream));
  return with_thrust([&] {
    thrust::exclusive_scan(on_stream, counts, counts + batch.count, entry_start_.data());
    return static_cast<std::size_t>(
        thrust::reduce(on_stream, counts, counts + batch.count, std::int32_t{0}));
  });
}

void DevicePaperModel::reduce_to_coo(const Batch& batch, std::size_t window, std::size_t entries,
                                     const DeviceStream& stream) {
  fit(row_, entries);
  fit(offset_, entries);
  fit(count_, entries);
  const PaperReduceToCoo reduce{s2_count_.data(),
                                entry_start_.data(),
                                static_cast<std::int32_t>(window),
                                static_cast<std::int32_t>(batch.first),
                                row_.data(),
                                offset_.data(),
                                count_.data()};
  K_REDUCE_TO_COO<<<blocks_for(batch.count), cell_block, 0, native(stream)>>>(reduce, batch.count);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void DevicePaperModel::append(const DevicePaperLevel& level, const Batch& batch,
                              std::size_t entries, PaperModel& model,
                              const DeviceStream& stream) const {
  append_from(row_, entries, model.row, stream);
  append_from(offset_, entries, model.offset, stream);
  append_from(count_, entries, model.count, stream);
  if (!level.landing_reward.empty()) append_from(sum_r_, batch.count, model.mean_reward, stream);
  stream.synchronize();
}

}  // namespace tidewise
