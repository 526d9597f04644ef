#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tidewise {

// Fingerprints identify a file by its content. They detect accidents, not attacks: 64 bits, no
// secret. Errors: InputError if the file cannot be read, RunError if it cannot be written.

/// Fingerprint of a text.
std::uint64_t fingerprint(std::string_view text);

/// Fingerprint of a file of any size, fast: a file of up to 64 MiB is read whole; of a larger one
/// the first MiB, and 4 KiB at 16384 equal distances. A change of a large file is missed if it is
/// shorter than a distance (50 KiB at 0.8 GB); a file that was generated again differs everywhere.
std::string file_fingerprint(const std::filesystem::path& path);

/// Appends a seal to a file: fingerprints of the content, which proves that it is complete, and of
/// the purpose. HDF5 ignores bytes after its content.
void seal_file(const std::filesystem::path& path, std::string_view purpose);
/// True if the file is as seal_file() left it, for the same purpose. Reads the whole file as bytes,
/// so that a damaged file is harmless.
bool holds_seal(const std::filesystem::path& path, std::string_view purpose);

}  // namespace tidewise
