#include "planner/route/recorded_flights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

[[noreturn]] void refuse_flights(const TrajectoryReader& file, const std::string& what) {
  throw InputError(
      fmt::format("{}: {}", file.path().string(),
                  add_words(what, "; fly again with 'tidewise plan' or 'tidewise rollout'")));
}

}  // namespace

std::vector<Trajectory> read_flights(const TrajectoryReader& file, const EnvironmentInfo& info,
                                     const Mission& mission) {
  const auto x = file.read("x");
  const auto y = file.read("y");
  const auto time = file.read("time");
  const auto heading = file.read("heading");
  const auto speed = file.read("speed");
  const auto energy = file.read("energy");
  const auto harvested = file.read("harvested");
  const auto profile = file.read_profiles();
  if (profile.empty() && info.velocities > 1) {
    refuse_flights(file, error_text(errors::flights_profile_unknown));
  }
  if (file.via_count() != mission.via.size()) {
    refuse_flights(file,
                   error_text(errors::flights_via_count, file.via_count(), mission.via.size()));
  }
  const double departure = info.time.at(mission.departure);
  const auto most_points =
      static_cast<std::size_t>(mission.last.value - mission.departure.value) + 1;
  std::vector<Trajectory> flights(file.flight_count());
  for (std::size_t n = 0; n < flights.size(); ++n) {
    Trajectory& flight = flights[n];
    flight.realization = file.realization()[n];
    if (flight.realization < 0 || flight.realization >= info.realization_count) {
      refuse_flights(file, error_text(errors::flights_realization_unknown, n, flight.realization,
                                      info.realization_count - 1));
    }
    flight.outcome = file.outcome()[n];
    flight.total_reward = file.total_reward()[n];
    flight.begun = mission.begun;
    const std::size_t count = file.point_count()[n];
    if (count > most_points) {
      refuse_flights(file, error_text(errors::flights_point_count, n, count, most_points));
    }
    const std::size_t first = n * file.most_points();
    for (std::size_t m = first; m < first + count; ++m) {
      flight.points.push_back({x[m], y[m], static_cast<float>(heading[m]),
                               static_cast<float>(speed[m]), static_cast<float>(energy[m]),
                               static_cast<float>(harvested[m])});
      const double steps = (time[m] - departure) / info.time.step;
      const double step = m == first ? mission.begun : static_cast<double>(m - first);
      const bool is_last = m > first && m + 1 == first + count;
      if (info.velocities > 1 && m + 1 < first + count) {
        if (profile[m] >= info.velocities) {
          refuse_flights(file, error_text(errors::flights_profile_invalid, n, profile[m], m - first,
                                          info.velocities));
        }
        flight.profiles.push_back(profile[m]);
      }
      const bool on_time =
          is_last ? steps > step - 1 - 1e-6 && steps < step + 1e-6 : std::abs(steps - step) < 1e-6;
      if (!on_time) {
        refuse_flights(file, error_text(errors::flights_off_levels, n, m - first));
      }
      if (is_last) flight.last_step = std::clamp(steps - (step - 1), 0.0, 1.0);
    }
    for (std::size_t via = 0; via < file.via_count(); ++via) {
      const double steps =
          (file.passed_time()[n * file.via_count() + via] - departure) / info.time.step;
      if (!(steps >= 0 && steps < static_cast<double>(count))) break;  // NaN: not passed
      flight.passed.push_back(static_cast<std::int32_t>(std::floor(steps + 1e-6)));
    }
  }
  return flights;
}

}  // namespace tidewise
