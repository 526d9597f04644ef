#include "env/import/regridder.h"

#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

constexpr double edge_tolerance = 1e-9;  // [degrees] round-off at the edge of the source's area

struct Position {
  std::size_t index = 0;  ///< of the point before
  double share = 0;       ///< of the way to the next
};

Position locate(const std::vector<double>& axis, double value) {
  const auto after = std::upper_bound(axis.begin() + 1, axis.end() - 1, value);
  const auto index = static_cast<std::size_t>(after - axis.begin()) - 1;
  const double share = (value - axis[index]) / (axis[index + 1] - axis[index]);
  return {index, std::clamp(share, 0.0, 1.0)};
}

bool within(double value, double least, double greatest) {
  return value >= least - edge_tolerance && value <= greatest + edge_tolerance;
}

}  // namespace

Regridder::Regridder(const SourceGrid& source, const std::vector<double>& longitude,
                     const std::vector<double>& latitude, CoastRule rule)
    : columns_(source.longitude.size()),
      rule_(rule),
      stencils_(longitude.size()),
      outside_(longitude.size(), 0),
      land_(longitude.size(), 0),
      dry_(source.size(), 0) {
  const double middle = (source.west + source.east) / 2;
  for (std::size_t cell = 0; cell < stencils_.size(); ++cell) {
    const double lon = longitude[cell] + 360 * std::round((middle - longitude[cell]) / 360);
    const double lat = latitude[cell];
    if (!within(lon, source.west, source.east) || !within(lat, source.south, source.north)) {
      outside_[cell] = 1;
      continue;
    }
    const Position column = locate(source.longitude, lon);
    const Position row = locate(source.latitude, lat);
    stencils_[cell].south_west = row.index * columns_ + column.index;
    stencils_[cell].across = column.share;
    stencils_[cell].along = row.share;
  }
  weigh();
}

void Regridder::set_dry(const std::vector<std::uint8_t>& dry) {
  if (dry == dry_) return;
  dry_ = dry;
  weigh();
}

void Regridder::weigh() {
  for (std::size_t cell = 0; cell < stencils_.size(); ++cell) {
    land_[cell] = 1;
    if (outside_[cell] != 0) continue;
    Stencil& stencil = stencils_[cell];
    const auto [x, y] = std::pair{stencil.across, stencil.along};
    stencil.weight = {(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y};
    double sum = 0;
    for (std::size_t corner = 0; corner < 4; ++corner) {
      if (dry_[point(stencil, corner)] != 0) stencil.weight[corner] = 0;
      sum += stencil.weight[corner];
    }
    const std::size_t nearest = (x < 0.5 ? 0U : 1U) + (y < 0.5 ? 0U : 2U);
    const bool has_value =
        rule_ == CoastRule::any_point ? sum > 0 : dry_[point(stencil, nearest)] == 0;
    if (!has_value) continue;
    land_[cell] = 0;
    for (double& weight : stencil.weight) weight /= sum;
  }
}

}  // namespace tidewise
