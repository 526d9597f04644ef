#include "env/gyre/checkpoint_file.h"

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/fingerprint.h"
#include "base/hdf5/file.h"
#include "env/error/codes.h"

namespace tidewise::gyre {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_checkpoint(const fs::path& path) {
  throw input_error(errors::checkpoint_damaged, path.string());
}

/// Row `n` of a variable (row, value).
VelocityField read_row(const Hdf5File& file, const std::string& variable, std::uint64_t n,
                       const StaggeredGrid& grid) {
  VelocityField velocity(grid);
  const auto size = static_cast<std::uint64_t>(grid.velocity_count());
  const Extents shape = file.shape(variable);
  if (shape.size() != 2 || shape[0] <= n || shape[1] != size) refuse_checkpoint(file.path());
  file.read(variable, {n, 0}, {1, size}, velocity.values().data());
  return velocity;
}

void write_row(Hdf5File& file, const std::string& variable, std::uint64_t n,
               const VelocityField& velocity) {
  file.write(variable, {n, 0}, {1, velocity.values().size()}, velocity.values().data());
}

double read_number(const Hdf5File& file, const std::string& name) {
  const auto value = file.number_attribute("/", name);
  if (!value) refuse_checkpoint(file.path());
  return *value;
}

/// Writes a file with `fill`, seals it and gives it its final name.
template <class Fill>
void write_file(const fs::path& path, const std::string& purpose, const Fill& fill) {
  AtomicFile atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary_path());
  fill(file);
  file.close();
  seal_file(atomic.temporary_path(), purpose);
  atomic.commit();
}

Hdf5File open_sealed(const fs::path& path, const std::string& purpose) {
  require_seal(path, purpose);
  return Hdf5File::open(path);
}

}  // namespace

void require_seal(const fs::path& path, const std::string& purpose) {
  if (!holds_seal(path, purpose)) refuse_checkpoint(path);
}

void write_velocity(const fs::path& path, const std::string& purpose,
                    const VelocityField& velocity) {
  write_file(path, purpose, [&](Hdf5File& file) {
    file.define_dimension("field", 1);
    file.define_dimension("face", velocity.values().size());
    file.define_variable("velocity", NumberType::float64, {"field", "face"});
    write_row(file, "velocity", 0, velocity);
  });
}

VelocityField read_velocity(const fs::path& path, const std::string& purpose,
                            const StaggeredGrid& grid) {
  return read_row(open_sealed(path, purpose), "velocity", 0, grid);
}

void write_checkpoint(const fs::path& path, const std::string& purpose,
                      const Checkpoint& checkpoint) {
  const OrthogonalState& state = checkpoint.state;
  write_file(path, purpose, [&](Hdf5File& file) {
    file.set_attribute("/", "stretches_done", checkpoint.stretches_done);
    file.set_attribute("/", "levels_done", checkpoint.levels_done);
    file.set_attribute("/", "velocity_scale", checkpoint.velocity_scale);
    file.define_dimension("field", state.mode_count() + 1);
    file.define_dimension("face", state.mean.values().size());
    file.define_dimension("mode", state.mode_count());
    file.define_dimension("realization", state.realization_count);
    // The mean, then the modes.
    file.define_variable("velocity", NumberType::float64, {"field", "face"});
    write_row(file, "velocity", 0, state.mean);
    for (std::size_t m = 0; m < state.mode_count(); ++m) {
      write_row(file, "velocity", m + 1, state.modes[m]);
    }
    file.define_variable("coefficient", NumberType::float64, {"mode", "realization"});
    file.write_all("coefficient", state.coefficient);
  });
}

Checkpoint read_checkpoint(const fs::path& path, const std::string& purpose,
                           const StaggeredGrid& grid) {
  const Hdf5File file = open_sealed(path, purpose);
  Checkpoint checkpoint;
  checkpoint.stretches_done = static_cast<std::int32_t>(read_number(file, "stretches_done"));
  checkpoint.levels_done = static_cast<std::int32_t>(read_number(file, "levels_done"));
  checkpoint.velocity_scale = read_number(file, "velocity_scale");
  OrthogonalState& state = checkpoint.state;
  const Extents shape = file.shape("coefficient");
  if (shape.size() != 2) refuse_checkpoint(path);
  state.mean = read_row(file, "velocity", 0, grid);
  for (std::uint64_t m = 0; m < shape[0]; ++m) {
    state.modes.push_back(read_row(file, "velocity", m + 1, grid));
  }
  state.realization_count = shape[1];
  state.coefficient = file.read_all<double>("coefficient");
  return checkpoint;
}

std::int32_t read_levels_done(const fs::path& path, const std::string& purpose) {
  return static_cast<std::int32_t>(read_number(open_sealed(path, purpose), "levels_done"));
}

}  // namespace tidewise::gyre
