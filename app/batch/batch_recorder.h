#pragma once

#include <mutex>
#include <vector>

#include "app/batch/batch_folder.h"
#include "app/batch/batch_mission.h"
#include "app/batch/batch_row.h"

namespace tidewise {

/// Keeps the rows of a batch, says in the log what became of each mission, and writes the table.
/// Its functions may be called from several threads.
class BatchRecorder final : public RowSink {
 public:
  BatchRecorder(const BatchFolder& folder, const std::vector<BatchMission>& missions,
                std::string title);

  /// A mission that an earlier process finished; not worth a line.
  void keep(BatchRow row);
  void take(BatchRow row) override;
  /// Writes batch.nc and batch.csv as far as they are. A failure is a line in the log: what counts
  /// is the last table.
  void refresh();
  /// The same at the end. Errors: RunError.
  void write_tables();

  std::vector<BatchRow> rows() const;

 private:
  void write_locked();

  const BatchFolder& folder_;
  const std::vector<BatchMission>& missions_;
  std::string title_;
  mutable std::mutex mutex_;
  std::vector<BatchRow> rows_;
};

}  // namespace tidewise
