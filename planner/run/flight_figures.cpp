#include "planner/run/flight_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

struct Figures {
  double arrival, time, energy, net_energy;
};

std::string in_words(const Figures& figures, Objective objective, Units units) {
  std::string text = fmt::format("{:.4g} % arrive", 100 * figures.arrival);
  if (std::isfinite(figures.time))
    text += fmt::format(" after {}", describe_duration(figures.time, units));
  if (objective == Objective::net_energy) {
    if (std::isfinite(figures.net_energy)) {
      text += " with net energy " + plain_number(figures.net_energy);
    }
  } else if (counts_energy(objective) && std::isfinite(figures.energy)) {
    text += " with energy " + plain_number(figures.energy);
  }
  return text;
}

}  // namespace

std::string plain_number(double value, int digits) {
  const double size = std::abs(value);
  constexpr double least = 1e-4;
  constexpr double most = 1e12;
  if (size == 0 || !(size >= least && size < most)) return fmt::format("{:.{}g}", value, digits);
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;  // digits, of 0.05: -1
  // Digits that do not count are noughts, before the point too.
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

void note_keeping(const Mission& mission, const EnvironmentInfo& info, ExpectedOutcome& expected) {
  if (!mission.kept) return;
  const double duration = mission_duration(info.time, mission);
  if (mission.objective == Objective::follow) {
    expected.distance = -expected.harvested / duration;
  } else {
    expected.within = expected.harvested / duration;
  }
}

std::string describe_figures(const RolloutStatistics& flown, Objective objective, Units units) {
  if (flown.keeping) {
    return describe_keeping(flown.keeping->mean, flown.keeping->is_distance, units);
  }
  return in_words({flown.arrival_rate, flown.time.mean, flown.energy.mean, flown.net_energy.mean},
                  objective, units);
}

std::string describe_figures(const ExpectedOutcome& expected, Objective objective, Units units) {
  if (const auto keeping = keeping_of(expected)) {
    return describe_keeping(keeping->mean, keeping->is_distance, units);
  }
  return in_words(
      {expected.arrival_probability, expected.time, expected.energy, expected.net_energy},
      objective, units);
}

}  // namespace tidewise
