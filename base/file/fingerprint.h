#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tidewise {

// What tells a file from another one by its content alone. Not against intent: 64 bits, no secret.
// Errors: InputError where the file cannot be read, RunError where it cannot be written to.

/// Of a text.
std::uint64_t fingerprint(std::string_view text);

/// Of a file of any size, for little: a file of up to 64 MiB is read whole, of a larger one the
/// first MiB and 4 KiB at each of 16384 equal distances. So a change of such a file can go unseen
/// where it is shorter than a distance (50 KiB at 0.8 GB); a file that was made anew differs
/// everywhere.
std::string file_fingerprint(const std::filesystem::path& path);

/// Puts a seal behind a file's content, which says by its fingerprint whether that is whole, and by
/// the purpose's what it is for. HDF5 does not mind what follows it.
void seal_file(const std::filesystem::path& path, std::string_view purpose);
/// Whether the file is as seal_file() left it, for that purpose. Reads it whole, and looks at bytes
/// alone: no damage can do harm here.
bool holds_seal(const std::filesystem::path& path, std::string_view purpose);

}  // namespace tidewise
