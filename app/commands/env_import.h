#pragma once

#include <optional>
#include <string>

#include "env/import/import_forecast.h"

namespace tidewise {

/// The options of the 'tidewise env import' command at the beginning of an environment's history,
/// with file names without folders; nullopt if the history begins otherwise. Errors: InputError for
/// a command that this version cannot parse.
std::optional<ingest::ImportOptions> imported_by(const std::string& history);

/// The files of an import as words of a command line; of more than four, the first, "…" and the
/// last.
std::string list_sources(const ingest::ImportOptions& import);

}  // namespace tidewise
