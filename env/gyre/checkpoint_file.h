#pragma once

#include <filesystem>
#include <string>

#include "env/gyre/restart_folder.h"

namespace tidewise::gyre {

// Double-precision files that preserve all bits. They are written with AtomicFile and sealed for
// `purpose`, the options to which they belong. The seal is checked before HDF5 opens a file, so
// that a damaged file, or one of other options, is refused in one line. Errors: InputError if a
// file is not as it was written, RunError if writing fails.

/// Writes a velocity.
void write_velocity(const std::filesystem::path& path, const std::string& purpose,
                    const VelocityField& velocity);
/// Reads a velocity, which must be on `grid`.
VelocityField read_velocity(const std::filesystem::path& path, const std::string& purpose,
                            const StaggeredGrid& grid);

/// Writes a checkpoint.
void write_checkpoint(const std::filesystem::path& path, const std::string& purpose,
                      const Checkpoint& checkpoint);
/// Reads a checkpoint, which must be on `grid`.
Checkpoint read_checkpoint(const std::filesystem::path& path, const std::string& purpose,
                           const StaggeredGrid& grid);
/// Reads only Checkpoint::levels_done.
std::int32_t read_levels_done(const std::filesystem::path& path, const std::string& purpose);

/// Refuses a file that is not as seal_file() left it for `purpose`. Errors: InputError.
void require_seal(const std::filesystem::path& path, const std::string& purpose);

}  // namespace tidewise::gyre
