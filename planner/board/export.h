#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file/file_set.h"
#include "env/tools/cut_window.h"
#include "output/board/board_policy.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// What of a run goes on board.
struct BoardExport {
  std::string run;  ///< its folder, or its policy.h5
  /// The file; or a folder, made where it is missing, that gets a policy.twp: where it is one, or
  /// ends with '/'.
  std::filesystem::path out;
  BoardValues values = BoardValues::left_out;
  CutRequest part = {};  ///< of the plan; nothing: all of it
  Overwrite overwrite = Overwrite::refused;
};

/// What there is to write.
struct BoardExportReport {
  /// One a leg of the mission: policy.twp, then policy_leg_2.twp and so on.
  std::vector<std::filesystem::path> files;
  std::vector<std::string> lines;     ///< what it holds
  std::vector<std::string> warnings;  ///< a line each
};

/// Whether anything is to be cut.
bool asks_for_a_part(const CutRequest& part);

/// Adds the policy of a run to `files` as a file for its vehicle, or one for each leg of a mission
/// that passes places (docs/fly/onboard.md). The environment that it
/// was planned on must be there: it tells land from the target. Errors: InputError for a run, or a
/// part of it, that cannot be; RunError when writing fails.
BoardExportReport export_board_policy(const BoardExport& request, FileSet& files);

}  // namespace tidewise
