#pragma once

#include <string>
#include <vector>

#include "env/file/reader.h"

namespace tidewise {

/// Says where points of an environment's plane are, in degrees too where it has them.
class PlaceWords {
 public:
  explicit PlaceWords(const EnvironmentReader& environment);
  /// Longitude and latitude of the cell centres [degrees], (y, x); empty if there are none.
  PlaceWords(const Grid& grid, std::vector<double> longitude, std::vector<double> latitude);

  /// "(-46722, -146464)", or "(-46722, -146464) = 126.0000° W 46.8000° N".
  std::string at(double x, double y) const;

 private:
  Grid grid_;
  std::vector<double> longitude_, latitude_;
};

/// "126.0000° W 46.8000° N"
std::string describe_degrees(double longitude, double latitude);

}  // namespace tidewise
