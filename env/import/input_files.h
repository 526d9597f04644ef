#pragma once

#include <filesystem>
#include <vector>

#include "env/import/import_forecast.h"

namespace tidewise::ingest {

/// All files that an import reads, as named by any option.
std::vector<std::filesystem::path> input_files(const ImportOptions& options);

}  // namespace tidewise::ingest
