#include <algorithm>

#include "base/error.h"
#include "base/kernel/warp.h"
#include "base/kernel/write_to_host.cuh"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device.h"
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
template <class Backup>
constexpr std::size_t scratch_of_tile = cells_per_tile * sizeof(typename Backup::Scratch);
constexpr std::size_t values_of_tile = 48 << 10;  // the rest is cache for landings

// One block per tile. `room`: number of places of its window that fit into shared memory after the
// scratch of its warps.
template <class Backup>
__global__ void __launch_bounds__(tile_threads, resident_tiles)
    back_up_group(const __grid_constant__ Backup backup, std::int32_t room) {
  extern __shared__ __align__(16) char memory[];
  const DeviceWarp warp;
  const std::int32_t n = static_cast<std::int32_t>(threadIdx.x) / lanes_per_warp;
  const auto tile = static_cast<std::int32_t>(blockIdx.x);
  const std::int32_t first = static_cast<std::int32_t>(blockIdx.y) * Backup::members_per_warp;
  auto& scratch = reinterpret_cast<typename Backup::Scratch*>(memory)[n];
  auto* values = reinterpret_cast<typename Backup::Floats*>(memory + scratch_of_tile<Backup>);
  const GridWindow window = backup.tiles.landings(warp, tile);
  const bool fits = window.size() <= room;
  if (fits) backup.stage(window, first, warp.lane(), n, cells_per_tile, values);
  __syncthreads();
  const std::int32_t cell = backup.tiles.cell(tile, n);
  if (cell == RowTiles::no_cell) return;  // the condition is the same for all lanes of a warp
  if (fits) {
    backup(warp, cell, first, StagedValues<Backup::members_per_lane>{values + warp.lane()},
           scratch);
  } else {
    backup(warp, cell, first,
           backup.unstaged_values(first + warp.lane() * Backup::members_per_lane), scratch);
  }
}

constexpr std::int32_t resident_merges = 3;  // limits registers to 56 per thread

// One block per tile. `room`: see back_up_group().
template <class Entry>
__global__ void __launch_bounds__(tile_threads, resident_merges)
    merge_rows(const __grid_constant__ RowMerger<Entry> merger,
               const __grid_constant__ RowTiles tiles, std::int32_t room) {
  const DeviceWarp warp;
  const auto tile = static_cast<std::int32_t>(blockIdx.x);
  const GridWindow window = tiles.landings(warp, tile);
  const std::int32_t cell =
      tiles.cell(tile, static_cast<std::int32_t>(threadIdx.x) / lanes_per_warp);
  if (cell == RowTiles::no_cell || !tiles.has_rows(cell)) return;
  merger(warp, cell, window.size() <= room ? window : GridWindow::of(tiles.grid));
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

// Maximum shared memory of a block [B].
std::size_t max_shared_memory() {
  int device = 0;
  int max_bytes = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  TIDEWISE_CUDA_CHECK(
      cudaDeviceGetAttribute(&max_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::size_t>(max_bytes);
}

template <class Entry>
class GroupRowsOf final : public GroupRows {
 public:
  GroupRowsOf(const EnvironmentInfo& info, const PositionRule& rule, const DeviceActions& actions,
              std::size_t action_groups, std::size_t memory)
      : actions_(actions.count()),
        max_blocks_(std::min(
            memory / (group_row_buffers * sizeof(RowBlock<Entry>) + MergedRows::block_bytes),
            std::size_t{no_rows} - 1)),
        max_shared_(max_shared_memory()),
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
    lists_ = DeviceArray<LandingList>(cells * action_groups);
    make_room_for_landings();
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
    write_to_host(host_totals_[n], buffer.totals, stream);
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
    wait_for_device();  // the backup of an earlier level may still read the landings
    blocks = {};        // frees the old array first
    try {
      blocks = DeviceArray<RowBlock<Entry>>(std::min(
          needed + needed / 4, max_blocks_));  // with margin, because the next level may need more
      make_room_for_landings();
    } catch (const RunError&) {  // other processes use the memory
      blocks = {};
      counts_ = {};
      landings_ = {};
      blocks = DeviceArray<RowBlock<Entry>>(before);
      make_room_for_landings();
      max_blocks_ = before;  // the counts are lost anyway
    }
    return true;
  }

  const std::int32_t* left_out(std::size_t n) const override {
    return buffers_[n]->left_out.data();
  }
  const std::int32_t* left_out_count(std::size_t n) const override {
    return &buffers_[n]->totals.data()->left_out;
  }

  void back_up(std::size_t n, const GroupStep& step, const GroupTable& table, std::int32_t present,
               const DeviceStream& stream) override {
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
  // Sizes the landings for the larger buffer.
  void make_room_for_landings() {
    std::size_t blocks = 0;
    for (const auto& buffer : buffers_) blocks = std::max(blocks, buffer->blocks.size());
    fit(counts_, blocks * entries_per_block);
    fit(landings_, blocks * entries_per_block);
  }

  template <int MembersPerLane>
  void launch(std::size_t n, const GroupStep& step, const GroupTable& table, std::int32_t present,
              const DeviceStream& stream) {
    if (table.harvests()) {
      launch<MembersPerLane, GroupHarvests::yes>(n, step, present, stream);
    } else {
      launch<MembersPerLane, GroupHarvests::no>(n, step, present, stream);
    }
    TargetBackup<Entry> near_targets;
    static_cast<GroupStep&>(near_targets) = step;
    near_targets.rows = buffers_[n]->rows();
    constexpr unsigned blocks = 1024;
    back_up_near_targets<<<blocks, warps_per_block * lanes_per_warp, 0, native(stream)>>>(
        near_targets);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  template <int MembersPerLane, GroupHarvests Harvests>
  void launch(std::size_t n, const GroupStep& step, std::int32_t present,
              const DeviceStream& stream) {
    using Backup = WarpGroupBackup<MembersPerLane, Harvests>;
    constexpr std::size_t place_bytes = lanes_per_warp * sizeof(typename Backup::Floats);
    constexpr std::size_t scratch = scratch_of_tile<Backup>;
    const std::size_t room =
        (std::min(max_shared_, scratch + values_of_tile) - scratch) / place_bytes;
    const std::size_t shared = scratch + room * place_bytes;
    const LevelRows<Entry> rows = buffers_[n]->rows();
    Backup backup;
    static_cast<GroupStep&>(backup) = step;
    backup.merged = {lists_.data(), counts_.data(), landings_.data()};
    backup.tiles.grid = step.landing.grid;
    if (step.value_next != nullptr) {
      backup.tiles.cell_start = rows.cell_start;
      backup.tiles.window = rows.window;
      merge_rows<<<tiles_, tile_threads, 0, native(stream)>>>(
          row_merger(step, Harvests, rows, backup.merged), backup.tiles,
          static_cast<std::int32_t>(room));
      TIDEWISE_CUDA_CHECK(cudaGetLastError());
    }
    TIDEWISE_CUDA_CHECK(cudaFuncSetAttribute(back_up_group<Backup>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(shared)));
    const dim3 grid(tiles_, static_cast<unsigned>((present + Backup::members_per_warp - 1) /
                                                  Backup::members_per_warp));
    back_up_group<<<grid, tile_threads, shared, native(stream)>>>(backup,
                                                                  static_cast<std::int32_t>(room));
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  std::int32_t actions_;
  std::size_t max_blocks_;
  std::size_t max_shared_;
  unsigned tiles_;
  DeviceRowLaunch<Entry> launch_;
  std::vector<std::unique_ptr<RowBuffer<Entry>>> buffers_;
  std::vector<PinnedArray<RowTotals>> host_totals_;  // (buffer)
  // MergedRows of the level that is backed up.
  DeviceArray<LandingList> lists_;
  DeviceArray<GroupCounts> counts_;
  DeviceArray<GroupLanding> landings_;
};

}  // namespace

std::unique_ptr<GroupRows> make_group_rows(const EnvironmentInfo& info, const PositionRule& rule,
                                           const DeviceActions& actions, std::size_t action_groups,
                                           std::size_t memory) {
  if (needs_wide_rows(info, rule)) {
    return std::make_unique<GroupRowsOf<WideRowEntry>>(info, rule, actions, action_groups, memory);
  }
  return std::make_unique<GroupRowsOf<NarrowRowEntry>>(info, rule, actions, action_groups, memory);
}

}  // namespace tidewise
