#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/file/atomic_file.h"
#include "env/file/reader.h"
#include "env/tools/cut_window.h"
#include "output/run/policy_file.h"

namespace tidewise {

/// Selects whether the file also has the value of each cell.
enum class BoardValues { left_out, included };

/// Options of write_board_policy().
struct BoardPolicyOptions {
  std::optional<CutWindow> window = {};  ///< levels and cells to include; absent: all of the plan
  BoardValues values = BoardValues::left_out;
  std::size_t leg = 0;  ///< leg of the mission, from 0
};

/// Facts of a written file.
struct BoardPolicyFacts {
  std::uint64_t bytes = 0;
  CutWindow window;
  bool has_positions = false;
  bool has_dates = false;
  std::uint32_t node_count = 0;
  double position_error = 0;  ///< maximum error of positions [cells]
  double bearing_error = 0;   ///< maximum error of bearings [degrees]
};

/// The window that contains the whole plan.
CutWindow whole_plan(const PolicyFile& policy);

/// Writes a policy as include/tidewise_policy.h reads it (docs/fly/onboard.md). `environment`: the
/// environment of the plan; `target`: the mission's target, (y, x). Both distinguish closed cells
/// from the target. The caller commits the file. Requires a window within the plan. Errors:
/// InputError for more than 65000 actions, an action hold or depths that the format cannot store, a
/// file beyond 4 GiB, and for unusable lon and lat (position_nodes.h); those of reading; RunError
/// when writing fails.
BoardPolicyFacts write_board_policy(AtomicFile& file, const PolicyFile& policy,
                                    const EnvironmentReader& environment,
                                    const std::vector<std::uint8_t>& target,
                                    const BoardPolicyOptions& options);

}  // namespace tidewise
