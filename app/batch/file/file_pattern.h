#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tidewise {

/// Absolute paths of the file or pattern `text`. With *, ? or [ it is a pattern: the files that
/// match, sorted. A relative path starts at `folder`. Errors: InputError naming `place` and `key`
/// when nothing matches, and for names that are not UTF-8.
std::vector<std::filesystem::path> expand_file_pattern(const std::filesystem::path& folder,
                                                       const std::string& text,
                                                       std::string_view place,
                                                       std::string_view key);

/// Refuses a path that is not UTF-8, the only encoding of TOML, JSON and NetCDF. Errors: InputError
/// naming `place`.
void require_utf8(const std::filesystem::path& path, std::string_view place);

}  // namespace tidewise
