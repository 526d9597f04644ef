#include <algorithm>

#include "base/cuda_check.h"
#include "base/native_stream.h"
#include "solver/device_warp.h"
#include "solver/explicit_backup.h"
#include "solver/explicit_launch.h"

namespace tidewise {
namespace {

constexpr std::int32_t lanes = 32;
constexpr std::int32_t most_warps = 4;  // of a block: small blocks end, and begin, by themselves
constexpr std::int32_t resident_blocks = 8;  // holds registers to 64 a thread

TIDEWISE_HOST_DEVICE constexpr std::int32_t round_up(std::int32_t bytes) {
  return (bytes + 15) / 16 * 16;
}

/// Everything that a warp kernel is given.
struct BackUpWork {
  ExplicitRule rule;
  PackedView level;
  std::int32_t scratch_bytes;
  std::int32_t kind_stride;
  View<float> value;
  View<std::int16_t> action;
};

template <class Source, class Entry>
__global__ void __launch_bounds__(lanes* most_warps, resident_blocks)
    back_up_kernel(const __grid_constant__ BackUpWork work) {
  extern __shared__ uint4 shared[];
  const auto warp_of_block = static_cast<std::int32_t>(threadIdx.x / lanes);
  const auto warps = static_cast<std::int32_t>(blockDim.x / lanes);
  auto* scratch = reinterpret_cast<unsigned char*>(shared) + warp_of_block * work.scratch_bytes;
  const auto table_bytes = round_up(static_cast<std::int32_t>(work.rule.kind.size) *
                                    work.kind_stride * static_cast<std::int32_t>(sizeof(float)));
  const WarpScratch<Entry> parts{reinterpret_cast<float*>(scratch), work.kind_stride,
                                 reinterpret_cast<EntryBlock<Entry>*>(scratch + table_bytes)};
  back_up_cells<Source>(DeviceWarp{}, work.rule, work.level, parts,
                        static_cast<std::int32_t>(blockIdx.x) * warps + warp_of_block,
                        static_cast<std::int32_t>(gridDim.x) * warps, work.value, work.action);
}

using BackUpKernel = void (*)(BackUpWork);

template <class Entry>
BackUpKernel kernel_of(ExplicitMethod method) {
  switch (method) {
    case ExplicitMethod::rows:
      return back_up_kernel<RowSource<Entry>, Entry>;
    case ExplicitMethod::staged:
      return back_up_kernel<StagedSource<Entry>, Entry>;
    default:
      return back_up_kernel<StepSource<Entry>, Entry>;
  }
}

BackUpKernel kernel_of(ExplicitMethod method, EntryWidth width) {
  return width == EntryWidth::narrow ? kernel_of<NarrowEntry>(method)
                                     : kernel_of<WideEntry>(method);
}

std::int32_t device_limit(cudaDeviceAttr limit) {
  int device = 0;
  int value = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  TIDEWISE_CUDA_CHECK(cudaDeviceGetAttribute(&value, limit, device));
  return value;
}

template <class Work>
__global__ void for_each(const Work work, std::size_t size) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < size) work(n);
}

/// work(n) for n = 0 … size−1, a thread each.
template <class Work>
void launch_for_each(const Work& work, std::size_t size, const DeviceStream& stream) {
  constexpr unsigned threads = 256;
  if (size == 0) return;
  for_each<<<static_cast<unsigned>((size + threads - 1) / threads), threads, 0, native(stream)>>>(
      work, size);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

struct ChooseWork {
  ExplicitRule rule;
  std::int32_t action_count;
  View<const float> expected;
  View<const float> immediate;
  View<float> value;
  View<std::int16_t> action;
};

__global__ void choose_kernel(const ChooseWork work) {
  const auto cell = static_cast<std::int32_t>((blockIdx.x * blockDim.x + threadIdx.x) / lanes);
  if (cell >= work.rule.outcome.landing.grid.cell_count()) return;  // the whole warp
  choose_action(DeviceWarp{}, work.rule, work.action_count, work.expected, work.immediate, cell,
                work.value, work.action);
}

}  // namespace

ExplicitLaunch plan_launch(ExplicitMethod method, const DeviceCompactLevel& level,
                           std::int32_t kinds) {
  ExplicitLaunch launch;
  const std::int64_t table =
      std::int64_t{kinds} * level.most_places * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t staged =
      method == ExplicitMethod::staged ? level.most_slice_blocks * level.bytes_per_block() : 0;
  const std::int32_t limit = device_limit(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (table + staged + 15 > limit) return launch;
  launch.kind_stride = level.most_places;
  launch.scratch_bytes =
      round_up(static_cast<std::int32_t>(table)) + static_cast<std::int32_t>(staged);
  const std::int32_t warps = std::clamp(limit / std::max(launch.scratch_bytes, 1), 1, most_warps);
  launch.threads = warps * lanes;
  const BackUpKernel kernel = kernel_of(method, level.width);
  const std::int32_t shared = warps * launch.scratch_bytes;
  // The limit itself, whatever this level needs: another plan for the same kernel may need more.
  TIDEWISE_CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limit));
  int resident = 0;
  TIDEWISE_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &resident, kernel, launch.threads, static_cast<std::size_t>(shared)));
  const std::int32_t room = std::max(resident, 1) * device_limit(cudaDevAttrMultiProcessorCount);
  launch.blocks = std::clamp((level.cell_count + warps - 1) / warps, 1, room);
  return launch;
}

void launch_mark_cells(const MarkCells& work, const DeviceStream& stream) {
  launch_for_each(work, work.mark.size, stream);
}

void launch_back_up(ExplicitMethod method, const ExplicitLaunch& launch, const ExplicitRule& rule,
                    const PackedView& level, View<float> value, View<std::int16_t> action,
                    const DeviceStream& stream) {
  const BackUpWork work{rule, level, launch.scratch_bytes, launch.kind_stride, value, action};
  const auto shared = static_cast<std::size_t>(launch.threads / lanes * launch.scratch_bytes);
  kernel_of(method,
            level.width)<<<static_cast<unsigned>(launch.blocks),
                           static_cast<unsigned>(launch.threads), shared, native(stream)>>>(work);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void launch_look_up(const LookUpRow& work, const DeviceStream& stream) {
  launch_for_each(work, work.level.row_size.size, stream);
}

void launch_choose_action(const ExplicitRule& rule, std::int32_t action_count,
                          View<const float> expected, View<const float> immediate,
                          View<float> value, View<std::int16_t> action,
                          const DeviceStream& stream) {
  constexpr unsigned threads = 256;
  const auto all = static_cast<unsigned>(rule.outcome.landing.grid.cell_count()) * lanes;
  choose_kernel<<<(all + threads - 1) / threads, threads, 0, native(stream)>>>(
      ChooseWork{rule, action_count, expected, immediate, value, action});
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise
