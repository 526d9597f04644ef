#include "env/import/file/wide_coordinates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

bool has_role_by(Evidence evidence, const NetcdfFile& file, const std::string& variable,
                 Role role) {
  return role_by(evidence, file, variable) == role ||
         (evidence == Evidence::name && is_named(file, variable, role));
}

bool has_rho_points(const std::vector<NetcdfDimension>& dimensions) {
  return dimensions.size() == 2 && dimensions[0].name.ends_with("_rho") &&
         dimensions[1].name.ends_with("_rho");
}

/// The one of `candidates` with the strongest evidence of the role.
std::string strongest(const NetcdfFile& file, const std::string& field, Role role,
                      const std::vector<std::string>& candidates) {
  for (const Evidence evidence : {Evidence::standard_name, Evidence::units, Evidence::name}) {
    std::vector<std::string> matches;
    for (const auto& candidate : candidates) {
      if (has_role_by(evidence, file, candidate, role)) matches.push_back(candidate);
    }
    if (matches.size() == 1) return matches[0];
    for (const auto& match : matches) {
      if (role_by_name(match) == role) return match;
    }
    if (matches.empty()) continue;
    file.refuse(field,
                error_text(errors::coordinates_ambiguous,
                           role == Role::longitude ? "longitude" : "latitude",
                           fmt::join(matches, ", "), role == Role::longitude ? "--lon" : "--lat"));
  }
  return {};
}

}  // namespace

std::vector<NetcdfDimension> wide_dimensions(const NetcdfFile& file, const std::string& variable) {
  auto dimensions = file.dimensions(variable);
  std::erase_if(dimensions, [](const NetcdfDimension& dimension) { return dimension.size == 1; });
  return dimensions;
}

bool has_degrees(const NetcdfFile& file, const std::string& variable) {
  const std::string units = lower_case(file.units(variable));
  return units.empty() || units.starts_with("degree") || units == "deg" || units.starts_with("°");
}

void refuse_west_and_south(const NetcdfFile& file, const std::string& variable, Role role) {
  const bool lon = role == Role::longitude;
  std::string direction = lower_case(file.units(variable));
  for (const char* unit : {"degrees", "degree", "deg", "°"}) {
    if (!direction.starts_with(unit)) continue;
    direction.erase(0, std::string(unit).size());
    break;
  }
  std::erase_if(direction, [](char c) { return c == '_' || c == ' '; });
  if (direction != (lon ? "west" : "south") && direction != (lon ? "w" : "s")) return;
  file.refuse(variable, error_text(errors::coordinate_sign_reversed, file.units(variable),
                                   lon ? "longitudes are read in degrees_east"
                                       : "latitudes are read in degrees_north",
                                   lon ? "degrees_east" : "degrees_north", lon ? "west" : "south"));
}

bool is_named(const NetcdfFile& file, const std::string& variable, Role role) {
  const std::string name = lower_case(variable);
  if (!has_degrees(file, variable) || name.find("bound") != std::string::npos) return false;
  const auto begins = [&](const char* part) { return name.find(part) < 5; };
  return role == Role::longitude ? begins("lon") || begins("glam")
                                 : begins("lat") || begins("gphi");
}

bool is_position(const NetcdfFile& file, const std::string& variable, Role role) {
  const std::string name = lower_case(file.text(variable, "standard_name"));
  const std::string word = role == Role::longitude ? "longitude" : "latitude";
  if (!has_degrees(file, variable)) return false;
  if (name == word) return true;
  if (name.starts_with("grid_") || name.starts_with("projection_") || is_index(name)) return false;
  if (!file.units(variable).empty()) return true;
  return is_named(file, variable, role) ||
         lower_case(file.text(variable, "long_name")).starts_with(word);
}

bool is_index(const std::string& standard_name) {
  return standard_name.ends_with("_index") || standard_name.ends_with("_number");
}

bool are_index_numbers(const std::vector<double>& values) {
  if (values.size() < 2 || (values[0] != 0 && values[0] != 1)) return false;
  for (std::size_t n = 1; n < values.size(); ++n) {
    if (values[n] != values[0] + static_cast<double>(n)) return false;
  }
  return true;
}

std::optional<HalfStep> half_step(const std::vector<NetcdfDimension>& field,
                                  const std::vector<NetcdfDimension>& wide) {
  if (field.size() != 2 || wide.size() != 2) return std::nullopt;
  const bool is_u = field[1].name.ends_with("_u");
  const bool is_v = field[0].name.ends_with("_v");
  HalfStep step;
  step.along_columns = is_u || (!is_v && wide[1].size == field[1].size + 1);
  const std::size_t along = step.along_columns ? 1 : 0;
  if (wide[1 - along].size != field[1 - along].size) return std::nullopt;
  if (wide[along].size == field[along].size + 1) return step;
  if (!(is_u || is_v) || !has_rho_points(wide)) return std::nullopt;
  step.before = field[along].size == wide[along].size + 1;
  step.before_unknown = field[along].size == wide[along].size;
  if (!step.before && !step.before_unknown) return std::nullopt;
  return step;
}

std::string find_wide_coordinate(const NetcdfFile& file, const std::string& field, Role role,
                                 const std::string& requested,
                                 const std::vector<NetcdfDimension>& rows_and_columns) {
  const auto field_dimensions = file.dimensions(field);
  const auto is_field_dimension = [&](const NetcdfDimension& dimension) {
    return std::any_of(
        field_dimensions.begin(), field_dimensions.end(),
        [&](const NetcdfDimension& candidate) { return candidate.name == dimension.name; });
  };
  const auto fits = [&](const std::string& variable) {
    if (variable == field || !file.has(variable)) return false;
    const auto wide = wide_dimensions(file, variable);
    return wide.size() == 2 && std::all_of(wide.begin(), wide.end(), is_field_dimension);
  };
  const auto is_half_step_off = [&](const std::string& variable) {
    return file.has(variable) &&
           half_step(rows_and_columns, wide_dimensions(file, variable)).has_value();
  };
  if (!requested.empty()) {
    return fits(requested) || is_half_step_off(requested) ? requested : std::string();
  }
  std::istringstream listed(file.text(field, "coordinates"));
  std::vector<std::string> listed_names;
  for (std::string name; listed >> name;) {
    if (fits(name)) listed_names.push_back(name);
  }
  const std::string best = strongest(file, field, role, listed_names);
  if (!best.empty()) return best;
  std::vector<std::string> all;
  std::copy_if(file.variables().begin(), file.variables().end(), std::back_inserter(all), fits);
  const std::string on_field = strongest(file, field, role, all);
  if (!on_field.empty()) return on_field;
  all.clear();
  std::copy_if(file.variables().begin(), file.variables().end(), std::back_inserter(all),
               [&](const std::string& variable) {
                 return has_rho_points(wide_dimensions(file, variable)) &&
                        is_half_step_off(variable);
               });
  return strongest(file, field, role, all);
}

}  // namespace tidewise::ingest
