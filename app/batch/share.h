#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/batch/file/batch_file.h"
#include "app/batch/file/batch_mission.h"
#include "app/batch/file/part.h"
#include "app/batch/table/row.h"
#include "base/file/lock.h"

namespace tidewise {

/// One part of a batch.
struct BatchShare {
  BatchPart part;
  std::vector<std::size_t> missions;  ///< numbers of the missions, ascending
  std::size_t passes_of_all = 0;      ///< number of passes of all parts together
};

/// The share of a part. It depends only on the batch, not on finished work or the machine, so that
/// all parts agree without communication. Missions that share counts stay together, unless there
/// are fewer such groups than parts; whole groups are distributed by their estimated time.
BatchShare find_share(const BatchPart& part, const BatchFile& file,
                      const std::vector<BatchMission>& missions);

/// The rows of all parts, which share the batch's folder: finished missions are found by the
/// summary of each run, failures by a file, .batch.failed.json.
class SharedRows {
 public:
  /// All arguments must outlive this object. Failures that an earlier process of this part recorded
  /// are discarded.
  SharedRows(const std::filesystem::path& folder, PolicyFiles policies,
             const std::vector<BatchMission>& missions, const BatchShare& share);

  /// Fills in the rows of other parts and records this part's failures for them. While the returned
  /// lock lives, no other part does so or writes the table. Errors: RunError.
  FileLock join(std::vector<BatchRow>& rows);

 private:
  using Failures = std::map<std::string, std::string>;  // reason by the mission's identity

  FileLock lock() const;
  Failures read_failures() const;
  void write_failures(const Failures& failures) const;
  std::string identity(std::size_t mission) const;

  std::filesystem::path folder_;
  PolicyFiles policies_;
  const std::vector<BatchMission>& missions_;
  std::vector<char> is_own_;  // (mission)
};

}  // namespace tidewise
