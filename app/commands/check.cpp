#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/mission_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/report/environment.h"
#include "app/report/options.h"
#include "app/report/place_words.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/printable.h"
#include "env/levels/level_stream.h"
#include "model_builder/step/level_bounds.h"
#include "output/run/recommendation.h"
#include "planner/backend/backend.h"
#include "planner/backend/device_budget.h"
#include "planner/backend/problem_estimate.h"
#include "planner/backend/sampled_seconds.h"
#include "planner/folder/run_folder.h"
#include "planner/mission/read/file.h"
#include "planner/mission/read/presets.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolved_times.h"
#include "planner/mission/resolve/validation.h"
#include "planner/run/step_statistics.h"
#include "solver/reachable/flight_bound.h"
#include "solver/step/reward.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string mission;
  MissionOptions options;
  Details details = Details::hidden;
};

/// The results of one pass over the levels of a mission.
struct Survey {
  EnvironmentStatistics statistics;
  SubGrid subgrid;
  std::int64_t open_states = 0;  ///< open cells, summed over the levels with decisions
  double short_of = 0;           ///< see FlightBound::short_of()
  StepStatistics steps;          ///< along the straight line to the target
};

std::vector<CellIndex> open_cells(const LevelView& level) {
  std::vector<CellIndex> cells;
  for (std::size_t cell = 0; cell < level.masked.size; ++cell) {
    if (level.masked[cell] == 0) cells.emplace_back(static_cast<std::int32_t>(cell));
  }
  return cells;
}

/// Reads every level of the file, which validates every field. The sub-grid is that of levels 0 …
/// L−1.
Survey survey(const EnvironmentReader& reader, const RunRequest& request,
              const ResolvedMission& resolved, Progress& progress) {
  const EnvironmentInfo& info = reader.info();
  StatisticsGatherer gatherer(info);
  FlightBound flights(info, greatest_speed(request), resolved.starts);
  StraightLineStatistics line(info, resolved.mission, greatest_speed(request));
  Survey surveyed;
  LevelStream stream(reader, levels_between(TimeLevel(0), TimeLevel(info.time.level_count - 1)));
  progress.begin("checking", info.time.level_count, "levels");
  for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
    const LevelView level = stream.next().view(info);
    gatherer.add(level);
    if (k < resolved.mission.last) {
      const auto cells = open_cells(level);
      surveyed.open_states += static_cast<std::int64_t>(cells.size());
      surveyed.subgrid = join(surveyed.subgrid, subgrid_of(level, info.time, resolved.rule, cells,
                                                           resolved.actions, 1));
      if (k >= resolved.mission.departure) {
        flights.advance(level);
        for (std::int32_t p = 0; p < info.velocities; ++p) line.add(level.profile(p));
      }
    }
    progress.advance_to(k.value + 1);
  }
  progress.end();
  surveyed.statistics = gatherer.result();
  surveyed.short_of = flights.short_of(resolved.mission);
  surveyed.steps = line.result();
  return surveyed;
}

/// Upper bound of the transitions from a cell: the windows of all actions, or the sub-grid, which
/// encloses them, if that is smaller. The paper engine uses the sub-grid for each action.
std::int64_t count_transitions(const SubGrid& subgrid, const std::vector<Action>& actions,
                               const PositionRule& rule, Engine engine) {
  Offset min{};
  Offset max{};
  for (const auto& action : actions) {
    const StepPosition still_position = certain_position({}, action.displacement);
    const Offset to{rule.first_cell(still_position.x), rule.first_cell(still_position.y)};
    min = {std::min(min.dx, to.dx), std::min(min.dy, to.dy)};
    max = {std::max(max.dx, to.dx), std::max(max.dy, to.dy)};
  }
  const std::int64_t subgrid_cells = subgrid.size();
  if (engine == Engine::paper) return subgrid_cells * static_cast<std::int64_t>(actions.size());
  const std::int64_t width = std::max(1, subgrid.width() - (max.dx - min.dx));
  const std::int64_t height = std::max(1, subgrid.height() - (max.dy - min.dy));
  return std::min(subgrid_cells, width * height * static_cast<std::int64_t>(actions.size()));
}

/// Cells that are checked for obstacles on the longest step, up to the grid's edge.
std::int64_t longest_path(const SubGrid& subgrid, const Grid& grid) {
  const std::int32_t columns = std::max(std::abs(subgrid.dx_min), std::abs(subgrid.dx_max));
  const std::int32_t rows = std::max(std::abs(subgrid.dy_min), std::abs(subgrid.dy_max));
  return std::min(columns, grid.nx) + std::min(rows, grid.ny);
}

/// Refuses a mission that a plan could refuse at a later level: harvested values that exceed single
/// precision.
void refuse_overflow(const RunRequest& request, const ResolvedMission& resolved,
                     const EnvironmentInfo& info, const EnvironmentStatistics& statistics) {
  const Mission& mission = resolved.mission;
  const double factor = harvest_factor(mission.objective, mission.energy, info.time.step);
  const double scalar =
      std::max(std::abs(statistics.scalar_least), std::abs(statistics.scalar_greatest));
  const double harvest = 2 * factor * scalar * mission.last.value;
  const double max = max_reward(info, resolved.rule);
  if (!(harvest > max)) return;
  throw input_error(errors::harvest_overflows, request.place("mission.harvest.c_r"),
                    request.goal.energy.c_r, harvest, mission.last.value, max);
}

/// Text such as ", the first of 3 points"; empty for a single point.
std::string describe_choice(const Position& requested, std::size_t points) {
  if (!requested.polygons.empty()) return fmt::format(", the first of {} cells of an area", points);
  return requested.others.empty() ? "" : fmt::format(", the first of {} points", points);
}

std::string describe_mission(const RunRequest& request, const ResolvedMission& resolved,
                             const EnvironmentReader& environment) {
  const Mission& mission = resolved.mission;
  const Grid& grid = environment.info().grid;
  const LevelDates dates(environment);
  const PlaceWords words(environment);
  const auto& target = mission.kept ? mission.kept->cells : mission.target;
  const auto target_size = std::count(target.begin(), target.end(), 1);
  const std::string goal =
      request.goal.follow.empty()
          ? fmt::format("to {}{}, {} cell(s)", words.at(mission.target_x, mission.target_y),
                        resolved.targets.size() > 1 ? " (the nearest)" : "", target_size)
          : fmt::format("following {} ({})", on_one_line(request.goal.follow.filename().string()),
                        describe_followed(*resolved.followed));
  return fmt::format(
      "{}; from {}, row {}, column {}{}, {}; departure at level {}{}, "
      "{} steps, to level {}{}",
      to_string(mission.objective), words.at(mission.start_x, mission.start_y),
      grid.row(mission.start), grid.column(mission.start),
      describe_choice(request.goal.start, resolved.starts.size()), goal,
      describe_level(mission.departure, dates),
      mission.begun > 0 ? fmt::format(", {:.3g} of whose step is over", mission.begun) : "",
      mission.last.value - mission.departure.value, describe_level(mission.last, dates),
      mission.decisions.hold() ? fmt::format("; decides every {} steps", mission.decisions.every)
                               : "");
}

/// The preset of the mission, or that of --set, which overrides it; null if there is none.
const VehiclePreset* preset_of(const Arguments& arguments) {
  std::string name;
  for (const TomlEntry& entry : open_mission(arguments.mission).entries) {
    if (entry.key == "vehicle.preset") name = std::get<std::string>(entry.value.content);
  }
  constexpr std::string_view key = "vehicle.preset=";
  for (const Setting& setting : arguments.options.settings()) {
    if (!setting.assignment.starts_with(key)) continue;
    name = setting.assignment.substr(key.size());
    std::erase(name, '"');
  }
  return find_preset(name);
}

/// The preset's figures, with the changes of the mission, and their source.
std::string describe_preset(const VehiclePreset& preset, const RunRequest& request) {
  const EnergyModel& energy = request.goal.energy;
  const auto& dives = request.vehicle.profile_power;
  const bool is_changed = request.vehicle.speeds != preset.speeds || energy.c_f != preset.c_f ||
                          energy.c_t != preset.c_t || dives;
  return fmt::format("{}: {} m/s, {} F² + {} W at F m/s{}{} ({})", preset.name,
                     fmt::join(request.vehicle.speeds, ", "), energy.c_f, energy.c_t,
                     dives ? fmt::format(" and {} W by dive", fmt::join(*dives, ", ")) : "",
                     is_changed ? ", in part the mission's own" : "", preset.source);
}

/// The number of zones, and of the cells that they close.
std::string describe_zones(const EnvironmentReader& environment) {
  const auto& closures = environment.closures();
  std::vector<std::uint8_t> closed(static_cast<std::size_t>(environment.info().grid.cell_count()));
  for (const CellClosure& closure : closures) {
    if (closure.first_level >= closure.end_level) continue;
    for (const std::int32_t cell : closure.cells) closed[static_cast<std::size_t>(cell)] = 1;
  }
  return fmt::format("{} zone(s) of mission.no_go close {} cell(s) at one level or more",
                     closures.size(), std::count(closed.begin(), closed.end(), 1));
}

std::string describe_subgrid(const SubGrid& subgrid) {
  return fmt::format("{} × {} cells ({} … {} along x, {} … {} along y) hold every move",
                     subgrid.width(), subgrid.height(), subgrid.dx_min, subgrid.dx_max,
                     subgrid.dy_min, subgrid.dy_max);
}

std::string describe_result(bool no_flight_arrives, std::size_t warnings) {
  if (no_flight_arrives) {
    return fmt::format("can be planned, but no flight can arrive; with {} warning(s)", warnings);
  }
  if (warnings > 0) return fmt::format("can be planned, with {} warning(s)", warnings);
  return "ready to plan";
}

void run(const Arguments& arguments, const CommandContext& context) {
  const RunRequest request = read_mission_file(arguments.mission, arguments.options.settings());
  const EnvironmentReader reader = open_environment(request);
  const EnvironmentInfo& info = reader.info();
  const ResolvedMission resolved = resolve_mission(request, reader);
  const auto realizations = resolve_realizations(request, info);
  require_flights_fit(request, realizations,
                      resolved.mission.last.value - resolved.mission.departure.value);
  require_held_fit(request, resolved.mission, info.grid, resolved.actions.size());
  RunFolder::validate(request.output.directory);
  const Backend backend = take_backend(request);
  if (backend.kind == BackendKind::cuda) {
    (void)divide_device_memory(info, backend.device_memory, request.place("planner.device_memory"));
  }

  const auto progress = context.make_progress();
  const Survey surveyed = survey(reader, request, resolved, *progress);
  refuse_overflow(request, resolved, info, surveyed.statistics);
  auto warnings = validate_mission(request, info, resolved);
  warnings.push_back(validate_headings(request, info));
  warnings.push_back(validate_at_target(request, info, resolved));
  warnings.push_back(validate_reach(request, info, resolved, surveyed.short_of,
                                    surveyed.statistics.mean_flow_average));
  warnings.push_back(validate_last_level(request, reader, resolved));
  if (!resolved.mission.kept) warnings.push_back(validate_straight_line(surveyed.steps, info));
  std::erase(warnings, "");

  std::optional<double> solve_seconds;
  if (backend.kind == BackendKind::cpu) {
    const PlanningProblem problem{resolved.actions, resolved.mission, resolved.rule};
    const PlannerOptions options{.engine = request.planner.engine,
                                 .threads = backend.threads,
                                 .subgrid_radius = request.planner.subgrid_radius};
    const auto passes = static_cast<double>(1 + resolved.mission.via.size());
    solve_seconds =
        passes * sample_solve_seconds(reader, problem, options, surveyed.open_states).seconds;
  }

  const Workload work{
      info,
      static_cast<std::int64_t>(resolved.actions.size()),
      surveyed.open_states,
      resolved.mission.last.value + 1,
      flight_count(request, realizations),
      count_transitions(surveyed.subgrid, resolved.actions, resolved.rule, request.planner.engine),
      longest_path(surveyed.subgrid, info.grid),
      held_actions(resolved.mission, resolved.actions.size())};
  const std::string uncertainty = uncertainty_note(info.uncertainty);
  if (!uncertainty.empty()) print("{}\n", uncertainty);
  print("{}", report_line("result", describe_result(surveyed.short_of > 0 && !resolved.mission.kept,
                                                    warnings.size())));
  print("{}",
        report_line("time", describe_time(work, request.planner.engine, backend, solve_seconds)));
  for (const auto& warning : warnings) print("warning: {}\n", warning);
  if (arguments.details == Details::hidden) return;
  print("\n{}", describe_environment(reader, {&surveyed.statistics, 1}));
  print("{}", report_line("mission", describe_mission(request, resolved, reader)));
  if (const VehiclePreset* preset = preset_of(arguments)) {
    print("{}", report_line("vehicle", describe_preset(*preset, request)));
  }
  if (!reader.closures().empty()) print("{}", report_line("no-go", describe_zones(reader)));
  print("{}", report_line("actions",
                          fmt::format("{}; {:.2f} cells a step at the greatest speed",
                                      resolved.actions.size(), cells_per_step(request, info))));
  print("{}", report_line("sub-grid", describe_subgrid(surveyed.subgrid)));
  print("{}", report_line("memory", describe_memory(work, backend)));
  for (const auto& note : resolved.notes) print("{}", report_line("note", note));
  if (!resolved.mission.kept) return;
  print("{}", report_line("note",
                          "departures, reach, bound, refine, rollout --mode adaptive and routes of "
                          "'export' go to a target, and do not take this objective"));
}

}  // namespace

void add_check(Command program, const Context& context) {
  Command command =
      program.add_command("check", "Validate a mission and its environment without running it",
                          "Example:\n  tidewise check double-gyre/double_gyre.toml");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("mission", arguments.mission, "The mission file (*.toml)").required();
  arguments.options.add_set(command);
  arguments.options.add_backend(command);
  add_details_flag(command, arguments.details);
}

}  // namespace tidewise
