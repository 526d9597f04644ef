#pragma once

#include <filesystem>
#include <string>

#include "learning/track/table/table.h"

namespace tidewise {

/// True if a text is GPX (topografix.com/GPX/1/1).
bool is_gpx(const std::string& text);

/// Reads a row for each track point: columns time (ISO 8601), lon and lat [degrees]. Routes and
/// waypoints are left out, because they are plans. `text`: content of the file `path`. Errors:
/// InputError naming the file if no track point has a time.
TrackTable read_gpx_track(const std::filesystem::path& path, const std::string& text);

}  // namespace tidewise
