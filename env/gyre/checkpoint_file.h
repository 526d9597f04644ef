#pragma once

#include <filesystem>
#include <string>

#include "env/gyre/restart_folder.h"

namespace tidewise::gyre {

// Files of double precision that give back the same bits, written by way of AtomicFile and sealed
// for `purpose`: the options that they belong to. Before HDF5 sees one its seal is judged, so that
// a damaged file, or one of other options, is refused in one line. Errors: InputError where a file
// is not what was written, RunError where writing fails.

void write_velocity(const std::filesystem::path& path, const std::string& purpose,
                    const VelocityField& velocity);
VelocityField read_velocity(const std::filesystem::path& path, const std::string& purpose,
                            const StaggeredGrid& grid);

void write_checkpoint(const std::filesystem::path& path, const std::string& purpose,
                      const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const std::filesystem::path& path, const std::string& purpose,
                           const StaggeredGrid& grid);
/// Checkpoint::levels_done alone.
std::int32_t read_levels_done(const std::filesystem::path& path, const std::string& purpose);

/// Refuses a file that is not as seal_file() left it for that purpose.
void require_seal(const std::filesystem::path& path, const std::string& purpose);

}  // namespace tidewise::gyre
