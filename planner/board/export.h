#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file/file_set.h"
#include "env/tools/cut_window.h"
#include "output/board/board_policy.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// The part of a run that is exported for a vehicle.
struct BoardExport {
  std::string run;  ///< folder of the run, or its policy.h5
  /// The file. If the path is an existing folder or ends with '/', the file is policy.twp in this
  /// folder, which is made if it is missing.
  std::filesystem::path out;
  BoardValues values = BoardValues::left_out;
  CutRequest part = {};  ///< part of the plan; default: all of it
  Overwrite overwrite = Overwrite::refused;
};

/// Result of an export.
struct BoardExportReport {
  /// One file for each leg of the mission: policy.twp, then policy_leg_2.twp and so on.
  std::vector<std::filesystem::path> files;
  std::vector<std::string> lines;     ///< descriptions of the file
  std::vector<std::string> warnings;  ///< one line each
};

/// True if `part` selects less than the whole policy.
bool asks_for_a_part(const CutRequest& part);

/// Adds the policy of a run to `files` as a file for its vehicle, or one file for each leg of a
/// mission with via points (docs/fly/onboard.md). The environment of the plan must exist: its mask
/// separates land from the target. Errors: InputError for a run or a part that cannot be exported;
/// RunError when writing fails.
BoardExportReport export_board_policy(const BoardExport& request, FileSet& files);

}  // namespace tidewise
