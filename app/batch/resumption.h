#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/batch/file/batch_mission.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// What an earlier process left of a batch.
struct FinishedMissions {
  std::vector<BatchRow> rows;      ///< of missions that need no further run
  std::vector<std::string> notes;  ///< folders of no mission, and of those that run anew: why
  std::string another;             ///< a run of another batch; empty where there is none
};

/// Looks through the folders in `folder` for missions that are finished: a summary.json, which a
/// run gives last, that records the same mission on the same, unchanged environment, with the files
/// that are asked for. Such a mission keeps its folder, whatever its number is now; the others get
/// folders that no finished one has. An environment that is not there any more has not changed.
/// `own`: the numbers of those that notes are to speak of.
FinishedMissions find_finished(const std::filesystem::path& folder, PolicyFiles policies,
                               const std::vector<std::size_t>& own,
                               std::vector<BatchMission>& missions);

/// The row of a mission whose folder holds such a run; nothing where it does not.
std::optional<BatchRow> finished_row(const std::filesystem::path& folder, PolicyFiles policies,
                                     const BatchMission& mission);

/// The folders in a batch's folder, sorted.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);

/// Removes what killed processes left half-written in missions' folders. Requires that no process
/// is at work on these missions.
void clear_half_written(const std::vector<std::filesystem::path>& folders);

}  // namespace tidewise
