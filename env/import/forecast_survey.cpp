#include "env/import/forecast_survey.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "env/import/depth/depth_level.h"
#include "env/import/file/field_layout.h"
#include "env/import/file/forecast_file.h"
#include "env/import/grid/target_grid.h"
#include "env/import/source/forecast_source.h"
#include "env/import/source_description.h"

namespace tidewise::ingest {
namespace {

constexpr double deepest_dive = 6000;      // [m]
constexpr double mean_radius = 6371008.8;  // [m]
constexpr double metres_per_degree = mean_radius * std::numbers::pi / 180;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// The equivalent longitude from −180 to 180.
double wrapped(double degrees) { return degrees - 360 * std::round(degrees / 360); }

SourceRequest request_for(const ImportOptions& options) {
  SourceRequest request = describe_velocity(options).request;
  // Searching for land would read all times.
  request.zeros = Zeros::water;
  return request;
}

/// The greatest depth, at most `wanted` [m], to which the velocity has levels; 0 if it has only
/// one.
double depth_within_levels(const ImportOptions& options, double max_depth) {
  const SourceRequest request = describe_velocity(options).request;
  const SourceVariable& u = request.variables.front();
  for (const auto& path : u.files.empty() ? request.files : u.files) {
    const auto file = open_forecast_file(path);
    if (!file->has(u.name)) continue;
    const auto layout = find_layout(*file, u.name, request.names, request.time);
    const auto& place = layout.place(Role::depth);
    if (!place || place->size < 2 || place->coordinate.empty()) return 0;
    const auto levels = choose_dive_levels(*file, u.name, *place, 0, max_depth, Surface::nearest);
    // Levels that follow the bottom reach down to it.
    return levels.depth.empty() ? max_depth : std::min(max_depth, levels.depth.back());
  }
  return 0;
}

template <class Visit>
void for_each_place(const SourceGrid& grid, const Visit& visit) {
  if (grid.points) {
    for (std::size_t n = 0; n < grid.size(); ++n) {
      if (grid.points->has_place(n)) visit(n, grid.points->place(n));
    }
    return;
  }
  const std::size_t columns = grid.longitude.size();
  for (std::size_t n = 0; n < grid.size(); ++n) visit(n, grid.place(n / columns, n % columns));
}

BoundingBox area_of(const SourceGrid& grid) {
  if (!grid.points) {
    return {grid.longitude.front(), grid.latitude.front(), grid.longitude.back(),
            grid.latitude.back()};
  }
  const double middle = middle_of(grid).longitude;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  BoundingBox area{infinity, infinity, -infinity, -infinity};
  for_each_place(grid, [&](std::size_t, GeographicPoint place) {
    const double longitude = middle + wrapped(place.longitude - middle);
    area = {std::min(area[0], longitude), std::min(area[1], place.latitude),
            std::max(area[2], longitude), std::max(area[3], place.latitude)};
  });
  return area;
}

/// Up to three times within a window, or the one nearest to it.
std::set<std::size_t> times_within(const std::vector<double>& times, double first, double last) {
  std::set<std::size_t> inside;
  for (std::size_t n = 0; n < times.size(); ++n) {
    if (times[n] >= first && times[n] <= last) inside.insert(n);
  }
  if (inside.empty()) {
    const auto after = std::lower_bound(times.begin(), times.end(), first) - times.begin();
    return {std::min(static_cast<std::size_t>(after), times.size() - 1)};
  }
  return {*inside.begin(), (*inside.begin() + *inside.rbegin()) / 2, *inside.rbegin()};
}

/// The depth of the deepest level with water at any point [m].
double deepest_level(const WaterColumns& columns) {
  double deepest = 0;
  for (std::size_t point = 0; point < columns.point_count; ++point) {
    if (columns.wet[point] == 0) continue;
    const bool has_own_depths = columns.depth.size() > columns.level_count;
    const std::size_t first = has_own_depths ? point * columns.level_count : 0;
    deepest = std::max(deepest, columns.depth[first + columns.wet[point] - 1]);
  }
  return deepest;
}

}  // namespace

bool ForecastSurvey::contains(GeographicPoint place) const {
  const double margin = spacing / 2 / metres_per_degree;
  if (place.latitude < area[1] - margin || place.latitude > area[3] + margin) return false;
  const double across = margin / std::max(0.01, std::cos(radians(place.latitude)));
  const double half = (area[2] - area[0]) / 2;
  return std::abs(wrapped(place.longitude - (area[0] + half))) <= half + across;
}

ForecastSurvey survey_forecast(const ImportOptions& options) {
  const ForecastSource source(request_for(options));
  ForecastSurvey survey;
  survey.area = area_of(source.grid());
  survey.times = source.times();
  survey.member_count = source.member_count();
  survey.spacing = own_spacing(source.grid());
  survey.has_depths = depth_within_levels(options, deepest_dive) > 0;
  return survey;
}

WaterSurvey survey_water(const ImportOptions& options, double first, double last, double depth) {
  WaterSurvey water;
  std::vector<double> speeds;
  {
    ForecastSource source(request_for(options));
    const std::size_t points = source.grid().size() * source.member_count();
    for (const std::size_t time : times_within(source.times(), first, last)) {
      const std::vector<double> fields = source.read(time);
      for (std::size_t n = 0; n < points; ++n) {
        const double speed = std::hypot(fields[n], fields[points + n]);
        if (speed > 0) speeds.push_back(speed);
      }
    }
  }
  if (!speeds.empty()) {
    const auto percentile =
        speeds.begin() + static_cast<std::ptrdiff_t>(0.95 * (speeds.size() - 1));
    std::nth_element(speeds.begin(), percentile, speeds.end());
    water.speed = *percentile;
  }
  const double max_depth = depth > 0 ? std::floor(depth_within_levels(options, depth)) : 0;
  if (!(max_depth > 0)) return water;
  SourceRequest dives = describe_velocity(options).request;
  dives.dives.profiles = {parse_profile("dive=0:" + std::to_string(static_cast<int>(max_depth)))};
  ForecastSource source(std::move(dives));
  water.deepest =
      deepest_level(source.read_columns(*times_within(source.times(), first, last).begin()));
  return water;
}

bool is_water(const ImportOptions& options, const ForecastSurvey& survey, GeographicPoint place) {
  ImportOptions around = options;
  const double height = 2 * survey.spacing / metres_per_degree;
  const double width = height / std::max(0.01, std::cos(radians(place.latitude)));
  const double west = wrapped(place.longitude - width);
  around.box = BoundingBox{west, std::max(-90.0, place.latitude - height), west + 2 * width,
                           std::min(90.0, place.latitude + height)};
  ForecastSource source(request_for(around));
  std::size_t nearest = 0;
  double min = std::numeric_limits<double>::infinity();
  for_each_place(source.grid(), [&](std::size_t n, GeographicPoint point) {
    const double distance = distance_between(place, point);
    if (distance < min) nearest = n;
    min = std::min(min, distance);
  });
  // Land has no values, or 0 at all times.
  const std::size_t points = source.grid().size() * source.member_count();
  for (const std::size_t time : {std::size_t{0}, source.times().size() - 1}) {
    const std::vector<double> fields = source.read(time);
    if (std::hypot(fields[nearest], fields[points + nearest]) > 0) return true;
  }
  return false;
}

double distance_between(GeographicPoint from, GeographicPoint to) {
  const double up = std::sin(radians(to.latitude - from.latitude) / 2);
  const double across = std::sin(radians(to.longitude - from.longitude) / 2);
  const double half =
      up * up + std::cos(radians(from.latitude)) * std::cos(radians(to.latitude)) * across * across;
  return 2 * mean_radius * std::asin(std::min(1.0, std::sqrt(half)));
}

BoundingBox box_between(GeographicPoint start, GeographicPoint target, double speed, double flow,
                        double spacing) {
  const double shrink = std::max(
      0.05, std::cos(radians(std::max(std::abs(start.latitude), std::abs(target.latitude)))));
  const double east = wrapped(target.longitude - start.longitude) * shrink * metres_per_degree;
  const double north = (target.latitude - start.latitude) * metres_per_degree;
  // All places whose distances to both ends sum to no more than this: an ellipse.
  const double relative = speed > 0 ? std::clamp(flow / speed, 0.5, 2.0) : 2.0;
  const double straight = std::hypot(east, north);
  const double major = straight * (1 + relative) / 2;
  const double minor = std::sqrt(major * major - straight * straight / 4);
  const double angle = std::atan2(north, east);
  const double min = 6 * spacing;
  const double half_width = std::max(std::hypot(major * std::cos(angle), minor * std::sin(angle)),
                                     std::abs(east) / 2 + min) /
                            metres_per_degree / shrink;
  const double half_height = std::max(std::hypot(major * std::sin(angle), minor * std::cos(angle)),
                                      std::abs(north) / 2 + min) /
                             metres_per_degree;
  const double longitude = start.longitude + wrapped(target.longitude - start.longitude) / 2;
  const double latitude = (start.latitude + target.latitude) / 2;
  const auto below = [](double degrees) { return std::floor(degrees * 100) / 100; };
  const auto above = [](double degrees) { return std::ceil(degrees * 100) / 100; };
  const double turns = 360 * std::floor((longitude - half_width + 180) / 360);
  return {below(longitude - half_width - turns), std::max(-90.0, below(latitude - half_height)),
          above(longitude + half_width - turns), std::min(90.0, above(latitude + half_height))};
}

}  // namespace tidewise::ingest
