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

/// Brings the rows of other processes that share a batch among this one's. While the lock lives,
/// none of them writes the table. Errors: RunError.
using JoinRows = std::function<FileLock(std::vector<BatchRow>&)>;

/// Keeps the rows of a batch, says in the log what became of each mission, and writes the table.
/// Its functions may be called from several threads.
class BatchRecorder final : public RowSink {
 public:
  BatchRecorder(const BatchFolder& folder, const std::vector<BatchMission>& missions,
                std::string title, JoinRows join = {});

  /// A mission that an earlier process finished; not worth a line.
  void keep(BatchRow row);
  /// Writes batch.nc and batch.csv as far as they are, unless that was done just now: a table of
  /// many missions must not be what the batch spends its time on. A failure is a line in the log:
  /// what counts is the last table.
  void take(BatchRow row) override;
  /// The same at the end. Errors: RunError.
  void write_tables();

  std::vector<BatchRow> rows() const;

 private:
  void refresh();
  void write_locked();
  /// Whether the tables so far have taken less than a small share of the time.
  bool may_refresh() const;

  const BatchFolder& folder_;
  const std::vector<BatchMission>& missions_;
  std::string title_;
  JoinRows join_;
  mutable std::mutex mutex_;
  std::vector<BatchRow> rows_;
  std::optional<Stopwatch> since_refresh_;  ///< none has been yet
  double refresh_seconds_ = 0;              ///< that the last one took
};

}  // namespace tidewise
