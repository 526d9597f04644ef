#include "app/report/place_words.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "env/units/geographic_position.h"

namespace tidewise {

PlaceWords::PlaceWords(const EnvironmentReader& environment) : grid_(environment.info().grid) {
  if (environment.info().coordinates != Coordinates::geographic) return;
  longitude_ = environment.read_longitude();
  latitude_ = environment.read_latitude();
}

PlaceWords::PlaceWords(const Grid& grid, std::vector<double> longitude,
                       std::vector<double> latitude)
    : grid_(grid), longitude_(std::move(longitude)), latitude_(std::move(latitude)) {}

std::string PlaceWords::at(double x, double y) const {
  std::string text = fmt::format("({:.6g}, {:.6g})", x, y);
  if (longitude_.empty()) return text;
  const auto position = to_globe(grid_, longitude_, latitude_, {x, y});
  if (!std::isfinite(position.longitude) || !std::isfinite(position.latitude)) return text;
  return text + " = " + describe_degrees(position.longitude, position.latitude);
}

std::string describe_degrees(double longitude, double latitude) {
  return fmt::format("{:.4f}° {} {:.4f}° {}", std::abs(longitude), longitude < 0 ? "W" : "E",
                     std::abs(latitude), latitude < 0 ? "S" : "N");
}

}  // namespace tidewise
