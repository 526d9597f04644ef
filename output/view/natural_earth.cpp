#include "output/view/natural_earth.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "env/units/angle.h"
#include "env/units/geographic_position.h"
#include "output/view/page_parts.h"

namespace tidewise {
namespace {

constexpr double steps_per_degree = 1000;
constexpr double visible_share = 1.0 / 2000;  // of the plane's longer side

std::vector<std::uint8_t> inflated(std::string_view packed) {
  std::vector<std::uint8_t> bytes(std::size_t{1} << 21);
  uLongf size = bytes.size();
  const auto* from = reinterpret_cast<const Bytef*>(packed.data());
  if (uncompress(bytes.data(), &size, from, packed.size()) != Z_OK) {
    throw RunError("the map data in the program are damaged; install Tidewise again");
  }
  bytes.resize(size);
  return bytes;
}

/// Reads the numbers that natural_earth/make_coastline.py wrote, in their order.
class LineReader {
 public:
  explicit LineReader(std::string_view packed) : bytes_(inflated(packed)) {}

  std::uint32_t count() {
    std::uint32_t number = 0;
    for (int shift = 0; shift < 32 && at_ < bytes_.size(); shift += 7) {
      const std::uint8_t byte = bytes_[at_++];
      number |= static_cast<std::uint32_t>(byte & 127U) << shift;
      if (byte < 128) break;
    }
    return number;
  }
  GeographicPoint place() {
    longitude_ += difference();
    latitude_ += difference();
    return {longitude_ / steps_per_degree, latitude_ / steps_per_degree};
  }

 private:
  std::int32_t difference() {
    const std::uint32_t folded = count();
    const auto half = static_cast<std::int32_t>(folded >> 1);
    return (folded & 1U) == 0 ? half : -half - 1;
  }

  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::int32_t longitude_ = 0, latitude_ = 0;
};

using Direction = std::array<double, 3>;

Direction direction_of(double longitude, double latitude) {
  const double lambda = longitude * radians_per_degree;
  const double phi = latitude * radians_per_degree;
  return {std::cos(phi) * std::cos(lambda), std::cos(phi) * std::sin(lambda), std::sin(phi)};
}

double cosine(const Direction& a, const Direction& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The nodes of a globe's lattice, and a margin of nodes around them, because a window rarely has
/// the region's shape. The margin is extrapolated by parabolas through the first, middle and last
/// node of a row or column, with an error of some 1 km if region and margin are some 1000 km wide.
class Nodes {
 public:
  Nodes(const Grid& cells, const GlobeView& globe) : globe_(globe) {
    const ViewLattice& lattice = globe.lattice;
    if (lattice.nx < 3 || lattice.ny < 3) return;
    const double dx = cells.dx * lattice.cell_stride;
    const double dy = cells.dy * lattice.cell_stride;
    const double width = lattice.nx * dx;
    const double height = lattice.ny * dy;
    const double side = 1.5 * std::max(width, height);
    margin_x_ = static_cast<std::int32_t>(std::ceil(0.5 * (side - width) / dx));
    margin_y_ = static_cast<std::int32_t>(std::ceil(0.5 * (side - height) / dy));
    while (!is_on_sphere()) {
      margin_x_ /= 2;
      margin_y_ /= 2;
    }
  }

  std::int32_t columns() const { return globe_.lattice.nx + 2 * margin_x_; }
  std::int32_t rows() const { return globe_.lattice.ny + 2 * margin_y_; }
  std::int32_t margin_x() const { return margin_x_; }
  std::int32_t margin_y() const { return margin_y_; }
  Direction at(std::int32_t i, std::int32_t j) const {
    const std::int32_t row = j - margin_y_;
    const std::int32_t last = globe_.lattice.ny - 1;
    if (row >= 0 && row <= last) return in_row(i - margin_x_, row);
    const std::int32_t half = last / 2;
    return parabola(in_row(i - margin_x_, 0), in_row(i - margin_x_, half),
                    in_row(i - margin_x_, 2 * half), static_cast<double>(row) / half);
  }

 private:
  Direction in_row(std::int32_t i, std::int32_t j) const {
    const std::int32_t last = globe_.lattice.nx - 1;
    if (i >= 0 && i <= last) return lattice_node(i, j);
    const std::int32_t half = last / 2;
    return parabola(lattice_node(0, j), lattice_node(half, j), lattice_node(2 * half, j),
                    static_cast<double>(i) / half);
  }

  Direction lattice_node(std::int32_t i, std::int32_t j) const {
    const std::size_t plane = globe_.lattice.plane();
    const auto n = static_cast<std::size_t>(j) * static_cast<std::size_t>(globe_.lattice.nx) +
                   static_cast<std::size_t>(i);
    return {globe_.point[n], globe_.point[plane + n], globe_.point[2 * plane + n]};
  }

  /// The parabola through a at 0, b at 1 and c at 2.
  static Direction parabola(const Direction& a, const Direction& b, const Direction& c, double t) {
    Direction value{};
    for (std::size_t n = 0; n < value.size(); ++n) {
      value[n] = 0.5 * (t - 1) * (t - 2) * a[n] - t * (t - 2) * b[n] + 0.5 * t * (t - 1) * c[n];
    }
    return value;
  }

  /// True if the corners are still about on the unit sphere.
  bool is_on_sphere() const {
    constexpr double tolerance = 2e-4;
    const std::array<std::pair<std::int32_t, std::int32_t>, 4> corners{
        {{0, 0}, {columns() - 1, 0}, {0, rows() - 1}, {columns() - 1, rows() - 1}}};
    return std::all_of(corners.begin(), corners.end(), [&](const auto& corner) {
      const Direction place = at(corner.first, corner.second);
      return (margin_x_ == 0 && margin_y_ == 0) ||
             std::abs(std::sqrt(cosine(place, place)) - 1) < tolerance;
    });
  }

  const GlobeView& globe_;
  std::int32_t margin_x_ = 0, margin_y_ = 0;
};

/// Excludes places far from a lattice quickly: those that are farther from each of a few nodes than
/// these are from each other.
class Nearness {
 public:
  explicit Nearness(const Nodes& nodes) {
    const std::int32_t every = std::max(std::max(nodes.columns(), nodes.rows()) / 16, 1);
    double min = 1;
    for (std::int32_t j = 0; j < nodes.rows(); j += every) {
      for (std::int32_t i = 0; i < nodes.columns(); i += every) {
        sample_.push_back(nodes.at(i, j));
        const Direction diagonal = nodes.at(std::min(i + every, nodes.columns() - 1),
                                            std::min(j + every, nodes.rows() - 1));
        min = std::min(min, cosine(sample_.back(), diagonal));
      }
    }
    constexpr double margin = 1e-3;  // [rad], for lattices of a few nodes
    min_cosine_ = std::cos(std::min(1.2 * std::acos(std::clamp(min, -1.0, 1.0)) + margin, 3.1415));
  }

  bool may_hold(const GeographicPoint& place) const {
    const Direction direction = direction_of(place.longitude, place.latitude);
    return std::any_of(sample_.begin(), sample_.end(), [&](const Direction& node) {
      return cosine(node, direction) >= min_cosine_;
    });
  }

 private:
  std::vector<Direction> sample_;
  double min_cosine_ = -1;
};

/// The grid of a lattice's nodes with their margin.
Grid grid_of(const Grid& cells, const ViewLattice& lattice, const Nodes& nodes) {
  const double dx = cells.dx * lattice.cell_stride;
  const double dy = cells.dy * lattice.cell_stride;
  return {nodes.columns(),
          nodes.rows(),
          cells.x_first - nodes.margin_x() * dx,
          cells.y_first - nodes.margin_y() * dy,
          dx,
          dy};
}

/// Finds the positions in the plane of places in its grid and around it.
class PlaneWindow {
 public:
  PlaneWindow(const Grid& cells, const GlobeView& globe)
      : nodes_(cells, globe),
        near_(nodes_),
        grid_(grid_of(cells, globe.lattice, nodes_)),
        longer_side_(std::max(cells.nx * cells.dx, cells.ny * cells.dy)) {
    for (std::int32_t j = 0; j < nodes_.rows(); ++j) {
      for (std::int32_t i = 0; i < nodes_.columns(); ++i) {
        const Direction node = nodes_.at(i, j);
        longitude_.push_back(std::atan2(node[1], node[0]) / radians_per_degree);
        latitude_.push_back(std::atan2(node[2], std::hypot(node[0], node[1])) / radians_per_degree);
      }
    }
    plane_.emplace(grid_, longitude_, latitude_);
  }

  std::optional<PlanePoint> find(const GeographicPoint& place) {
    if (!near_.may_hold(place)) return std::nullopt;
    return plane_->find(place.longitude, place.latitude);
  }
  double longer_side() const { return longer_side_; }  ///< longer side of the region

 private:
  Nodes nodes_;
  Nearness near_;
  Grid grid_;
  double longer_side_;
  std::vector<double> longitude_, latitude_;  // coordinates of the nodes; plane_ refers to them
  std::optional<PlaneFinder> plane_;
};

NaturalEarthView::Lines lines_in(std::string_view packed, PlaneWindow& window) {
  const double min_distance = visible_share * window.longer_side();
  NaturalEarthView::Lines lines;
  std::vector<PlanePoint> line;
  const auto end_line = [&] {
    if (line.size() > 1) lines.push_back(line);
    line.clear();
  };
  LineReader reader(packed);
  for (std::uint32_t lines_left = reader.count(); lines_left > 0; --lines_left) {
    for (std::uint32_t points = reader.count(); points > 0; --points) {
      const auto point = window.find(reader.place());
      if (!point) {
        end_line();
        continue;
      }
      const bool is_visible =
          line.empty() || points == 1 ||
          std::hypot(point->x - line.back().x, point->y - line.back().y) >= min_distance;
      if (is_visible) line.push_back(*point);
    }
    end_line();
  }
  return lines;
}

/// Reads the names that natural_earth/make_depths_and_names.py wrote.
std::vector<MapName> names_in(PlaneWindow& window) {
  constexpr std::size_t max_names = 60;
  const std::vector<std::uint8_t> bytes = inflated(page_names);
  std::istringstream rows(std::string(bytes.begin(), bytes.end()));
  std::vector<MapName> names;
  MapName name;
  std::string kind;
  GeographicPoint place;
  while (names.size() < max_names &&
         rows >> name.rank >> kind >> place.longitude >> place.latitude &&
         std::getline(rows.ignore(), name.name)) {
    const auto point =
        window.find({place.longitude / steps_per_degree, place.latitude / steps_per_degree});
    if (!point) continue;
    name.point = *point;
    name.is_sea = kind == "sea";
    names.push_back(name);
  }
  return names;
}

}  // namespace

NaturalEarthView natural_earth_in(const Grid& grid, const GlobeView& globe) {
  PlaneWindow window(grid, globe);
  return {lines_in(page_coastline, window), lines_in(page_depth_200, window),
          lines_in(page_depth_1000, window), names_in(window)};
}

}  // namespace tidewise
