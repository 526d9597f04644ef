#include "planner/run/step_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/two_digits.h"
#include "env/levels/level_stream.h"
#include "planner/run/flight_figures.h"
#include "solver/flight/realized_flow.h"

namespace tidewise {
namespace {

constexpr std::size_t max_flights = 32;  // maximum number of flights to examine
constexpr std::int32_t max_levels = 32;  // maximum number of levels to read, in pairs
constexpr double weight = 3;             // weight of bends, which add up, relative to blur
constexpr double straight =
    0.04;  // share of a step's length, below which a step counts as straight
constexpr double clear_cells = 1.5;  // length of a step through the water with little blur [cells]
constexpr double max_parts = 4;      // maximum refinement of the cells in one step

/// The sums of one pass along flights.
class Gatherer {
 public:
  Gatherer(const EnvironmentInfo& info, const RolloutResult& rollout)
      : info_(info), departure_(rollout.departure) {
    std::vector<const Trajectory*> tracks;
    for (const Trajectory& flight : rollout.trajectories) {
      if (flight.has_track()) tracks.push_back(&flight);
    }
    for (const std::size_t n : tracked_flights(tracks.size(), max_flights)) {
      flights_.push_back(tracks[n]);
    }
    before_.resize(flights_.size());
    step_before_.resize(flights_.size());
  }

  // The levels of the flights: [begin, end).
  TimeLevel begin() const { return departure_; }
  TimeLevel end() const {
    std::size_t max = 1;
    for (const Trajectory* flight : flights_) max = std::max(max, flight->points.size());
    return TimeLevel(departure_.value + static_cast<std::int32_t>(max - 1));
  }

  /// Adds a level. Levels come in ascending order; those outside the flights are ignored.
  void add(TimeLevel k, const LevelView& level) {
    if (k < departure_) return;
    const auto step = static_cast<std::size_t>(k.value - departure_.value);
    for (std::size_t n = 0; n < flights_.size(); ++n) {
      const Trajectory& flight = *flights_[n];
      const bool is_whole_step = step + 1 < flight.points.size() &&
                                 !(step == 0 && flight.begun > 0) &&
                                 !(step + 2 == flight.points.size() && flight.last_step < 1);
      if (!is_whole_step) continue;
      // Between the pairs of levels that are read there is no step before to compare with.
      const bool has_gap = step_before_[n] && *step_before_[n] + 1 != step;
      if (has_gap) before_[n] = {};
      if (!has_gap) ++compared_;
      step_before_[n] = step;
      add(level, flight, step, before_[n]);
    }
  }

  StepStatistics result() const {
    StepStatistics steps;
    if (!(length_ > 0)) return steps;
    steps.cells = cells_ / count_;
    steps.own = own_ / count_;
    // A vehicle that a current holds in place covers no ground, so that its path through the water
    // is the measure.
    const double mean = std::max(length_, through_water_) / count_;
    steps.bend = bend_ / count_ / mean;
    steps.persists = std::sqrt(std::max(0.0, kept_ / compared_)) / mean;
    return steps;
  }

 private:
  void add(const LevelView& level, const Trajectory& flight, std::size_t step, Current& before) {
    const TrajectoryPoint& from = flight.points[step];
    const TrajectoryPoint& to = flight.points[step + 1];
    const LevelView dived =
        level.profile(flight.profiles.empty() ? 0 : std::int32_t{flight.profiles[step]});
    RealizedFlow flow(dived, info_.grid, flight.realization);
    const Current start_current = flow.at(from.x, from.y);
    LevelView modeless = dived;
    modeless.mode_count = 0;  // without modes no coefficient is read
    const Current mean = RealizedFlow(modeless, info_.grid, flight.realization).at(from.x, from.y);
    const double time = info_.time.step;
    const double own_x = double(from.speed) * std::cos(double(from.heading));
    const double own_y = double(from.speed) * std::sin(double(from.heading));
    const double x = to.x - from.x;
    const double y = to.y - from.y;
    length_ += std::hypot(x, y);
    cells_ += std::hypot(x / info_.grid.dx, y / info_.grid.dy);
    own_ += double(from.speed) * time / std::max(info_.grid.dx, info_.grid.dy);
    through_water_ += double(from.speed) * time;
    bend_ += std::hypot(x - (start_current.u + own_x) * time, y - (start_current.v + own_y) * time);
    const Current deviation{(start_current.u - mean.u) * time, (start_current.v - mean.v) * time};
    kept_ += deviation.u * before.u + deviation.v * before.v;
    before = deviation;
    ++count_;
  }

  const EnvironmentInfo& info_;
  TimeLevel departure_;
  std::vector<const Trajectory*> flights_;
  std::vector<Current> before_;  // deviation of the realization one step before [m or 1], (flight)
  std::vector<std::optional<std::size_t>> step_before_;  // the last step added, (flight)
  double compared_ = 0;                                  // steps with a known step before
  double length_ = 0;                                    // over ground [m or 1]
  double through_water_ = 0;                             // [m or 1]
  double cells_ = 0;
  double own_ = 0;
  double bend_ = 0;
  double kept_ = 0;
  double count_ = 0;
};

/// All levels of [first, end), or max_levels of them in evenly spaced pairs.
std::vector<TimeLevel> sampled_levels(TimeLevel first, TimeLevel end) {
  const std::int32_t count = end.value - first.value;
  if (count <= max_levels) return levels_between(first, TimeLevel(end.value - 1));
  constexpr std::int32_t pairs = max_levels / 2;
  std::vector<TimeLevel> levels;
  for (std::int32_t n = 0; n < pairs; ++n) {
    const std::int32_t k =
        first.value + static_cast<std::int32_t>(std::int64_t{n} * (count - 2) / (pairs - 1));
    levels.emplace_back(k);
    levels.emplace_back(k + 1);
  }
  return levels;
}

std::string length_text(double length, const EnvironmentInfo& info) {
  return info.units == Units::metric ? fmt::format("{:.6g}km", two_digits(length) / 1000)
                                     : fmt::format("{:.6g}", two_digits(length));
}

std::string time_text(double time, const EnvironmentInfo& info) {
  return info.units == Units::metric ? fmt::format("{:.4g}h", time / 3600)
                                     : fmt::format("{:.4g}", time);
}

/// The remedy for coarse steps or cells; with several profiles only another import.
std::string remedy(const EnvironmentInfo& info, const std::string& options) {
  return fmt::format("import the forecast{} with {}",
                     info.profiles.empty() ? ", or use 'env resample'," : "", options);
}

std::string spacing_words(double spacing, const EnvironmentInfo& info) {
  return fmt::format("--spacing {}", length_text(spacing, info));
}

/// Returns a spacing of cells with little blur, at most `max_parts` times finer than the grid.
double finer_spacing(const StepStatistics& steps, const EnvironmentInfo& info) {
  return info.grid.dx / std::clamp(steps.own > 0 ? clear_cells / steps.own : 0, 2.0, max_parts);
}

std::string explain_blur(const StepStatistics& steps, const EnvironmentInfo& info) {
  return fmt::format(
      "; a step is {:.2g} cells long, and the bilinear weights at its end blur it by {:.2g} %: {}",
      steps.cells, 100 * steps.blur(),
      remedy(info, spacing_words(finer_spacing(steps, info), info)));
}

/// Recommends steps that are short enough to be straight, of whole hours if possible, and a spacing
/// with little blur for such steps.
std::string explain_bend(const StepStatistics& steps, const EnvironmentInfo& info) {
  constexpr double hour = 3600;  // [s]
  const double step = info.time.step;
  constexpr double max_steps = 12;  // in place of one
  double parts = std::clamp(std::ceil(steps.bend / straight), 2.0, max_steps);
  const bool hours = info.units == Units::metric && std::fmod(step, hour) == 0;
  while (hours && step / parts > hour && std::fmod(step / parts, hour) != 0) ++parts;
  std::string options = "--step " + time_text(step / parts, info);
  // Shorter steps are blurred more often: smaller cells make up for it.
  const double cells_per_step = steps.own / parts;
  if (cells_per_step > 0 && cells_per_step < 0.9 * clear_cells) {
    options +=
        " " +
        spacing_words(info.grid.dx * std::max(cells_per_step / clear_cells, 1 / max_parts), info);
  }
  return fmt::format(
      "; the current bends a step by {:.2g} % of its length, and the plan assumes a straight one: "
      "{}",
      100 * steps.bend, remedy(info, options));
}

}  // namespace

double StepStatistics::blur() const { return cells > 0 ? std::sqrt(1.0 / 6) / cells : 0; }

std::vector<StepStatistics> measure_steps(const EnvironmentReader& environment,
                                          const std::vector<FlownMission>& flown,
                                          std::int32_t threads) {
  const EnvironmentInfo& info = environment.info();
  std::vector<Gatherer> gatherers;
  TimeLevel first(info.time.level_count);
  TimeLevel end(0);
  for (const FlownMission& flown_mission : flown) {
    const Gatherer& gatherer = gatherers.emplace_back(info, *flown_mission.rollout);
    if (gatherer.begin() == gatherer.end()) continue;
    first = std::min(first, gatherer.begin());
    end = std::max(end, gatherer.end());
  }
  if (first < end) {
    const std::vector<TimeLevel> levels = sampled_levels(first, end);
    LevelStream stream(environment, levels);
    for (const TimeLevel k : levels) {
      const LevelView level = stream.next().view(info);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (gatherers.size() > 1)
      for (Gatherer& gatherer : gatherers) gatherer.add(k, level);
    }
  }
  std::vector<StepStatistics> all;
  for (std::size_t n = 0; n < flown.size(); ++n) {
    const Mission& mission = *flown[n].mission;
    StepStatistics& steps = all.emplace_back(gatherers[n].result());
    steps.length = std::hypot((mission.target_x - mission.start_x) / info.grid.dx,
                              (mission.target_y - mission.start_y) / info.grid.dy);
    steps.disc = mission.disc.radius / std::min(info.grid.dx, info.grid.dy);
    steps.held = mission.decisions.hold() ? mission.decisions.every * steps.own : 0;
  }
  return all;
}

StraightLineStatistics::StraightLineStatistics(const EnvironmentInfo& info, const Mission& mission,
                                               double speed)
    : info_(info),
      from_{mission.start_x, mission.start_y},
      to_target_{mission.target_x - mission.start_x, mission.target_y - mission.start_y} {
  const double length = std::hypot(to_target_.x, to_target_.y);
  if (length > 0)
    own_velocity_ = Current{speed * to_target_.x / length, speed * to_target_.y / length};
}

void StraightLineStatistics::add(const LevelView& level) {
  constexpr int samples = 32;
  const double time = info_.time.step;
  RealizedFlow flow(level, info_.grid, 0);
  for (int n = 0; n < samples; ++n) {
    const double share = (n + 0.5) / samples;
    const double x = from_.x + share * to_target_.x;
    const double y = from_.y + share * to_target_.y;
    const CellIndex cell = info_.grid.cell(info_.grid.column_at(x), info_.grid.row_at(y));
    if (level.masked[static_cast<std::size_t>(cell.value)] != 0) continue;
    const Current start_current = flow.at(x, y);
    const double parts = std::max(1.0, std::ceil(flow.max_cells(own_velocity_, time)));
    Current path;
    for (int part = 0; part < static_cast<int>(parts); ++part) {
      const Current now = flow.at(x + path.u, y + path.v);
      const Current part_path =
          flow.displacement(x + path.u, y + path.v, now, own_velocity_, time / parts);
      path = {path.u + part_path.u, path.v + part_path.v};
    }
    length_ += std::hypot(path.u, path.v);
    cells_ += std::hypot(path.u / info_.grid.dx, path.v / info_.grid.dy);
    bend_ += std::hypot(path.u - (start_current.u + own_velocity_.u) * time,
                        path.v - (start_current.v + own_velocity_.v) * time);
    ++count_;
  }
}

StepStatistics StraightLineStatistics::result() const {
  StepStatistics steps;
  if (!(length_ > 0)) return steps;
  steps.cells = cells_ / count_;
  steps.own = std::hypot(own_velocity_.u, own_velocity_.v) * info_.time.step /
              std::max(info_.grid.dx, info_.grid.dy);
  steps.bend = bend_ / length_;
  steps.length = std::hypot(to_target_.x / info_.grid.dx, to_target_.y / info_.grid.dy);
  return steps;
}

std::string validate_straight_line(const StepStatistics& steps, const EnvironmentInfo& info) {
  constexpr double max_bend = 0.1;
  if (!(steps.bend > max_bend) || weight * steps.bend < steps.blur()) return {};
  return "the prediction will be inaccurate" + explain_bend(steps, info);
}

std::string explain_difference(const StepStatistics& steps, double delay,
                               const EnvironmentInfo& info) {
  if (!(steps.cells > 0)) return {};
  const bool is_late = delay > 0;
  // A vehicle that misses the target returns: by a cell, or by the distance of an action hold.
  const double missed_share =
      std::max(0.0, 1 - steps.disc) * std::max(1.0, steps.held) / steps.length;
  if (missed_share > std::abs(delay) / 2) {
    return fmt::format(
        "; the target is {:.2g} cells wide and {:.3g} cells away: a plan arrives at the centre of "
        "a cell and a flight at its edge; set mission.target_radius to {}",
        2 * steps.disc, steps.length, plain_number(std::max(info.grid.dx, info.grid.dy)));
  }
  if (steps.persists > steps.bend && (!is_late || weight * steps.persists > steps.blur())) {
    const std::string why = fmt::format(
        "; current errors persist from one step to the next (by {:.2g} % of the length of a step), "
        "and the plan assumes independent errors: replan at each surfacing (tidewise replan)",
        100 * steps.persists);
    const bool cells_help = is_late && steps.blur() > steps.persists;
    return cells_help
               ? why +
                     "; smaller cells help too: " + spacing_words(finer_spacing(steps, info), info)
               : why;
  }
  if (!is_late || weight * steps.bend > steps.blur()) return explain_bend(steps, info);
  return explain_blur(steps, info);
}

}  // namespace tidewise
