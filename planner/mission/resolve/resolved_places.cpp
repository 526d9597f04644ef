#include "planner/mission/resolve/resolved_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "env/units/angle.h"
#include "env/units/geographic_position.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

bool are_finite(const std::vector<double>& degrees) {
  return std::all_of(degrees.begin(), degrees.end(), [](double d) { return std::isfinite(d); });
}

/// Returns the cell whose centre is approximately nearest to a position in degrees.
std::size_t nearest_cell(const std::vector<double>& longitude, const std::vector<double>& latitude,
                         const Vertex& place) {
  const double narrowing = std::cos(place[1] * radians_per_degree);
  double min = std::numeric_limits<double>::infinity();
  std::size_t nearest = 0;
  for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
    const double distance = std::hypot(std::remainder(longitude[cell] - place[0], 360) * narrowing,
                                       latitude[cell] - place[1]);
    if (!(distance < min)) continue;
    min = distance;
    nearest = cell;
  }
  return nearest;
}

}  // namespace

AreaResolver::AreaResolver(const RunRequest& request, const EnvironmentReader& environment)
    : request_(request), environment_(environment), plane_cells_(environment.info().grid) {}

void AreaResolver::refuse(const std::string& key, const std::string& why) const {
  throw InputError(fmt::format("{}: {} {}", request_.place(key), key, why));
}

const AreaResolver::Degrees* AreaResolver::known_degrees() const {
  const EnvironmentInfo& info = environment_.info();
  if (!has_read_degrees_ && info.coordinates == Coordinates::geographic) {
    Degrees new_degrees{environment_.read_longitude(), environment_.read_latitude(), {}};
    if (are_finite(new_degrees.longitude) && are_finite(new_degrees.latitude)) {
      new_degrees.cells.emplace(info.grid, new_degrees.longitude, new_degrees.latitude);
      degrees_ = std::move(new_degrees);
    }
  }
  has_read_degrees_ = true;
  return degrees_ ? &*degrees_ : nullptr;
}

const AreaResolver::Degrees& AreaResolver::degrees(const std::string& key) const {
  if (const Degrees* known = known_degrees()) return *known;
  const EnvironmentNames& names = environment_.names();
  if (environment_.info().coordinates != Coordinates::geographic) {
    const auto ending = key.rfind("_lonlat");
    refuse(key, error_text(errors::degrees_unavailable, names.lon, names.lat,
                           environment_.path().string(),
                           ending == std::string::npos ? "it" : key.substr(0, ending)));
  }
  throw input_error(errors::environment_degrees_not_finite, environment_.path().string(),
                    are_finite(environment_.read_longitude()) ? names.lat : names.lon);
}

void AreaResolver::refuse_degrees(const std::string& key, const Vertex& vertex) const {
  const std::string place = request_.place(key);
  std::string remedy = key + "_lonlat";
  if (place.starts_with("--at-xy ")) {
    remedy = fmt::format("--at {},{}", vertex[0], vertex[1]);
  } else if (key == "mission.via" || key == "mission.no_go") {
    remedy = key == "mission.no_go" ? "polygon_lonlat" : "lonlat or polygon_lonlat";
  }
  refuse(key, error_text(errors::place_looks_like_degrees, vertex[0], vertex[1], key, remedy));
}

bool AreaResolver::is_in_degrees(const Vertex& vertex) const {
  const EnvironmentInfo& info = environment_.info();
  if (!could_be_degrees(info.grid, info.units, vertex[0], vertex[1])) return false;
  const Degrees* known = known_degrees();
  return known != nullptr && are_likely_degrees(info.grid, info.units, known->longitude,
                                                known->latitude, vertex[0], vertex[1]);
}

bool AreaResolver::is_in_degrees(const Polygon& polygon) const {
  const EnvironmentInfo& info = environment_.info();
  const Ring& outline = polygon.front();
  for (const Vertex& v : outline) {
    const bool is_near = std::abs(v[0] - outline[0][0]) < std::abs(info.grid.dx) &&
                         std::abs(v[1] - outline[0][1]) < std::abs(info.grid.dy);
    if (!is_near || !could_be_degrees(info.grid, info.units, v[0], v[1])) return false;
  }
  const Degrees* known = known_degrees();
  return known != nullptr && (*known->cells)(polygon).size() > plane_cells_(polygon).size();
}

std::vector<std::int32_t> AreaResolver::cells(const std::string& key, Position::Frame frame,
                                              const Polygon& polygon) const {
  if (frame == Position::Frame::plane) {
    if (is_in_degrees(polygon)) refuse_degrees(key, polygon.front().front());
    return plane_cells_(polygon);
  }
  return (*degrees(key).cells)(polygon);
}

PlanePoint AreaResolver::point(const std::string& key, Position::Frame frame,
                               const Vertex& vertex) const {
  const Grid& grid = environment_.info().grid;
  const std::string name = environment_.path().string();
  if (frame == Position::Frame::geographic) {
    const auto& [longitude, latitude, cells] = degrees(key);
    const auto point = to_plane(grid, longitude, latitude, vertex[0], vertex[1]);
    if (point) return *point;
    const auto [west, east] = std::minmax_element(longitude.begin(), longitude.end());
    const auto [south, north] = std::minmax_element(latitude.begin(), latitude.end());
    const std::size_t nearest = nearest_cell(longitude, latitude, vertex);
    refuse(key, error_text(errors::place_degrees_outside, vertex[0], vertex[1], name, *west, *east,
                           *south, *north, longitude[nearest], latitude[nearest]));
  }
  if (is_in_degrees(vertex)) refuse_degrees(key, vertex);
  const double column = (vertex[0] - grid.x_first) / grid.dx;
  const double row = (vertex[1] - grid.y_first) / grid.dy;
  // Checked in floating point first, because a far column does not fit an integer.
  if (column >= -0.5 && column <= grid.nx && row >= -0.5 && row <= grid.ny &&
      grid.contains(grid.column_at(vertex[0]), grid.row_at(vertex[1]))) {
    return {vertex[0], vertex[1]};
  }
  refuse(key, error_text(errors::place_outside, vertex[0], vertex[1], name, grid.x(0) - grid.dx / 2,
                         grid.x(grid.nx - 1) + grid.dx / 2, grid.y(0) - grid.dy / 2,
                         grid.y(grid.ny - 1) + grid.dy / 2));
}

std::string key_of_place(const char* which, const Position& position) {
  if (std::string_view(which) == "via") return "mission.via";  // a list of places
  return fmt::format("mission.{}{}{}", which, position.polygons.empty() ? "" : "_polygon",
                     position.frame == Position::Frame::geographic ? "_lonlat" : "");
}

ResolvedPlace resolve_place(const RunRequest& request, const char* which, const Position& position,
                            const AreaResolver& areas, const EnvironmentInfo& info) {
  const Grid& grid = info.grid;
  ResolvedPlace place;
  place.key = key_of_place(which, position);
  if (position.polygons.empty()) {
    std::vector<Vertex> vertices{{position.first, position.second}};
    vertices.insert(vertices.end(), position.others.begin(), position.others.end());
    for (const Vertex& vertex : vertices) {
      const PlanePoint point = areas.point(place.key, position.frame, vertex);
      place.points.push_back(point);
      place.cells.push_back(grid.cell(grid.column_at(point.x), grid.row_at(point.y)).value);
    }
    return place;
  }
  // Messages name a file by its key.
  const std::string file_key = fmt::format("mission.{}_polygon", which);
  if (!request.places.contains(place.key) && request.places.contains(file_key)) {
    place.key = file_key;
  }
  std::set<std::int32_t> cells;
  for (const Polygon& polygon : position.polygons) {
    const auto polygon_cells = areas.cells(place.key, position.frame, polygon);
    cells.insert(polygon_cells.begin(), polygon_cells.end());
  }
  if (cells.empty()) {
    throw input_error(errors::area_outside, request.place(place.key), place.key);
  }
  place.cells.assign(cells.begin(), cells.end());
  for (const std::int32_t cell : place.cells) {
    place.points.push_back(
        {grid.x(grid.column(CellIndex(cell))), grid.y(grid.row(CellIndex(cell)))});
  }
  return place;
}

std::string describe_place(const Position& position, const ResolvedPlace& place) {
  if (!position.polygons.empty()) return fmt::format("an area of {} cell(s)", place.cells.size());
  if (!position.others.empty()) return fmt::format("any of {} points", place.points.size());
  return fmt::format("[{}, {}]", position.first, position.second);
}

}  // namespace tidewise
