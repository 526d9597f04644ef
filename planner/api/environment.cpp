#include "tidewise/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "env/file/reader.h"
#include "env/file/writer.h"
#include "env/tools/double_gyre.h"
#include "planner/error/codes.h"
#include "planner/folder/temporary_folder.h"

namespace tidewise {
namespace fs = std::filesystem;

struct Environment::Content {
  std::unique_ptr<const TemporaryFolder> folder;  ///< null if the file is the user's
  fs::path file;
  EnvironmentAxes axes;
  EnvironmentNames names = {};
};

namespace {

EnvironmentAxes axes_of(const EnvironmentInfo& info) {
  return {.nx = info.grid.nx,
          .ny = info.grid.ny,
          .x_first = info.grid.x_first,
          .y_first = info.grid.y_first,
          .dx = info.grid.dx,
          .dy = info.grid.dy,
          .levels = info.time.level_count,
          .time_first = info.time.first,
          .time_step = info.time.step,
          .modes = info.mode_count,
          .realizations = info.realization_count,
          .metric = info.units == Units::metric};
}

/// Checks that the sizes of the arrays agree and returns the grid, times and counts they define.
/// Errors: InputError.
EnvironmentInfo info_of(const EnvironmentArrays& arrays) {
  const EnvironmentAxes& axes = arrays.axes;
  const auto require_size = [](const char* name, std::size_t size, double wanted) {
    if (static_cast<double>(size) == wanted) return;
    throw input_error(errors::environment_array_size, name, size, wanted);
  };
  const double cells = double(axes.nx) * axes.ny;
  if (axes.nx < 1 || axes.ny < 1 || axes.levels < 1 || axes.modes < 1 || axes.realizations < 1 ||
      cells > std::numeric_limits<std::int32_t>::max()) {
    throw input_error(errors::environment_shape_invalid, axes.nx, axes.ny, axes.levels, axes.modes,
                      axes.realizations);
  }
  const double planes = cells * axes.levels;
  require_size("u_mean", arrays.u_mean.size(), planes);
  require_size("v_mean", arrays.v_mean.size(), planes);
  const double mode_values = cells * axes.modes;
  const bool fixed_modes = static_cast<double>(arrays.u_mode.size()) == mode_values;
  const double levels_of_modes = fixed_modes ? 1 : axes.levels;
  require_size("u_mode", arrays.u_mode.size(), mode_values * levels_of_modes);
  require_size("v_mode", arrays.v_mode.size(), mode_values * levels_of_modes);
  require_size("coefficient", arrays.coefficient.size(),
               double(axes.levels) * axes.modes * axes.realizations);
  if (!arrays.scalar.empty()) require_size("scalar", arrays.scalar.size(), planes);
  if (!arrays.masked.empty()) require_size("masked", arrays.masked.size(), planes);

  EnvironmentInfo info;
  info.grid = {axes.nx, axes.ny, axes.x_first, axes.y_first, axes.dx, axes.dy};
  info.time = {axes.levels, axes.time_first, axes.time_step};
  info.mode_count = axes.modes;
  info.realization_count = axes.realizations;
  info.units = axes.metric ? Units::metric : Units::nondimensional;
  info.time_units = axes.metric ? "s" : "1";
  info.obstacles = arrays.masked.empty() ? Obstacles::none : Obstacles::moving;
  info.has_fixed_modes = fixed_modes;
  info.has_scalar = !arrays.scalar.empty();
  return info;
}

/// Copies level k of an array (time, …) with a value for each of the environment's levels.
template <class T>
void copy_level(const std::vector<T>& all, const EnvironmentAxes& axes, TimeLevel k, T* level) {
  const std::size_t size = all.size() / static_cast<std::size_t>(axes.levels);
  std::copy_n(all.data() + size * static_cast<std::size_t>(k.value), size, level);
}

void write_arrays(const fs::path& file, const EnvironmentArrays& arrays) {
  const EnvironmentInfo info = info_of(arrays);
  EnvironmentWriter writer(file, info);
  LevelFields<> fields(info);
  std::fill_n(fields.dry.data(), fields.dry.size(), std::uint8_t{0});
  std::fill_n(fields.masked.data(), fields.masked.size(), std::uint8_t{0});
  if (info.has_fixed_modes) {
    std::copy(arrays.u_mode.begin(), arrays.u_mode.end(), fields.u_mode.data());
    std::copy(arrays.v_mode.begin(), arrays.v_mode.end(), fields.v_mode.data());
  }
  for (TimeLevel k(0); k.value < arrays.axes.levels; ++k.value) {
    copy_level(arrays.u_mean, arrays.axes, k, fields.u_mean.data());
    copy_level(arrays.v_mean, arrays.axes, k, fields.v_mean.data());
    if (!info.has_fixed_modes) {
      copy_level(arrays.u_mode, arrays.axes, k, fields.u_mode.data());
      copy_level(arrays.v_mode, arrays.axes, k, fields.v_mode.data());
    }
    copy_level(arrays.coefficient, arrays.axes, k, fields.coefficient.data());
    copy_level(arrays.scalar, arrays.axes, k, fields.scalar.data());
    copy_level(arrays.masked, arrays.axes, k, fields.masked.data());
    writer.write_level(k, fields);
  }
  writer.finish();
}

}  // namespace

Environment::Environment(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

Environment Environment::open(const fs::path& file, const EnvironmentNames& names) {
  const EnvironmentReader reader(file, names);
  return Environment(std::make_shared<Content>(
      Content{nullptr, fs::absolute(file).lexically_normal(), axes_of(reader.info()), names}));
}

Environment Environment::take(const fs::path& file) {
  const EnvironmentAxes axes = axes_of(EnvironmentReader(file).info());
  auto folder = std::make_unique<const TemporaryFolder>();
  const fs::path destination = folder->path() / "environment.h5";
  std::error_code failure;
  fs::rename(file, destination, failure);
  if (failure) {  // it may be on another disk
    failure.clear();
    fs::copy_file(file, destination, failure);
    if (!failure) fs::remove(file, failure);
  }
  if (failure) {
    throw RunError(fmt::format("{}: cannot be moved to the temporary folder {}: {}", file.string(),
                               folder->path().string(), failure.message()));
  }
  return Environment(std::make_shared<Content>(Content{std::move(folder), destination, axes}));
}

Environment Environment::from(const EnvironmentArrays& arrays) {
  auto folder = std::make_unique<const TemporaryFolder>();
  const fs::path file = folder->path() / "environment.h5";
  write_arrays(file, arrays);
  const EnvironmentReader reader(file);
  return Environment(
      std::make_shared<Content>(Content{std::move(folder), file, axes_of(reader.info())}));
}

Environment Environment::double_gyre(const DoubleGyreRequest& request) {
  auto folder = std::make_unique<const TemporaryFolder>();
  const fs::path file = folder->path() / "environment.h5";
  DoubleGyreOptions options;
  options.nx = request.nx;
  options.ny = request.ny;
  options.level_count = request.levels;
  options.mode_count = request.modes;
  options.realization_count = request.realizations;
  options.seed = request.seed;
  SilentProgress silent;
  write_double_gyre(file, options, silent);
  const EnvironmentReader reader(file);
  return Environment(
      std::make_shared<Content>(Content{std::move(folder), file, axes_of(reader.info())}));
}

const EnvironmentAxes& Environment::axes() const { return content_->axes; }
const fs::path& Environment::file() const { return content_->file; }
const EnvironmentNames& Environment::names() const { return content_->names; }
bool Environment::is_temporary() const { return content_->folder != nullptr; }

void Environment::save(const fs::path& file) const {
  AtomicFile copy(file);
  std::error_code failure;
  fs::copy_file(content_->file, copy.temporary_path(), failure);
  if (failure) {
    throw RunError(fmt::format("{}: the environment cannot be copied there: {}", file.string(),
                               failure.message()));
  }
  copy.commit();
}

}  // namespace tidewise
