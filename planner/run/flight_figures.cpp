#include "planner/run/flight_figures.h"

#include <fmt/format.h>

#include <cmath>

namespace tidewise {
namespace {

std::string as_time(double time, Units units) {
  if (units == Units::nondimensional) return fmt::format("{:.4g}", time);
  return time < 7200 ? fmt::format("{:.4g} s", time) : fmt::format("{:.1f} h", time / 3600);
}

struct Figures {
  double arrival, time, energy, net_energy;
};

std::string in_words(const Figures& figures, Objective objective, Units units) {
  std::string text = fmt::format("{:.4g} % arrive", 100 * figures.arrival);
  if (std::isfinite(figures.time)) text += fmt::format(" after {}", as_time(figures.time, units));
  if (objective == Objective::net_energy) {
    if (std::isfinite(figures.net_energy)) {
      text += fmt::format(" with net energy {:.4g}", figures.net_energy);
    }
  } else if (counts_energy(objective) && std::isfinite(figures.energy)) {
    text += fmt::format(" with energy {:.4g}", figures.energy);
  }
  return text;
}

}  // namespace

std::string describe_figures(const RolloutStatistics& flown, Objective objective, Units units) {
  return in_words({flown.arrival_rate, flown.time.mean, flown.energy.mean, flown.net_energy.mean},
                  objective, units);
}

std::string describe_figures(const ExpectedOutcome& expected, Objective objective, Units units) {
  return in_words(
      {expected.arrival_probability, expected.time, expected.energy, expected.net_energy},
      objective, units);
}

}  // namespace tidewise
