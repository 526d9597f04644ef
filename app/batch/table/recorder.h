#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/batch/file/batch_mission.h"
#include "app/batch/table/folder.h"
#include "app/batch/table/row.h"
#include "base/file/lock.h"
#include "base/stopwatch.h"

namespace tidewise {

/// Adds the rows of other processes that share the batch to this process's rows. While the returned
/// lock lives, none of them writes the table. Errors: RunError.
using JoinRows = std::function<FileLock(std::vector<BatchRow>&)>;

/// Keeps the rows of a batch, logs the result of each mission, and writes the table. Its functions
/// may be called from several threads.
class BatchRecorder final : public RowSink {
 public:
  BatchRecorder(const BatchFolder& folder, const std::vector<BatchMission>& missions,
                std::string title, JoinRows join = {});

  /// Adds the row of a mission that an earlier process finished, without a line in the log.
  void keep(BatchRow row);
  /// Adds a row and writes batch.nc and batch.csv with the rows so far, unless they were just
  /// written: large tables must not slow the batch down. A failure to write is only logged, since
  /// the last table counts.
  void take(BatchRow row) override;
  /// Writes the final tables. Errors: RunError.
  void write_tables();

  std::vector<BatchRow> rows() const;

 private:
  void refresh();
  void write_locked();
  /// True if writing tables has taken only a small share of the time so far.
  bool may_refresh() const;

  const BatchFolder& folder_;
  const std::vector<BatchMission>& missions_;
  std::string title_;
  JoinRows join_;
  mutable std::mutex mutex_;
  std::vector<BatchRow> rows_;
  std::optional<Stopwatch> since_refresh_;  ///< empty before the first refresh
  double refresh_seconds_ = 0;              ///< duration of the last refresh [s]
};

}  // namespace tidewise
