#include "output/board/position_nodes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "env/units/angle.h"
#include "env/units/geographic_position.h"
#include "env/units/meridian_convergence.h"
#include "output/board/bytes.h"
#include "output/error/codes.h"
#include "tidewise_policy.h"

namespace tidewise {
namespace {

constexpr double good_position = 0.002;  // [cells]
constexpr double good_bearing = 0.1;     // [degrees]
constexpr double worst_position = 0.01;  // [cells]

/// The centre of the plane's projection if it is in the grid, since the map of such a plane would
/// be curved around another point; else the middle of the grid.
GeographicPoint centre_of(const Grid& grid, const std::vector<double>& longitude,
                          const std::vector<double>& latitude) {
  const bool has_origin = grid.contains(grid.column_at(0), grid.row_at(0));
  const PlanePoint middle{grid.x(grid.nx / 2), grid.y(grid.ny / 2)};
  return to_globe(grid, longitude, latitude, has_origin ? PlanePoint{} : middle);
}

/// atanh form of the conformal latitude of WGS84 (Snyder, Map Projections, 3-1).
double conformal_latitude(double degrees) {
  constexpr double flattening = 1 / 298.257223563;
  const double e = std::sqrt(flattening * (2 - flattening));
  const double s = std::sin(degrees * radians_per_degree);
  if (std::abs(s) >= 1) return degrees * radians_per_degree;
  return std::atan(std::sinh(std::atanh(s) - e * std::atanh(e * s)));
}

/// A policy that holds these nodes, for the functions of tidewise_policy.h.
class BoardMap {
 public:
  BoardMap(const Grid& grid, const PositionNodes& nodes) {
    bytes_.resize(128);
    for (const float value : nodes.map) append(bytes_, std::bit_cast<std::uint32_t>(value));
    policy_.memory = bytes_.data();
    policy_.size = static_cast<std::uint32_t>(bytes_.size());
    policy_.flags = TW_POLICY_HAS_POSITIONS;
    policy_.plan_rows = static_cast<std::uint32_t>(grid.ny);
    policy_.plan_columns = static_cast<std::uint32_t>(grid.nx);
    policy_.x0 = grid.x_first;
    policy_.dx = grid.dx;
    policy_.y0 = grid.y_first;
    policy_.dy = grid.dy;
    policy_.nodes_at = 128;
    policy_.node_step = nodes.step;
    policy_.node_rows = nodes.rows;
    policy_.node_columns = nodes.columns;
    policy_.centre_longitude = nodes.centre_longitude * radians_per_degree;
    policy_.sin_centre = nodes.sin_centre;
    policy_.cos_centre = nodes.cos_centre;
  }

  const tw_policy& policy() const { return policy_; }

 private:
  std::vector<std::uint8_t> bytes_;
  tw_policy policy_{};
};

class NodeSearch {
 public:
  NodeSearch(const Grid& grid, const std::vector<double>& longitude,
             const std::vector<double>& latitude)
      : grid_(grid),
        longitude_(longitude),
        latitude_(latitude),
        convergence_(MeridianConvergence(grid, longitude, latitude).at_cells()) {
    const GeographicPoint centre = centre_of(grid, longitude, latitude);
    const double conformal = conformal_latitude(centre.latitude);
    best_.centre_longitude = centre.longitude;
    best_.sin_centre = std::sin(conformal);
    best_.cos_centre = std::cos(conformal);
    map_all();
  }

  PositionNodes find() {
    auto step = static_cast<std::uint32_t>(std::max(grid_.nx, grid_.ny) - 1);
    for (;; step = (step + 1) / 2) {
      sample(step);
      const bool last = step == 1;
      if (measure(last ? worst_position : good_position,
                  last ? std::numeric_limits<double>::infinity() : good_bearing)) {
        return best_;
      }
      if (last) break;
    }
    throw input_error(errors::degrees_uneven);
  }

 private:
  void map_all() {
    const BoardMap map(grid_, best_);
    map_.reserve(2 * longitude_.size());
    for (std::size_t cell = 0; cell < longitude_.size(); ++cell) {
      double p = 0;
      double q = 0;
      if (tw_policy_map(&map.policy(), longitude_[cell], latitude_[cell], &p, &q) == 0) {
        throw input_error(errors::degrees_nowhere, longitude_[cell], latitude_[cell]);
      }
      map_.push_back(static_cast<float>(p));
      map_.push_back(static_cast<float>(q));
    }
  }

  void sample(std::uint32_t step) {
    const auto count = [&](std::int32_t cells) {
      return tw_policy_node_count(static_cast<std::uint32_t>(cells), step);
    };
    best_.step = step;
    best_.rows = count(grid_.ny);
    best_.columns = count(grid_.nx);
    best_.map.clear();
    const auto at = [&](std::uint32_t node, std::int32_t cells) {
      return std::min(node * static_cast<std::size_t>(step), static_cast<std::size_t>(cells - 1));
    };
    for (std::uint32_t j = 0; j < best_.rows; ++j) {
      for (std::uint32_t i = 0; i < best_.columns; ++i) {
        const std::size_t cell =
            at(j, grid_.ny) * static_cast<std::size_t>(grid_.nx) + at(i, grid_.nx);
        best_.map.insert(best_.map.end(), {map_[2 * cell], map_[2 * cell + 1]});
      }
    }
  }

  /// Measures the errors at the cell centres. False if one of them exceeds a limit.
  bool measure(double max_cells, double max_degrees) {
    const BoardMap board(grid_, best_);
    best_.position_error = 0;
    best_.bearing_error = 0;
    for (std::size_t cell = 0; cell < longitude_.size(); ++cell) {
      const CellIndex index(static_cast<std::int32_t>(cell));
      const double x = grid_.x(grid_.column(index));
      const double y = grid_.y(grid_.row(index));
      PlanePoint computed;
      if (tw_policy_to_plane(&board.policy(), longitude_[cell], latitude_[cell], &computed.x,
                             &computed.y) != TW_POLICY_OK) {
        return false;
      }
      const double position_error =
          std::max(std::abs(computed.x - x) / grid_.dx, std::abs(computed.y - y) / grid_.dy);
      best_.position_error = std::max(best_.position_error, position_error);
      if (!(position_error <= max_cells)) return false;
      double convergence = 0;
      tw_policy_convergence(&board.policy(), x, y, &convergence);
      // Bearings are undefined at a pole.
      if (std::isnan(convergence) || 90 - std::abs(latitude_[cell]) < polar_part()) continue;
      const double bearing_error =
          std::abs(std::remainder(convergence - convergence_[cell], 360.0));
      best_.bearing_error = std::max(best_.bearing_error, bearing_error);
      if (!(bearing_error <= max_degrees)) return false;
    }
    return true;
  }

  /// A tenth of the distance between the first two cells [degrees].
  double polar_part() const {
    return 0.1 * std::hypot(map_[2] - map_[0], map_[3] - map_[1]) / radians_per_degree;
  }

  const Grid& grid_;
  const std::vector<double>& longitude_;
  const std::vector<double>& latitude_;
  std::vector<double> convergence_;
  std::vector<float> map_;  // (y, x, 2)
  PositionNodes best_;
};

}  // namespace

PositionNodes find_position_nodes(const Grid& grid, const std::vector<double>& longitude,
                                  const std::vector<double>& latitude) {
  const auto finite = [](double degrees) { return std::isfinite(degrees); };
  if (!std::all_of(longitude.begin(), longitude.end(), finite) ||
      !std::all_of(latitude.begin(), latitude.end(), finite)) {
    throw input_error(errors::degrees_not_finite);
  }
  return NodeSearch(grid, longitude, latitude).find();
}

}  // namespace tidewise
