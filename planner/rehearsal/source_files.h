#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "env/import/import_forecast.h"

namespace tidewise::rehearsal {

/// Returns the import's options with `files` in place of its own files, which have no folders.
ingest::ImportOptions with_files(ingest::ImportOptions import,
                                 const std::vector<std::filesystem::path>& files);

/// Finds the bathymetry file of an import, which records its name: among `files`, from which it is
/// removed, next to the first of them, or in the working folder. Errors: InputError if it is not
/// found.
void take_bathymetry(ingest::ImportOptions& import, std::vector<std::filesystem::path>& files);

/// Returns file names without folders, sorted.
std::vector<std::string> names_of(const std::vector<std::filesystem::path>& files);

/// Lists files as "a.nc", "a.nc, b.nc", or "a.nc … z.nc (56 files)".
std::string list_files(const std::vector<std::filesystem::path>& files);

}  // namespace tidewise::rehearsal
