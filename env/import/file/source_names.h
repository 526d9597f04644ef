#pragma once

#include <optional>
#include <string>

namespace tidewise::ingest {

/// The directions of a velocity's components.
enum class Components {
  east_north,  ///< to true east and north
  grid         ///< along the grid's own axes: to greater x and y, or to the next column and row
};

/// The meaning of a velocity of 0 at every time.
enum class Zeros { land, water };

/// The names of a forecast's variables that the user gives; empty names are found automatically.
struct SourceNames {
  std::string u = {};          ///< first component of the velocity
  std::string v = {};          ///< second component
  std::string longitude = {};  ///< dimension or coordinate variable, as are the next four
  std::string latitude = {};
  std::string time = {};
  std::string depth = {};
  std::string member = {};
  std::string time_units = {};  ///< in place of the file's own, e.g. "hours since 2020-01-01"
  std::optional<Components> components = {};
};

}  // namespace tidewise::ingest
