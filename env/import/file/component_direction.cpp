#include "env/import/file/component_direction.h"

#include <fmt/format.h>

#include <initializer_list>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

bool contains_any(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

std::optional<Components> direction_of_standard_name(const std::string& name) {
  if (contains_any(name, {"eastward", "northward"})) return Components::east_north;
  if (name.starts_with("x_") || name.starts_with("y_") || contains_any(name, {"_x_", "_y_"})) {
    return Components::grid;
  }
  return std::nullopt;
}

std::optional<Components> direction_of_words(const std::string& words) {
  if (contains_any(words, {"eastward", "northward"})) return Components::east_north;
  // NEMO's names, and ROMS' words for components along its xi and eta.
  if (contains_any(words, {"vozocrtx", "vomecrty", "i-axis", "j-axis", "u-momentum component",
                           "v-momentum component", "xi-direction", "eta-direction"})) {
    return Components::grid;
  }
  return direction_of_standard_name(words);
}

struct Statement {
  std::optional<Components> components;
  std::string evidence;
  bool by_standard_name = false;
};

Statement statement_of(const NetcdfFile& file, const std::string& variable) {
  const std::string name = file.text(variable, "standard_name");
  if (const auto direction = direction_of_standard_name(lower_case(name))) {
    return {direction, "standard_name " + name, true};
  }
  const std::string long_name = file.text(variable, "long_name");
  if (const auto direction = direction_of_words(lower_case(long_name))) {
    return {direction, "long_name \"" + long_name + "\"", false};
  }
  return {direction_of_words(lower_case(variable)), "its name " + variable, false};
}

constexpr const char* remedy =
    "give --components east-north if they point to true east and north, or --components grid if "
    "they are along the grid's own axes";

}  // namespace

StatedDirections read_stated_directions(const NetcdfFile& u_file, const std::string& u,
                                        const NetcdfFile& v_file, const std::string& v,
                                        const std::optional<Components>& requested) {
  const Statement of_u = statement_of(u_file, u);
  const Statement of_v = statement_of(v_file, v);
  if (!requested && of_u.components && of_v.components && of_u.components != of_v.components) {
    u_file.refuse(
        u, error_text(errors::components_point_otherwise, v, of_u.evidence, of_v.evidence, remedy));
  }
  const Statement& statement = of_u.components ? of_u : of_v;
  return {requested, statement.components, statement.evidence, statement.by_standard_name};
}

void require_same_direction(const NetcdfFile& file, const NetcdfFile& first,
                            const std::string& variable, std::optional<Components> unstated) {
  const Statement statement = statement_of(file, variable);
  const Statement reference = statement_of(first, variable);
  if ((statement.components ? statement.components : unstated) ==
      (reference.components ? reference.components : unstated)) {
    return;
  }
  file.refuse(variable, error_text(errors::components_point_otherwise,
                                   variable + " in " + first.path().string(), statement.evidence,
                                   reference.evidence, remedy));
}

ComponentDecision decide_components(const StatedDirections& directions, const ComponentGrid& grid) {
  if (directions.requested) return {*directions.requested, "as given with --components", ""};
  const bool is_rotated = !grid.along_east;
  if (directions.stated == Components::grid) {
    // Different points for u and v mean the model's own grid. Common points on plain longitudes and
    // latitudes may come from a tool that interpolated another grid without rotating the
    // components.
    if (is_rotated || grid.staggered || grid.on_a_map)
      return {Components::grid, directions.evidence, ""};
    if (directions.by_standard_name) {
      throw input_error(errors::components_along_grid, directions.evidence);
    }
    return {Components::east_north, directions.evidence,
            fmt::format("velocity: treated as eastward and northward, because the grid is along "
                        "longitude and latitude; {} usually means components along the axes of the "
                        "model's grid",
                        directions.evidence)};
  }
  if (directions.stated == Components::east_north) {
    if (!grid.staggered || !is_rotated) return {Components::east_north, directions.evidence, ""};
    throw input_error(errors::components_staggered_eastward, directions.evidence, remedy);
  }
  if (!is_rotated) return {Components::east_north, "the grid's axes point east and north", ""};
  if (grid.staggered) return {Components::grid, "u and v lie on points of their own", ""};
  throw input_error(errors::components_direction_unknown, remedy);
}

}  // namespace tidewise::ingest
