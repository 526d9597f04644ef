#include "app/report/pilot_words.h"

#include <fmt/format.h>

#include <array>
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

enum class Year { left_out, written };

/// "1 Nov 2024 18:56 UTC"
std::string utc(double seconds, Year year) {
  namespace chrono = std::chrono;
  const chrono::sys_seconds time(
      chrono::seconds(static_cast<std::int64_t>(std::round(seconds / minute) * minute)));
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(time - day);
  std::string text = fmt::format("{} {}", static_cast<unsigned>(date.day()),
                                 months[static_cast<unsigned>(date.month()) - 1]);
  if (year == Year::written) text += fmt::format(" {}", static_cast<int>(date.year()));
  return text + fmt::format(" {:02}:{:02} UTC", clock.hours().count(), clock.minutes().count());
}

/// "± 2 h", or "−1.8 +12 h"; empty where there is nothing to say.
std::string describe_margin(double earlier, double later, Units units) {
  const double wide = std::max(earlier, later);
  const double narrow = std::min(earlier, later);
  if (!(wide > 0)) return "";
  const bool metric = units == Units::metric;
  const bool minutes = metric && wide < 1.5 * hour;
  const char* unit = minutes ? " min" : metric ? " h" : "";
  const double scale = minutes ? minute : metric ? hour : 1;
  if (wide > 2 * narrow) {
    return fmt::format(" −{} +{}{}", plain_number(earlier / scale, 2),
                       plain_number(later / scale, 2), unit);
  }
  if (minutes) return fmt::format(" ± {:.0f} min", std::ceil(wide / minute));
  return metric ? fmt::format(" ± {:.0f} h", wide / hour) : " ± " + plain_number(wide, 2);
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

/// "66.43 in the median, 45.97 … 98.2 for 90 %", or the median alone.
template <class Describe>
std::string describe_spread(const Spread& spread, bool has_probability, const Describe& describe) {
  std::string text = describe(spread.p50);
  if (spread.p05 == spread.p95) return text;
  if (!has_probability) return text + " in the median";
  return text + fmt::format(" in the median, 90 % from {} to {}", describe(spread.p05),
                            describe(spread.p95));
}

}  // namespace

std::string describe_date(double seconds_since_1970) {
  return utc(seconds_since_1970, Year::written);
}

std::string describe_local_date(double seconds_since_1970) {
  std::string text = describe_date(seconds_since_1970);
  const auto time = static_cast<std::time_t>(std::round(seconds_since_1970 / minute) * minute);
  std::tm local{};
  if (::localtime_r(&time, &local) == nullptr || local.tm_gmtoff == 0) return text;
  std::array<char, 64> there{};
  const std::size_t length = std::strftime(there.data(), there.size(), "%H:%M %Z", &local);
  std::tm universal{};
  (void)::gmtime_r(&time, &universal);
  const char* day = local.tm_yday == universal.tm_yday ? ""
                    : (local.tm_gmtoff > 0)            ? "the next day "
                                                       : "the day before ";
  return text + fmt::format(" ({}{})", day, std::string(there.data(), length));
}

std::string describe_dive(const EnvironmentProfile& profile) {
  return describe_dive(profile.name, profile.depths, "–");
}

std::string describe_steering(const FirstAction& action, Units units) {
  const std::string dive =
      action.profile == EnvironmentProfile{} ? "" : describe_dive(action.profile) + ", ";
  if (action.speed == 0) return dive + "drift";
  const std::string speed = plain_number(action.speed) + (units == Units::metric ? " m/s" : "");
  if (action.bearing) {
    return fmt::format("{}steer {:03.0f}° true at {}", dive,
                       std::fmod(std::round(*action.bearing), 360), speed);
  }
  return fmt::format("{}steer {:.0f}° from +x, counter-clockwise, at {}", dive,
                     action.heading * degree, speed);
}

std::string describe_outlook(const Outlook& outlook, std::optional<double> begins, Units units) {
  if (!(outlook.chance > 0) || !std::isfinite(outlook.time)) return "never arrive";
  const std::string when = begins ? utc(*begins + outlook.time, Year::left_out)
                                  : "after " + describe_duration(outlook.time, units);
  if (outlook.basis == Outlook::Basis::model) return "arrive " + when + ", not simulated";
  if (!outlook.has_probability) {
    return fmt::format("arrive {}; {} of {} simulated missions arrive", when, outlook.arrived,
                       outlook.flights);
  }
  std::string text =
      fmt::format("arrive {}{}, {}", when, describe_margin(outlook.earlier, outlook.later, units),
                  describe_chance(outlook.chance));
  if (outlook.chance_range) {
    const auto& [least, greatest] = *outlook.chance_range;
    text += fmt::format(" ({} to {} over the plausible forecast error)", describe_chance(least),
                        describe_chance(greatest));
  }
  if (outlook.calibrated_on > 0) {
    text += fmt::format("; window calibrated on {} earlier missions", outlook.calibrated_on);
  }
  return text;
}

std::string describe_outlook(const ExpectedKeeping& keeping, double radius, double time,
                             Units units) {
  const auto length = [&](double of) {
    return units == Units::metric ? plain_number(of / 1000, 3) + " km" : plain_number(of, 3);
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
  return flown.has_probability ? "chance" : "simulated";
}

std::string describe_keeping_lines(const RolloutStatistics& flown, Units units) {
  const Keeping& keeping = *flown.keeping;
  const auto amount = [&](double value) {
    if (!keeping.is_distance) return describe_chance(value);
    return units == Units::metric ? plain_number(value / 1000, 3) + " km" : plain_number(value, 3);
  };
  // A flight's time within is counted in half steps; its mean over flights alone is finer.
  const auto of_one = [&](double value) {
    const bool rounds = !keeping.is_distance && value > 0.005 && value < 0.995;
    return amount(rounds ? std::round(100 * value) / 100 : value);
  };
  std::string line = amount(keeping.mean) + " on average";
  if (flown.has_probability) {
    line += fmt::format(
        "; {} or less in a tenth of the flights, {} in the median, {} or more in a tenth",
        of_one(keeping.p10), of_one(keeping.p50), of_one(keeping.p90));
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
                             Objective objective, const EnergyModel& model, Units units) {
  if (flown.keeping) return describe_keeping_lines(flown, units);
  std::string text;
  const bool arrives = flown.arrival_rate > 0;
  if (arrives) {
    text += report_line(
        "time to go", describe_spread(flown.time, flown.has_probability,
                                      [&](double time) { return describe_duration(time, units); }));
  }
  if (arrives && begins) {
    std::string line = describe_local_date(*begins + flown.time.p50);
    if (flown.time.p05 != flown.time.p95) {
      line += " in the median";
      if (flown.has_probability) {
        line += fmt::format(", 90 % from {} to {}", utc(*begins + flown.time.p05, Year::left_out),
                            utc(*begins + flown.time.p95, Year::left_out));
      }
    }
    text += report_line("arrival", line);
  }
  text += report_line(chance_label(flown), fmt::format("{} arrive{}", describe_arriving(flown),
                                                       describe_failures(flown.failures)));
  if (arrives && (flown.energy_left || tells_energy(objective, model, units))) {
    const auto energy = [&](double amount) { return describe_energy(amount, model, units); };
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

}  // namespace tidewise
