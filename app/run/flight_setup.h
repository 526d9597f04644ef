#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/mission_options.h"
#include "app/cli/place_option.h"
#include "output/run/policy_file.h"
#include "output/run/summary.h"
#include "planner/folder/run_folder.h"
#include "planner/outputs/outputs.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

/// Common arguments of commands that fly a run's policy again: the run, start and time,
/// environment, and output.
struct FlightArguments {
  std::string run;
  std::optional<std::string> environment;
  std::vector<std::string> names;
  PlaceOptions start;
  MissionOptions options;
  std::string out;
  Overwrite overwrite = Overwrite::refused;
};

/// Adds the run, --environment, --name, --at and --at-xy. `environment`: name of the option for the
/// environment, or several with commas between them. `purpose`: its description.
void add_start_options(Command command, FlightArguments& arguments, const std::string& environment,
                       const std::string& purpose);
/// The same options and --time.
void add_flight_options(Command command, FlightArguments& arguments, const std::string& environment,
                        const std::string& purpose);
/// Adds --out and --overwrite. `stem`: beginning of the folder's name if --out is not given.
Option add_flight_folder_option(Command command, FlightArguments& arguments,
                                const std::string& stem);

/// A run's policy and all other inputs of its flights.
struct FlightSetup {
  explicit FlightSetup(const std::string& run);

  PolicyFile policy;
  /// Set if the policy is flown in another environment than it was planned in.
  std::optional<PlannedOn> planned_on;
  std::string warning;                  ///< warning about the environment; empty: none
  std::unique_ptr<MissionProblem> run;  ///< the mission, in the environment of the flights
  std::unique_ptr<RunFolder> folder;    ///< --out, or the first free RUN/stem_N; or null
};

/// The mode of the flights: the mission's, or always continuous.
enum class FlightMode { as_requested, continuous };

/// A further check of the setup and the run, before the folder is made. Errors: InputError if the
/// run cannot be flown.
using CheckFlights = std::function<void(const FlightSetup& setup, const MissionProblem& run)>;

/// Prepares flights that are not saved; the folder is null. Errors: InputError.
std::unique_ptr<FlightSetup> set_up_flights(const FlightArguments& arguments, FlightMode flights);

/// Prepares flights: validates everything, then makes the folder. Errors: InputError.
std::unique_ptr<FlightSetup> set_up_flights(const FlightArguments& arguments,
                                            const std::string& stem, FlightMode flights,
                                            const CheckFlights& check = {});

/// A summary with the facts of the setup.
RunSummary begin_flight_summary(const FlightSetup& setup);

}  // namespace tidewise
