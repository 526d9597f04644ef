#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "env/import/import_forecast.h"

namespace tidewise::rehearsal {

/// How an import read its files, which it knows by name alone, with those at `files` in their
/// place.
ingest::ImportOptions with_files(ingest::ImportOptions import,
                                 const std::vector<std::filesystem::path>& files);

/// Finds the file of the bottom that an import had, which is known by its name: among `files`, from
/// where it is taken out, beside the first of them, or here. Errors: InputError where it is
/// nowhere.
void take_bathymetry(ingest::ImportOptions& import, std::vector<std::filesystem::path>& files);

/// Names without folders, sorted.
std::vector<std::string> names_of(const std::vector<std::filesystem::path>& files);

/// "a.nc", "a.nc, b.nc", or "a.nc … z.nc (56 files)".
std::string list_files(const std::vector<std::filesystem::path>& files);

}  // namespace tidewise::rehearsal
