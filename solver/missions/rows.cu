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

namespace tidewise {
namespace {

constexpr std::int32_t warps_a_block = 8;    // neighbouring cells, whose windows share most cells
constexpr std::int32_t resident_blocks = 4;  // holds registers to 64 a thread

template <class Backup>
__global__ void __launch_bounds__(warps_a_block* lanes_a_warp, resident_blocks)
    back_up_group(const __grid_constant__ Backup backup, std::int32_t cells) {
  __shared__ StagedRows staged[warps_a_block];
  const auto warp = static_cast<std::int32_t>(threadIdx.x) / lanes_a_warp;
  const std::int32_t cell = static_cast<std::int32_t>(blockIdx.x) * warps_a_block + warp;
  if (cell >= cells) return;  // a whole warp
  backup(DeviceWarp{}, cell, static_cast<std::int32_t>(blockIdx.y) * Backup::members_a_warp,
         staged[warp]);
}

template <class Entry>
class GroupRowsOf final : public GroupRows {
 public:
  GroupRowsOf(const EnvironmentInfo& info, const PositionRule& rule, const DeviceActions& actions,
              std::size_t memory)
      : cells_(info.grid.cell_count()),
        actions_(actions.count()),
        most_blocks_(std::min(memory / group_row_buffers / sizeof(RowBlock<Entry>),
                              std::size_t{no_rows} - 1)),
        launch_(info, rule, actions) {
    const auto cells = static_cast<std::size_t>(cells_);
    const auto rows = cells * static_cast<std::size_t>(actions_);
    const std::size_t room = std::min(rows * group_blocks_a_row + 1024, most_blocks_);
    for (std::size_t n = 0; n < group_row_buffers; ++n) {
      buffers_.push_back(
          std::make_unique<RowBuffer<Entry>>(cells, static_cast<std::size_t>(actions_), room));
      totals_here_.emplace_back(1);
    }
  }

  FrameLimits limits(std::int32_t frame_class) const override {
    return launch_.limits(frame_class);
  }

  void count(std::size_t n, const Work& work, const DeviceStream& stream) override {
    RowBuffer<Entry>& buffer = *buffers_[n];
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(buffer.totals.data(), 0, sizeof(RowTotals), native(stream)));
    const DeviceRows<Entry> sink = buffer.sink();
    if (work.lattice) {
      launch_.run_lattice(work.cloud, work.lists, sink, stream);
    } else {
      launch_.run_direct(work.cloud, work.lists, work.cells, work.cell_count, sink, stream);
    }
    copy(totals_here_[n], buffer.totals, stream);
  }

  RowTotals totals(std::size_t n) const override { return totals_here_[n][0]; }
  bool is_complete(std::size_t n) const override {
    return totals(n).blocks <= buffers_[n]->blocks.size();
  }

  bool make_room(std::size_t n) override {
    auto& blocks = buffers_[n]->blocks;
    const std::size_t needed = totals(n).blocks;
    if (needed > most_blocks_) return false;
    const std::size_t before = blocks.size();
    blocks = {};  // the old one goes first
    try {
      blocks = DeviceArray<RowBlock<Entry>>(
          std::min(needed + needed / 4, most_blocks_));  // the next level will want some more
      return true;
    } catch (const RunError&) {  // other processes have taken the memory
      blocks = DeviceArray<RowBlock<Entry>>(before);
      most_blocks_ = before;
      return true;  // what was counted is lost all the same
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
    switch (table.members_a_lane()) {
      case 1:
        return launch<1>(n, step, table, present, stream);
      case 2:
        return launch<2>(n, step, table, present, stream);
      default:
        return launch<most_members_a_lane>(n, step, table, present, stream);
    }
  }

 private:
  template <int MembersALane>
  void launch(std::size_t n, const GroupStep& step, const GroupTable& table, std::int32_t present,
              const DeviceStream& stream) const {
    if (table.harvests()) {
      launch<MembersALane, GroupHarvests::yes, CellsTaken::far_from_discs>(n, step, present,
                                                                           stream);
      launch<MembersALane, GroupHarvests::yes, CellsTaken::near_discs>(n, step, present, stream);
    } else {
      launch<MembersALane, GroupHarvests::no, CellsTaken::far_from_discs>(n, step, present, stream);
      launch<MembersALane, GroupHarvests::no, CellsTaken::near_discs>(n, step, present, stream);
    }
  }

  template <int MembersALane, GroupHarvests Harvests, CellsTaken Taken>
  void launch(std::size_t n, const GroupStep& step, std::int32_t present,
              const DeviceStream& stream) const {
    using Backup = WarpGroupBackup<Entry, MembersALane, Harvests, Taken>;
    const RowBuffer<Entry>& buffer = *buffers_[n];
    Backup backup;
    static_cast<GroupStep&>(backup) = step;
    backup.rows = buffer.rows();
    const dim3 grid(
        static_cast<unsigned>((cells_ + warps_a_block - 1) / warps_a_block),
        static_cast<unsigned>((present + Backup::members_a_warp - 1) / Backup::members_a_warp));
    back_up_group<Backup>
        <<<grid, warps_a_block * lanes_a_warp, 0, native(stream)>>>(backup, cells_);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  std::int32_t cells_;
  std::int32_t actions_;
  std::size_t most_blocks_;
  DeviceRowLaunch<Entry> launch_;
  std::vector<std::unique_ptr<RowBuffer<Entry>>> buffers_;
  std::vector<PinnedArray<RowTotals>> totals_here_;  // (buffer)
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
