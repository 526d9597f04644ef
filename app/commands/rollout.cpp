#include <fmt/core.h>

#include <memory>
#include <optional>

#include "app/cli/environment_options.h"
#include "app/cli/mission_options.h"
#include "app/cli/place_option.h"
#include "app/cli/terminal.h"
#include "app/commands/commands.h"
#include "app/report/run.h"
#include "base/error.h"
#include "output/run/policy_file.h"
#include "planner/mission/resolved_times.h"
#include "planner/mission/time_values.h"
#include "planner/run/folder.h"
#include "planner/run/mission_run.h"
#include "planner/run/other_environment.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string run;
  std::optional<std::string> environment;
  std::vector<std::string> names;
  std::string start;
  std::string start_lonlat;
  MissionOptions options;
  std::string out;
};

/// RUN/rollout_1, or the first number after it that is not taken.
fs::path free_folder(const fs::path& run) {
  for (int n = 1;; ++n) {
    fs::path folder = run / fmt::format("rollout_{}", n);
    if (!fs::exists(folder)) return folder;
  }
}

/// A rollout and the folder that it goes into.
struct Destined {
  std::unique_ptr<MissionRun> run;
  std::unique_ptr<RunFolder> folder;
};

/// Flights go into a folder of their own: a run's policy, trajectories and summary stay together.
void refuse_policy_folder(const fs::path& folder) {
  if (!fs::exists(folder / "policy.h5")) return;
  throw InputError(
      fmt::format("--out {}: holds a run, whose trajectories would be overwritten; choose a "
                  "folder without a policy.h5",
                  folder.string()));
}

/// Rollouts of one run that begin at once get a folder each. The policy is judged before there is
/// one.
Destined choose_folder(RunRequest file, const std::shared_ptr<PlanningContext>& planning,
                       const PolicyFile& policy, PlannedHere planned_here, const std::string& out) {
  for (;;) {
    file.output.directory =
        out.empty() ? free_folder(fs::absolute(policy.path()).parent_path()) : fs::absolute(out);
    auto run = std::make_unique<MissionRun>(file, planning);
    validate_policy(policy, *run, planned_here);
    auto folder = out.empty() ? RunFolder::make_new(file.output.directory)
                              : std::make_unique<RunFolder>(file.output.directory);
    if (folder) return {std::move(run), std::move(folder)};
  }
}

/// The run's mission, with another start, departure or rollout where the options say so.
RunRequest changed_mission(const PolicyFile& policy, const Arguments& arguments) {
  RunRequest file = mission_of(policy, arguments.options.settings());
  if (!arguments.start.empty()) {
    file.mission.start = parse_position("--start", arguments.start, Position::Frame::plane);
    file.places["mission.start"] = "--start " + arguments.start;
  }
  if (!arguments.start_lonlat.empty()) {
    file.mission.start =
        parse_position("--start-lonlat", arguments.start_lonlat, Position::Frame::geographic);
    file.places["mission.start_lonlat"] = "--start-lonlat " + arguments.start_lonlat;
  }
  return file;
}

/// The policy ends at its last level, whatever the departure.
void end_with_policy(RunRequest& file, const PolicyFile& policy,
                     const EnvironmentReader& environment) {
  const auto refuse = [&](const std::string& departure) {
    const LevelDates dates(environment);
    const TimeLevel last = policy.last_level();
    throw InputError(
        fmt::format("--departure {}: the policy in {} ends at level {}; depart at one from 0 to {}",
                    departure, policy.path().string(), describe_level(last, dates),
                    describe_level(TimeLevel(last.value - 1), dates)));
  };
  const Moment& asked = file.mission.departure;
  if (!asked.date && asked.level >= policy.last_level().value) {
    refuse(fmt::format("{}", asked.level));
  }
  std::vector<std::string> notes;  // said again when the mission is resolved
  const TimeLevel departure = resolve_departure(file, environment, notes);
  if (departure >= policy.last_level()) refuse(date_text(*asked.date));
  file.mission.horizon = policy.last_level().value - departure.value;
}

std::optional<PlannedOn> other_environment(RunRequest& mission, const PolicyFile& policy,
                                           const Arguments& arguments) {
  if (arguments.environment) {
    if (arguments.environment->empty()) {
      throw InputError("--environment: names no file; name the environment to fly in");
    }
    const auto names = arguments.names.empty() ? std::optional<EnvironmentNames>()
                                               : std::optional(parse_names(arguments.names));
    return change_environment(mission, policy, *arguments.environment, names);
  }
  if (!arguments.names.empty()) {
    throw InputError(
        fmt::format("--name {}: is of the file that --environment names; give that too",
                    arguments.names.front()));
  }
  return {};
}

void run(const Arguments& arguments, const CommandContext& context) {
  const PolicyFile policy(policy_path(arguments.run));
  RunRequest file = changed_mission(policy, arguments);
  const std::optional<PlannedOn> planned_on = other_environment(file, policy, arguments);
  if (!arguments.out.empty()) refuse_policy_folder(fs::absolute(arguments.out));
  // Judged before the mission is: of other cells, its complaints would mean nothing.
  const auto planning = std::make_shared<PlanningContext>(file);
  const EnvironmentReader& environment = planning->environment();
  std::string warning;
  if (planned_on) {
    require_same_place(policy, environment);
    policy.require_match(environment.info(), environment.path());
  } else {
    warning = validate_own_environment(policy, *planning);
  }
  end_with_policy(file, policy, environment);
  const auto destined =
      choose_folder(std::move(file), planning, policy,
                    planned_on ? PlannedHere::no : PlannedHere::yes, arguments.out);
  MissionRun& run = *destined.run;
  RunFolder& folder = *destined.folder;
  const auto progress = context.make_progress();
  RunSummary summary = run.begin_summary();
  summary.planned_on = planned_on;
  if (!warning.empty()) summary.warnings.push_back(warning);
  run.fly_and_write(policy, folder.staging(), summary, *progress);
  run.write_summary_into(folder.staging(), summary);
  folder.commit();
  for (const auto& line : summary.warnings) context.warn(line);
  print("{}", describe_run(run, summary, folder.path()));
}

}  // namespace

void add_rollout(Command program, const Context& context) {
  Command command = program.add_command(
      "rollout",
      "Fly a run's policy from another start or departure, or in another environment, without a "
      "new solve",
      "Examples:\n  tidewise rollout runs/double_gyre_time --start 60.5,40.5 --departure 20\n"
      "  tidewise rollout runs/washington --start-lonlat -125.8,47.2 --mode chain\n"
      "  tidewise rollout runs/still_water --environment double_gyre.h5");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run, or its policy.h5").required();
  command
      .add_option("--environment", arguments.environment,
                  "Fly in this environment, of the same cells and times, and reckon there what the "
                  "policy is worth")
      .type_name("FILE");
  add_names_option(command, arguments.names);
  const Option start =
      command.add_option("--start", arguments.start, "Start, in the environment's units")
          .type_name("X,Y");
  command.add_option("--start-lonlat", arguments.start_lonlat, "Start, in degrees east and north")
      .type_name("LON,LAT")
      .excludes(start);
  MissionOptions& options = arguments.options;
  options
      .add(command, "--departure", "mission.departure",
           "Departure: a time level, or a date such as 2024-10-29T12:00Z (mission.departure)")
      .type_name("K|DATE");
  options.add(command, "--mode", "rollout.mode", "continuous, chain or none (rollout.mode)");
  options.add(command, "--realizations", "rollout.realizations",
              "all, how many, or [a, list] (rollout.realizations)");
  options.add(command, "--flights", "rollout.flights", "Flights in chain mode (rollout.flights)");
  options.add(command, "--seed", "rollout.seed", "Seed of chain mode (rollout.seed)");
  options.add(command, "--baselines", "rollout.baselines",
              "Fly what needs no plan beside it: all or none (rollout.baselines)");
  options.add_backend(command);
  command.add_option("--out", arguments.out, "Folder to write; RUN/rollout_1, _2 … if not given")
      .type_name("DIR");
}

}  // namespace tidewise
