#pragma once

#include <filesystem>
#include <string>

#include "env/tools/cut_window.h"
#include "output/board/board_policy.h"

namespace tidewise {

/// What of a run goes on board.
struct BoardExport {
  std::string run;            ///< its folder, or its policy.h5
  std::filesystem::path out;  ///< empty: policy.twp in the run's folder `export`
  BoardValues values = BoardValues::left_out;
  CutRequest part;  ///< of the plan; nothing: all of it
};

/// Writes the policy of a run as a file for its vehicle (docs/onboard.md), and says in a few lines
/// what that holds. The environment that it was planned on must be there: it tells land from the
/// target. Errors: InputError for a run, or a part of it, that cannot be; RunError when writing
/// fails.
std::string export_board_policy(const BoardExport& request);

}  // namespace tidewise
