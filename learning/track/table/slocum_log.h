#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "learning/track/table/table.h"

namespace tidewise {

/// Whether a text is what a Slocum says at the surface (its dialog, as SFMC keeps it).
bool is_slocum_log(const std::string& text);

/// A row for each GPS fix of one Slocum's surface logs, which may be many, in any order. Currents
/// stand at the fix that ended their dive: the first after ten minutes or more without one, and the
/// last before the current was reckoned, or at most ten minutes after that. m_final_water_vx
/// goes before m_water_vx, and what was told last before what was told first. Errors: InputError
/// naming file and line: two vehicles, a time that is none, no fix.
TrackTable read_slocum_logs(const std::vector<std::filesystem::path>& paths);

}  // namespace tidewise
