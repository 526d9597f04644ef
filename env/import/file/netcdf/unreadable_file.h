#pragma once

#include <filesystem>
#include <string>

namespace tidewise::ingest {

/// Describes a file that the NetCDF library cannot open: its format, from its first bytes, and a
/// remedy: "is compressed by gzip; unpack it first: gzip -dc FILE > OUT.nc".
std::string describe_unreadable(const std::filesystem::path& path,
                                const std::filesystem::path& name);

}  // namespace tidewise::ingest
