#pragma once

#include <string>
#include <vector>

namespace tidewise::ingest {

/// Where PROJ looks for its database (proj.db) from now on, one folder after the other; none: where
/// it was compiled to look. To be called before an import, by whoever brings a database along.
/// Nothing happens in a build without import.
void set_projection_folders(const std::vector<std::string>& folders);

}  // namespace tidewise::ingest
