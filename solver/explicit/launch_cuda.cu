#include <algorithm>
#include <bit>

#include "base/kernel/for_each.cuh"
#include "base/kernel/warp.h"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "solver/explicit/backup.h"
#include "solver/explicit/launch.h"

namespace tidewise {
namespace {

constexpr std::int32_t lanes = 32;
constexpr std::int32_t max_warps = 4;  // per block; small blocks end and begin independently
// Blocks per multiprocessor: leaves 72 registers per thread, and 96 for wide entries, of which a
// thread holds twice as many at once. With fewer registers it spills, which costs more than the
// additional warps gain.
template <class Entry>
constexpr std::int32_t resident_blocks = sizeof(Entry) == sizeof(NarrowEntry) ? 7 : 5;
constexpr unsigned block_threads = 256;  // block size of the plain kernels

// Arguments of a warp kernel.
struct BackUpWork {
  ExplicitRule rule;
  PackedView level;
  ExplicitLaunch launch;
  View<float> value;
  View<std::int16_t> action;
};

template <template <class> class Source, class Entry>
__global__ void __launch_bounds__(lanes* max_warps, resident_blocks<Entry>)
    back_up_kernel(const __grid_constant__ BackUpWork work) {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();  // the next level may begin as soon as there is room
#endif
  extern __shared__ __align__(1024) unsigned char shared[];
  const ExplicitLaunch& launch = work.launch;
  const auto warp_of_block = static_cast<std::int32_t>(threadIdx.x / lanes);
  // Tables begin at multiples of a kind's table in the address space of shared memory.
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  const auto kind_bytes = static_cast<std::uint32_t>(launch.kind_bytes);
  const std::uint32_t tables = (base + kind_bytes - 1) & ~(kind_bytes - 1);
  const WarpScratch scratch{
      shared, tables + static_cast<std::uint32_t>(warp_of_block * launch.table_bytes), kind_bytes};
  const std::int32_t first =
      (static_cast<std::int32_t>(blockIdx.x) * launch.warps + warp_of_block) *
      launch.cells_per_warp;
  const std::int32_t last =
      min(first + launch.cells_per_warp, work.rule.outcome.landing.grid.cell_count());
  back_up_cells<Source, Entry>(DeviceWarp{}, work.rule, work.level, scratch, first, last,
                               work.value, work.action);
}

using BackUpKernel = void (*)(BackUpWork);

template <class Entry>
BackUpKernel kernel_of(std::int32_t action_count) {
  return action_count % rows_per_slice == 0 ? back_up_kernel<FullSource, Entry>
                                            : back_up_kernel<PaddedSource, Entry>;
}

// Kernel for a PackedView or a DeviceCompactLevel.
template <class Level>
BackUpKernel kernel_of(const Level& level) {
  return level.width == EntryWidth::narrow ? kernel_of<NarrowEntry>(level.action_count)
                                           : kernel_of<WideEntry>(level.action_count);
}

// One warp per cell: work(warp, cell).
template <class Work>
__global__ void for_each_cell(const __grid_constant__ Work work, std::int32_t cells) {
  const auto cell = static_cast<std::int32_t>((blockIdx.x * blockDim.x + threadIdx.x) / lanes);
  if (cell < cells) work(DeviceWarp{}, cell);  // the condition is the same for all lanes of a warp
}

template <class Work>
void launch_for_each_cell(const Work& work, std::int32_t cells, const DeviceStream& stream) {
  const unsigned threads = static_cast<unsigned>(cells) * lanes;
  for_each_cell<<<(threads + block_threads - 1) / block_threads, block_threads, 0,
                  native(stream)>>>(work, cells);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

std::int32_t alignment_room(const ExplicitLaunch& launch) {
  return launch.kind_bytes > 1024 ? launch.kind_bytes : 0;
}

struct ChooseAction {
  ExplicitRule rule;
  std::int32_t action_count;
  View<const float> expected;
  View<const float> immediate;
  View<float> value;
  View<std::int16_t> action;

  TIDEWISE_HOST_DEVICE void operator()(const DeviceWarp& warp, std::int32_t cell) const {
    choose_action(warp, rule, action_count, expected, immediate, cell, value, action);
  }
};

// Shared memory of a block, with padding to align it to a kind's table [B].
std::int32_t shared_bytes(const ExplicitLaunch& launch) {
  return launch.warps * launch.table_bytes + alignment_room(launch);
}

}  // namespace

ExplicitLaunch plan_launch(const DeviceCompactLevel& level, std::int32_t kinds) {
  ExplicitLaunch launch;
  const std::int64_t kind_bytes =
      std::int64_t{4} *
      std::bit_ceil(static_cast<std::uint32_t>(std::max(level.max_window_places, 4)));
  const std::int32_t limit = device_limit(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const std::int64_t of_a_warp = kinds * kind_bytes;
  if (of_a_warp + kind_bytes > limit) return launch;
  launch.kind_bytes = static_cast<std::int32_t>(kind_bytes);
  launch.table_bytes = static_cast<std::int32_t>(of_a_warp);
  launch.warps = std::clamp((limit - alignment_room(launch)) / static_cast<std::int32_t>(of_a_warp),
                            1, max_warps);
  launch.begins_early = device_limit(cudaDevAttrComputeCapabilityMajor) >= 9;

  const BackUpKernel kernel = kernel_of(level);
  // Sets the device's limit, because another plan for the same kernel may need more than this
  // level.
  TIDEWISE_CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limit));
  int resident = 0;
  TIDEWISE_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &resident, kernel, launch.warps * lanes, static_cast<std::size_t>(shared_bytes(launch))));
  // Uses as many warps as the device holds at a time, with the same number of cells each.
  const std::int32_t room =
      std::max(resident, 1) * launch.warps * device_limit(cudaDevAttrMultiProcessorCount);
  launch.cells_per_warp = std::max(1, (level.cell_count + room - 1) / room);
  const std::int32_t warps = (level.cell_count + launch.cells_per_warp - 1) / launch.cells_per_warp;
  launch.blocks = std::max(1, (warps + launch.warps - 1) / launch.warps);
  return launch;
}

void launch_find_outcomes(const FindOutcomes& work, const DeviceStream& stream) {
  launch_for_each_cell(work, work.rule.grid.cell_count(), stream);
}

void launch_back_up(const ExplicitLaunch& launch, const ExplicitRule& rule, const PackedView& level,
                    View<float> value, View<std::int16_t> action, const DeviceStream& stream) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(launch.blocks));
  config.blockDim = dim3(static_cast<unsigned>(launch.warps * lanes));
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes(launch));
  config.stream = native(stream);
  config.attrs = &early;
  config.numAttrs = launch.begins_early ? 1 : 0;
  TIDEWISE_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel_of(level),
                                         BackUpWork{rule, level, launch, value, action}));
}

void launch_look_up(const LookUpRow& work, const DeviceStream& stream) {
  for_each_on_device(work.expected.size, work, stream, block_threads);
}

void launch_choose_action(const ExplicitRule& rule, std::int32_t action_count,
                          View<const float> expected, View<const float> immediate,
                          View<float> value, View<std::int16_t> action,
                          const DeviceStream& stream) {
  launch_for_each_cell(ChooseAction{rule, action_count, expected, immediate, value, action},
                       rule.outcome.landing.grid.cell_count(), stream);
}

}  // namespace tidewise
