#include "base/error.h"
#include "model_builder/device/count_launch.cuh"
#include "model_builder/device/rows.cuh"
#include "solver/backup/backup_with_rows.h"

namespace tidewise {
namespace {

/// Both sinks in one.
struct BackupAndRows : DeviceBackup {
  DeviceRows<WideRowEntry> rows;

  __host__ __device__ std::size_t shared_bytes() const {
    const std::size_t a = DeviceBackup::shared_bytes();
    const std::size_t b = (rows.shared_bytes() + 15) / 16 * 16;
    return a > b ? a : b;
  }
  template <class Table, class Group>
  __device__ void take(std::int32_t cell, const Table& table, char* memory,
                       const Group& group) const {
    DeviceBackup::take(cell, table, memory, group);
    group.sync();
    rows.take(cell, table, memory, group);
  }
  /// The direct kernel's way, which finds no rows.
  __device__ void decide(std::int32_t cell, const Best& best) const {
    DeviceBackup::decide(cell, best);
    rows.leave(cell);
  }
};

}  // namespace

class BackupWithRows::Implementation {
 public:
  Implementation(const EnvironmentInfo& info, const PositionRule& rule,
                 const DeviceActions& actions, std::int32_t kinds, std::int32_t blocks_a_row)
      : launch(info, rule, actions, kinds),
        cell_start(static_cast<std::size_t>(info.grid.cell_count())),
        row_size(cell_start.size() * static_cast<std::size_t>(actions.count())),
        window(cell_start.size()),
        too_wide(cell_start.size()),
        blocks(row_size.size() * static_cast<std::size_t>(blocks_a_row)),
        size(1) {
    rows.action_count = actions.count();
    rows.cell_start = cell_start.data();
    rows.row_size = row_size.data();
    rows.window = window.data();
    rows.block = blocks.data();
    rows.capacity = static_cast<std::uint32_t>(blocks.size());
    rows.block_count = &size.data()->blocks;
    rows.too_wide = too_wide.data();
    rows.too_wide_count = &size.data()->left_out;
  }

  DeviceCountLaunch<BackupAndRows> launch;
  DeviceArray<std::uint32_t> cell_start;       // (cell)
  DeviceArray<std::uint16_t> row_size;         // (row)
  DeviceArray<CellStencil> window;             // (cell)
  DeviceArray<std::int32_t> too_wide;          // cells
  DeviceArray<RowBlock<WideRowEntry>> blocks;  // (block)
  DeviceArray<Size> size;
  DeviceRows<WideRowEntry> rows;
};

BackupWithRows::BackupWithRows(const EnvironmentInfo& info, const PositionRule& rule,
                               const DeviceActions& actions, std::int32_t kinds,
                               std::int32_t blocks_a_row)
    : implementation_(std::make_unique<Implementation>(info, rule, actions, kinds, blocks_a_row)) {}
BackupWithRows::~BackupWithRows() = default;

FrameLimits BackupWithRows::limits(std::int32_t frame_class) const {
  return implementation_->launch.limits(frame_class);
}

void BackupWithRows::run(const DeviceCloud& cloud, const DeviceCellLists& lists,
                         const DeviceBackup& backup, const DeviceStream& stream) {
  TIDEWISE_CUDA_CHECK(
      cudaMemsetAsync(implementation_->size.data(), 0, sizeof(Size), native(stream)));
  BackupAndRows sink;
  static_cast<DeviceBackup&>(sink) = backup;
  sink.rows = implementation_->rows;
  implementation_->launch.run_lattice(cloud, lists, sink, stream);
}

BackupWithRows::Size BackupWithRows::size(const DeviceStream& stream) const {
  stream.synchronize();
  Size size;
  copy_bytes(MemorySpace::host, &size, MemorySpace::device, implementation_->size.data(),
             sizeof size);
  if (size.blocks > implementation_->rows.capacity) {
    throw RunError("the explicit model of a level takes more memory than was set aside for it");
  }
  return size;
}

}  // namespace tidewise
