#include "base/error.h"
#include "base/memory/device_transfer.h"
#include "model_builder/device/count_launch.cuh"
#include "model_builder/device/rows.cuh"
#include "solver/backup/backup_with_rows.h"

namespace tidewise {
namespace {

// A sink that backs up each cell and writes its rows.
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
  // Called by the direct kernel, which writes no rows.
  __device__ void decide(std::int32_t cell, const Best& best) const {
    DeviceBackup::decide(cell, best);
    rows.leave(cell);
  }
};

class CountingBackupWithRows final : public BackupWithRows {
 public:
  CountingBackupWithRows(const EnvironmentInfo& info, const PositionRule& rule,
                         const DeviceActions& actions, std::int32_t kinds,
                         std::int32_t blocks_per_row)
      : launch_(info, rule, actions, kinds),
        cell_start_(static_cast<std::size_t>(info.grid.cell_count())),
        row_size_(cell_start_.size() * static_cast<std::size_t>(actions.count())),
        window_(cell_start_.size()),
        too_wide_(cell_start_.size()),
        blocks_(row_size_.size() * static_cast<std::size_t>(blocks_per_row)),
        size_(1) {
    rows_.action_count = actions.count();
    rows_.cell_start = cell_start_.data();
    rows_.row_size = row_size_.data();
    rows_.window = window_.data();
    rows_.block = blocks_.data();
    rows_.capacity = static_cast<std::uint32_t>(blocks_.size());
    rows_.block_count = &size_.data()->blocks;
    rows_.too_wide = too_wide_.data();
    rows_.too_wide_count = &size_.data()->left_out;
  }

  FrameLimits limits(std::int32_t frame_class) const override {
    return launch_.limits(frame_class);
  }
  void run(const DeviceCloud& cloud, const DeviceCellLists& lists, const DeviceBackup& backup,
           const DeviceStream& stream) override {
    set_to_zero(size_.data(), 1, stream);
    BackupAndRows sink;
    static_cast<DeviceBackup&>(sink) = backup;
    sink.rows = rows_;
    launch_.run_lattice(cloud, lists, sink, stream);
  }
  Size size(const DeviceStream& stream) const override {
    const Size size = fetch(size_.data(), stream);
    if (size.blocks > rows_.capacity) {
      throw RunError("the explicit model of a level needs more memory than was allocated for it");
    }
    return size;
  }

 private:
  DeviceCountLaunch<BackupAndRows> launch_;
  DeviceArray<std::uint32_t> cell_start_;       // (cell)
  DeviceArray<std::uint16_t> row_size_;         // (row)
  DeviceArray<CellStencil> window_;             // (cell)
  DeviceArray<std::int32_t> too_wide_;          // cells
  DeviceArray<RowBlock<WideRowEntry>> blocks_;  // (block)
  DeviceArray<Size> size_;
  DeviceRows<WideRowEntry> rows_;
};

}  // namespace

std::unique_ptr<BackupWithRows> make_backup_with_rows(const EnvironmentInfo& info,
                                                      const PositionRule& rule,
                                                      const DeviceActions& actions,
                                                      std::int32_t kinds,
                                                      std::int32_t blocks_per_row) {
  return std::make_unique<CountingBackupWithRows>(info, rule, actions, kinds, blocks_per_row);
}

}  // namespace tidewise
