#include "env/import/file/find_velocity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/file/forecast_file.h"
#include "env/units/speed_units.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

using Pair = std::pair<const char*, const char*>;

// In order of preference: water before wind, the whole flow before its parts.
constexpr std::array standard_names{
    Pair{"surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"},
    Pair{"eastward_sea_water_velocity", "northward_sea_water_velocity"},
    Pair{"sea_water_x_velocity", "sea_water_y_velocity"},
    Pair{"x_sea_water_velocity", "y_sea_water_velocity"},
    Pair{"barotropic_eastward_sea_water_velocity", "barotropic_northward_sea_water_velocity"},
    Pair{"surface_geostrophic_eastward_sea_water_velocity",
         "surface_geostrophic_northward_sea_water_velocity"},
    Pair{"eastward_wind", "northward_wind"},
    Pair{"x_wind", "y_wind"},
};

constexpr std::array known_names{
    Pair{"water_u", "water_v"},
    Pair{"utotal", "vtotal"},
    Pair{"uo", "vo"},
    Pair{"u", "v"},
    Pair{"u_eastward", "v_northward"},
    Pair{"vozocrtx", "vomecrty"},
    Pair{"x_sea_water_velocity", "y_sea_water_velocity"},
    Pair{"eastward_sea_water_velocity", "northward_sea_water_velocity"},
    Pair{"x_wind", "y_wind"},
    Pair{"u10", "v10"},
};

/// The variable with a name, ignoring case; empty if there is none.
std::string variable_named(const NetcdfFile& file, const std::string& name) {
  for (const auto& variable : file.variables()) {
    if (lower_case(variable) == name) return variable;
  }
  return {};
}

std::vector<std::string> with_standard_name(const NetcdfFile& file, const std::string& name) {
  std::vector<std::string> variables;
  for (const auto& variable : file.variables()) {
    if (lower_case(file.text(variable, "standard_name")) == name) variables.push_back(variable);
  }
  return variables;
}

bool is_wind(const NetcdfFile& file, const std::string& u) {
  const std::string described = lower_case(
      fmt::format("{} {} {}", u, file.text(u, "standard_name"), file.text(u, "long_name")));
  return described.find("wind") != std::string::npos || lower_case(u) == "u10";
}

VelocityVariables by_known_names(const NetcdfFile& file, const std::vector<std::string>* among_u) {
  for (const auto& [u_name, v_name] : known_names) {
    const std::string u = variable_named(file, u_name);
    const std::string v = variable_named(file, v_name);
    if (u.empty() || v.empty()) continue;
    if (among_u && std::find(among_u->begin(), among_u->end(), u) == among_u->end()) continue;
    return {u, v, "found by known names", "", ""};
  }
  return {};
}

VelocityVariables by_standard_name(const NetcdfFile& file) {
  for (const auto& [u_name, v_name] : standard_names) {
    const auto u = with_standard_name(file, u_name);
    const auto v = with_standard_name(file, v_name);
    if (u.empty() || v.empty()) continue;
    if (u.size() == 1 && v.size() == 1) return {u[0], v[0], "found by standard_name", "", ""};
    // Total, tidal and Stokes parts may share a standard_name; known names identify the total.
    auto preferred = by_known_names(file, &u);
    if (!preferred.u.empty()) return preferred;
    throw input_error(errors::velocity_ambiguous, file.path().string(), u_name, fmt::join(u, ", "));
  }
  return {};
}

/// An environment's mean flow has the velocity's standard name, but is only a part of its flow.
void refuse_environment(const NetcdfFile& file) {
  if (!file.has("u_mean") || !file.has("u_mode") || !file.has("coefficient")) return;
  throw input_error(errors::already_an_environment, file.path().string());
}

/// The remedy for a file that holds only one component of a known pair; empty for other files.
std::string describe_split_pair(const NetcdfFile& file) {
  for (const auto& [u, v] : known_names) {
    const std::string east = variable_named(file, u);
    const std::string north = variable_named(file, v);
    if (east.empty() == north.empty()) continue;
    return error_text(errors::velocity_component_missing, file.path().string(),
                      east.empty() ? north : east, east.empty() ? u : v, east.empty() ? u : east,
                      north.empty() ? v : north);
  }
  return {};
}

/// The first of `names`, and their number if there are more.
std::string list_first(const std::vector<std::string>& names) {
  constexpr std::size_t max = 5;
  if (names.size() <= max) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, … ({} in all)", fmt::join(names.begin(), names.begin() + max, ", "),
                     names.size());
}

/// The message for a file whose groups may hold a velocity, but not its root; empty if it has no
/// groups.
std::string groups_text(const NetcdfFile& file) {
  if (!file.group().empty() || file.groups().empty()) return {};
  NetcdfFile group_file(file.path());
  std::vector<std::string> groups;
  for (const std::string& group : file.groups()) {
    group_file.enter(group);
    if (holds_velocity(group_file)) groups.push_back(group);
  }
  const char* clause = "several of its groups do:";
  if (groups.empty()) {
    clause = "its groups have no known names of one:";
    groups = file.groups();
  }
  return error_text(errors::velocity_in_groups, file.path().string(), clause, list_first(groups),
                    groups.front());
}

}  // namespace

bool holds_velocity(const NetcdfFile& file) {
  const auto is_own = [&](const std::string& variable) { return file.is_own(variable); };
  const auto any_own = [&](const std::vector<std::string>& variables) {
    return std::any_of(variables.begin(), variables.end(), is_own);
  };
  const bool by_standard_name =
      std::any_of(standard_names.begin(), standard_names.end(), [&](const Pair& pair) {
        return any_own(with_standard_name(file, pair.first)) &&
               any_own(with_standard_name(file, pair.second));
      });
  return by_standard_name ||
         std::any_of(known_names.begin(), known_names.end(), [&](const Pair& pair) {
           return is_own(variable_named(file, pair.first)) &&
                  is_own(variable_named(file, pair.second));
         });
}

std::pair<std::string, std::string> find_split_velocity(
    const std::vector<std::filesystem::path>& files) {
  std::vector<std::shared_ptr<const NetcdfFile>> open;
  open.reserve(files.size());
  for (const auto& path : files) {
    open.push_back(open_forecast_file(path));
    if (holds_velocity(*open.back())) return {};
  }
  // The only variable that `find` returns for any of the files; empty if there are none or several.
  const auto unique_result = [&](const auto& find) {
    std::set<std::string> variables;
    for (const auto& file : open) variables.merge(find(*file));
    return variables.size() == 1 ? *variables.begin() : std::string();
  };
  using Names = std::set<std::string>;
  const auto by_standard = [](const char* name) {
    return [name](const NetcdfFile& file) {
      const auto found = with_standard_name(file, name);
      return Names(found.begin(), found.end());
    };
  };
  const auto by_name = [](const char* name) {
    return [name](const NetcdfFile& file) {
      const std::string found = variable_named(file, name);
      return found.empty() ? Names{} : Names{found};
    };
  };
  for (const auto& [u, v] : standard_names) {
    const std::pair found{unique_result(by_standard(u)), unique_result(by_standard(v))};
    if (!found.first.empty() && !found.second.empty()) return found;
  }
  for (const auto& [u, v] : known_names) {
    const std::pair found{unique_result(by_name(u)), unique_result(by_name(v))};
    if (!found.first.empty() && !found.second.empty()) return found;
  }
  return {};
}

VelocityVariables find_velocity(const NetcdfFile& file, const SourceNames& names) {
  return find_velocity(file, file, names);
}

VelocityVariables find_velocity(const NetcdfFile& file, const NetcdfFile& v_file,
                                const SourceNames& names) {
  if (names.u.empty() != names.v.empty()) {
    throw input_error(errors::component_option_alone, names.u.empty() ? "v" : "u",
                      names.u.empty() ? "u" : "v");
  }
  if (!names.u.empty() && names.u == names.v && file.path() == v_file.path()) {
    throw input_error(errors::component_options_equal, names.u);
  }
  VelocityVariables velocity{names.u, names.v, "given with --u and --v", "", ""};
  if (velocity.u.empty()) refuse_environment(file);
  if (velocity.u.empty()) velocity = by_standard_name(file);
  if (velocity.u.empty()) velocity = by_known_names(file, nullptr);
  if (velocity.u.empty()) {
    const std::string split_pair = describe_split_pair(file);
    if (!split_pair.empty()) throw InputError(split_pair);
    const std::string in_groups = groups_text(file);
    if (!in_groups.empty()) throw InputError(in_groups);
    throw input_error(errors::velocity_not_found, file.path().string(),
                      fmt::join(file.variables(), ", "));
  }
  (void)v_file.dimensions(velocity.v);  // refuses a missing variable
  (void)file.dimensions(velocity.u);
  const bool wind = is_wind(file, velocity.u);
  velocity.along_x = wind ? "x_wind" : "sea_water_x_velocity";
  velocity.along_y = wind ? "y_wind" : "sea_water_y_velocity";
  return velocity;
}

double velocity_factor(const NetcdfFile& file, const std::string& variable) {
  const std::string units = file.units(variable);
  if (const auto factor = speed_factor(units)) return *factor;
  file.refuse(variable, error_text(errors::velocity_units_unknown, units));
}

}  // namespace tidewise::ingest
