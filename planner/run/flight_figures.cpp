#include "planner/run/flight_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "output/run/attributes.h"

namespace tidewise {
namespace {

struct Figures {
  std::string arrivals;
  double time, energy, net_energy;
};

std::string in_words(const Figures& figures, Objective objective, const EnergyModel& model,
                     Units units) {
  std::string text = figures.arrivals;
  if (std::isfinite(figures.time))
    text += fmt::format(" after {}", describe_duration(figures.time, units));
  if (objective == Objective::net_energy) {
    if (std::isfinite(figures.net_energy)) {
      text += " with net energy " + describe_energy(figures.net_energy, model, units);
    }
  } else if (counts_energy(objective) && std::isfinite(figures.energy)) {
    text += " with energy " + describe_energy(figures.energy, model, units);
  }
  return text;
}

}  // namespace

std::string plain_number(double value, int digits) {
  const double size = std::abs(value);
  constexpr double min = 1e-4;
  constexpr double max = 1e12;
  if (size == 0 || !(size >= min && size < max)) return fmt::format("{:.{}g}", value, digits);
  const int before =
      static_cast<int>(std::floor(std::log10(size))) + 1;  // digits before the point; -1 for 0.05
  // Insignificant digits become zeros, also before the point.
  const double unit = std::pow(10, std::max(before - digits, 0));
  const double shown = before > digits ? std::round(value / unit) * unit : value;
  std::string text = fmt::format("{:.{}f}", shown, std::max(digits - before, 0));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string describe_duration(double time, Units units) {
  if (units == Units::nondimensional) return plain_number(time);
  constexpr double minute = 60;
  constexpr double hour = 3600;
  const double length = std::abs(time);
  if (length < 2 * minute && length > 0) return fmt::format("{:.3g} s", time);
  if (length < 2 * hour && length > 0) return fmt::format("{:.0f} min", time / minute);
  return fmt::format("{:.1f} h", time / hour);
}

std::string describe_chance(double share) {
  const double percent = 100 * share;
  if (share < 1 && percent >= 99.95) return "over 99.9 %";
  if (share > 0 && percent < 0.05) return "less than 0.1 %";
  return fmt::format("{:.3g} %", percent);
}

std::string describe_arriving(const RolloutStatistics& flown) {
  if (flown.has_probability) {
    return fmt::format("{} of {} flights", describe_chance(flown.arrival_rate), flown.trajectories);
  }
  return fmt::format("{} of {} simulated missions", count_arrived(flown), flown.trajectories);
}

std::string describe_energy(double energy, const EnergyModel& model, Units units) {
  const std::string unit = energy_units(model, units);
  if (unit == "1") return plain_number(energy);
  // F² Δt equals the time in seconds at 1 m/s.
  if (unit != "J") return describe_duration(energy, units) + " at 1 m/s";
  for (const auto& [size, name] : {std::pair{1e9, "GJ"}, {1e6, "MJ"}, {1e3, "kJ"}}) {
    if (std::abs(energy) >= size) return fmt::format("{} {}", plain_number(energy / size, 3), name);
  }
  return plain_number(energy, 3) + " J";
}

EnergyUnit energy_unit(const EnergyModel& model, Units units) {
  const std::string unit = energy_units(model, units);
  if (unit == "1") return {};
  return unit == "J" ? EnergyUnit{1e3, "kJ"} : EnergyUnit{3600, "h at 1 m/s"};
}

bool reports_energy(Objective objective, const EnergyModel& model, Units units) {
  const std::string unit = energy_units(model, units);
  return counts_energy(objective) || unit == "1" || unit == "J";
}

std::string describe_keeping(double keeping, bool is_distance, Units units) {
  if (!is_distance) {
    return fmt::format("within the target {} % of the time", plain_number(100 * keeping, 3));
  }
  return units == Units::metric ? plain_number(keeping / 1000, 3) + " km away on average"
                                : plain_number(keeping, 3) + " away on average";
}

std::optional<ExpectedKeeping> keeping_of(const ExpectedOutcome& expected) {
  if (!std::isnan(expected.within)) return ExpectedKeeping{expected.within, false};
  if (!std::isnan(expected.distance)) return ExpectedKeeping{expected.distance, true};
  return std::nullopt;
}

void set_keeping(const Mission& mission, const EnvironmentInfo& info, ExpectedOutcome& expected) {
  if (!mission.kept) return;
  const double duration = mission_duration(info.time, mission);
  if (mission.objective == Objective::follow) {
    expected.distance = -expected.harvested / duration;
  } else {
    expected.within = expected.harvested / duration;
  }
}

std::string describe_figures(const RolloutStatistics& flown, Objective objective,
                             const EnergyModel& model, Units units) {
  if (flown.keeping) {
    return describe_keeping(flown.keeping->mean, flown.keeping->is_distance, units);
  }
  const std::string arrived = flown.has_probability ? describe_chance(flown.arrival_rate)
                                                    : std::to_string(count_arrived(flown));
  return in_words({fmt::format("{} of {} arrive", arrived, flown.trajectories), flown.time.mean,
                   flown.energy.mean, flown.net_energy.mean},
                  objective, model, units);
}

std::string describe_figures(const ExpectedOutcome& expected, Objective objective,
                             const EnergyModel& model, Units units, bool has_probability) {
  if (const auto keeping = keeping_of(expected)) {
    return describe_keeping(keeping->mean, keeping->is_distance, units);
  }
  const double share = expected.arrival_probability;
  std::string arrivals = has_probability ? fmt::format("{:.4g} % arrive", 100 * share)
                         : share > 0     ? "arrives"
                                         : "does not arrive";
  return in_words({std::move(arrivals), expected.time, expected.energy, expected.net_energy},
                  objective, model, units);
}

}  // namespace tidewise
