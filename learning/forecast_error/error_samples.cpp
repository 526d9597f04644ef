#include "learning/forecast_error/error_samples.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "base/error.h"
#include "env/levels/level_stream.h"
#include "learning/error/codes.h"
#include "learning/flow_observation.h"

namespace tidewise {
namespace {

PlanePoint middle(const ObservedLeg& leg) {
  const PlanePoint from = leg.leg.points.front();
  const PlanePoint until = leg.leg.points.back();
  return {0.5 * (from.x + until.x), 0.5 * (from.y + until.y)};
}

/// Assigns each leg to its series.
class SeriesOfLegs {
 public:
  explicit SeriesOfLegs(double near) : near_(near) {}

  void begin_track() { track_ = count_++; }

  std::size_t index_of(const ObservedTrack& track, const ObservedLeg& leg) {
    if (track.by == ObservedBy::drifter) return track_;
    if (track.by == ObservedBy::vehicle) return 0;
    const PlanePoint at = middle(leg);
    for (const auto& [series, place] : boxes_) {
      if (std::hypot(at.x - place.x, at.y - place.y) < near_) return series;
    }
    boxes_.emplace_back(count_, at);
    return count_++;
  }

  std::size_t count() const { return count_; }

 private:
  double near_;
  std::size_t count_ = 1;  // the first is the vehicle's
  std::size_t track_ = 0;
  std::vector<std::pair<std::size_t, PlanePoint>> boxes_;
};

}  // namespace

std::vector<ErrorSeries> forecast_errors(const EnvironmentReader& forecast,
                                         const std::vector<ObservedTrack>& tracks,
                                         Progress& progress) {
  const EnvironmentInfo& info = forecast.info();
  if (info.units != Units::metric) {
    throw input_error(errors::error_fit_without_units, forecast.path().string());
  }
  struct Leg {
    const ObservedLeg* leg;
    std::size_t series;
    bool is_fixed;
    FlowOperator along;
  };
  std::vector<Leg> legs;
  std::map<std::int32_t, std::vector<std::size_t>> legs_of_level;
  SeriesOfLegs series(2 * std::max(info.grid.dx, info.grid.dy));
  for (const ObservedTrack& track : tracks) {
    series.begin_track();
    for (const ObservedLeg& leg : track.legs) {
      // The mean field is the forecast; the modes are not needed.
      legs.push_back({&leg, series.index_of(track, leg), track.by == ObservedBy::radar,
                      FlowOperator(sample_leg(info.grid, info.time, leg.leg), 0)});
      for (const std::int32_t k : legs.back().along.levels()) {
        legs_of_level[k].push_back(legs.size() - 1);
      }
    }
  }

  std::vector<TimeLevel> order;
  for (const auto& [level, leg_indices] : legs_of_level) order.emplace_back(level);
  LevelStream stream(forecast, order);
  progress.begin("comparing", static_cast<std::int64_t>(order.size()), "levels");
  for (std::size_t n = 0; n < order.size(); ++n) {
    const LevelFields<>& fields = stream.next();
    for (const std::size_t leg : legs_of_level[order[n].value]) {
      legs[leg].along.add(order[n], fields.view(info).profile(legs[leg].leg->profile.value_or(0)));
    }
    progress.advance_to(static_cast<std::int64_t>(n) + 1);
  }
  progress.end();

  constexpr double max_dry_share = 0.5;
  std::vector<ErrorSeries> all(series.count());
  for (const Leg& entry : legs) {
    if (entry.along.dry_share() > max_dry_share) continue;
    const ObservedLeg& leg = *entry.leg;
    const double begin = leg.leg.times.front();
    const double end = leg.leg.times.back();
    all[entry.series].is_fixed = entry.is_fixed;
    all[entry.series].samples.push_back(
        {.lead = 0.5 * (begin + end) - info.time.first,
         .duration = end - begin,
         .at = middle(leg),
         .u = leg.u - entry.along.observe_u(leg.u, leg.error_u).mean,
         .v = leg.v - entry.along.observe_v(leg.v, leg.error_v).mean,
         .variance = 0.5 * (leg.error_u * leg.error_u + leg.error_v * leg.error_v)});
  }
  std::erase_if(all, [](const ErrorSeries& entry) { return entry.samples.empty(); });
  if (all.empty()) throw input_error(errors::track_on_land, forecast.path().string());
  for (ErrorSeries& entry : all) {
    std::stable_sort(entry.samples.begin(), entry.samples.end(),
                     [](const ErrorSample& a, const ErrorSample& b) { return a.lead < b.lead; });
  }
  return all;
}

}  // namespace tidewise
