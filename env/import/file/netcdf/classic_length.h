#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>

namespace tidewise::ingest {

/// The size [B] that a classic NetCDF file (CDF-1, CDF-2, CDF-5) must have for the variables in its
/// header; nullopt for other formats and for invalid headers, which netCDF-C itself refuses. If
/// such a file ends too early, netCDF-C reads zeros, so the size is checked here.
///
/// Padding after the last value may be missing. Sizes come from dimensions and types, because the
/// header's own vsize overflows at 4 GiB. A file whose records are still being streamed is treated
/// as having none. Errors: InputError, without the file's name, if the file ends within its header.
/// Source: the NetCDF file format specification, "The NetCDF Classic Format Specification".
std::optional<std::uint64_t> classic_length_needed(std::istream& file);

/// Throws InputError if a file is a classic one and shorter than its header requires.
void require_whole_classic_file(const std::filesystem::path& path);

}  // namespace tidewise::ingest
