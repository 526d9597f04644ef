#include "env/import/file/coordinate_role.h"

#include <map>

#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

std::optional<Role> look_up(const std::map<std::string, Role>& table, const std::string& key) {
  const auto found = table.find(key);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

std::optional<Role> role_by_standard_name(const std::string& name) {
  static const std::map<std::string, Role> table{
      {"longitude", Role::longitude},
      {"latitude", Role::latitude},
      {"time", Role::time},
      {"depth", Role::depth},
      {"height", Role::depth},
      {"altitude", Role::depth},
      {"model_level_number", Role::depth},
      {"realization", Role::member},
  };
  return look_up(table, name);
}

/// axis="X" means longitude only if the coordinate is not declared as projected or rotated.
std::optional<Role> role_by_axis(const std::string& axis, const std::string& standard_name) {
  if (standard_name.starts_with("projection_") || standard_name.starts_with("grid_")) {
    return std::nullopt;
  }
  static const std::map<std::string, Role> table{
      {"x", Role::longitude}, {"y", Role::latitude}, {"t", Role::time},
      {"z", Role::depth},     {"e", Role::member},
  };
  return look_up(table, axis);
}

std::optional<Role> role_by_units(std::string units) {
  if (units.find(" since ") != std::string::npos) return Role::time;
  for (char& c : units) {
    if (c == ' ') c = '_';  // "degrees east" is common and means degrees_east
  }
  for (const char* east :
       {"degrees_east", "degree_east", "degrees_e", "degree_e", "degreee", "degreese"}) {
    if (units == east) return Role::longitude;
  }
  for (const char* north :
       {"degrees_north", "degree_north", "degrees_n", "degree_n", "degreen", "degreesn"}) {
    if (units == north) return Role::latitude;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Role> role_by_name(const std::string& name) {
  static const std::map<std::string, Role> table{
      {"lon", Role::longitude},
      {"longitude", Role::longitude},
      {"nav_lon", Role::longitude},
      {"xlon", Role::longitude},
      {"x", Role::longitude},
      {"lat", Role::latitude},
      {"latitude", Role::latitude},
      {"nav_lat", Role::latitude},
      {"ylat", Role::latitude},
      {"y", Role::latitude},
      {"time", Role::time},
      {"ocean_time", Role::time},
      {"time_counter", Role::time},
      {"valid_time", Role::time},
      {"mt", Role::time},
      {"t", Role::time},
      {"depth", Role::depth},
      {"lev", Role::depth},
      {"level", Role::depth},
      {"z", Role::depth},
      {"deptht", Role::depth},
      {"depthu", Role::depth},
      {"depthv", Role::depth},
      {"st_ocean", Role::depth},
      {"height", Role::depth},
      {"altitude", Role::depth},
      {"elevation", Role::depth},
      {"layer", Role::depth},
      {"sigma", Role::depth},
      {"s_rho", Role::depth},
      {"realization", Role::member},
      {"realisation", Role::member},
      {"member", Role::member},
      {"members", Role::member},
      {"number", Role::member},
      {"ensemble", Role::member},
      {"ensemble_member", Role::member},
      {"ens", Role::member},
  };
  return look_up(table, lower_case(name));
}

std::optional<Role> role_by(Evidence evidence, const NetcdfFile& file,
                            const std::string& variable) {
  const auto text = [&](const char* attribute) {
    return lower_case(file.text(variable, attribute));
  };
  switch (evidence) {
    case Evidence::standard_name:
      return role_by_standard_name(text("standard_name"));
    case Evidence::axis:
      return role_by_axis(text("axis"), text("standard_name"));
    case Evidence::units:
      return role_by_units(lower_case(file.units(variable)));
    case Evidence::name:
      return role_by_name(variable);
  }
  return std::nullopt;
}

}  // namespace tidewise::ingest
