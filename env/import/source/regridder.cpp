#include "env/import/source/regridder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/import/grid/quad_search.h"

namespace tidewise::ingest {
namespace {

// [degrees] Round-off at the edge of the source's area.
constexpr double area_edge_tolerance = 1e-9;

struct Position {
  std::size_t index = 0;  ///< index of the previous point
  double share = 0;       ///< fraction of the distance to the next point
};

Position locate(const std::vector<double>& axis, double value) {
  const auto after = std::upper_bound(axis.begin() + 1, axis.end() - 1, value);
  const auto index = static_cast<std::size_t>(after - axis.begin()) - 1;
  const double share = (value - axis[index]) / (axis[index + 1] - axis[index]);
  return {index, std::clamp(share, 0.0, 1.0)};
}

bool is_within(double value, double min, double max) {
  return value >= min - area_edge_tolerance && value <= max + area_edge_tolerance;
}

/// The stencils on a grid along longitude and latitude.
std::vector<Stencil> search_axes(const SourceGrid& source, const std::vector<double>& longitude,
                                 const std::vector<double>& latitude) {
  const double middle = (source.west + source.east) / 2;
  const std::size_t columns = source.longitude.size();
  std::vector<Stencil> stencils(longitude.size());
  for (std::size_t cell = 0; cell < stencils.size(); ++cell) {
    const double lon = longitude[cell] + 360 * std::round((middle - longitude[cell]) / 360);
    const double lat = latitude[cell];
    if (!is_within(lon, source.west, source.east) || !is_within(lat, source.south, source.north))
      continue;
    const Position column = locate(source.longitude, lon);
    const Position row = locate(source.latitude, lat);
    const auto south_west = static_cast<std::uint32_t>(row.index * columns + column.index);
    const auto north_west = static_cast<std::uint32_t>(south_west + columns);
    stencils[cell] = {
        {south_west, south_west + 1, north_west, north_west + 1}, column.share, row.share};
  }
  return stencils;
}

std::vector<Stencil> search(const SourceGrid& source, const std::vector<double>& longitude,
                            const std::vector<double>& latitude) {
  if (!source.points) return search_axes(source, longitude, latitude);
  auto stencils = search_quads(*source.points, longitude, latitude);
  for (std::size_t cell = 0; source.box && cell < stencils.size(); ++cell) {
    if (!is_in_box(*source.box, {longitude[cell], latitude[cell]})) stencils[cell] = {};
  }
  return stencils;
}

}  // namespace

Regridder::Regridder(const SourceGrid& source, const std::vector<double>& longitude,
                     const std::vector<double>& latitude, CoastRule rule)
    : Regridder(search(source, longitude, latitude), source.size(), rule) {
  if (!source.staggered) return;
  centre_.resize(source.size());
  for (std::size_t n = 0; n < source.size(); ++n) centre_[n] = source.is_centre(n) ? 1 : 0;
  compute_weights();
}

Regridder::Regridder(std::vector<Stencil> stencils, std::size_t point_count, CoastRule rule)
    : rule_(rule),
      stencils_(std::move(stencils)),
      weights_(stencils_.size()),
      outside_(stencils_.size(), 0),
      land_(stencils_.size(), 0),
      dry_(point_count, 0) {
  for (std::size_t cell = 0; cell < stencils_.size(); ++cell) {
    outside_[cell] = stencils_[cell].point[0] == Stencil::none ? 1 : 0;
  }
  compute_weights();
}

void Regridder::set_dry(const std::vector<std::uint8_t>& dry) {
  if (dry == dry_) return;
  dry_ = dry;
  compute_weights();
}

std::size_t Regridder::deciding_corner(const Stencil& stencil) const {
  for (std::size_t corner = 0; corner < 4 && !centre_.empty(); ++corner) {
    if (centre_[stencil.point[corner]] != 0) return corner;
  }
  return (stencil.across < 0.5 ? 0U : 1U) + (stencil.along < 0.5 ? 0U : 2U);
}

void Regridder::compute_weights() {
  for (std::size_t cell = 0; cell < stencils_.size(); ++cell) {
    land_[cell] = 1;
    if (outside_[cell] != 0) continue;
    const Stencil& stencil = stencils_[cell];
    auto& weights = weights_[cell];
    const auto [x, y] = std::pair{stencil.across, stencil.along};
    weights = {(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y};
    double sum = 0;
    for (std::size_t corner = 0; corner < 4; ++corner) {
      if (dry_[stencil.point[corner]] != 0) weights[corner] = 0;
      sum += weights[corner];
    }
    const bool has_value = rule_ == CoastRule::any_point
                               ? sum > 0
                               : dry_[stencil.point[deciding_corner(stencil)]] == 0;
    if (!has_value) continue;
    land_[cell] = 0;
    for (double& weight : weights) weight /= sum;
  }
}

}  // namespace tidewise::ingest
