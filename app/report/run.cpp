#include "app/report/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/report/environment.h"
#include "app/report/pilot_words.h"
#include "app/report/place_words.h"
#include "base/printable.h"
#include "env/levels/level_dates.h"
#include "planner/mission/read/time_values.h"
#include "planner/run/flight_figures.h"
#include "planner/run/recommend.h"

namespace tidewise {
namespace {

std::string describe_expected(const ExpectedOutcome& expected, const Mission& mission, Units units,
                              bool has_probability, const TimeRounding& rounding) {
  if (const auto keeping = keeping_of(expected)) {
    return describe_keeping(keeping->mean, keeping->is_distance, units) +
           "; exact for the discretised model";
  }
  const bool arrives = expected.arrival_probability > 0;
  std::string text = has_probability
                         ? fmt::format("arrival {:.2f} %", 100 * expected.arrival_probability)
                     : arrives ? "arrival"
                               : "no arrival";
  if (arrives) {
    text += (has_probability ? ", then after " : " after ") +
            describe_duration(expected.time, units, rounding.mean);
    if (reports_energy(mission.objective, mission.energy, units)) {
      text += " with energy " + describe_energy(expected.energy, mission.energy, units);
      if (expected.net_energy != expected.energy) {
        text += ", net " + describe_energy(expected.net_energy, mission.energy, units);
      }
    }
  }
  return text + "; exact for the discretised model";
}

/// Number and kind of the flights: "10000, chain".
std::string describe_kind(const RunSummary& summary) {
  const std::string_view mode =
      summary.steered_by.empty() ? to_string(summary.rollout_mode) : summary.steered_by;
  return fmt::format("{}, {}", summary.rollout->trajectories, mode);
}

/// Time by which most flights have arrived, and the mean of the slowest. Empty if too few arrive.
std::string describe_risk(const RolloutStatistics& flown, const TimeRounding& rounding,
                          Units units) {
  if (!flown.has_probability) return {};
  std::string text;
  for (const auto& [share, time] : flown.arrived_by) {
    if (std::isfinite(time) && (share == 0.5 || share == 0.8 || share == 0.95)) {
      text += fmt::format(
          "{}{:.0f} % within {}", text.empty() ? "" : ", ", 100 * share,
          describe_duration(time, units, share == 0.5 ? rounding.median : rounding.quantile));
    }
  }
  if (text.empty()) return {};
  text += fmt::format("; the slowest 5 % of arrivals take {} on average",
                      describe_duration(flown.time.cvar95, units, rounding.quantile));
  for (const auto& [time, share] : flown.deadlines) {
    text += fmt::format("; by {} {:.4g} %", describe_duration(time, units), 100 * share);
  }
  return text;
}

/// The result of a baseline controller, with its speed if the objective leaves a choice.
std::string describe_baseline(const BaselineOutcome& outcome, const Mission& mission, Units units) {
  std::string text(to_string(outcome.baseline));
  constexpr double degree = 57.29577951308232;
  if (std::isfinite(outcome.heading) && outcome.speed > 0) {
    text += fmt::format(", {:.4g}° from +x,", std::fmod(outcome.heading * degree + 360, 360));
  }
  if (counts_energy(mission.objective) || keeps(mission.objective)) {
    text += fmt::format(" at {:.4g}", outcome.speed);
  }
  if (!outcome.profile.empty()) text += fmt::format(" ({})", outcome.profile);
  return text + ": " + describe_figures(outcome.rollout, mission.objective, mission.energy, units);
}

/// The results of all baseline controllers, the best first.
std::string describe_baselines(const std::vector<BaselineOutcome>& baselines,
                               const Mission& mission, Units units) {
  const BaselineOutcome* best = best_baseline(baselines);
  std::string text = describe_baseline(*best, mission, units);
  for (const BaselineOutcome& outcome : baselines) {
    if (&outcome != best) text += "; " + describe_baseline(outcome, mission, units);
  }
  return text;
}

/// Text such as "3.3 h (3.4 %) sooner", or "later".
std::string describe_saving(const std::string& amount, double saved, double total,
                            const char* saving, const char* loss) {
  const std::string share =
      total > 0 ? fmt::format(" ({:.3g} %)", 100 * std::abs(saved) / total) : "";
  return fmt::format("{}{} {}", amount, share, saved < 0 ? loss : saving);
}

/// Text such as "compared with greedy: +12.3 percentage points of the time within the target", or
/// "1.2 km nearer on average".
std::string describe_keeping_gain(const BaselineOutcome& best, const Keeping& flown, Units units) {
  const double gain = flown.mean - best.rollout.keeping->mean;
  std::string text = fmt::format("compared with {}: ", to_string(best.baseline));
  if (!flown.is_distance) {
    return text +
           fmt::format("{:+.3g} percentage points of the time within the target", 100 * gain);
  }
  const double length = units == Units::metric ? gain / 1000 : gain;
  return text + fmt::format("{:.3g}{} {} on average", std::abs(length),
                            units == Units::metric ? " km" : "", gain < 0 ? "nearer" : "farther");
}

std::string describe_gain(const BaselineOutcome& best, const RolloutStatistics& flown,
                          const Mission& mission, Units units, Values values) {
  const PlanGain& gain = best.plan_gain;
  std::string text = fmt::format("compared with {}: ", to_string(best.baseline));
  text += flown.has_probability
              ? fmt::format("{:+.2f} percentage points of arrival", 100 * gain.arrival_rate)
              : fmt::format("{:+} arrivals", count_arrived(flown) - count_arrived(best.rollout));
  if (std::isfinite(gain.time)) {
    const double time = std::abs(gain.time);
    text += "; where both arrive, ";
    const auto energy = [&](double saved) {
      return describe_energy(std::abs(saved), mission.energy, units);
    };
    if (mission.objective == Objective::net_energy) {
      text += describe_saving(energy(gain.net_energy), gain.net_energy, 0, "less net energy",
                              "more net energy");
    } else if (mission.objective == Objective::energy) {
      text += describe_saving(energy(gain.energy), gain.energy, best.rollout.energy.mean,
                              "less energy", "more energy");
    } else {
      text += describe_saving(units == Units::metric ? fmt::format("{:.1f} h", time / 3600)
                                                     : fmt::format("{:.4g}", time),
                              gain.time, best.rollout.time.mean, "sooner", "later");
    }
  }
  if (values == Values::hidden) return text;
  text += fmt::format("; return {:+.4g}", gain.total_reward);
  if (std::isfinite(gain.standard_error)) text += fmt::format(" ± {:.2g}", gain.standard_error);
  return text + " on average";
}

/// Text such as "cpu: EPYC, 16 thread(s)", or "cuda: H200".
std::string describe_backend(const RunSummary& summary, const Backend& backend) {
  std::string text = fmt::format("{}: {}", summary.backend, summary.device);
  if (backend.kind == BackendKind::cpu) text += fmt::format(", {} thread(s)", summary.threads);
  if (summary.processes > 1) {
    text += fmt::format(" in each of {} processes, {} band(s) of rows", summary.processes,
                        summary.subdomains);
  }
  return text;
}

std::string describe_work(const RunSummary& summary, const Backend& backend) {
  std::string text =
      fmt::format("{}, engine {}, {:.2f} s, {:.0f} MB", describe_backend(summary, backend),
                  summary.engine, summary.seconds.total, 1e-6 * double(summary.peak_memory_bytes));
  if (summary.peak_device_memory_bytes > 0) {
    text +=
        fmt::format(" and {:.0f} MB of the GPU's", 1e-6 * double(summary.peak_device_memory_bytes));
  }
  if (!backend.reason.empty()) text += fmt::format(" ({})", backend.reason);
  return text;
}

/// The action with tenths of a degree, which the answer omits.
std::string describe_action(const FirstAction& action, Units units) {
  const std::string speed = plain_number(action.speed) + (units == Units::metric ? " m/s" : "");
  const std::string dive = action.profile.name.empty() ? "" : ", " + describe_dive(action.profile);
  if (action.speed == 0) return "drift" + dive;
  if (action.bearing) {
    return fmt::format("heading {:.1f}°, clockwise from true north, at {}{}", *action.bearing,
                       speed, dive);
  }
  constexpr double degree = 57.29577951308232;
  return fmt::format("heading {:.1f}°, counter-clockwise from +x, at {}{}", action.heading * degree,
                     speed, dive);
}

/// The environment that the run was planned on; empty if its flights are in the same one.
std::string describe_planning(const RunSummary& summary, Values values) {
  if (!summary.planned_on) return {};
  const PlannedOn& planned_on = *summary.planned_on;
  std::string environment = std::filesystem::path(planned_on.environment).filename().string();
  if (values == Values::shown) {
    environment +=
        fmt::format(", with a predicted value of {}", plain_number(planned_on.value_at_start, 6));
  }
  std::string text = report_line("planned on", environment);
  if (planned_on.states.without_action > 0) {
    text += report_line("coverage",
                        fmt::format("it has no action in {} of {} states that are open here; "
                                    "flights that reach these count as failed",
                                    planned_on.states.without_action, planned_on.states.count));
  }
  return text;
}

std::string describe_point(const RunPoint& point) {
  std::string text = fmt::format("({:.6g}, {:.6g})", point.x, point.y);
  if (!point.longitude || !point.latitude) return text;
  return text + " = " + describe_degrees(*point.longitude, *point.latitude);
}

/// Text that a point is the `which` of several points or of an area; empty for a single point.
std::string describe_area(const RunArea& area, const char* which) {
  if (!area.polygons.empty()) {
    return fmt::format(", the {} of an area of {} cell(s)", which, area.cells);
  }
  return area.points.empty() ? "" : fmt::format(", the {} of {} points", which, area.points.size());
}

std::string describe_level(double level, const std::optional<double>& instant) {
  return instant ? fmt::format("{} ({})", std::floor(level), format_date(*instant))
                 : fmt::format("{:.6g}", level);
}

/// A via point: "(60.5, 110.5), within 2: passed by 98.3 % of the flights, after 70.2 on average";
/// without probability "passed by all simulated missions".
std::string describe_via(const RunVia& via, Units units, bool has_probability) {
  std::string text = describe_point(via.point);
  if (!via.area.polygons.empty()) {
    text += fmt::format(", in an area of {} cell(s)", via.area.cells);
  } else if (!via.area.points.empty()) {
    text += fmt::format(", the first of {} points", via.area.points.size());
  }
  if (via.radius > 0) {
    text += units == Units::metric ? fmt::format(", within {:.4g} km", via.radius / 1000)
                                   : fmt::format(", within {:.4g}", via.radius);
  }
  if (!via.passed_share) return text;
  const double share = *via.passed_share;
  text += has_probability ? fmt::format(": passed by {:.4g} % of the flights", 100 * share)
          : share == 1    ? ": passed by all simulated missions"
          : share > 0     ? ": passed by some simulated missions"
                          : ": passed by no simulated mission";
  if (!std::isfinite(via.passed_time->mean)) return text;
  return text +
         fmt::format(", after {} on average", describe_duration(via.passed_time->mean, units));
}

std::string describe_follow(const std::filesystem::path& file, const RunPlaces& places) {
  const std::string name = on_one_line(file.filename().string());
  return places.followed ? fmt::format("{}, {}", name, describe_followed(*places.followed)) : name;
}

/// Places and times of the mission, with adjusted inputs.
std::string describe_places(const MissionProblem& run, const RunSummary& summary) {
  const Units units = run.info().units;
  std::string text;
  if (summary.places) {
    const RunPlaces& places = *summary.places;
    text += report_line("from",
                        describe_point(places.start) + describe_area(places.start_area, "best"));
    for (const RunVia& via : places.via)
      text +=
          report_line("by", describe_via(via, units, supports_probability(summary.uncertainty)));
    const std::filesystem::path& followed = run.request.goal.follow;
    text += followed.empty() ? report_line("to", describe_point(places.target) +
                                                     describe_area(places.target_area, "nearest"))
                             : report_line("follows", describe_follow(followed, places));
    text += report_line("departure",
                        fmt::format("level {}; time is up at level {}",
                                    describe_level(places.departure_level + run.mission.begun,
                                                   places.departure_instant),
                                    describe_level(places.last_level, places.last_instant)));
    if (places.decide_every > 1) {
      text += report_line(
          "decides",
          fmt::format("every {}, {} steps; what it does is held between",
                      units == Units::metric ? span_text(places.decide_every_time)
                                             : describe_duration(places.decide_every_time, units),
                      places.decide_every));
    }
  }
  for (const std::string& note : summary.notes) text += report_line("note", note);
  return text;
}

/// The flights of the plan to follow; nullopt if none were simulated.
const std::optional<RolloutStatistics>& followed_flights(const RunSummary& summary,
                                                         const PlanCost* before) {
  const bool stays = summary.recommendation.action == Recommendation::Action::stay;
  return stays && before != nullptr ? before->old.rollout : summary.rollout;
}

/// The time of the next decision: "28 Oct 18:00 UTC", or "time 3".
std::string describe_next_decision(const MissionProblem& run, std::optional<double> departure) {
  const Mission& mission = run.mission;
  const TimeAxis& time = run.info().time;
  const std::int32_t steps =
      mission.decisions.hold() ? mission.decisions.until_next(mission.departure) : 1;
  const double until_decision = (steps - mission.begun) * time.step;
  if (departure) return describe_short_date(*departure + until_decision);
  return "time " + plain_number(time.at(mission.departure) + steps * time.step, 6);
}

/// The next action: "Heading 045° true (NE), 0.5 m/s, until 28 Oct 18:00 UTC."
std::string describe_next_action(const MissionProblem& run, const RunSummary& summary,
                                 const PlanCost* before) {
  using enum Recommendation::Action;
  const Recommendation& recommendation = summary.recommendation;
  if (recommendation.action == none) return "Not simulated.";
  if (recommendation.action == at_target) return "The vehicle is at its target already.";
  if (recommendation.action == do_not_go) {
    const auto& flown = followed_flights(summary, before);
    return recommendation.outlook.basis == Outlook::Basis::model
               ? "Do not go: the plan does not arrive."
               : fmt::format("Do not go: no flight arrives{}.",
                             flown ? describe_failures(flown->failures) : "");
  }
  std::string text;
  if (recommendation.action == stay)
    text = fmt::format("keep the old plan, a new one {}", recommendation.gain);
  if (recommendation.action == change)
    text = fmt::format("take the new plan, which {}", recommendation.gain);
  if (recommendation.first) {
    text += fmt::format("{}{}, until {}", text.empty() ? "" : ": ",
                        describe_steering(*recommendation.first, run.info().units),
                        describe_next_decision(run, recommendation.departure));
  }
  return as_sentence(text);
}

/// Text such as ", energy 1.97 MJ"; empty if the mission does not count energy.
std::string describe_energy_of(const RolloutStatistics& flown, const Mission& mission,
                               Units units) {
  if (!counts_energy(mission.objective) || !(flown.arrival_rate > 0)) return "";
  return mission.objective == Objective::net_energy
             ? ", net energy " + describe_energy(flown.net_energy.p50, mission.energy, units)
             : ", energy " + describe_energy(flown.energy.p50, mission.energy, units);
}

/// The arrival: "Arrival 2 Nov 05:00 UTC (after 110 h), 90 % from … to …, probability 99 % (100
/// flights)."
std::string describe_arrival(const MissionProblem& run, const RunSummary& summary,
                             const PlanCost* before) {
  const Recommendation& recommendation = summary.recommendation;
  const Outlook& outlook = recommendation.outlook;
  const EnvironmentInfo& info = run.info();
  if (outlook.keeping) {
    const RunPlaces places = summary.places.value_or(RunPlaces());
    std::string text = describe_outlook(*outlook.keeping, places.target_radius,
                                        places.last_time - places.departure_time, info.units);
    if (outlook.basis == Outlook::Basis::model) return as_sentence(text + ", not simulated");
    if (outlook.lost > 0) {
      text += fmt::format(", {} of {} flights not until the end", outlook.lost, outlook.flights);
    }
    return as_sentence(text);
  }
  const auto& flown = followed_flights(summary, before);
  const TimeRounding rounding =
      flown ? round_times(*flown, info) : round_times(0, info.time.step, info.units);
  return as_sentence(describe_outlook(outlook, recommendation.departure, rounding, info.units) +
                     (flown ? describe_energy_of(*flown, run.mission, info.units) : ""));
}

/// A line such as "Steering straight at the target: probability 86 %, 20 h later where both
/// arrive."; empty if that was not simulated. `flown`: flights of the plan that the baselines were
/// compared with.
std::string describe_straight(const MissionProblem& run, const RunSummary& summary,
                              const RolloutStatistics& flown) {
  const auto aim = std::find_if(
      summary.baselines.begin(), summary.baselines.end(),
      [](const BaselineOutcome& outcome) { return outcome.baseline == Baseline::aim; });
  if (aim == summary.baselines.end()) return "";
  const EnvironmentInfo& info = run.info();
  const Mission& mission = run.mission;
  const RolloutStatistics& aimed = aim->rollout;
  std::string text = "Steering straight at the target: ";
  if (aimed.keeping) {
    return text + describe_keeping(aimed.keeping->mean, aimed.keeping->is_distance, info.units) +
           ".";
  }
  if (!(aimed.arrival_rate > 0)) return text + "no flight arrives.";
  text += aimed.has_probability
              ? "probability " + describe_chance(aimed.arrival_rate, aimed.effective_flights)
              : describe_arriving(aimed) + " arrive";
  const PlanGain& gain = aim->plan_gain;
  if (!std::isfinite(gain.time)) return text + ".";
  const char* condition =
      flown.arrival_rate < 1 || aimed.arrival_rate < 1 ? " where both arrive" : "";
  if (mission.objective == Objective::energy || mission.objective == Objective::net_energy) {
    const double saved = mission.objective == Objective::energy ? gain.energy : gain.net_energy;
    return text + fmt::format(", {} {} energy{}.",
                              describe_energy(std::abs(saved), mission.energy, info.units),
                              saved < 0 ? "less" : "more", condition);
  }
  const double error = std::hypot(flown.time_standard_error, aimed.time_standard_error);
  const double step =
      round_times(flown.has_probability ? error : 0, info.time.step, info.units).mean;
  if (std::round(gain.time / step) == 0)
    return text + fmt::format(", at the same time{}.", condition);
  return text + fmt::format(", {} {}{}.", describe_duration(std::abs(gain.time), info.units, step),
                            gain.time < 0 ? "sooner" : "later", condition);
}

std::string describe_answer(const MissionProblem& run, const RunSummary& summary,
                            const std::filesystem::path& folder, Details details,
                            const PlanCost* before, const std::string& surfacing) {
  using enum Recommendation::Action;
  const Recommendation& recommendation = summary.recommendation;
  std::string text = recommendation.note.empty() ? "" : recommendation.note + "\n";
  text += describe_next_action(run, summary, before) + "\n";
  if (recommendation.action == go || recommendation.action == stay ||
      recommendation.action == change) {
    text += describe_arrival(run, summary, before) + "\n";
  }
  const std::string straight =
      summary.rollout ? describe_straight(run, summary, *summary.rollout) : "";
  if (!straight.empty()) text += straight + "\n";
  text += surfacing;
  return text + fmt::format("Written to {}{}.\n",
                            folder.lexically_proximate(std::filesystem::current_path()).string(),
                            details == Details::shown ? "" : "; more figures with --details");
}

std::string describe_details(const MissionProblem& run, const RunSummary& summary, Values values,
                             const PlanCost* before) {
  const EnvironmentInfo& info = run.info();
  const Units units = info.units;
  const Mission& mission = run.mission;
  const Recommendation& recommendation = summary.recommendation;
  std::string report;
  if (const auto& flown = followed_flights(summary, before)) {
    const bool calibrated = recommendation.outlook.calibrated_on > 0;
    report += describe_flights(calibrated ? with_window(*flown, *summary.calibration) : *flown,
                               recommendation.departure, round_times(*flown, info),
                               mission.objective, mission.energy, units);
  }
  if (recommendation.action == Recommendation::Action::stay) report += "\nthe new plan:\n";
  const TimeRounding rounding =
      summary.rollout ? round_times(*summary.rollout, info) : round_times(0, info.time.step, units);
  report += describe_places(run, summary);
  if (summary.first_action) {
    report += report_line("first action", describe_action(*summary.first_action, units));
  }
  if (values == Values::shown) {
    report += report_line("value at start", plain_number(summary.value_at_start, 6));
  }
  report += describe_planning(summary, values);
  if (summary.arrival_at_least) {
    report += report_line("arrival", fmt::format("at least {:.6g} % requested: lateness penalty {}",
                                                 100 * *summary.arrival_at_least,
                                                 plain_number(mission.failure.late, 6)));
  }
  if (summary.expected) {
    report += report_line("prediction",
                          describe_expected(*summary.expected, mission, units,
                                            supports_probability(summary.uncertainty), rounding));
  }
  report += report_line("flights", summary.rollout ? describe_kind(summary) : "none");
  const std::string risk = summary.rollout ? describe_risk(*summary.rollout, rounding, units) : "";
  if (!risk.empty()) report += report_line("risk", risk);
  if (const BaselineOutcome* best = best_baseline(summary.baselines)) {
    report += report_line("baselines", describe_baselines(summary.baselines, mission, units));
    const auto& keeping = summary.rollout->keeping;
    report += report_line("gain",
                          keeping ? describe_keeping_gain(*best, *keeping, units)
                                  : describe_gain(*best, *summary.rollout, mission, units, values));
  }
  report += report_line("computed on", describe_work(summary, run.context->backend()));
  return report;
}

}  // namespace

std::string describe_run(const MissionProblem& run, const RunSummary& summary,
                         const std::filesystem::path& folder, const ReportOptions& options,
                         const PlanCost* before, const std::string& surfacing) {
  std::string report = describe_answer(run, summary, folder, options.details, before, surfacing);
  if (options.details == Details::shown) {
    report += "\n" + describe_details(run, summary, options.values, before);
  }
  return report;
}

}  // namespace tidewise
