#include "env/import/source/bathymetry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/source/forecast_source.h"
#include "env/import/source/regridder.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

namespace fs = std::filesystem;

bool is_any(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_bottom_by_metadata(const NetcdfFile& file, const std::string& variable) {
  return is_any(
      lower_case(file.text(variable, "standard_name")),
      {"sea_floor_depth", "sea_floor_depth_below_geoid", "sea_floor_depth_below_mean_sea_level",
       "sea_floor_depth_below_sea_surface", "model_sea_floor_depth_below_geoid",
       "height_above_mean_sea_level", "height_above_reference_ellipsoid", "height_above_geoid"});
}

bool is_bottom_by_name(const std::string& variable) {
  return is_any(lower_case(variable),
                {"elevation", "z", "h", "bathymetry", "bathy", "deptho", "depth", "topo", "hdepw",
                 "bottom", "band1", "mbathy_metre", "sea_floor_depth"});
}

/// The variable named `requested`, else one with two or more dimensions and metadata of a bottom's
/// depth.
std::string find_variable(const NetcdfFile& file, const std::string& requested) {
  if (!requested.empty()) {
    if (!file.has(requested)) {
      throw input_error(errors::bathymetry_variable_missing, file.path().string(), requested,
                        fmt::join(file.variables(), ", "));
    }
    return requested;
  }
  std::vector<std::string> candidates;
  for (const bool by_name : {false, true}) {
    for (const std::string& variable : file.variables()) {
      if (file.dimensions(variable).size() < 2) continue;
      if (by_name ? is_bottom_by_name(variable) : is_bottom_by_metadata(file, variable)) {
        candidates.push_back(variable);
      }
    }
    if (!candidates.empty()) break;
  }
  if (candidates.size() == 1) return candidates.front();
  throw input_error(errors::bathymetry_variable_unclear, file.path().string(),
                    candidates.empty() ? "no variable is known" : "several variables stand",
                    fmt::join(file.variables(), ", "));
}

/// True if a variable's values grow upwards, so that the sea floor is below 0.
bool is_height(const NetcdfFile& file, const std::string& variable) {
  const std::string positive = lower_case(file.text(variable, "positive"));
  if (!positive.empty()) return positive == "up";
  const std::string standard = lower_case(file.text(variable, "standard_name"));
  if (!standard.empty()) return standard.find("height") != std::string::npos;
  return is_any(lower_case(variable), {"elevation", "z", "topo", "band1"});
}

}  // namespace

std::vector<double> read_bottom(const std::string& argument, const SourceGrid& grid) {
  const auto colon = argument.rfind(':');
  const bool has_name = colon != std::string::npos && !fs::exists(argument);
  const fs::path path = has_name ? argument.substr(0, colon) : argument;
  const auto opened = open_forecast_file(path);
  const NetcdfFile& file = *opened;
  const std::string variable = find_variable(file, has_name ? argument.substr(colon + 1) : "");
  const std::string units = lower_case(file.units(variable));
  if (!units.empty() && units != "m" && !units.starts_with("met")) {
    file.refuse(variable, error_text(errors::bathymetry_units, units));
  }
  SourceRequest request{{path}, {{variable}}, {}, {}, {}};
  request.time = TimeAxisIs::optional;
  request.time_without_axis = 0;
  ForecastSource source(std::move(request));
  const double sign = is_height(file, variable) ? -1 : 1;
  std::vector<double> depth = source.read(0);
  std::vector<std::uint8_t> dry(depth.size());
  for (std::size_t n = 0; n < depth.size(); ++n) {
    depth[n] *= sign;
    dry[n] = std::isnan(depth[n]) ? 1 : 0;
  }
  std::vector<double> longitude;
  std::vector<double> latitude;
  const std::size_t columns = grid.points ? grid.points->columns : grid.longitude.size();
  for (std::size_t n = 0; n < grid.size(); ++n) {
    const GeographicPoint place = grid.place(n / columns, n % columns);
    longitude.push_back(place.longitude);
    latitude.push_back(place.latitude);
  }
  Regridder regridder(source.grid(), longitude, latitude, CoastRule::any_point);
  regridder.set_dry(dry);
  std::vector<double> bottom(grid.size(), std::numeric_limits<double>::quiet_NaN());
  bool has_bottom = false;
  for (std::size_t n = 0; n < bottom.size(); ++n) {
    if (regridder.land()[n] != 0) continue;
    const double value = regridder.value_at(n, depth.data());
    if (!(value > 0)) continue;
    bottom[n] = value;
    has_bottom = true;
  }
  if (!has_bottom) {
    file.refuse(variable, error_text(errors::bathymetry_without_bottom));
  }
  return bottom;
}

}  // namespace tidewise::ingest
