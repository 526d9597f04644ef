#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>

namespace tidewise::ingest {

/// Bytes that a classic NetCDF file (CDF-1, CDF-2, CDF-5) must have for the variables its header
/// lists; nothing for other formats and for headers that make no sense, which netCDF-C judges.
/// netCDF-C itself reads zeros where such a file ends too early.
///
/// Padding behind the last value may be missing. Sizes come from dimensions and types, because the
/// header's own vsize overflows at 4 GiB. Records still being streamed count as none.
/// Errors: InputError, without the file's name, when the file ends within its header.
/// Source: the NetCDF file format specification, "The NetCDF Classic Format Specification".
std::optional<std::uint64_t> classic_length_needed(std::istream& file);

/// Errors: InputError when the file is a classic one and shorter than its header requires.
void require_whole_classic_file(const std::filesystem::path& path);

}  // namespace tidewise::ingest
