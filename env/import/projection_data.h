#pragma once

#include <string>
#include <vector>

namespace tidewise::ingest {

/// Sets the folders where PROJ searches for its database (proj.db), in order; if there are none,
/// PROJ uses its compiled-in folder. A program that ships its own database calls it before an
/// import. Does nothing in a build without import.
void set_projection_folders(const std::vector<std::string>& folders);

}  // namespace tidewise::ingest
