#include "app/run/flight_setup.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "env/levels/level_dates.h"
#include "planner/mission/read/file.h"
#include "planner/mission/read/time_values.h"
#include "planner/mission/resolve/resolved_times.h"
#include "planner/run/other_environment.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Refuses a run's folder for new flights, since a run's policy, trajectories and summary belong
/// together.
void refuse_policy_folder(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / "policy.h5", ignored)) return;
  throw input_error(errors::rollout_output_is_run, folder.string());
}

void validate_folder(const FlightArguments& arguments, const FlightSetup& setup,
                     const RunRequest& mission) {
  if (arguments.out.empty()) return;
  const fs::path folder = fs::absolute(arguments.out);
  refuse_policy_folder(folder);
  Outputs outputs(arguments.overwrite);
  outputs.add_run_inputs(setup.policy.path(), mission);
  outputs.add_run_output(folder);
  outputs.validate();
}

std::unique_ptr<MissionProblem> make_run(const RunRequest& request,
                                         const std::shared_ptr<PlanningContext>& planning,
                                         const FlightSetup& setup) {
  auto run = std::make_unique<MissionProblem>(request, planning);
  validate_policy(setup.policy, *run, setup.planned_on ? PlannedHere::no : PlannedHere::yes);
  return run;
}

/// Makes the folder of the flights after everything is validated. Simultaneous rollouts of one run
/// get different folders.
void choose_folder(FlightSetup& setup, RunRequest request,
                   const std::shared_ptr<PlanningContext>& planning,
                   const FlightArguments& arguments, const std::string& stem,
                   const CheckFlights& check) {
  do {
    request.output.directory =
        arguments.out.empty()
            ? RunFolder::first_free(fs::absolute(setup.policy.path()).parent_path() / (stem + "_"))
            : fs::absolute(arguments.out);
    setup.run = make_run(request, planning, setup);
    if (check) check(setup, *setup.run);
    setup.folder = arguments.out.empty() ? RunFolder::make_new(request.output.directory)
                                         : std::make_unique<RunFolder>(request.output.directory);
  } while (!setup.folder);
  // Another process may have made a run meanwhile.
  require_no_run(setup.folder->path(), arguments.overwrite);
}

/// The run's mission with the start, departure and rollout of the options.
RunRequest changed_mission(const PolicyFile& policy, const FlightArguments& arguments) {
  RunRequest request = mission_of(policy, arguments.options.settings());
  if (arguments.start.given()) {
    request.goal.start = arguments.start.position();
    const bool geographic = request.goal.start.frame == Position::Frame::geographic;
    request.places[geographic ? "mission.start_lonlat" : "mission.start"] = arguments.start.text();
  }
  return request;
}

/// Sets the horizon so that the flights end at the policy's last level.
void end_with_policy(RunRequest& request, const PolicyFile& policy,
                     const EnvironmentReader& environment) {
  const Moment& requested = request.goal.departure;
  const auto refuse = [&] {
    const LevelDates dates(environment);
    const TimeLevel last = policy.last_level();
    throw input_error(
        errors::rollout_departure_outside,
        requested.date ? date_text(*requested.date) : fmt::format("{}", requested.level),
        policy.path().string(), describe_level(last, dates),
        describe_level(TimeLevel(last.value - 1), dates));
  };
  if (!requested.date && requested.level >= policy.last_level().value) refuse();
  const TimeLevel departure = resolve_departure(request, environment).departure;
  if (departure >= policy.last_level()) refuse();
  request.goal.horizon = policy.last_level().value - departure.value;
}

std::optional<PlannedOn> other_environment(RunRequest& request, const PolicyFile& policy,
                                           const FlightArguments& arguments) {
  if (arguments.environment) {
    const auto names = arguments.names.empty() ? std::optional<EnvironmentNames>()
                                               : std::optional(parse_names(arguments.names));
    return change_environment(request, policy, *arguments.environment, names);
  }
  if (!arguments.names.empty()) {
    throw input_error(errors::names_without_environment, arguments.names.front(), "--environment");
  }
  return {};
}

/// The requested flights and their common inputs.
struct RequestedFlights {
  RunRequest request;
  std::shared_ptr<PlanningContext> planning;
};

/// Validates the environment, and completes the setup except for its run.
RequestedFlights prepare_flights(FlightSetup& setup, const FlightArguments& arguments,
                                 FlightMode flights) {
  const PolicyFile& policy = setup.policy;
  RunRequest request = changed_mission(policy, arguments);
  if (flights == FlightMode::continuous) request.rollout.mode = RolloutChoice::continuous;
  setup.planned_on = other_environment(request, policy, arguments);
  validate_folder(arguments, setup, request);
  // The environment is validated before the mission, whose errors would be meaningless with other
  // cells.
  const auto planning = std::make_shared<PlanningContext>(request);
  const EnvironmentReader& environment = planning->environment();
  if (setup.planned_on) {
    require_same_place(policy, environment);
    policy.require_match(environment.info(), environment.path());
  } else {
    setup.warning = validate_own_environment(policy, *planning);
  }
  end_with_policy(request, policy, environment);
  return {std::move(request), planning};
}

}  // namespace

FlightSetup::FlightSetup(const std::string& run_path) : policy(policy_path(run_path)) {}

std::unique_ptr<FlightSetup> set_up_flights(const FlightArguments& arguments, FlightMode flights) {
  auto setup = std::make_unique<FlightSetup>(arguments.run);
  const RequestedFlights requested = prepare_flights(*setup, arguments, flights);
  setup->run = make_run(requested.request, requested.planning, *setup);
  return setup;
}

std::unique_ptr<FlightSetup> set_up_flights(const FlightArguments& arguments,
                                            const std::string& stem, FlightMode flights,
                                            const CheckFlights& check) {
  auto setup = std::make_unique<FlightSetup>(arguments.run);
  RequestedFlights requested = prepare_flights(*setup, arguments, flights);
  choose_folder(*setup, std::move(requested.request), requested.planning, arguments, stem, check);
  return setup;
}

RunSummary begin_flight_summary(const FlightSetup& setup) {
  RunSummary summary = begin_summary(*setup.run);
  summary.planned_on = setup.planned_on;
  if (!setup.warning.empty()) summary.warnings.push_back(setup.warning);
  return summary;
}

void add_start_options(Command command, FlightArguments& arguments, const std::string& environment,
                       const std::string& purpose) {
  command.add_option("run", arguments.run, "The folder of the run, or its policy.h5").required();
  command.add_option(environment, arguments.environment, purpose).type_name("FILE");
  add_names_option(command, arguments.names);
  arguments.start.add(command, "Start");
}

void add_flight_options(Command command, FlightArguments& arguments, const std::string& environment,
                        const std::string& purpose) {
  add_start_options(command, arguments, environment, purpose);
  arguments.options
      .add(command, "--time", "mission.departure",
           "Departure: a level (6.4: between two) or a date such as 2024-10-29T12:00Z "
           "(mission.departure)")
      .type_name("K|DATE");
}

Option add_flight_folder_option(Command command, FlightArguments& arguments,
                                const std::string& stem) {
  add_overwrite_flag(command, arguments.overwrite);
  return command
      .add_option("--out", arguments.out,
                  fmt::format("Folder to write; default: RUN/{}_1, _2 …", stem))
      .type_name("DIR");
}

}  // namespace tidewise
