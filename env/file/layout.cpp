#include "env/file/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hdf5/file.h"
#include "base/printable.h"
#include "env/error/codes.h"
#include "env/file/declared_marks.h"
#include "env/file/dimension_validation.h"
#include "env/file/profile_words.h"
#include "env/file/uncertainty_words.h"
#include "env/weights.h"

namespace tidewise {
namespace {

/// Equally spaced, ascending coordinates.
struct Axis {
  std::int32_t count;
  double first;
  double step;
};

constexpr std::uint64_t max_axis_length = 1 << 24;

class AxisReader {
 public:
  AxisReader(const Hdf5File& file, const std::string& variable, const char* order)
      : file_(file), variable_(variable), order_(order) {}

  Axis read() const {
    validate_shape();
    const auto values = read_numbers(file_, variable_);
    validate_values(values);
    const auto count = static_cast<std::int32_t>(values.size());
    const double step = (values.back() - values.front()) / (count - 1);
    validate_spacing(values, step);
    return {count, values.front(), step};
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: variable {}: {}", file_.path().string(), variable_, why));
  }

  void validate_shape() const {
    const auto shape = file_.shape(variable_);
    if (shape.size() != 1) {
      refuse(error_text(errors::axis_not_vector, shape.size()));
    }
    if (shape[0] < 2) {
      refuse(error_text(errors::axis_too_short, shape[0]));
    }
    if (shape[0] > max_axis_length) {
      refuse(error_text(errors::axis_too_long, shape[0], max_axis_length));
    }
  }

  void validate_values(const std::vector<double>& values) const {
    const auto invalid =
        std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
    if (invalid == values.end()) return;
    refuse(error_text(errors::axis_not_finite, invalid - values.begin()));
  }

  void validate_spacing(const std::vector<double>& values, double step) const {
    if (!(step > 0)) {
      refuse(error_text(errors::axis_not_growing, values.front(), values.back(), order_));
    }
    const double rounding = file_.is_single_precision(variable_) ? 1.2e-7 : 1e-12;
    const double farthest = std::max(std::abs(values.front()), std::abs(values.back()));
    if (rounding * farthest > 0.1 * step) {
      refuse(error_text(errors::axis_imprecise, farthest, step));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = values.front() + static_cast<double>(i) * step;
      // Allow a thousandth of a step and the rounding of the stored type.
      const double tolerance = 1e-3 * step + rounding * std::abs(expected);
      if (std::abs(values[i] - expected) <= tolerance) continue;
      refuse(error_text(errors::axis_not_uniform, i, values[i], step, expected));
    }
  }

  const Hdf5File& file_;
  const std::string& variable_;
  const char* order_;
};

/// Reads a variable of the file as an axis. `order`: the order of its points, for messages. Errors:
/// InputError naming file, variable and remedy unless the axis has two or more numbers that ascend
/// in equal steps, to a thousandth of a step.
Axis read_axis(const Hdf5File& file, const std::string& variable, const char* order) {
  return AxisReader(file, variable, order).read();
}

// The name of a variable by which a user states that a role has none, even if the file has one.
constexpr const char* no_variable = "none";

constexpr std::uint64_t max_grid_side = 1 << 15;  // [cells]
constexpr std::uint64_t max_modes = 4096;
constexpr std::uint64_t max_mode_values = std::uint64_t{1} << 32;  // nx · ny · modes of a level

// Dimensions of the variables, slowest first.
constexpr std::array field{DimensionKind::time, DimensionKind::y, DimensionKind::x};
constexpr std::array mode_field{DimensionKind::time, DimensionKind::mode, DimensionKind::y,
                                DimensionKind::x};
constexpr std::array fixed_mode_field{DimensionKind::mode, DimensionKind::y, DimensionKind::x};
constexpr std::array coefficients{DimensionKind::time, DimensionKind::mode,
                                  DimensionKind::realization};
constexpr std::array cells{DimensionKind::y, DimensionKind::x};
constexpr std::array ensemble{DimensionKind::realization};

/// A variable that may be missing.
struct OptionalRole {
  const char* role;
  std::string EnvironmentNames::*name;
  bool changes_plan;  ///< without it plans differ, so a name that the user gave must exist
};
constexpr OptionalRole optional_roles[] = {
    {"scalar_mean", &EnvironmentNames::scalar_mean, false},
    {"obstacle_mask", &EnvironmentNames::obstacle_mask, true},  // missing: every cell is open
    {"realization_weight", &EnvironmentNames::realization_weight, true},  // missing: equal weights
    {"lon", &EnvironmentNames::lon, false},
    {"lat", &EnvironmentNames::lat, false}};

/// Refuses files of another version, which may have another meaning. Files of other programs have
/// no version.
void validate_version(const Hdf5File& file) {
  const auto version = file.number_attribute("/", "tidewise_environment");
  if (version.value_or(1) == 1) return;
  throw input_error(errors::environment_version, file.path().string(), *version);
}

void validate_names(const Hdf5File& file, const EnvironmentNames& names) {
  std::set<std::string> used_names;
  for (const auto& [role, name] : environment_roles) {
    if (names.*name == no_variable || used_names.insert(names.*name).second) continue;
    throw input_error(errors::variable_with_two_roles, file.path().string(), names.*name);
  }
}

/// Reads the parts of one file; every message begins with the file and the variable.
class LayoutReader {
 public:
  LayoutReader(const Hdf5File& file, const EnvironmentNames& names)
      : file_(file), names_(names), dimensions_(file, names) {}

  EnvironmentInfo read() const {
    refuse_other_files();
    EnvironmentInfo info;
    read_profiles(info);
    const Axis x = axis_of(names_.x, "x", "columns from west to east");
    const Axis y = axis_of(names_.y, "y", "rows from south to north");
    const Axis time = axis_of(names_.time, "time", "levels from the first to the last");
    info.grid = {x.count, y.count, x.first, y.first, x.step, y.step};
    info.time = {time.count, time.first, time.step};
    read_sizes(info);
    read_units(info);
    read_optional_fields(info);
    read_texts(info);
    read_uncertainty(info);
    return info;
  }

 private:
  [[noreturn]] void refuse(const std::string& variable, const std::string& why) const {
    throw InputError(fmt::format("{}: variable {}: {}", file_.path().string(), variable, why));
  }

  /// Refuses a forecast, a policy or flights: files without any variable of an environment.
  void refuse_other_files() const {
    const auto lacks = [&](const std::string& name) { return !file_.has(name); };
    if (!lacks(names_.u_mean) || !lacks(names_.u_mode) || !lacks(names_.coefficient)) return;
    throw input_error(errors::not_an_environment, file_.path().string(), names_.u_mean,
                      names_.u_mode, names_.coefficient, fmt::join(file_.variables(), ", "));
  }

  void require(const std::string& variable, const std::string& key) const {
    if (file_.has(variable)) return;
    throw input_error(errors::variable_missing, file_.path().string(), variable, key,
                      fmt::join(file_.variables(), ", "));
  }

  void refuse_packed(const std::string& variable) const {
    if (file_.number_attribute(variable, "scale_factor") ||
        file_.number_attribute(variable, "add_offset")) {
      refuse(variable, error_text(errors::variable_packed));
    }
  }

  Axis axis_of(const std::string& variable, const std::string& key, const char* order) const {
    require(variable, key);
    refuse_packed(variable);
    return read_axis(file_, variable, order);
  }

  void require_shape(const std::string& variable, const std::string& key, DimensionKinds kinds,
                     const Extents& expected, const char* described) const {
    require(variable, key);
    refuse_packed(variable);
    dimensions_.require(variable, kinds, expected, described);
  }

  /// Reads the profiles: several are a dimension of the velocity, one is an attribute of the file.
  void read_profiles(EnvironmentInfo& info) const {
    const bool several =
        file_.has("profile") && file_.has(names_.u_mean) && file_.shape(names_.u_mean).size() == 4;
    info.profiles = read_profile_words(file_, several ? "profile" : "/");
    if (!several) return;
    const Extents shape = file_.shape("profile");
    const std::vector<std::string> names = names_of(info.profiles);
    if (shape.size() == 1 && shape[0] == names.size() && names.size() > 1 &&
        std::set<std::string>(names.begin(), names.end()).size() == names.size()) {
      return;
    }
    refuse("profile", error_text(errors::profile_names_invalid, names.size(),
                                 shortened(fmt::format("{}", fmt::join(names, " ")), 200),
                                 fmt::join(shape, ", ")));
  }

  /// Calls require_shape() for a velocity or a mask, which have a dimension for several profiles.
  void require_profile_shape(const EnvironmentInfo& info, const std::string& variable,
                             const std::string& key, DimensionKinds kinds, Extents expected,
                             std::string described) const {
    std::vector<DimensionKind> with_profile(kinds.begin(), kinds.end());
    if (info.profiles.size() > 1) {
      const std::ptrdiff_t position = with_profile.front() == DimensionKind::time ? 1 : 0;
      with_profile.insert(with_profile.begin() + position, DimensionKind::profile);
      expected.insert(expected.begin() + position, info.profiles.size());
      described.insert(position == 1 ? std::string_view("(time, ").size() : 1, "profile, ");
    }
    require_shape(variable, key, with_profile, expected, described.c_str());
  }

  void read_sizes(EnvironmentInfo& info) const {
    const auto ny = static_cast<std::uint64_t>(info.grid.ny);
    const auto nx = static_cast<std::uint64_t>(info.grid.nx);
    const auto nt = static_cast<std::uint64_t>(info.time.level_count);
    require_profile_shape(info, names_.u_mean, "u_mean", field, {nt, ny, nx}, "(time, y, x)");
    require_profile_shape(info, names_.v_mean, "v_mean", field, {nt, ny, nx}, "(time, y, x)");
    require(names_.coefficient, "coefficient");
    const auto shape = file_.shape(names_.coefficient);
    if (shape.size() != 3 || shape[0] != nt) {
      refuse(names_.coefficient, error_text(errors::coefficient_shape, fmt::join(shape, ", "), nt));
    }
    require_shape(names_.coefficient, "coefficient", coefficients, shape,
                  "(time, mode, realization)");
    if (shape[1] < 1 || shape[2] < 1) {
      refuse(names_.coefficient, error_text(errors::coefficient_empty));
    }
    if (shape[2] >= weight_total) {
      refuse(names_.coefficient, error_text(errors::too_many_realizations, shape[2]));
    }
    if (shape[1] > max_modes) {
      refuse(names_.coefficient, error_text(errors::too_many_modes, shape[1], max_modes));
    }
    if (nx > max_grid_side || ny > max_grid_side) {
      refuse(names_.x, error_text(errors::grid_too_large, names_.y, nx, ny, max_grid_side));
    }
    if (nx * ny * shape[1] > max_mode_values) {
      refuse(names_.u_mode,
             error_text(errors::mode_values_too_many, nx, ny, shape[1], max_mode_values));
    }
    info.mode_count = static_cast<std::int32_t>(shape[1]);
    info.realization_count = static_cast<std::int32_t>(shape[2]);
    read_modes(info);
  }

  void read_modes(EnvironmentInfo& info) const {
    require(names_.u_mode, "u_mode");
    require(names_.v_mode, "v_mode");
    const std::size_t rank = file_.shape(names_.u_mode).size();
    if (file_.shape(names_.v_mode).size() != rank) {
      refuse(names_.v_mode, error_text(errors::modes_fixed_in_part,
                                       file_.shape(names_.v_mode).size(), names_.u_mode, rank));
    }
    info.has_fixed_modes = rank == (info.profiles.size() > 1 ? 4U : 3U);
    const Extents extents{static_cast<std::uint64_t>(info.time.level_count),
                          static_cast<std::uint64_t>(info.mode_count),
                          static_cast<std::uint64_t>(info.grid.ny),
                          static_cast<std::uint64_t>(info.grid.nx)};
    for (const auto& [variable, role] :
         {std::pair{names_.u_mode, "u_mode"}, std::pair{names_.v_mode, "v_mode"}}) {
      if (info.has_fixed_modes) {
        require_profile_shape(info, variable, role, fixed_mode_field,
                              {extents.begin() + 1, extents.end()},
                              "(mode, y, x) or (time, mode, y, x)");
      } else {
        require_profile_shape(info, variable, role, mode_field, extents,
                              "(time, mode, y, x) or (mode, y, x)");
      }
    }
  }

  std::string units_of(const std::string& variable) const {
    return file_.text_attribute(variable, "units").value_or("1");
  }

  static bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  }

  void read_units(EnvironmentInfo& info) const {
    const std::string x = units_of(names_.x);
    const std::string y = units_of(names_.y);
    const std::string u = units_of(names_.u_mean);
    const std::string v = units_of(names_.v_mean);
    info.time_units = units_of(names_.time);
    const auto metres = [](const std::string& t) {
      return is_one_of(t, {"m", "metre", "metres", "meter", "meters"});
    };
    const auto speed = [](const std::string& t) {
      return is_one_of(t, {"m s-1", "m/s", "m s^-1", "m s**-1", "meter second-1", "metre second-1",
                           "meters/second", "m.s-1"});
    };
    const auto seconds = [](const std::string& t) {
      return is_one_of(t, {"s", "second", "seconds", "sec"}) || t.starts_with("seconds since ") ||
             t.starts_with("second since ") || t.starts_with("s since ");
    };
    const auto unitless = [](const std::string& t) { return is_one_of(t, {"1", ""}); };
    if (metres(x) && metres(y) && speed(u) && speed(v) && seconds(info.time_units)) {
      info.units = Units::metric;
    } else if (unitless(x) && unitless(y) && unitless(u) && unitless(v) &&
               unitless(info.time_units)) {
      info.units = Units::nondimensional;
    } else {
      throw input_error(errors::units_mixed, file_.path().string(), names_.x, x, names_.y, y,
                        names_.time, info.time_units, names_.u_mean, u, names_.v_mean, v);
    }
  }

  /// Refuses an optional variable that the file lacks although the mission names it, or whose name
  /// is that of a group.
  void validate_absence(const OptionalRole& optional) const {
    const std::string& variable = names_.*optional.name;
    if (file_.has(variable)) return;
    if (file_.has_name(variable)) {
      refuse(variable, error_text(errors::variable_is_group));
    }
    if (!optional.changes_plan || variable == optional.role || variable == no_variable) return;
    throw input_error(errors::named_variable_missing, file_.path().string(), variable,
                      optional.role, no_variable, fmt::join(file_.variables(), ", "));
  }

  /// Refuses a mask whose fill value is 0, because its missing values would look like open cells.
  void refuse_zero_mark() const {
    const DeclaredMarks marks = read_declared_marks(file_, names_.obstacle_mask);
    if (!marks(0)) return;
    refuse(names_.obstacle_mask,
           error_text(errors::mask_fill_value_zero,
                      marks.fill_value == 0 ? "_FillValue" : "missing_value"));
  }

  void read_optional_fields(EnvironmentInfo& info) const {
    const auto ny = static_cast<std::uint64_t>(info.grid.ny);
    const auto nx = static_cast<std::uint64_t>(info.grid.nx);
    const auto nt = static_cast<std::uint64_t>(info.time.level_count);
    for (const OptionalRole& optional : optional_roles) validate_absence(optional);
    info.has_scalar = file_.has(names_.scalar_mean);
    if (info.has_scalar) {
      require_shape(names_.scalar_mean, "scalar_mean", field, {nt, ny, nx}, "(time, y, x)");
      info.scalar_units = units_of(names_.scalar_mean);
      info.scalar_long_name =
          file_.text_attribute(names_.scalar_mean, "long_name").value_or(info.scalar_long_name);
    }
    if (file_.has(names_.obstacle_mask)) {
      const bool fixed =
          file_.shape(names_.obstacle_mask).size() == (info.profiles.size() > 1 ? 3U : 2U);
      info.obstacles = fixed ? Obstacles::fixed : Obstacles::moving;
      require_profile_shape(info, names_.obstacle_mask, "obstacle_mask",
                            fixed ? DimensionKinds(cells) : DimensionKinds(field),
                            fixed ? Extents{ny, nx} : Extents{nt, ny, nx},
                            fixed ? "(y, x)" : "(time, y, x) or (y, x)");
      refuse_zero_mark();
    }
    const bool has_lon = file_.has(names_.lon);
    if (has_lon != file_.has(names_.lat)) {
      refuse(has_lon ? names_.lat : names_.lon,
             error_text(errors::degrees_incomplete, has_lon ? names_.lon : names_.lat));
    }
    if (has_lon) {
      require_shape(names_.lon, "lon", cells, {ny, nx}, "(y, x)");
      require_shape(names_.lat, "lat", cells, {ny, nx}, "(y, x)");
      info.coordinates = Coordinates::geographic;
    }
    if (file_.has(names_.realization_weight)) {
      require_shape(names_.realization_weight, "realization_weight", ensemble,
                    {static_cast<std::uint64_t>(info.realization_count)}, "(realization)");
      try {
        info.realization_weight =
            to_integer_weights(read_numbers(file_, names_.realization_weight));
      } catch (const InputError& error) {
        refuse(names_.realization_weight, error.what());
      }
    }
  }

  void read_texts(EnvironmentInfo& info) const {
    const auto text = [&](const char* name) {
      return file_.text_attribute("/", name).value_or("");
    };
    info.title = text("title");
    info.history = text("history");
    info.source = text("source");
    info.comment = text("comment");
    info.projection = text("projection");
    info.variance_kept = file_.number_attribute("/", "variance_kept");
  }

  /// Reads the source of the spread. A file without the attribute has lagged copies if its history
  /// shows them, else an ensemble if it has several realizations.
  void read_uncertainty(EnvironmentInfo& info) const {
    if (const auto word = file_.text_attribute("/", "uncertainty")) {
      const auto known = std::find_if(uncertainty_words.begin(), uncertainty_words.end(),
                                      [&](const auto& entry) { return entry.first == *word; });
      if (known == uncertainty_words.end()) {
        throw input_error(errors::uncertainty_unknown, file_.path().string(),
                          shortened(on_one_line(*word), 60));
      }
      info.uncertainty = known->second;
    } else if (info.history.find("tidewise env import ") != std::string::npos &&
               info.history.find(" --lagged ") != std::string::npos) {
      info.uncertainty = ForecastUncertainty::lagged;
    }
    info.uncertainty = uncertainty_of(info.uncertainty, info.realization_count);
  }

  const Hdf5File& file_;
  const EnvironmentNames& names_;
  const DimensionValidation dimensions_;
};

}  // namespace

EnvironmentInfo read_environment_info(const Hdf5File& file, const EnvironmentNames& names) {
  validate_version(file);
  validate_names(file, names);
  return LayoutReader(file, names).read();
}

}  // namespace tidewise
