#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/batch/file/batch_mission.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// What an earlier process left of a batch.
struct FinishedMissions {
  std::vector<BatchRow> rows;      ///< of missions that need no further run
  std::vector<std::string> notes;  ///< folders that belong to no mission, or to one that changed
};

/// Looks through the folders in `folder` for missions that are finished: a summary.json, which a
/// run gives last, that records the same mission on the same, unchanged environment, with the files
/// that are asked for. Such a mission keeps its folder, whatever its number is now; the others get
/// folders that no finished one has. An environment that is not there any more has not changed.
FinishedMissions find_finished(const std::filesystem::path& folder, PolicyFiles policies,
                               std::vector<BatchMission>& missions);

/// Removes what killed processes left half-written in the missions' folders. Requires the lock.
void clear_half_written(const std::filesystem::path& folder);

}  // namespace tidewise
