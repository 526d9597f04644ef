#include "planner/view/read_flights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "output/run/summary.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

constexpr double level_tolerance = 1e-3;      // [steps]
constexpr std::size_t max_drawn = 4'000'000;  // numbers, before they are packed

[[noreturn]] void refuse_times(const TrajectoryReader& file, std::size_t flight) {
  throw input_error(errors::flights_off_policy_levels, file.path().string(), flight);
}

/// Returns the level at which all flights depart. Errors: InputError unless every point but a
/// flight's first and last is at a level.
TimeLevel departure_level(const TrajectoryReader& file, const std::vector<double>& time,
                          const TimeAxis& axis) {
  const double first = (time[0] - axis.first) / axis.step;
  const double departure = std::floor(first + level_tolerance);
  if (!(departure >= 0) || !(departure < axis.level_count)) refuse_times(file, 0);
  for (std::size_t n = 0; n < file.flight_count(); ++n) {
    const std::size_t count = file.point_count()[n];
    for (std::size_t m = 0; m < count; ++m) {
      const double level = (time[n * file.max_points() + m] - axis.first) / axis.step;
      const double offset = level - (departure + static_cast<double>(m));
      const bool ends_early = m > 0 && m + 1 == count && offset > -1 && offset < 0;
      const bool departs_late = m == 0 && offset >= 0 && offset < 1;
      if (!ends_early && !departs_late && !(std::abs(offset) < level_tolerance))
        refuse_times(file, n);
    }
  }
  return TimeLevel(static_cast<std::int32_t>(departure));
}

}  // namespace

FlightsView read_flights(const TrajectoryReader& file, const TimeAxis& time, FlightLevels& levels) {
  FlightsView flights;
  const std::size_t count = file.flight_count();
  const std::size_t max = file.max_points();
  const std::vector<double> point_time = file.read("time");
  levels.first = departure_level(file, point_time, time);
  levels.departs = (point_time[0] - time.first) / time.step;
  double last = 0;  // [levels]
  TrajectoryReader::Ends ends = file.read_ends();
  for (const double end : ends.time) {
    flights.end_time.push_back(end - time.first);
    last = std::max(last, flights.end_time.back() / time.step);
  }
  flights.energy.assign(ends.energy.begin(), ends.energy.end());
  flights.outcome = std::move(ends.outcome);
  flights.realization = std::move(ends.realization);
  const auto last_level = static_cast<std::int32_t>(std::ceil(last - level_tolerance));
  levels.last = TimeLevel(std::clamp(last_level, levels.first.value + 1, time.level_count - 1));

  const std::vector<double> x = file.read("x");
  const std::vector<double> y = file.read("y");
  const std::vector<std::uint8_t> profile = file.read_profiles();
  flights.max_points = max;
  const std::size_t stride = std::max<std::size_t>(1, (count * max + max_drawn - 1) / max_drawn);
  for (std::size_t n = 0; n < count; n += stride) {
    const std::size_t points = file.point_count()[n];
    flights.drawn.push_back(file.number()[n]);
    flights.point_count.push_back(static_cast<std::int32_t>(points));
    for (std::size_t m = 0; m < max; ++m) {
      const std::size_t point = n * max + std::min(m, points - 1);
      flights.x.push_back(x[point]);
      flights.y.push_back(y[point]);
      if (profile.empty()) continue;
      const std::size_t last_dive = points > 1 ? points - 2 : 0;
      const std::uint8_t dived = profile[n * max + std::min(m, last_dive)];
      constexpr std::uint8_t none = 255;  // for a flight that ends where it starts
      flights.profile.push_back(dived == none ? std::uint8_t{0} : dived);
    }
  }
  return flights;
}

bool flies_each_realization(const nlohmann::ordered_json& summary) {
  if (!summary.is_object() || !summary.contains("rollout")) return false;
  return text_in(summary["rollout"], "mode") == "continuous";
}

void weigh_flights(const EnvironmentInfo& info, FlightsView& flights) {
  if (info.realization_weight.empty()) return;
  for (const std::int32_t realization : flights.realization) {
    const auto r = static_cast<std::size_t>(realization);
    const bool known = realization >= 0 && r < info.realization_weight.size();
    flights.weight.push_back(known ? static_cast<float>(info.realization_weight[r]) / weight_total
                                   : 0);
  }
}

}  // namespace tidewise
