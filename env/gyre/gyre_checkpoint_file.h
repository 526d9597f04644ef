#pragma once

#include <filesystem>

#include "env/gyre/gyre_restart_folder.h"

namespace tidewise {

// Files of double precision that give back the same bits, written by way of AtomicFile.
// Errors: InputError where a file does not hold what it should, RunError where writing fails.

void write_velocity(const std::filesystem::path& path, const VelocityField& velocity);
VelocityField read_velocity(const std::filesystem::path& path, const StaggeredGrid& grid);

void write_checkpoint(const std::filesystem::path& path, const GyreCheckpoint& checkpoint);
GyreCheckpoint read_checkpoint(const std::filesystem::path& path, const StaggeredGrid& grid);
/// GyreCheckpoint::levels_done alone.
std::int32_t read_levels_done(const std::filesystem::path& path);

}  // namespace tidewise
