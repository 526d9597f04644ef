#include "app/report/knowledge.h"

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <utility>

#include "app/report/environment.h"
#include "env/environment_info.h"
#include "planner/run/flight_figures.h"

namespace tidewise {
namespace {

/// The quantity that the objective counts in addition to arrivals.
enum class Counted { time, energy, net_energy };

Counted counted_by(Objective objective) {
  if (objective == Objective::energy) return Counted::energy;
  return objective == Objective::net_energy ? Counted::net_energy : Counted::time;
}

/// Text such as "2.03 ± 0.21". `unit`: size of the unit, such as 3600 for hours.
std::string with_error(const MeanWithError& value, double unit) {
  const double mean = value.mean / unit;
  if (!std::isfinite(value.standard_error)) return fmt::format("{:.4g}", mean);
  return fmt::format("{:.4g} ± {:.2g}", mean, value.standard_error / unit);
}

class KnowledgeReport {
 public:
  KnowledgeReport(const MissionProblem& run, const KnowledgeFlights& flights)
      : worth_(flights.worth),
        flights_(flights),
        counted_(counted_by(run.mission.objective)),
        unit_(unit_of(run, counted_)) {}

  std::string text() const {
    std::string text = report_line("open policy", figures(worth_.open));
    if (worth_.adaptive) text += report_line("learning", figures(*worth_.adaptive));
    if (flights_.bound) text += report_line("clairvoyant", figures(worth_.bound));
    if (worth_.adaptive) text += report_line("learning gains", gain(worth_.adaptive_gain));
    if (flights_.bound) text += report_line("knowing gains", gain(worth_.bound_gain));
    if (worth_.adaptive && flights_.bound) text += report_line("regret closed", closed_regret());
    if (flights_.bound) text += report_line("bound's promise", promise());
    if (flights_.adaptive) text += report_line("observations", observations());
    return text;
  }

 private:
  /// The unit of a quantity: its size in the environment's units, and its name.
  static std::pair<double, std::string> unit_of(const MissionProblem& run, Counted counted) {
    const Units units = run.info().units;
    if (units == Units::nondimensional) return {1, ""};
    if (counted == Counted::time) return {3600, " h"};
    const EnergyUnit energy = energy_unit(run.mission.energy, units);
    const std::string name = energy.name;
    return {energy.size, name.empty() ? name : " " + name};
  }

  std::string figures(const RolloutStatistics& flown) const {
    const double share = flown.arrival_rate;
    const double error = std::sqrt(share * (1 - share) / flown.effective_flights);
    std::string text = flown.has_probability
                           ? fmt::format("{:.2f} ± {:.2g} % of {} arrive", 100 * share, 100 * error,
                                         flown.trajectories)
                           : describe_arriving(flown) + " arrive";
    if (!(share > 0)) return text;
    switch (counted_) {
      case Counted::energy:
        return text + ", with energy " +
               with_error({flown.energy.mean, flown.energy_standard_error}, unit_.first) +
               unit_.second;
      case Counted::net_energy:
        return text + ", with net energy " +
               with_error({flown.net_energy.mean, flown.net_energy_standard_error}, unit_.first) +
               unit_.second;
      case Counted::time:
        break;
    }
    return text + ", after " +
           with_error({flown.time.mean, flown.time_standard_error}, unit_.first) + unit_.second;
  }

  std::string gain(const PairedWorth& gain) const {
    std::string text =
        worth_.open.has_probability
            ? fmt::format("{:+.2f} ± {:.2g} points of arrival", 100 * gain.arrival_rate.mean,
                          100 * gain.arrival_rate.standard_error)
            : fmt::format("{:+.0f} arrivals",
                          gain.arrival_rate.mean * static_cast<double>(worth_.open.trajectories));
    MeanWithError saved = counted_ == Counted::time     ? gain.time
                          : counted_ == Counted::energy ? gain.energy
                                                        : gain.net_energy;
    if (gain.both_arrive > 0) {
      const bool gains = !(saved.mean < 0);
      saved.mean = std::abs(saved.mean);
      const char* word =
          counted_ == Counted::time ? (gains ? "sooner" : "later") : (gains ? "less" : "more");
      text += fmt::format("; where both arrive ({}), {}{} {}", gain.both_arrive,
                          with_error(saved, unit_.first), unit_.second, word);
    }
    return text + "; return " + (gain.total_reward.mean < 0 ? "" : "+") +
           with_error(gain.total_reward, 1);
  }

  std::string closed_regret() const {
    const auto percent = [](const MeanWithError& share) {
      return with_error({100 * share.mean, 100 * share.standard_error}, 1) + " %";
    };
    std::string text =
        percent(worth_.regret_closed) +
        fmt::format(" of what knowing gains, where all arrive ({})", worth_.all_arrive);
    return text + "; " + percent(worth_.regret_closed_of_all) +
           " over all, failures with their prices";
  }

  std::string promise() const {
    MeanWithError gap = worth_.promise_gap;
    const bool is_optimistic = gap.mean > 0;
    gap.mean = std::abs(gap.mean);
    return fmt::format("its plans predict {} of return {} than their flights have",
                       with_error(gap, 1), is_optimistic ? "more" : "less");
  }

  std::string observations() const {
    const AdaptiveFlights& flown = *flights_.adaptive;
    double sum = 0;
    double count = 0;
    for (const double value : flown.consistency) {
      if (!std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
    std::string text = fmt::format("{:.1f} plans a flight",
                                   static_cast<double>(flown.replans) /
                                       static_cast<double>(flown.rollout.trajectories.size()));
    if (count > 0) {
      text += fmt::format(
          "; chi-square {:.2f} a degree of freedom (1 where forecast and error are "
          "what they claim)",
          sum / count);
    }
    if (flown.steps_beyond_plan > 0) {
      text += fmt::format("; {} step(s) from where no member came, by the open policy",
                          flown.steps_beyond_plan);
    }
    return text;
  }

  const KnowledgeWorth& worth_;
  const KnowledgeFlights& flights_;
  Counted counted_;
  std::pair<double, std::string> unit_;
};

}  // namespace

std::string describe_knowledge(const MissionProblem& run, const KnowledgeFlights& flights) {
  std::string text = KnowledgeReport(run, flights).text();
  for (const std::string& note : flights.notes) text += report_line("note", note);
  return text;
}

}  // namespace tidewise
