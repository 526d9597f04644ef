#include "app/batch/table/recorder.h"

#include <fmt/core.h>

#include <utility>

#include "app/batch/table/table.h"
#include "base/printable.h"

namespace tidewise {
namespace {

std::string describe_end(const BatchRow& row) {
  if (row.status == MissionStatus::failed) return "failed: " + row.message;
  const auto& value = row.summary["value_at_start"];
  const auto& seconds = row.summary["seconds"]["total"];
  return fmt::format("done: value {}, {:.3g} s of work", value.dump(),
                     seconds.is_number() ? seconds.get<double>() : 0);
}

}  // namespace

BatchRecorder::BatchRecorder(const BatchFolder& folder, const std::vector<BatchMission>& missions,
                             std::string title, JoinRows join)
    : folder_(folder),
      missions_(missions),
      title_(std::move(title)),
      join_(std::move(join)),
      rows_(missions.size()) {
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].mission = i;
}

void BatchRecorder::keep(BatchRow row) {
  const std::lock_guard lock(mutex_);
  rows_.at(row.mission) = std::move(row);
}

void BatchRecorder::take(BatchRow row) {
  const std::lock_guard lock(mutex_);
  // Messages of libraries may have several lines, and texts from files any characters.
  row.message = shortened(on_one_line(row.message), max_message_bytes);
  folder_.log(missions_.at(row.mission).directory, describe_end(row));
  rows_.at(row.mission) = std::move(row);
  refresh();
}

void BatchRecorder::refresh() {
  if (!may_refresh()) return;
  const Stopwatch writing;
  try {
    write_locked();
  } catch (const std::exception& error) {
    folder_.log("table", error.what());
  }
  refresh_seconds_ = writing.seconds();
  since_refresh_.emplace();
}

bool BatchRecorder::may_refresh() const {
  constexpr double pause_factor = 20;  // multiple of the time of writing
  return !since_refresh_ || since_refresh_->seconds() >= pause_factor * refresh_seconds_;
}

void BatchRecorder::write_tables() {
  const std::lock_guard lock(mutex_);
  write_locked();
}

void BatchRecorder::write_locked() {
  std::optional<FileLock> join_lock;
  if (join_) join_lock = join_(rows_);
  const auto table = make_table(missions_, rows_);
  write_table_netcdf(folder_.path() / "batch.nc", table, title_);
  write_table_csv(folder_.path() / "batch.csv", table);
}

std::vector<BatchRow> BatchRecorder::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

}  // namespace tidewise
