#include "env/import/source_description.h"

namespace tidewise {
namespace {

// [m/s] Faster is no flow but an undeclared fill value: hurricanes reach 95, tidal races 9. Water
// gets room for winds that do not call themselves so, and stays under -99, a common fill.
constexpr double greatest_wind = 150;
constexpr double greatest_current = 50;

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

}  // namespace

VelocityDescription describe_velocity(const ImportOptions& options) {
  const NetcdfFile first(options.files.front());
  const auto found = find_velocity(first, options.names);
  const double greatest = found.along_x == "x_wind" ? greatest_wind : greatest_current;
  const auto source_variable = [&](const std::string& name) {
    return SourceVariable{name, velocity_factor(first, name), greatest};
  };
  return {found,
          {options.files,
           {source_variable(found.u), source_variable(found.v)},
           options.names,
           options.depth,
           options.box},
          origin_of(first)};
}

ScalarDescription describe_scalar(const ImportOptions& options) {
  ScalarDescription scalar;
  scalar.request = {options.files, {{options.scalar}}, options.names, options.depth, options.box};
  if (options.scalar_file) {
    // Another file has its own names, and may have no depth.
    scalar.request = {{*options.scalar_file}, {{options.scalar}}, {}, {}, options.box};
  }
  const NetcdfFile first(scalar.request.files.front());
  const std::string units = first.text(options.scalar, "units");
  const std::string long_name = first.text(options.scalar, "long_name");
  scalar.units = units.empty() ? "1" : units;
  scalar.long_name = long_name.empty() ? options.scalar : long_name;
  return scalar;
}

}  // namespace tidewise
