#include "app/report/departures.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/run/flight_setup.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/file_set.h"
#include "env/levels/level_dates.h"
#include "planner/departures/departures.h"
#include "planner/mission/read/time_values.h"
#include "planner/outputs/outputs.h"

namespace tidewise {
namespace {

struct Arguments {
  FlightArguments flight;
  std::string from, to;
  std::int32_t every = 1;
  OutputFiles out;
};

enum class Side { first_not_before, last_not_after };

/// The level that an option names by number or date. `side`: rounding of a date between levels.
TimeLevel level_of(const std::string& option, const std::string& text,
                   const EnvironmentReader& environment, Side side) {
  const std::int32_t last = environment.info().time.level_count - 1;
  const Moment moment = parse_moment(option, text);
  if (!moment.date) {
    if (moment.level <= last) return TimeLevel(static_cast<std::int32_t>(moment.level));
    throw input_error(errors::departure_level_outside, option, text, last);
  }
  const LevelDates dates(environment);
  if (!dates.known()) {
    throw input_error(errors::departure_without_dates, option, text, last);
  }
  const double date = *moment.date;
  if (date < dates.first() || date > dates.last()) {
    throw input_error(errors::departure_date_outside, option, text, dates.text(TimeLevel(0)),
                      dates.text(TimeLevel(last)));
  }
  const auto& all = dates.all();
  const auto nearest = side == Side::first_not_before
                           ? std::lower_bound(all.begin(), all.end(), date)
                           : std::prev(std::upper_bound(all.begin(), all.end(), date));
  return TimeLevel(static_cast<std::int32_t>(nearest - all.begin()));
}

DepartureRange range_of(const Arguments& arguments, const MissionProblem& run) {
  const EnvironmentReader& environment = run.environment();
  DepartureRange range{TimeLevel(0), run.mission.last, arguments.every};
  if (!arguments.from.empty()) {
    range.first = level_of("--from", arguments.from, environment, Side::first_not_before);
  }
  if (!arguments.to.empty()) {
    range.last = level_of("--to", arguments.to, environment, Side::last_not_after);
  }
  if (arguments.every < 1) {
    throw input_error(errors::count_too_small, "--every", arguments.every, 1, "");
  }
  if (range.last < range.first) {
    throw input_error(errors::departure_range_reversed, arguments.to, arguments.from);
  }
  return range;
}

void validate_outputs(const Arguments& arguments, const FlightSetup& setup) {
  Outputs outputs(arguments.flight.overwrite);
  outputs.add_run_inputs(setup.policy.path(), setup.run->request);
  outputs.add_output("--out", arguments.out.with_ending(".csv"),
                     text_kind("table of departures", {"level,time,date,"}));
  outputs.add_output("--out", arguments.out.with_ending(".json"),
                     text_kind("JSON of 'tidewise departures'", {"\"departures\":"}));
  outputs.validate();
}

void run(const Arguments& arguments, const CommandContext& context) {
  const auto setup = set_up_flights(arguments.flight, FlightMode::continuous);
  refuse_keeping(*setup->run,
                 "departures are compared by arrival times; plan a station-keeping mission for "
                 "each departure instead");
  validate_outputs(arguments, *setup);
  const DepartureRange range = range_of(arguments, *setup->run);
  if (!setup->warning.empty()) context.warn(setup->warning);
  const auto progress = context.make_progress();
  const std::vector<DepartureOutcome> outcomes =
      fly_departures(*setup->run, setup->policy, range, *progress);
  FileSet files;
  const std::string csv = arguments.out.with_ending(".csv");
  if (!csv.empty()) files.add_text(csv, departures_to_csv(*setup->run, outcomes));
  const auto figures = departures_to_json(*setup->run, outcomes);
  const std::string json = arguments.out.with_ending(".json");
  if (!json.empty()) files.add_text(json, figures.dump(2) + "\n");
  files.commit();
  (void)give_figures(figures);
  print("{}", describe_departures(*setup->run, outcomes));
}

}  // namespace

void add_departures(Command program, const Context& context) {
  Command command = program.add_command(
      "departures",
      "Compare departures: simulate a run's policy from each of them, without a new solve",
      "Examples:\n  tidewise departures runs/double_gyre_time\n"
      "  tidewise departures runs/washington --from 2024-10-29 --to 2024-10-31T12:00Z --out "
      "departures.csv");
  Arguments& arguments = add_arguments(command, context, run);
  FlightArguments& flight = arguments.flight;
  add_start_options(command, flight, "--environment",
                    "Fly in this environment, of the same cells and times");
  command
      .add_option("--from", arguments.from,
                  "First departure: a level or a date; default: the first of the forecast")
      .type_name("K|DATE");
  command
      .add_option("--to", arguments.to, "Last departure; default: the last before the policy ends")
      .type_name("K|DATE");
  command.add_option("--every", arguments.every, "Interval between departures, in time levels")
      .type_name("N")
      .show_default();
  flight.options.add(command, "--realizations", "rollout.realizations",
                     "all, how many, or [a, list] (rollout.realizations)");
  flight.options.add_backend(command);
  arguments.out.add(
      command, {".csv", ".json"},
      "Also write all departures: .csv (a line each) or .json (all figures); repeatable");
  add_overwrite_flag(command, flight.overwrite);
}

}  // namespace tidewise
