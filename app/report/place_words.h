#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"

namespace tidewise {

/// Formats positions in an environment's plane, also in degrees if it has them.
class PlaceWords {
 public:
  explicit PlaceWords(const EnvironmentReader& environment);
  /// Longitude and latitude of the cell centres [degrees], (y, x); empty if there are none.
  PlaceWords(const Grid& grid, std::vector<double> longitude, std::vector<double> latitude);

  /// Text such as "(-46722, -146464)", or "(-46722, -146464) = 126.0000° W 46.8000° N".
  std::string at(double x, double y) const;

 private:
  Grid grid_;
  std::vector<double> longitude_, latitude_;
};

/// Text such as "126.0000° W 46.8000° N".
std::string describe_degrees(double longitude, double latitude);

}  // namespace tidewise
