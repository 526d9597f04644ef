#include "env/file/writer.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/cf_conventions.h"
#include "env/file/grid_mapping.h"
#include "env/file/profile_words.h"
#include "env/file/uncertainty_words.h"
#include "env/mask.h"

namespace tidewise {
namespace {

/// `field` with NaN in every dry cell of each of its (y, x) planes. If any cell is dry, the result
/// is a copy in `values`.
View<const float> with_gaps(View<const float> field, View<const std::uint8_t> dry,
                            std::vector<float>& values) {
  if (std::all_of(dry.begin(), dry.end(), [](std::uint8_t flag) { return flag == 0; }))
    return field;
  values.assign(field.begin(), field.end());
  for (std::size_t begin = 0; begin < values.size(); begin += dry.size) {
    for (std::size_t n = 0; n < dry.size; ++n) {
      if (dry[n] != 0) values[begin + n] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  return values;
}

/// The size of a box of one (y, x) plane in `rank` dimensions.
Extents plane_box(std::size_t rank, std::uint64_t ny, std::uint64_t nx) {
  Extents count(rank, 1);
  count[rank - 2] = ny;
  count[rank - 1] = nx;
  return count;
}

}  // namespace

EnvironmentWriter::EnvironmentWriter(const std::filesystem::path& path, const EnvironmentInfo& info)
    : info_(info), atomic_(path), file_(Hdf5File::create(atomic_.temporary_path())) {
  define(info);
}

/// Defines the profiles: one is an attribute of the file, several are a dimension.
void EnvironmentWriter::define_profiles() {
  if (info_.profiles.size() == 1) write_profile_words(file_, info_.profiles.front());
  if (!has_profiles()) return;
  std::vector<double> numbers(info_.profiles.size());
  std::iota(numbers.begin(), numbers.end(), 0.0);
  file_.define_coordinate("profile", numbers, NumberType::uint8);
  file_.set_attribute("profile", "long_name", "depths of a dive that velocities are means over");
  write_profile_words(file_, "profile", info_.profiles);
}

void EnvironmentWriter::define(const EnvironmentInfo& info) {
  const auto nx = static_cast<std::uint64_t>(info.grid.nx);
  const auto ny = static_cast<std::uint64_t>(info.grid.ny);
  const auto modes = static_cast<std::uint64_t>(info.mode_count);
  const auto realizations = static_cast<std::uint64_t>(info.realization_count);
  const bool metric = info.units == Units::metric;
  const char* length = metric ? "m" : "1";
  const char* speed = metric ? "m s-1" : "1";
  const bool geographic = info.coordinates == Coordinates::geographic;

  file_.set_attribute("/", "Conventions", cf_conventions);
  file_.set_attribute("/", "tidewise_environment", std::int32_t{1});
  file_.set_attribute("/", "title", info.title);
  file_.set_attribute("/", "history", info.history);
  file_.set_attribute("/", "source", info.source);
  file_.set_attribute("/", "uncertainty",
                      uncertainty_word(uncertainty_of(info.uncertainty, info.realization_count)));
  if (!info.comment.empty()) file_.set_attribute("/", "comment", info.comment);
  if (!info.projection.empty()) file_.set_attribute("/", "projection", info.projection);
  if (info.variance_kept) file_.set_attribute("/", "variance_kept", *info.variance_kept);

  file_.define_coordinate("time",
                          axis_values(info.time.first, info.time.step, info.time.level_count));
  file_.define_coordinate("y", axis_values(info.grid.y_first, info.grid.dy, info.grid.ny));
  file_.define_coordinate("x", axis_values(info.grid.x_first, info.grid.dx, info.grid.nx));
  define_profiles();
  file_.define_dimension("mode", modes);
  file_.define_dimension("realization", realizations);
  const auto describe = [&](const char* variable, const char* units, const char* long_name,
                            const char* standard_name) {
    file_.set_attribute(variable, "units", units);
    file_.set_attribute(variable, "long_name", long_name);
    if (standard_name[0] != '\0') file_.set_attribute(variable, "standard_name", standard_name);
  };
  describe("x", length, "eastward distance", geographic ? "projection_x_coordinate" : "");
  describe("y", length, "northward distance", geographic ? "projection_y_coordinate" : "");
  describe("time", info.time_units.c_str(), "time", "time");
  file_.set_attribute("x", "axis", "X");
  file_.set_attribute("y", "axis", "Y");
  file_.set_attribute("time", "axis", "T");
  if (info.time_units.find(" since ") != std::string::npos) {
    file_.set_attribute("time", "calendar", "standard");
  }

  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto add_profiles = [&](std::vector<std::string>& dimensions, Extents& chunk) {
    if (!has_profiles()) return;
    const std::ptrdiff_t position = dimensions.front() == "time" ? 1 : 0;
    dimensions.insert(dimensions.begin() + position, "profile");
    if (!chunk.empty()) chunk.insert(chunk.begin() + position, 1);
  };
  const auto define_field = [&](const std::string& name, std::vector<std::string> dimensions,
                                Extents chunk) {
    if (name != "scalar_mean") add_profiles(dimensions, chunk);
    file_.define_variable(name, NumberType::float32, dimensions,
                          {.chunk = std::move(chunk), .fill = nan});
    if (geographic) file_.set_attribute(name, "coordinates", "lon lat");
    if (!info.projection.empty()) file_.set_attribute(name, "grid_mapping", "crs");
  };
  define_field("u_mean", {"time", "y", "x"}, {1, ny, nx});
  define_field("v_mean", {"time", "y", "x"}, {1, ny, nx});
  for (const char* name : {"u_mode", "v_mode"}) {
    if (info.has_fixed_modes) {
      define_field(name, {"mode", "y", "x"}, {1, ny, nx});
    } else {
      define_field(name, {"time", "mode", "y", "x"}, {1, modes, ny, nx});
    }
  }
  describe("u_mean", speed, "mean eastward velocity", metric ? "eastward_sea_water_velocity" : "");
  describe("v_mean", speed, "mean northward velocity",
           metric ? "northward_sea_water_velocity" : "");
  describe("u_mode", speed, "modes of the eastward velocity", "");
  describe("v_mode", speed, "modes of the northward velocity", "");
  file_.define_variable("coefficient", NumberType::float32, {"time", "mode", "realization"},
                        {.chunk = {1, modes, realizations}});
  describe("coefficient", "1", "stochastic coefficients of the modes", "");
  if (info.has_scalar) {
    define_field("scalar_mean", {"time", "y", "x"}, {1, ny, nx});
    describe("scalar_mean", info.scalar_units.c_str(), info.scalar_long_name.c_str(), "");
  }
  if (info.obstacles != Obstacles::none) {
    const bool fixed = info.obstacles == Obstacles::fixed;
    std::vector<std::string> dimensions{"time", "y", "x"};
    Extents chunk{1, ny, nx};
    if (fixed) dimensions.erase(dimensions.begin());
    if (fixed) chunk.clear();
    add_profiles(dimensions, chunk);
    file_.define_variable("obstacle_mask", NumberType::uint8, dimensions,
                          {.chunk = std::move(chunk)});
    file_.set_attribute("obstacle_mask", "long_name", "cells closed to the vehicle");
    file_.set_attribute("obstacle_mask", "flag_values",
                        std::vector<std::uint8_t>{0, closed_by_obstacle, beyond_forecast});
    file_.set_attribute("obstacle_mask", "flag_meanings", "open closed beyond_forecast");
  }
  if (geographic) {
    file_.define_variable("lon", NumberType::float64, {"y", "x"});
    file_.define_variable("lat", NumberType::float64, {"y", "x"});
    describe("lon", "degrees_east", "longitude", "longitude");
    describe("lat", "degrees_north", "latitude", "latitude");
  }
  if (!info.realization_weight.empty()) {
    file_.define_variable("realization_weight", NumberType::uint32, {"realization"});
    file_.set_attribute("realization_weight", "long_name", "weights of realizations, of 2^24");
    file_.write_all("realization_weight", info.realization_weight);
  }
}

void EnvironmentWriter::write_longitude_latitude(const std::vector<double>& longitude,
                                                 const std::vector<double>& latitude) {
  file_.write_all("lon", longitude);
  file_.write_all("lat", latitude);
}

void EnvironmentWriter::write_grid_mapping(const GridMapping& attributes) {
  tidewise::write_grid_mapping(file_, attributes, {});  // define() has set its name in the fields
}

void EnvironmentWriter::write_variance_kept(const std::vector<double>& share) {
  write_series(
      {"variance_kept", "1", "share of the ensemble's variance that the modes keep", share});
}

void EnvironmentWriter::write_series(const EnvironmentSeries& series) {
  file_.define_variable(series.name, NumberType::float64, {"time"});
  file_.set_attribute(series.name, "long_name", series.long_name);
  file_.set_attribute(series.name, "units", series.units);
  file_.write_all(series.name, series.values);
}

void EnvironmentWriter::write_table(const std::string& dimension,
                                    const std::vector<EnvironmentSeries>& columns) {
  file_.define_dimension(dimension, columns.front().values.size());
  for (const EnvironmentSeries& column : columns) {
    file_.define_variable(column.name, NumberType::float64, {dimension});
    file_.set_attribute(column.name, "long_name", column.long_name);
    file_.set_attribute(column.name, "units", column.units);
    file_.write_all(column.name, column.values);
  }
}

void EnvironmentWriter::set_velocity_standard_names(const std::string& along_x,
                                                    const std::string& along_y) {
  file_.set_attribute("u_mean", "standard_name", along_x);
  file_.set_attribute("v_mean", "standard_name", along_y);
  file_.set_attribute("u_mean", "long_name", "mean velocity along x");
  file_.set_attribute("v_mean", "long_name", "mean velocity along y");
  file_.set_attribute("u_mode", "long_name", "modes of the velocity along x");
  file_.set_attribute("v_mode", "long_name", "modes of the velocity along y");
}

void EnvironmentWriter::set_attribute(const std::string& name, std::string_view text) {
  file_.set_attribute("/", name, text);
}

void EnvironmentWriter::set_attribute(const std::string& name, const std::vector<double>& numbers) {
  file_.set_attribute("/", name, numbers);
}

void EnvironmentWriter::describe(const std::string& variable, const std::string& attribute,
                                 std::string_view text) {
  file_.set_attribute(variable, attribute, text);
}

void EnvironmentWriter::write_level(TimeLevel k, const LevelFields<>& fields, std::size_t profile) {
  const auto ny = static_cast<std::uint64_t>(info_.grid.ny);
  const auto nx = static_cast<std::uint64_t>(info_.grid.nx);
  const auto level = static_cast<std::uint64_t>(k.value);
  std::vector<float> scratch;
  const auto in_profile = [&](Extents start, std::ptrdiff_t position) {
    if (has_profiles()) start.insert(start.begin() + position, profile);
    return start;
  };
  const auto write_planes = [&](const char* name, const Array<float>& field, const Extents& start) {
    file_.write_plain_chunk(name, start, with_gaps(field.view(), fields.dry.view(), scratch));
  };
  write_planes("u_mean", fields.u_mean, in_profile({level, 0, 0}, 1));
  write_planes("v_mean", fields.v_mean, in_profile({level, 0, 0}, 1));
  const auto write_modes = [&](const char* name, View<const float> field) {
    if (!info_.has_fixed_modes) {
      file_.write_plain_chunk(name, in_profile({level, 0, 0, 0}, 1),
                              with_gaps(field, fields.dry.view(), scratch));
      return;
    }
    const std::size_t plane = fields.u_mean.size();
    for (std::uint64_t m = 0; level == 0 && m * plane < field.size; ++m) {
      file_.write_plain_chunk(name, in_profile({m, 0, 0}, 0), field.part(m * plane, plane));
    }
  };
  write_modes("u_mode", fields.u_modes());
  write_modes("v_mode", fields.v_modes());
  if (profile == 0) {
    file_.write_plain_chunk("coefficient", {level, 0, 0}, fields.coefficient.view());
    if (info_.has_scalar && has_profiles()) {  // other profiles may be open where this one is dry
      file_.write_plain_chunk("scalar_mean", {level, 0, 0}, fields.scalar.view());
    } else if (info_.has_scalar) {
      write_planes("scalar_mean", fields.scalar, {level, 0, 0});
    }
  }
  if (info_.obstacles == Obstacles::moving) {
    const Extents start = in_profile({level, 0, 0}, 1);
    file_.write("obstacle_mask", start, plane_box(start.size(), ny, nx), fields.masked.data());
  } else if (info_.obstacles == Obstacles::fixed && k.value == 0) {
    const Extents start = in_profile({0, 0}, 0);
    file_.write("obstacle_mask", start, plane_box(start.size(), ny, nx), fields.masked.data());
  }
}

void EnvironmentWriter::finish() {
  file_.close();
  atomic_.commit();
}

}  // namespace tidewise
