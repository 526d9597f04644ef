#include <algorithm>

#include "base/error.h"
#include "base/kernel/warp.h"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "model_builder/device/row_buffer.h"
#include "model_builder/device/row_launch.h"
#include "solver/missions/memory.h"
#include "solver/missions/rows.h"
#include "solver/missions/target_backup.h"

namespace tidewise {
namespace {

constexpr std::int32_t tile_threads = cells_per_tile * lanes_per_warp;
constexpr std::int32_t resident_tiles = 2;  // limits registers to 80 per thread
constexpr std::size_t rows_of_tile = cells_per_tile * sizeof(StagedActionGroup);
constexpr std::size_t values_of_tile = 48 << 10;  // the rest is cache for rows

// One block per tile. `room`: number of places of its window that fit into shared memory after the
// rows.
template <class Backup>
__global__ void __launch_bounds__(tile_threads, resident_tiles)
    back_up_group(const __grid_constant__ Backup backup, std::int32_t room) {
  extern __shared__ char memory[];
  const DeviceWarp warp;
  const std::int32_t n = static_cast<std::int32_t>(threadIdx.x) / lanes_per_warp;
  const auto tile = static_cast<std::int32_t>(blockIdx.x);
  const std::int32_t first = static_cast<std::int32_t>(blockIdx.y) * Backup::members_per_warp;
  StagedActionGroup& staged = reinterpret_cast<StagedActionGroup*>(memory)[n];
  auto* values = reinterpret_cast<typename Backup::Floats*>(memory + rows_of_tile);
  const GridWindow window = backup.landings(warp, tile);
  const bool fits = window.size() <= room;
  if (fits) backup.stage(window, first, warp.lane(), n, cells_per_tile, values);
  __syncthreads();
  const std::int32_t cell = backup.tile_cell(tile, n);
  if (cell == Backup::no_cell) return;  // the condition is the same for all lanes of a warp
  if (fits) {
    backup(warp, cell, first, window, typename Backup::Staged{values + warp.lane()}, staged);
  } else {
    backup(warp, cell, first, GridWindow::of(backup.landing.grid),
           backup.unstaged_values(first + warp.lane() * Backup::members_per_lane), staged);
  }
}

constexpr std::int32_t warps_per_block = 8;

template <class Backup>
__global__ void __launch_bounds__(warps_per_block* lanes_per_warp)
    back_up_near_targets(const __grid_constant__ Backup backup) {
  const std::int32_t warps = static_cast<std::int32_t>(gridDim.x) * warps_per_block;
  std::int32_t n = static_cast<std::int32_t>(blockIdx.x) * warps_per_block +
                   static_cast<std::int32_t>(threadIdx.x) / lanes_per_warp;
  for (const std::int32_t count = *backup.near_targets.count; n < count; n += warps) {
    backup(DeviceWarp{}, backup.near_targets.place[n]);
  }
}

// Shared memory of a tile [B].
std::size_t tile_memory() {
  int device = 0;
  int max_bytes = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  TIDEWISE_CUDA_CHECK(
      cudaDeviceGetAttribute(&max_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return std::min(static_cast<std::size_t>(max_bytes), rows_of_tile + values_of_tile);
}

template <class Entry>
class GroupRowsOf final : public GroupRows {
 public:
  GroupRowsOf(const EnvironmentInfo& info, const PositionRule& rule, const DeviceActions& actions,
              std::size_t memory)
      : actions_(actions.count()),
        max_blocks_(std::min(memory / group_row_buffers / sizeof(RowBlock<Entry>),
                             std::size_t{no_rows} - 1)),
        tile_memory_(tile_memory()),
        tiles_(static_cast<unsigned>(tile_count(info.grid))),
        launch_(info, rule, actions) {
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    const auto rows = cells * static_cast<std::size_t>(actions_);
    const std::size_t room = std::min(rows * group_blocks_per_row + 1024, max_blocks_);
    for (std::size_t n = 0; n < group_row_buffers; ++n) {
      buffers_.push_back(
          std::make_unique<RowBuffer<Entry>>(cells, static_cast<std::size_t>(actions_), room));
      host_totals_.emplace_back(1);
    }
  }

  FrameLimits limits(std::int32_t frame_class) const override {
    return launch_.limits(frame_class);
  }

  void count(std::size_t n, const Work& work, const DeviceStream& stream) override {
    RowBuffer<Entry>& buffer = *buffers_[n];
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(buffer.totals.data(), 0, sizeof(RowTotals), native(stream)));
    // Cells that are not counted have no rows.
    TIDEWISE_CUDA_CHECK(cudaMemsetAsync(buffer.cell_start.data(), 0xff,
                                        buffer.cell_start.size() * sizeof no_rows, native(stream)));
    const DeviceRows<Entry> sink = buffer.sink();
    if (work.lattice) {
      launch_.run_lattice(work.cloud, work.lists, sink, stream);
    } else {
      launch_.run_direct(work.cloud, work.lists, work.cells, work.cell_count, sink, stream);
    }
    copy(host_totals_[n], buffer.totals, stream);
  }

  RowTotals totals(std::size_t n) const override { return host_totals_[n][0]; }
  bool is_complete(std::size_t n) const override {
    return totals(n).blocks <= buffers_[n]->blocks.size();
  }

  bool make_room(std::size_t n) override {
    auto& blocks = buffers_[n]->blocks;
    const std::size_t needed = totals(n).blocks;
    if (needed > max_blocks_) return false;
    const std::size_t before = blocks.size();
    blocks = {};  // frees the old array first
    try {
      blocks = DeviceArray<RowBlock<Entry>>(std::min(
          needed + needed / 4, max_blocks_));  // with margin, because the next level may need more
      return true;
    } catch (const RunError&) {  // other processes use the memory
      blocks = DeviceArray<RowBlock<Entry>>(before);
      max_blocks_ = before;
      return true;  // the counts are lost anyway
    }
  }

  const std::int32_t* left_out(std::size_t n) const override {
    return buffers_[n]->left_out.data();
  }
  const std::int32_t* left_out_count(std::size_t n) const override {
    return &buffers_[n]->totals.data()->left_out;
  }

  void back_up(std::size_t n, const GroupStep& step, const GroupTable& table, std::int32_t present,
               const DeviceStream& stream) const override {
    switch (table.members_per_lane()) {
      case 1:
        return launch<1>(n, step, table, present, stream);
      case 2:
        return launch<2>(n, step, table, present, stream);
      default:
        return launch<max_members_per_lane>(n, step, table, present, stream);
    }
  }

 private:
  template <int MembersPerLane>
  void launch(std::size_t n, const GroupStep& step, const GroupTable& table, std::int32_t present,
              const DeviceStream& stream) const {
    if (table.harvests()) {
      launch<MembersPerLane, GroupHarvests::yes>(n, step, present, stream);
    } else {
      launch<MembersPerLane, GroupHarvests::no>(n, step, present, stream);
    }
    const auto near_targets = with_rows<TargetBackup<Entry>>(n, step);
    constexpr unsigned blocks = 1024;
    back_up_near_targets<<<blocks, warps_per_block * lanes_per_warp, 0, native(stream)>>>(
        near_targets);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  template <int MembersPerLane, GroupHarvests Harvests>
  void launch(std::size_t n, const GroupStep& step, std::int32_t present,
              const DeviceStream& stream) const {
    using Backup = WarpGroupBackup<Entry, MembersPerLane, Harvests>;
    constexpr std::size_t place_bytes = lanes_per_warp * sizeof(typename Backup::Floats);
    const std::size_t room = (tile_memory_ - rows_of_tile) / place_bytes;
    const std::size_t shared = rows_of_tile + room * place_bytes;
    TIDEWISE_CUDA_CHECK(cudaFuncSetAttribute(back_up_group<Backup>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(shared)));
    const dim3 grid(tiles_, static_cast<unsigned>((present + Backup::members_per_warp - 1) /
                                                  Backup::members_per_warp));
    back_up_group<Backup><<<grid, tile_threads, shared, native(stream)>>>(
        with_rows<Backup>(n, step), static_cast<std::int32_t>(room));
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  template <class Backup>
  Backup with_rows(std::size_t n, const GroupStep& step) const {
    Backup backup;
    static_cast<GroupStep&>(backup) = step;
    backup.rows = buffers_[n]->rows();
    return backup;
  }

  std::int32_t actions_;
  std::size_t max_blocks_;
  std::size_t tile_memory_;
  unsigned tiles_;
  DeviceRowLaunch<Entry> launch_;
  std::vector<std::unique_ptr<RowBuffer<Entry>>> buffers_;
  std::vector<PinnedArray<RowTotals>> host_totals_;  // (buffer)
};

}  // namespace

std::unique_ptr<GroupRows> make_group_rows(const EnvironmentInfo& info, const PositionRule& rule,
                                           const DeviceActions& actions, std::size_t memory) {
  if (needs_wide_rows(info, rule)) {
    return std::make_unique<GroupRowsOf<WideRowEntry>>(info, rule, actions, memory);
  }
  return std::make_unique<GroupRowsOf<NarrowRowEntry>>(info, rule, actions, memory);
}

}  // namespace tidewise
