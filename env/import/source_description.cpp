#include "env/import/source_description.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/file/forecast_file.h"

namespace tidewise::ingest {
namespace {

// [m/s] Faster values are undeclared fill values: hurricanes reach 95, tidal races 9. The limit of
// currents allows for winds without a name, and is below 99, because -99 is a common fill value.
constexpr double max_wind = 150;
constexpr double max_current = 50;

std::string origin_of(const NetcdfFile& file) {
  std::string origin;
  for (const char* name : {"title", "source", "institution"}) {
    const std::string text = file.text("", name);
    if (text.empty()) continue;
    if (!origin.empty()) origin += "; ";
    origin += text;
  }
  return origin.empty() ? file.path().filename().string() : origin;
}

/// The first of `files` that holds `variable`; if none does, or it has no name, the first file.
std::filesystem::path file_with(const std::vector<std::filesystem::path>& files,
                                const std::string& variable) {
  if (variable.empty() || files.size() == 1) return files.front();
  for (const auto& path : files) {
    if (open_forecast_file(path)->has(variable)) return path;
  }
  return files.front();
}

/// Makes the time axis optional for a steady field.
void set_time(const ImportOptions& options, SourceRequest& request) {
  if (!options.steady) return;
  request.time = TimeAxisIs::optional;
  request.time_without_axis = options.from;
}

/// Refuses a component without units if the other one has other units than m s-1.
void require_units_of_both(const NetcdfFile& u_file, const std::string& u, const NetcdfFile& v_file,
                           const std::string& v) {
  const auto require = [](const NetcdfFile& file, const std::string& without_units,
                          const NetcdfFile& other, const std::string& stated) {
    if (!file.units(without_units).empty() || velocity_factor(other, stated) == 1) return;
    file.refuse(without_units,
                error_text(errors::units_missing_beside, stated, other.units(stated)));
  };
  require(u_file, u, v_file, v);
  require(v_file, v, u_file, u);
}

}  // namespace

ComponentName parse_component(const std::string& option, const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return {std::nullopt, text};
  if (colon == 0 || colon + 1 == text.size()) {
    throw input_error(errors::import_variable_option_invalid, option, text);
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::vector<std::filesystem::path> velocity_files(const ImportOptions& options) {
  auto files = options.files;
  for (const auto& [option, text] :
       {std::pair{"--u", options.names.u}, std::pair{"--v", options.names.v}}) {
    const auto component_file = parse_component(option, text).file;
    if (component_file && std::find(files.begin(), files.end(), *component_file) == files.end())
      files.push_back(*component_file);
  }
  return files;
}

VelocityDescription describe_velocity(const ImportOptions& options) {
  const auto files = velocity_files(options);
  ComponentName u = parse_component("--u", options.names.u);
  ComponentName v = parse_component("--v", options.names.v);
  const bool is_named = !u.name.empty() || !v.name.empty();
  if (!is_named && files.size() > 1) std::tie(u.name, v.name) = find_split_velocity(files);
  SourceNames names = options.names;
  names.u = u.name;
  names.v = v.name;
  const auto u_file = open_forecast_file(u.file.value_or(file_with(files, u.name)));
  const auto v_file = open_forecast_file(v.file.value_or(file_with(files, v.name)));
  const NetcdfFile& first = *u_file;
  const NetcdfFile& second = *v_file;
  VelocityVariables velocity = find_velocity(first, second, names);
  if (!is_named && !u.name.empty()) velocity.how = "found in files of their own";
  const double max = velocity.along_x == "x_wind" ? max_wind : max_current;
  require_units_of_both(first, velocity.u, second, velocity.v);
  const auto source_variable = [&](const std::string& name, const ComponentName& component) {
    SourceVariable variable{name, ReadAs::speed, max};
    if (component.file) variable.files = {*component.file};
    return variable;
  };
  VelocityDescription description;
  description.variables = velocity;
  description.request = {files,
                         {source_variable(velocity.u, u), source_variable(velocity.v, v)},
                         names,
                         options.depth,
                         options.box};
  description.request.velocity =
      read_stated_directions(first, velocity.u, second, velocity.v, names.components);
  description.request.zeros = options.zeros;
  description.request.dives = options.dives;
  set_time(options, description.request);
  description.origin = origin_of(first);
  return description;
}

ScalarDescription describe_scalar(const ImportOptions& options) {
  ScalarDescription scalar;
  scalar.variable = parse_component("--scalar", options.scalar);
  const auto& [separate_file, name] = scalar.variable;
  scalar.request = {velocity_files(options), {{name}}, options.names, options.depth, options.box};
  if (separate_file) {
    // Another file has other names, and may have no depth.
    scalar.request = {{*separate_file}, {{name}}, {}, {}, options.box};
  }
  set_time(options, scalar.request);
  const auto file = open_forecast_file(file_with(scalar.request.files, name));
  const std::string units = file->units(name);
  const std::string long_name = file->text(name, "long_name");
  scalar.units = units.empty() ? "1" : units;
  scalar.long_name = long_name.empty() ? name : long_name;
  return scalar;
}

}  // namespace tidewise::ingest
