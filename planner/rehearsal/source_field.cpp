#include "planner/rehearsal/source_field.h"

#include <algorithm>
#include <cmath>

namespace tidewise::rehearsal {

SourceField::SourceField(ingest::ForecastSource& source, double min)
    : source_(source), points_(source.grid()), min_(min) {}

std::size_t SourceField::last_before(double seconds) const {
  const auto& times = source_.times();
  const auto after = std::upper_bound(times.begin(), times.end(), seconds) - times.begin();
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0));
}

const ingest::WaterColumns& SourceField::columns_at(std::size_t time) {
  const auto known = kept_.find(time);
  return known != kept_.end() ? known->second
                              : kept_.emplace(time, source_.read_columns(time)).first->second;
}

void SourceField::forget_before(double seconds) {
  kept_.erase(kept_.begin(), kept_.lower_bound(last_before(seconds)));
}

SourceFlow SourceField::at(Vector up, double depth, double seconds, std::size_t member,
                           Corners& near) {
  const auto corners = points_.locate(up, near);
  if (!corners) return {};
  const auto& times = source_.times();
  const std::size_t before = last_before(seconds);
  const std::size_t after = std::min(before + 1, times.size() - 1);
  const double share =
      after > before
          ? std::clamp((seconds - times[before]) / (times[after] - times[before]), 0.0, 1.0)
          : 0;
  const ingest::WaterColumns& earlier = columns_at(before);
  const ingest::WaterColumns& later = columns_at(after);
  const std::size_t members = source_.member_count();
  const auto value = [&](std::size_t component, std::size_t point) {
    const std::size_t plane = component * members + member;
    const double earlier_value = earlier.at(plane, point, depth);
    // At a time of the source the next time is not read, because it may lack a value.
    return share > 0 ? earlier_value + share * (later.at(plane, point, depth) - earlier_value)
                     : earlier_value;
  };
  const auto weights = corners->weights();
  const std::size_t deciding = points_.deciding(*corners);
  SourceFlow flow{SourceFlow::Ground::land, {}, 0};
  double weight = 0;
  Vector along;  // on a curvilinear grid, where east differs between points
  for (std::size_t n = 0; n < 4; ++n) {
    const std::size_t point = corners->point[n];
    const double east = value(0, point);
    const double north = value(1, point);
    if (std::isnan(east) || std::isnan(north)) continue;
    const double end = earlier.dive_end[point];
    if (point == deciding && end >= min_) flow.ground = SourceFlow::Ground::water;
    weight += weights[n];
    flow.dive_end += weights[n] * std::max(end, 0.0);
    if (points_.is_curvilinear()) {
      const Vector point_up = points_.up(point);
      along = along + weights[n] * (east * east_at(point_up) + north * north_at(point_up));
    } else {
      flow.current.east += weights[n] * east;
      flow.current.north += weights[n] * north;
    }
  }
  if (!(weight > 0)) return {flow.ground, {}, 0};
  if (points_.is_curvilinear()) {
    flow.current = {dot(along, east_at(up)), dot(along, north_at(up))};
  }
  flow.current = {flow.current.east / weight, flow.current.north / weight};
  flow.dive_end /= weight;
  return flow;
}

}  // namespace tidewise::rehearsal
