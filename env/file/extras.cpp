#include "env/file/extras.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/file/dimension_validation.h"
#include "env/file/grid_mapping.h"

namespace tidewise {
namespace {

/// True for root attributes that EnvironmentInfo holds, or that every environment has.
bool is_known(std::string_view name) {
  constexpr std::array<std::string_view, 11> words{
      "Conventions", "tidewise_environment", "title",   "history",        "source",     "comment",
      "projection",  "variance_kept",        "profile", "profile_depths", "uncertainty"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

std::vector<EnvironmentExtras::Description> read_descriptions(const Hdf5File& file,
                                                              const EnvironmentNames& names) {
  const std::array<std::pair<const char*, const std::string*>, 8> variables{
      {{"x", &names.x},
       {"y", &names.y},
       {"u_mean", &names.u_mean},
       {"v_mean", &names.v_mean},
       {"u_mode", &names.u_mode},
       {"v_mode", &names.v_mode},
       {"coefficient", &names.coefficient},
       {"scalar_mean", &names.scalar_mean}}};
  std::vector<EnvironmentExtras::Description> descriptions;
  for (const auto& [role, variable] : variables) {
    if (!file.has(*variable)) continue;
    for (const char* attribute : {"long_name", "standard_name"}) {
      const auto text = file.text_attribute(*variable, attribute);
      if (text) descriptions.push_back({role, attribute, *text});
    }
  }
  return descriptions;
}

/// The values of a variable along time, one per level. If time is an unlimited dimension, a
/// variable may have been written for fewer levels; the others read as NaN, as with the NetCDF
/// library.
std::vector<double> read_by_level(const Hdf5File& file, const std::string& variable,
                                  std::int32_t level_count) {
  std::vector<double> values = file.read_all<double>(variable);
  const auto levels = static_cast<std::size_t>(level_count);
  if (values.size() > levels) {
    throw input_error(errors::extra_time_length, file.path().string(), variable, values.size(),
                      levels);
  }
  values.resize(levels, std::numeric_limits<double>::quiet_NaN());
  return values;
}

/// True if a variable runs along time, by its dimension's name, or by its length if the dimension
/// has none.
bool runs_by_level(const Hdf5File& file, const EnvironmentReader& reader,
                   const std::string& variable) {
  const Extents levels{static_cast<std::uint64_t>(reader.info().time.level_count)};
  return DimensionValidation(file, reader.names()).is_series(variable) ||
         (file.dimensions(variable) == std::vector<std::string>{""} &&
          file.shape(variable) == levels);
}

/// The numeric variables along time that have no role in an environment.
std::vector<EnvironmentSeries> read_series(const Hdf5File& file, const EnvironmentReader& reader) {
  const EnvironmentNames& names = reader.names();
  const DimensionValidation dimensions(file, names);
  std::vector<EnvironmentSeries> all;
  for (const std::string& variable : file.variables()) {
    // The writer uses the roles as names of variables, so a series cannot have one of these names.
    const bool has_role = std::any_of(
        std::begin(environment_roles), std::end(environment_roles),
        [&](const auto& role) { return names.*role.second == variable || role.first == variable; });
    if (has_role || variable == "variance_kept" || !file.is_floating(variable) ||
        !dimensions.is_series(variable)) {
      continue;
    }
    all.push_back({variable, file.text_attribute(variable, "units").value_or("1"),
                   file.text_attribute(variable, "long_name").value_or(variable),
                   read_by_level(file, variable, reader.info().time.level_count)});
  }
  return all;
}

}  // namespace

EnvironmentExtras read_environment_extras(const EnvironmentReader& reader) {
  const Hdf5File& file = reader.file();
  const EnvironmentNames& names = reader.names();
  EnvironmentExtras extras;
  extras.grid_mapping = read_grid_mapping(file, names.u_mean);
  if (file.has("variance_kept") && runs_by_level(file, reader, "variance_kept")) {
    extras.variance_kept = read_by_level(file, "variance_kept", reader.info().time.level_count);
  }
  extras.series = read_series(file, reader);
  extras.descriptions = read_descriptions(file, names);
  for (const std::string& name : file.attribute_names("/")) {
    if (is_housekeeping(name) || is_known(name)) continue;
    read_attribute(file, "/", name,
                   [&](const auto& value) { extras.attributes.emplace_back(name, value); });
  }
  extras.calendar = file.text_attribute(names.time, "calendar").value_or("");
  return extras;
}

void write_environment_extras(EnvironmentWriter& writer, const EnvironmentExtras& extras) {
  if (!extras.grid_mapping.empty()) writer.write_grid_mapping(extras.grid_mapping);
  if (!extras.variance_kept.empty()) writer.write_variance_kept(extras.variance_kept);
  for (const EnvironmentSeries& series : extras.series) writer.write_series(series);
  for (const auto& [variable, attribute, text] : extras.descriptions) {
    writer.describe(variable, attribute, text);
  }
  for (const auto& [name, value] : extras.attributes) {
    std::visit([&writer, &key = name](const auto& v) { writer.set_attribute(key, v); }, value);
  }
}

}  // namespace tidewise
