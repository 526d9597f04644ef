#include "env/import/source/depth_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/error.h"
#include "env/import/file/wide_coordinates.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

// [m] Models have their first level within 10 m of the surface, drifters' currents are of 15 m.
constexpr double deepest_surface = 20;

/// Levels that follow the bottom, from -1 there to 0 at the surface.
bool follows_bottom(const NetcdfFile& file, const std::string& coordinate) {
  const std::string name = lower_case(file.text(coordinate, "standard_name"));
  return name.starts_with("ocean_s") || lower_case(coordinate).starts_with("s_rho");
}

/// Metres by their units; without any by a name that means a length, or a direction (positive).
bool is_in_metres(const NetcdfFile& file, const std::string& coordinate,
                  const std::vector<double>& levels) {
  const std::string units = lower_case(file.units(coordinate));
  if (!units.empty()) return units == "m" || units.starts_with("met") || units.starts_with("dbar");
  if (counts_only(levels)) return false;
  if (!file.text(coordinate, "positive").empty()) return true;
  const std::string name = lower_case(coordinate + " " + file.text(coordinate, "standard_name") +
                                      " " + file.text(coordinate, "long_name"));
  for (const char* word : {"depth", "height", "altitude"}) {
    if (name.find(word) != std::string::npos) return true;
  }
  return false;
}

/// Whether a level is above the surface: a wind's height.
bool is_above(const NetcdfFile& file, const std::string& coordinate, double level) {
  const std::string positive = lower_case(file.text(coordinate, "positive"));
  const std::string name = lower_case(file.text(coordinate, "standard_name"));
  const auto is_height = [](const std::string& word) {
    return word == "height" || word == "altitude";
  };
  const bool up =
      positive.empty() ? is_height(name) || is_height(lower_case(coordinate)) : positive == "up";
  return up && level > 0;
}

}  // namespace

DepthLevel choose_depth_level(const NetcdfFile& file, const std::string& variable,
                              const RolePlace& place, std::optional<double> wanted,
                              Surface surface) {
  if (place.coordinate.empty()) {
    if (place.size == 1 && !wanted) {
      return {
          0,
          {},
          fmt::format("depth: that of {} is not said; its only level is taken", place.dimension)};
    }
    file.refuse(variable,
                fmt::format("its depth dimension {} has no coordinate variable, so no level can be "
                            "chosen; add one, or take one level of it first",
                            place.dimension));
  }
  const std::string& coordinate = place.coordinate;
  const auto levels = file.read_all(coordinate);
  const bool sigma = follows_bottom(file, coordinate);
  const bool metres = !sigma && is_in_metres(file, coordinate, levels);
  if (!metres && (wanted || (place.size > 1 && !sigma))) {
    const std::string units = file.units(coordinate);
    if (!sigma && units.empty()) {
      file.refuse(coordinate,
                  "says no units, so that it may number its levels alone; add its units (m) where "
                  "it holds metres, or take one level of it first");
    }
    file.refuse(coordinate,
                fmt::format("has {}, and levels are chosen in metres; bring the file to depths in "
                            "metres first",
                            sigma ? std::string("levels that follow the bottom")
                                  : fmt::format("the units \"{}\"", units)));
  }
  const double goal = std::abs(wanted.value_or(0));
  const auto distance = [&](double level) { return std::abs(std::abs(level) - goal); };
  DepthLevel chosen;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    // The first level may be missing, and then any other is nearer.
    if (!(distance(levels[level]) >= distance(levels[chosen.index]))) chosen.index = level;
  }
  const double level = levels[chosen.index];
  if (!std::isfinite(level)) {
    file.refuse(coordinate, "holds no depth at all; correct the file");
  }
  if (metres && wanted && levels.size() > 1) {
    std::vector<double> depths;
    for (const double depth : levels) {
      if (std::isfinite(depth)) depths.push_back(std::abs(depth));
    }
    std::sort(depths.begin(), depths.end(), std::greater<>());
    const double half = depths.size() > 1 ? (depths[0] - depths[1]) / 2 : 0;
    if (goal > depths[0] + half) {
      file.refuse(coordinate, fmt::format("goes down to {:.6g} m, and --depth is {:.6g}; give a "
                                          "depth that it holds",
                                          depths[0], goal));
    }
  }
  if (metres && !wanted && surface == Surface::required && std::abs(level) > deepest_surface &&
      !is_above(file, coordinate, level)) {
    file.refuse(coordinate,
                fmt::format("begins at {:.6g} m, and the surface is within {:.6g} m; "
                            "take this level with --depth {:.6g}, or bring in a file that "
                            "reaches the surface",
                            std::abs(level), deepest_surface, std::abs(level)));
  }
  if (metres) chosen.depth = std::abs(level);
  chosen.note = fmt::format("depth: level {} of {}, {} = {:.6g}{} ({})", chosen.index + 1,
                            levels.size(), coordinate, level, metres ? " m" : "",
                            wanted ? "nearest to --depth" : "nearest to the surface");
  return chosen;
}

}  // namespace tidewise::ingest
