#include "app/report/pilot_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

#include "app/report/environment.h"
#include "env/units/depths.h"
#include "planner/run/flight_figures.h"

namespace tidewise {
namespace {

constexpr double minute = 60;
constexpr double hour = 3600;
constexpr double degree = 57.29577951308232;

constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

enum class Form { date, with_year, without_zone };

/// A time such as "1 Nov 2024 18:56 UTC", rounded to `step` [s].
std::string utc(double seconds, Form form, double step) {
  namespace chrono = std::chrono;
  const double unit = std::max(step, minute);
  const chrono::sys_seconds time(
      chrono::seconds(static_cast<std::int64_t>(std::round(seconds / unit) * unit)));
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(time - day);
  std::string text = fmt::format("{} {}", static_cast<unsigned>(date.day()),
                                 months[static_cast<unsigned>(date.month()) - 1]);
  if (form == Form::with_year) text += fmt::format(" {}", static_cast<int>(date.year()));
  return text + fmt::format(" {:02}:{:02}{}", clock.hours().count(), clock.minutes().count(),
                            form == Form::without_zone ? "" : " UTC");
}

/// Text such as ", 90 % from 31 Oct 23:00 to 3 Nov 10:00 UTC"; empty if all flights arrive at once.
std::string describe_window(const Outlook& outlook, std::optional<double> begins,
                            const TimeRounding& rounding, Units units) {
  if (!(outlook.earlier + outlook.later > 0)) return "";
  const double first = outlook.time - outlook.earlier;
  const double last = outlook.time + outlook.later;
  const double step = rounding.quantile;
  const std::string window =
      begins ? fmt::format(", 90 % from {} to {}", utc(*begins + first, Form::without_zone, step),
                           utc(*begins + last, Form::date, step))
             : fmt::format(", 90 % from {} to {}", describe_duration(first, units, step),
                           describe_duration(last, units, step));
  if (outlook.calibrated_on == 0) return window;
  return window + fmt::format(" (calibrated on {} earlier missions)", outlook.calibrated_on);
}

/// Text such as "0.5 m/s", or "1" without units.
std::string describe_speed(double speed, Units units) {
  return plain_number(speed) + (units == Units::metric ? " m/s" : "");
}

/// Text such as "66 in the median, 90 % from 46 to 98", or only the median. `describe` formats a
/// value, which is a quantile or the median.
template <class Describe>
std::string describe_spread(const Spread& spread, bool has_probability, const Describe& describe) {
  std::string text = describe(spread.p50, false);
  if (spread.p05 == spread.p95) return text;
  if (!has_probability) return text + " in the median";
  return text + fmt::format(" in the median, 90 % from {} to {}", describe(spread.p05, true),
                            describe(spread.p95, true));
}

}  // namespace

std::string describe_date(double seconds_since_1970, double step) {
  return utc(seconds_since_1970, Form::with_year, step);
}

std::string describe_short_date(double seconds_since_1970, double step) {
  return utc(seconds_since_1970, Form::date, step);
}

std::string describe_local_date(double seconds_since_1970, double step) {
  std::string text = describe_date(seconds_since_1970, step);
  const double unit = std::max(step, minute);
  const auto time = static_cast<std::time_t>(std::round(seconds_since_1970 / unit) * unit);
  std::tm local{};
  if (::localtime_r(&time, &local) == nullptr || local.tm_gmtoff == 0) return text;
  std::array<char, 64> local_time{};
  const std::size_t length =
      std::strftime(local_time.data(), local_time.size(), "%H:%M %Z", &local);
  std::tm universal{};
  (void)::gmtime_r(&time, &universal);
  const char* day = local.tm_yday == universal.tm_yday ? ""
                    : (local.tm_gmtoff > 0)            ? "the next day "
                                                       : "the day before ";
  return text + fmt::format(" ({}{})", day, std::string(local_time.data(), length));
}

std::string describe_dive(const EnvironmentProfile& profile) {
  return describe_dive(profile.name, profile.depths, "–");
}

std::string describe_steering(const FirstAction& action, Units units) {
  const std::string dive =
      action.profile == EnvironmentProfile{} ? "" : ", " + describe_dive(action.profile);
  if (action.speed == 0) return "drift" + dive;
  if (!action.bearing) {
    return fmt::format("heading {:.0f}° (counter-clockwise from +x), {}{}{}",
                       std::fmod(std::round(action.heading * degree) + 360, 360),
                       units == Units::metric ? "" : "speed ", describe_speed(action.speed, units),
                       dive);
  }
  constexpr std::array points{"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
                              "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"};
  const auto point = static_cast<std::size_t>(std::round(*action.bearing / 22.5)) % points.size();
  return fmt::format("heading {:03.0f}° true ({}), {}{}",
                     std::fmod(std::round(*action.bearing), 360), points[point],
                     describe_speed(action.speed, units), dive);
}

std::string describe_outlook(const Outlook& outlook, std::optional<double> begins,
                             const TimeRounding& rounding, Units units) {
  const bool by_model = outlook.basis == Outlook::Basis::model;
  if (!(outlook.chance > 0) || !std::isfinite(outlook.time)) {
    return by_model ? "the plan does not arrive" : "no flight arrives";
  }
  const std::string after = "after " + describe_duration(outlook.time, units, rounding.median);
  std::string text =
      "arrival " +
      (begins
           ? fmt::format("{} ({})", utc(*begins + outlook.time, Form::date, rounding.median), after)
           : after);
  if (by_model) return text + ", not simulated";
  if (!outlook.has_probability) {
    return text +
           fmt::format(", {} of {} simulated missions arrive", outlook.arrived, outlook.flights);
  }
  const auto flights = static_cast<double>(outlook.flights);
  text += fmt::format("{}, probability {} ({} flights",
                      describe_window(outlook, begins, rounding, units),
                      describe_chance(outlook.chance, flights), outlook.flights);
  if (outlook.chance_range) {
    const std::string lower = describe_chance(outlook.chance_range->first, flights);
    const std::string upper = describe_chance(outlook.chance_range->second, flights);
    text += lower == upper
                ? "; the same for all plausible forecast errors"
                : fmt::format("; {} to {} over the plausible forecast error", lower, upper);
  }
  return text + ")";
}

std::string describe_outlook(const ExpectedKeeping& keeping, double radius, double time,
                             Units units) {
  const auto length = [&](double value) {
    return units == Units::metric ? plain_number(value / 1000, 3) + " km" : plain_number(value, 3);
  };
  if (keeping.is_distance) return fmt::format("{} from the track on average", length(keeping.mean));
  return fmt::format("within {}the target {} of the time{}",
                     radius > 0 ? length(radius) + " of " : "", describe_chance(keeping.mean),
                     time > 0 ? describe_share_of_time(keeping.mean, time, units) : "");
}

std::string describe_share_of_time(double share, double time, Units units) {
  constexpr double day = 24 * hour;
  if (units == Units::nondimensional) {
    return fmt::format(" ({} of {})", plain_number(share * time, 3), plain_number(time, 3));
  }
  const bool days = time >= 2 * day;
  const double unit = days ? day : hour;
  return fmt::format(" ({:.1f} of {:.1f} {})", share * time / unit, time / unit,
                     days ? "days" : "h");
}

namespace {

const char* chance_label(const RolloutStatistics& flown) {
  return flown.has_probability ? "probability" : "simulated";
}

std::string describe_keeping_lines(const RolloutStatistics& flown, Units units) {
  const Keeping& keeping = *flown.keeping;
  const auto amount = [&](double value) {
    if (!keeping.is_distance) return describe_chance(value);
    return units == Units::metric ? plain_number(value / 1000, 3) + " km" : plain_number(value, 3);
  };
  // A flight's time within is counted in half steps; the mean over flights has a finer resolution.
  const auto amount_of_flight = [&](double value) {
    const bool rounds = !keeping.is_distance && value > 0.005 && value < 0.995;
    return amount(rounds ? std::round(100 * value) / 100 : value);
  };
  std::string line = amount(keeping.mean) + " on average";
  if (flown.has_probability) {
    line += fmt::format(
        "; {} or less in a tenth of the flights, {} in the median, {} or more in a tenth",
        amount_of_flight(keeping.p10), amount_of_flight(keeping.p50),
        amount_of_flight(keeping.p90));
  }
  const std::string lasting =
      flown.has_probability
          ? fmt::format("{} of {} flights", describe_chance(keeping.lasting), flown.trajectories)
          : describe_arriving(flown);
  return report_line(keeping.is_distance ? "distance" : "time within", line) +
         report_line(chance_label(flown), fmt::format("{} last until the end{}", lasting,
                                                      describe_failures(flown.failures)));
}

}  // namespace

std::string describe_flights(const RolloutStatistics& flown, std::optional<double> begins,
                             const TimeRounding& rounding, Objective objective,
                             const EnergyModel& model, Units units) {
  if (flown.keeping) return describe_keeping_lines(flown, units);
  std::string text;
  const bool arrives = flown.arrival_rate > 0;
  const auto step = [&](bool is_end) { return is_end ? rounding.quantile : rounding.median; };
  if (arrives) {
    text += report_line(
        "time to go",
        describe_spread(flown.time, flown.has_probability, [&](double time, bool is_end) {
          return describe_duration(time, units, step(is_end));
        }));
  }
  if (arrives && begins) {
    text += report_line(
        "arrival",
        describe_spread(flown.time, flown.has_probability, [&](double time, bool is_end) {
          return is_end ? utc(*begins + time, Form::date, step(is_end))
                        : describe_local_date(*begins + time, step(is_end));
        }));
  }
  text += report_line(chance_label(flown), fmt::format("{} arrive{}", describe_arriving(flown),
                                                       describe_failures(flown.failures)));
  if (arrives && (flown.energy_left || reports_energy(objective, model, units))) {
    const auto energy = [&](double amount, bool = false) {
      return describe_energy(amount, model, units);
    };
    std::string line = describe_spread(flown.energy, flown.has_probability, energy);
    if (flown.net_energy.mean != flown.energy.mean) {
      line += fmt::format("; less what is harvested, {}", energy(flown.net_energy.p50));
    }
    if (flown.energy_left) {
      line += fmt::format("; {} left, {} at least", energy(flown.energy_left->p50),
                          energy(flown.energy_left->min));
    }
    text += report_line("energy", line);
  }
  return text;
}

std::string describe_failures(const FailureCounts& failures) {
  std::string text;
  for (const FailureKind& kind : failure_kinds) {
    const std::int64_t count = failures.*kind.count;
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "; " : ", ", count, in_words(kind.outcome));
  }
  return text;
}

std::string as_sentence(std::string text) {
  if (!text.empty()) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  }
  return text + ".";
}

}  // namespace tidewise
