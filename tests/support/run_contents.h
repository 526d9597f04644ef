#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tidewise::test {

/// Contents of files by variable or attribute, as bytes to compare, without anything that depends
/// on time, speed or place of writing.
using Contents = std::map<std::string, std::string>;

/// Reads policy.h5, trajectories.nc and summary.json of one run.
Contents contents_of_run(const std::filesystem::path& run);

/// Reads batch.nc, the table of a batch.
Contents contents_of_table(const std::filesystem::path& batch);

/// Reads all runs of a batch, by their folders, and its table.
Contents contents_of_batch(const std::filesystem::path& batch);

/// Returns the names of entries that differ. Tests compare names, because gtest would print
/// megabytes of contents.
std::vector<std::string> differences(const Contents& a, const Contents& b);

}  // namespace tidewise::test
