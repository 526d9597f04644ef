#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/batch/file/batch_mission.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// The finished missions of an earlier process.
struct FinishedMissions {
  std::vector<BatchRow> rows;  ///< rows of missions that need no further run
  /// Reasons for folders that match no mission, and for missions that run again
  std::vector<std::string> notes;
  std::string another;  ///< folder of a run of another batch; empty if there is none
};

/// Searches `folder` for finished missions: folders with a summary.json, which a run writes last,
/// that records the same mission on the same, unchanged environment, and with the requested files.
/// Such a mission keeps its folder, even if its number has changed; the others get folders that no
/// finished one has. A missing environment counts as unchanged. `reported`: numbers of the
/// missions that notes may mention.
FinishedMissions find_finished(const std::filesystem::path& folder, PolicyFiles policies,
                               const std::vector<std::size_t>& reported,
                               std::vector<BatchMission>& missions);

/// The row of a mission whose folder holds a finished run of it; else nullopt.
std::optional<BatchRow> finished_row(const std::filesystem::path& folder, PolicyFiles policies,
                                     const BatchMission& mission);

/// The folders in a batch's folder, sorted.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);

/// Removes incomplete files of killed processes from missions' folders. Requires that no process
/// computes these missions.
void clear_half_written(const std::vector<std::filesystem::path>& folders);

}  // namespace tidewise
