#include "planner/mission/resolve/resolved_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "planner/error/codes.h"
#include "planner/mission/read/time_values.h"

namespace tidewise {
namespace {

constexpr double same_instant = 0.5;    // [s]; dates have a resolution of a second
constexpr double same_share = 1e-6;     // share of a step, for times that are numbers
constexpr double latest_begun = 0.999;  // share of a step, so that a part of it remains

std::string span_of(double time, Units units) {
  return units == Units::metric ? span_text(time) : fmt::format("{}", time);
}

[[noreturn]] void refuse_time(const RunRequest& request, const std::string& key,
                              const std::string& why) {
  throw InputError(fmt::format("{}: {} {}", request.place(key), key, why));
}

class TimeResolver {
 public:
  TimeResolver(const RunRequest& request, const EnvironmentReader& environment,
               std::vector<std::string>& notes)
      : request_(request),
        environment_(environment),
        info_(environment.info()),
        dates_(environment),
        last_level_(info_.time.level_count - 1),
        notes_(notes) {}

  ResolvedTimes departure() const {
    constexpr const char* key = "mission.departure";
    const Moment& requested = request_.goal.departure;
    if (requested.date) require_date_within(request_, key, *requested.date, environment_, dates_);
    const TimeLevel level =
        requested.date ? level_at(*requested.date) : level_at_number(requested.level);
    const double after = requested.date ? (*requested.date - dates_.at(level)) / info_.time.step
                                        : requested.level - level.value;
    const double tolerance = requested.date ? same_instant / info_.time.step : same_share;
    const double begun = after > tolerance ? std::min(after, latest_begun) : 0;
    if (level.value >= 0 && level.value < last_level_)
      return {level, begun, TimeLevel(last_level_)};
    refuse_time(request_, key,
                error_text(errors::departure_outside, describe_moment(requested), name(),
                           describe_level(TimeLevel(last_level_)),
                           describe_level(TimeLevel(last_level_ - 1))));
  }

  TimeLevel last(const ResolvedTimes& begin) const {
    const auto& goal = request_.goal;
    const TimeLevel departure = begin.departure;
    if (goal.horizon) return after("mission.horizon", *goal.horizon, begin);
    if (!goal.deadline) return TimeLevel(last_level_);
    if (const auto* span = std::get_if<TimeSpan>(&*goal.deadline)) {
      return after("mission.deadline", *span, begin);
    }
    return at_or_before(std::get<Moment>(*goal.deadline), departure);
  }

  /// Returns the number of steps from one decision to the next.
  std::int32_t decide_every(const ResolvedTimes& times) const {
    if (!request_.goal.decide_every) return 1;
    constexpr const char* key = "mission.decide_every";
    const TimeSpan& span = *request_.goal.decide_every;
    const double step = info_.time.step;
    const double steps = span.seconds ? *span.seconds / step : span.steps;
    const auto describe = [&](double count) {
      return span.seconds ? span_text(count * step) : fmt::format("{} step(s)", count);
    };
    if (span.seconds) require_time_unit(key, *span.seconds);
    const double whole = std::round(steps);
    if (whole < 1 || std::abs(whole - steps) * step > same_instant) {
      const double below = std::floor(steps);
      refuse_time(request_, key,
                  error_text(errors::hold_not_whole_steps, describe(steps), span_text(step), name(),
                             below < 1 ? "" : describe(below) + " or ", describe(below + 1)));
    }
    const std::int32_t remaining = last_level_ - times.departure.value;
    const std::int32_t horizon = times.last.value - times.departure.value;
    if (whole > remaining) {
      refuse_time(request_, key,
                  error_text(errors::hold_longer_than_forecast, describe(steps),
                             describe_level(times.departure), name(), describe(remaining)));
    }
    if (whole > horizon) {
      refuse_time(request_, key,
                  error_text(errors::hold_longer_than_horizon, describe(steps), describe(horizon)));
    }
    return static_cast<std::int32_t>(whole);
  }

 private:
  std::string name() const { return environment_.path().string(); }
  std::string describe_level(TimeLevel k) const { return tidewise::describe_level(k, dates_); }
  static std::string describe_moment(const Moment& moment) {
    return moment.date ? date_text(*moment.date) : fmt::format("{}", moment.level);
  }

  /// Returns the last level at or before `date`. Requires a date within the environment's.
  TimeLevel level_at(double date) const {
    const auto& all = dates_.all();
    const auto after = std::upper_bound(all.begin(), all.end(), date + same_instant);
    return TimeLevel(std::max(static_cast<std::int32_t>(after - all.begin()) - 1, 0));
  }

  static TimeLevel level_at_number(double level) {
    return TimeLevel(static_cast<std::int32_t>(std::floor(level + same_share)));
  }

  /// Refuses a duration if the environment's times have no unit.
  void require_time_unit(const char* key, double seconds) const {
    if (info_.units == Units::metric) return;
    refuse_time(request_, key,
                error_text(errors::duration_without_unit, span_text(seconds), name()));
  }

  /// Returns the last level within `span` after the departure.
  TimeLevel after(const char* key, const TimeSpan& span, const ResolvedTimes& begin) const {
    const TimeLevel departure = begin.departure;
    const std::int32_t remaining = last_level_ - departure.value;
    double steps = span.steps;
    std::string requested = fmt::format("{} steps", span.steps);
    if (span.seconds) {
      requested = span_text(*span.seconds);
      require_time_unit(key, *span.seconds);
      constexpr double rounding = 1e-6;
      steps = std::floor(begin.begun + *span.seconds / info_.time.step + rounding);
      if (steps < 1) {
        refuse_time(
            request_, key,
            error_text(errors::duration_below_step, requested, span_text(info_.time.step), name()));
      }
    }
    if (steps > remaining) {
      const std::string max =
          span.seconds ? fmt::format("at most {}", span_text(remaining * info_.time.step))
                       : fmt::format("from 1 to {}", remaining);
      refuse_time(request_, key,
                  error_text(errors::horizon_outside, requested, describe_level(departure), name(),
                             remaining, max));
    }
    const TimeLevel last(departure.value + static_cast<std::int32_t>(steps));
    if (span.seconds &&
        std::abs((steps - begin.begun) * info_.time.step - *span.seconds) > same_instant) {
      notes_.push_back(
          fmt::format("{} is {}, which is no whole number of steps: time is up after "
                      "{} of them, at level {}",
                      key, requested, steps, describe_level(last)));
    }
    return last;
  }

  TimeLevel at_or_before(const Moment& moment, TimeLevel departure) const {
    constexpr const char* key = "mission.deadline";
    TimeLevel last = level_at_number(moment.level);
    if (moment.date) {
      require_date_within(request_, key, *moment.date, environment_, dates_);
      last = level_at(*moment.date);
    }
    if (last.value > last_level_) {
      refuse_time(request_, key,
                  error_text(errors::level_outside, moment.level, name(),
                             describe_level(TimeLevel(last_level_))));
    }
    if (last <= departure) {
      refuse_time(
          request_, key,
          error_text(errors::deadline_before_departure, describe_moment(moment),
                     describe_level(departure), describe_level(TimeLevel(departure.value + 1))));
    }
    if (moment.date && std::abs(dates_.at(last) - *moment.date) > same_instant) {
      notes_.push_back(
          fmt::format("{} is {}, which is no level's date: time is up at the last one "
                      "before it, {}",
                      key, date_text(*moment.date), describe_level(last)));
    }
    return last;
  }

  const RunRequest& request_;
  const EnvironmentReader& environment_;
  const EnvironmentInfo& info_;
  const LevelDates dates_;
  const std::int32_t last_level_;
  std::vector<std::string>& notes_;
};

}  // namespace

ResolvedTimes resolve_times(const RunRequest& request, const EnvironmentReader& environment,
                            std::vector<std::string>& notes) {
  const TimeResolver resolver(request, environment, notes);
  ResolvedTimes times = resolver.departure();
  times.last = resolver.last(times);
  times.decide_every = resolver.decide_every(times);
  if (times.begun > 0 && request.rollout.mode == RolloutChoice::chain) {
    refuse_time(request, "mission.departure", error_text(errors::departure_between_levels));
  }
  return times;
}

std::vector<double> resolve_deadlines(const RunRequest& request,
                                      const EnvironmentReader& environment,
                                      const Mission& mission) {
  constexpr const char* key = "rollout.deadlines";
  const TimeLevel departure = mission.departure;
  const double begun = mission.begun;
  const EnvironmentInfo& info = environment.info();
  const LevelDates dates(environment);
  const auto after = [&](const Deadline& deadline) -> double {
    if (const auto* span = std::get_if<TimeSpan>(&deadline)) {
      if (!span->seconds) return span->steps * info.time.step;
      if (info.units == Units::metric) return *span->seconds;
      refuse_time(request, key,
                  error_text(errors::deadlines_without_unit, span_text(*span->seconds),
                             environment.path().string()));
    }
    const Moment& moment = std::get<Moment>(deadline);
    if (!moment.date) return (moment.level - departure.value - begun) * info.time.step;
    require_dates(request, key, *moment.date, environment, dates);
    return *moment.date - dates.at(departure) - begun * info.time.step;
  };
  const double end = (info.time.level_count - 1 - departure.value - begun) * info.time.step;
  const double rounding = 1e-6 * info.time.step;
  std::vector<double> times;
  for (const Deadline& deadline : request.rollout.deadlines) {
    const double time = after(deadline);
    if (time < -(departure.value + begun) * info.time.step - rounding || time > end + rounding) {
      refuse_time(request, key,
                  error_text(errors::flight_deadline_outside, span_of(std::abs(time), info.units),
                             time > 0 ? "after" : "before", describe_level(departure, dates),
                             environment.path().string(),
                             describe_level(TimeLevel(info.time.level_count - 1), dates)));
    }
    if (time > rounding) times.push_back(time);  // other deadlines have passed at the departure
  }
  return times;
}

ResolvedTimes resolve_departure(const RunRequest& request, const EnvironmentReader& environment) {
  std::vector<std::string> notes;  // the departure adds none
  return TimeResolver(request, environment, notes).departure();
}

std::string describe_level(TimeLevel k, const LevelDates& dates) {
  if (!dates.known()) return fmt::format("{}", k.value);
  return fmt::format("{} ({})", k.value, dates.text(k));
}

void require_dates(const RunRequest& request, const std::string& key, double date,
                   const EnvironmentReader& environment, const LevelDates& dates) {
  if (dates.known()) return;
  refuse_time(request, key,
              error_text(errors::date_without_reference, date_text(date),
                         environment.path().string(), environment.info().time_units));
}

void require_date_within(const RunRequest& request, const std::string& key, double date,
                         const EnvironmentReader& environment, const LevelDates& dates) {
  require_dates(request, key, date, environment, dates);
  if (date >= dates.first() - same_instant && date <= dates.last() + same_instant) return;
  refuse_time(request, key,
              error_text(errors::date_outside, date_text(date), environment.path().string(),
                         date_text(dates.first()), date_text(dates.last())));
}

}  // namespace tidewise
