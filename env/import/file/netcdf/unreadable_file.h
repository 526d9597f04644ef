#pragma once

#include <filesystem>
#include <string>

namespace tidewise::ingest {

/// The format of a file that the NetCDF library cannot open, by its first bytes, and a remedy: "is
/// compressed by gzip; unpack it first: gzip -dc FILE > OUT.nc".
std::string describe_unreadable(const std::filesystem::path& path,
                                const std::filesystem::path& name);

}  // namespace tidewise::ingest
