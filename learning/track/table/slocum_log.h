#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "learning/track/table/table.h"

namespace tidewise {

/// True if a text is a Slocum's surface dialog, as SFMC stores it.
bool is_slocum_log(const std::string& text);

/// Reads a row for each GPS fix of one Slocum's surface logs, which may be many, in any order. A
/// current is on the row of the fix that ended its dive: the first fix after ten minutes or more
/// without one, and the last before the current was computed, or at most ten minutes after that.
/// m_final_water_vx takes precedence over m_water_vx, and later values over earlier ones. Errors:
/// InputError naming file and line: two vehicles, an invalid time, no fix.
TrackTable read_slocum_logs(const std::vector<std::filesystem::path>& paths);

}  // namespace tidewise
