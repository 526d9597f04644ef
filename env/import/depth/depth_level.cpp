#include "env/import/depth/depth_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/depth/s_coordinate.h"
#include "env/import/file/coordinate_role.h"
#include "env/import/file/wide_coordinates.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

/// The factor from levels to metres, by their units. Without units, levels with a name that means a
/// length, or with the attribute positive, are in metres. nullopt for other levels.
std::optional<double> metres_per_unit(const NetcdfFile& file, const std::string& coordinate,
                                      const std::vector<double>& levels) {
  const std::string units = lower_case(file.units(coordinate));
  if (units == "m" || units.starts_with("met") || units.starts_with("dbar") ||
      units.starts_with("decibar")) {
    return 1;
  }
  if (units == "cm" || units.starts_with("centimet")) return 0.01;
  if (units == "km" || units.starts_with("kilomet")) return 1000;
  if (!units.empty() || are_index_numbers(levels)) return std::nullopt;
  if (!file.text(coordinate, "positive").empty()) return 1;
  const std::string name = lower_case(coordinate + " " + file.text(coordinate, "standard_name") +
                                      " " + file.text(coordinate, "long_name"));
  for (const char* word : {"depth", "height", "altitude", "elevation"}) {
    if (name.find(word) != std::string::npos) return 1;
  }
  return std::nullopt;
}

/// The levels of a coordinate, in metres if its units are known.
struct Levels {
  std::vector<double> values;
  bool in_metres = false;
};

Levels read_levels(const NetcdfFile& file, const std::string& coordinate) {
  Levels levels{file.read_all(coordinate), false};
  const auto factor = metres_per_unit(file, coordinate, levels.values);
  levels.in_metres = factor.has_value();
  if (factor && *factor != 1) {
    for (double& level : levels.values) level *= *factor;
  }
  return levels;
}

/// True if a level is above the surface, such as the height of a wind.
bool is_above(const NetcdfFile& file, const std::string& coordinate, double level) {
  const std::string positive = lower_case(file.text(coordinate, "positive"));
  const std::string name = lower_case(file.text(coordinate, "standard_name"));
  const auto is_height = [](const std::string& word) {
    return word == "height" || word == "altitude" || word == "elevation";
  };
  const bool up =
      positive.empty() ? is_height(name) || is_height(lower_case(coordinate)) : positive == "up";
  return up && level > 0;
}

[[noreturn]] void refuse_units(const NetcdfFile& file, const std::string& coordinate, bool sigma) {
  const std::string units = file.units(coordinate);
  if (!sigma && units.empty()) {
    file.refuse(coordinate, error_text(errors::depth_without_units));
  }
  file.refuse(coordinate, error_text(errors::depth_not_in_metres,
                                     sigma ? std::string("levels that follow the bottom")
                                           : fmt::format("the units \"{}\"", units)));
}

/// Selects levels in metres by their distance from the surface: from the last one above a dive to
/// the second one below it.
DiveLevels levels_between(const std::vector<double>& level, double shallowest, double deepest) {
  DiveLevels all;
  all.index.resize(level.size());
  std::iota(all.index.begin(), all.index.end(), std::size_t{0});
  std::sort(all.index.begin(), all.index.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(level[a]) < std::abs(level[b]); });
  for (const std::size_t n : all.index) all.depth.push_back(std::abs(level[n]));
  const auto after = [&](double depth) {
    return std::upper_bound(all.depth.begin(), all.depth.end(), depth) - all.depth.begin();
  };
  const auto count = static_cast<std::ptrdiff_t>(level.size());
  const auto first = std::max<std::ptrdiff_t>(after(shallowest) - 1, 0);
  const auto end = std::min(after(deepest) + 2, count);
  return {{all.index.begin() + first, all.index.begin() + end},
          {all.depth.begin() + first, all.depth.begin() + end},
          end == count,
          {}};
}

/// True if an attribute lists `word`, between white space or commas.
bool lists_word(const std::string& text, const std::string& word) {
  for (auto position = text.find(word); position != std::string::npos;
       position = text.find(word, position + 1)) {
    const auto is_end = [&](std::size_t n) {
      return n >= text.size() || text[n] == ' ' || text[n] == ',';
    };
    if ((position == 0 || is_end(position - 1)) && is_end(position + word.size())) return true;
  }
  return false;
}

/// The coordinate with one value that gives the depth of a field without a depth dimension; empty
/// if there is none.
std::string single_depth(const NetcdfFile& file, const std::string& variable,
                         const std::string& named_coordinate) {
  if (!named_coordinate.empty()) return named_coordinate;
  const std::string coordinates = file.text(variable, "coordinates");
  const auto standard_names = file.texts("standard_name");
  for (const bool is_listed : {true, false}) {
    for (std::size_t n = 0; n < standard_names.size(); ++n) {
      const std::string& candidate = file.variables()[n];
      const std::string standard_name = lower_case(standard_names[n]);
      const bool is_vertical =
          standard_name == "depth" || standard_name == "height" || standard_name == "altitude";
      const bool by_name = role_by_name(candidate) == Role::depth;
      const bool is_depth =
          is_listed
              ? lists_word(coordinates, candidate) && (is_vertical || by_name)
              : standard_name == "depth" || (by_name && lower_case(candidate).starts_with("dep"));
      if (is_depth && candidate != variable && wide_dimensions(file, candidate).empty())
        return candidate;
    }
  }
  return {};
}

/// Refuses a depth that lies beyond all levels [m].
void require_reach(const NetcdfFile& file, const std::string& coordinate,
                   const std::vector<double>& levels, double requested) {
  std::vector<double> depths;
  for (const double level : levels) {
    if (std::isfinite(level)) depths.push_back(std::abs(level));
  }
  std::sort(depths.begin(), depths.end());
  const std::size_t count = depths.size();
  const double last_half =
      count > 1 ? (depths[count - 1] - depths[count - 2]) / 2 : deepest_surface;
  if (requested > depths.back() + last_half) {
    file.refuse(coordinate, error_text(errors::depth_below_levels, depths.back(), requested));
  }
  const double first_half = count > 1 ? (depths[1] - depths[0]) / 2 : deepest_surface;
  if (requested < depths.front() - std::max(first_half, deepest_surface)) {
    file.refuse(coordinate, error_text(errors::depth_above_levels, depths.front(), requested));
  }
}

}  // namespace

DepthLevel choose_depth_level(const NetcdfFile& file, const FieldLayout& layout,
                              const std::string& named_coordinate, std::optional<double> requested,
                              Surface surface) {
  const std::string& variable = layout.variable;
  const auto& place = layout.place(Role::depth);
  const std::string coordinate =
      place ? place->coordinate : single_depth(file, variable, named_coordinate);
  if (!place && coordinate.empty()) {
    if (requested) file.refuse(variable, error_text(errors::depth_without_dimension, "--depth"));
    return {};
  }
  if (coordinate.empty()) {
    if (place->size == 1 && !requested) {
      return {0, {}, fmt::format("depth: {} gives none; its only level is used", place->dimension)};
    }
    file.refuse(variable, error_text(errors::depth_without_coordinate, place->dimension));
  }
  const bool sigma = place && follows_bottom(file, coordinate);
  const Levels axis = read_levels(file, coordinate);
  const std::vector<double>& levels = axis.values;
  const bool metres = !sigma && axis.in_metres;
  if (!metres && (requested || (levels.size() > 1 && !sigma)))
    refuse_units(file, coordinate, sigma);
  const double target = std::abs(requested.value_or(0));
  const auto distance = [&](double level) { return std::abs(std::abs(level) - target); };
  DepthLevel chosen;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    // Negated, so that any level is nearer than a missing first one.
    if (!(distance(levels[level]) >= distance(levels[chosen.index]))) chosen.index = level;
  }
  const double level = levels[chosen.index];
  if (!std::isfinite(level)) {
    file.refuse(coordinate, error_text(errors::depth_axis_empty));
  }
  if (metres && requested) require_reach(file, coordinate, levels, target);
  if (metres && !requested && surface == Surface::required && std::abs(level) > deepest_surface &&
      !is_above(file, coordinate, level)) {
    file.refuse(coordinate, error_text(errors::surface_level_missing, std::abs(level),
                                       deepest_surface, std::abs(level)));
  }
  if (metres) chosen.depth = std::abs(level);
  chosen.note = fmt::format("depth: level {} of {}, {} = {:.6g}{} ({})", chosen.index + 1,
                            levels.size(), coordinate, level, metres ? " m" : "",
                            requested ? "nearest to --depth" : "nearest to the surface");
  return chosen;
}

DiveLevels choose_dive_levels(const NetcdfFile& file, const std::string& variable,
                              const RolePlace& place, double shallowest, double deepest,
                              Surface surface) {
  const std::string& coordinate = place.coordinate;
  if (coordinate.empty() || place.size < 2) {
    file.refuse(variable, error_text(errors::profile_without_levels,
                                     place.size < 2 ? "only one level" : "levels without depths",
                                     place.dimension));
  }
  if (follows_bottom(file, coordinate)) {
    SCoordinate levels = read_s_coordinate(file, coordinate);
    return {std::move(levels.index),
            {},
            true,
            fmt::format("depth: {} levels of {} that follow the bottom", place.size, coordinate)};
  }
  const Levels axis = read_levels(file, coordinate);
  const std::vector<double>& levels = axis.values;
  if (!axis.in_metres) refuse_units(file, coordinate, false);
  for (std::size_t n = 0; n < levels.size(); ++n) {
    if (!std::isfinite(levels[n])) file.refuse(coordinate, error_text(errors::depth_missing_value));
    if (is_above(file, coordinate, levels[n])) {
      file.refuse(coordinate, error_text(errors::depth_above_surface, levels[n]));
    }
  }
  DiveLevels chosen = levels_between(levels, shallowest, deepest);
  for (std::size_t n = 1; n < chosen.depth.size(); ++n) {
    if (chosen.depth[n] > chosen.depth[n - 1]) continue;
    file.refuse(coordinate, error_text(errors::depth_repeated, chosen.depth[n]));
  }
  const double first = chosen.depth.front();
  const bool begins_below = shallowest < first - deepest_surface;
  if (begins_below && surface == Surface::required) {
    file.refuse(coordinate,
                error_text(errors::profile_above_levels, first, shallowest, deepest_surface));
  }
  chosen.note =
      fmt::format("depth: {} of {} levels of {}, {:.6g} to {:.6g} m{}", chosen.index.size(),
                  levels.size(), coordinate, first, chosen.depth.back(),
                  begins_below ? "; the flow of the first one is used for the water above" : "");
  return chosen;
}

}  // namespace tidewise::ingest
