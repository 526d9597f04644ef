#pragma once

#include <optional>
#include <string>

namespace tidewise::ingest {

/// Where a velocity's components point.
enum class Components {
  east_north,  ///< to true east and north
  grid         ///< along the grid's own axes: to greater x and y, or to the next column and row
};

/// What a velocity of 0 at every time stands for.
enum class Zeros { land, water };

/// What a forecast calls its parts, where the user says so; empty where they are to be found.
struct SourceNames {
  std::string u = {};          ///< first component of the velocity
  std::string v = {};          ///< second component
  std::string longitude = {};  ///< dimension or coordinate variable; so for the next ones
  std::string latitude = {};
  std::string time = {};
  std::string depth = {};
  std::string member = {};
  std::string time_units = {};  ///< in place of the file's own, e.g. "hours since 2020-01-01"
  std::optional<Components> components = {};
};

}  // namespace tidewise::ingest
