#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tidewise {

// Fingerprints identify a file by its content. They have 64 bits and no secret, so they detect
// accidents but not attacks. Errors: InputError if the file cannot be read, RunError if it cannot
// be written.

/// Fingerprint of a text.
std::uint64_t fingerprint(std::string_view text);

/// Fingerprint of a file of any size, fast: a file of up to 64 MiB is read whole; of a larger one,
/// the first MiB and 16384 equally spaced samples of 4 KiB. A change of a large file is missed if
/// it lies between two samples (50 KiB apart at 0.8 GB); a file that was generated again differs
/// everywhere.
std::string file_fingerprint(const std::filesystem::path& path);

/// Appends a seal to a file: fingerprints of the content, which proves that it is complete, and of
/// the purpose, a text that holds_seal() must repeat. HDF5 ignores bytes after its content.
void seal_file(const std::filesystem::path& path, std::string_view purpose);
/// True if the file is as seal_file() left it, for the same purpose. Reads the whole file as bytes,
/// so that a damaged file is harmless.
bool holds_seal(const std::filesystem::path& path, std::string_view purpose);

}  // namespace tidewise
