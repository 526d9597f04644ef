#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/run/flight_setup.h"
#include "app/terminal/terminal.h"
#include "base/file/file_set.h"
#include "base/hdf5/file_kind.h"
#include "output/run/summary.h"
#include "output/run/to_go_file.h"
#include "output/run/trajectory_reader.h"
#include "planner/outputs/outputs.h"
#include "planner/reach/regions.h"
#include "planner/run/path.h"
#include "planner/view/read_flights.h"
#include "solver/evaluate/to_go.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  FlightArguments flight;  // only its run and threads are used
  OutputFiles out;
};

using Json = nlohmann::ordered_json;

fs::path folder_of(const PolicyFile& policy) { return fs::absolute(policy.path()).parent_path(); }

/// The file of --out, or by default reach.nc in the run's folder.
fs::path output_path(const Arguments& arguments, const PolicyFile& policy) {
  const std::string requested = arguments.out.with_ending(".nc");
  return requested.empty() ? folder_of(policy) / "reach.nc"
                           : fs::absolute(requested).lexically_normal();
}

/// Numbers of cells that are open at level 0: all, and those with an arrival probability of at
/// least 90 %, of at least 50 %, and below 10 %.
struct ReachedCells {
  std::int64_t open = 0, likely = 0, even = 0, unlikely = 0;
};

ReachedCells count_reached(View<const ToGo> to_go, View<const std::uint8_t> closed) {
  ReachedCells reached;
  for (std::size_t cell = 0; cell < to_go.size; ++cell) {
    if (closed[cell] != 0) continue;
    ++reached.open;
    if (to_go[cell].arrival >= 0.9) ++reached.likely;
    if (to_go[cell].arrival >= 0.5) ++reached.even;
    if (to_go[cell].arrival < 0.1) ++reached.unlikely;
  }
  return reached;
}

std::string describe(const ReachedCells& reached, const fs::path& file,
                     ForecastUncertainty uncertainty) {
  const auto percent = [&](std::int64_t cells) {
    return 100.0 * static_cast<double>(cells) / static_cast<double>(reached.open);
  };
  const std::string name = file.lexically_proximate(fs::current_path()).string();
  const std::string note = uncertainty_note(uncertainty);
  if (!supports_probability(uncertainty)) {
    return fmt::format(
        "{}\nat the forecast's beginning the target is reached from {:.1f} % of the open "
        "water\n{}: "
        "arrival by the model, time and energy to go, from everywhere at every level\n",
        note, percent(reached.even), name);
  }
  return fmt::format(
      "{}at the forecast's beginning the target is reached from {:.1f} % of the open water with a "
      "chance of 90 % or more, from {:.1f} % with less than 10 %\n{}: chance of arriving, time and "
      "energy to go, from everywhere at every level\n",
      note.empty() ? "" : note + "\n", percent(reached.likely), percent(reached.unlikely), name);
}

/// The flights next to a policy.
struct RunFlights {
  FlightsView flights;
  std::optional<FlightDensity> density;  // empty if nothing was flown

  RunFlights(const PolicyFile& policy, const EnvironmentReader& environment, const Json& summary) {
    const fs::path file = folder_of(policy) / "trajectories.nc";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return;
    FlightLevels levels{TimeLevel(0), policy.last_level()};
    flights =
        read_flights(TrajectoryReader(file, policy.grid(), policy.time()), policy.time(), levels);
    if (flies_each_realization(summary)) weigh_flights(environment.info(), flights);
    density.emplace(policy.grid(), policy.time(), flights, levels.first);
  }
  RunFlights(const RunFlights&) = delete;  // `density` refers to `flights`
  RunFlights& operator=(const RunFlights&) = delete;

  const FlightDensity* get() const { return density ? &*density : nullptr; }
};

Json value_of(const Json& summary, const char* key) {
  return summary.is_object() && summary.contains(key) ? summary[key] : Json();
}

void validate_outputs(const Arguments& arguments, const FlightSetup& setup) {
  Outputs outputs(arguments.flight.overwrite);
  outputs.add_run_inputs(setup.policy.path(), setup.run->request);
  outputs.add_output("--out", output_path(arguments, setup.policy),
                     hdf5_kind_by_variable("file of 'tidewise reach'", "arrival_probability"));
  outputs.add_output("--out", arguments.out.with_ending(".geojson"), geojson_kind());
  outputs.validate();
}

void run(const Arguments& arguments, const CommandContext& context) {
  const auto setup = set_up_flights(arguments.flight, FlightMode::continuous);
  const MissionProblem& run = *setup->run;
  refuse_keeping(run,
                 "from where it arrives is no question then; look at the policy's value instead");
  validate_outputs(arguments, *setup);
  const fs::path file = output_path(arguments, setup->policy);
  const std::string map = arguments.out.with_ending(".geojson");
  FileSet files;
  const Json summary = read_summary(folder_of(setup->policy));
  const RunFlights flown(setup->policy, run.environment(), summary);
  ToGoWriter writer(files.add(file), run.info(), run.mission.energy, setup->policy, flown.get());
  ReachRegions regions(run.environment(), run.mission, value_of(summary, "expected"), flown.get());
  if (!setup->warning.empty()) context.warn(setup->warning);
  const auto progress = context.make_progress();
  ReachedCells reached;
  sweep_to_go(run.environment(), run.planning_problem(), setup->policy, run.rollout.threads,
              *progress, [&](TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t> closed) {
                writer.accept(k, to_go, closed);
                if (!map.empty()) regions.accept(k, to_go, closed);
                if (k.value == 0) reached = count_reached(to_go, closed);
              });
  writer.finish();
  if (!map.empty()) files.add_text(map, regions.to_geojson());
  files.commit();
  print("{}", describe(reached, file, run.info().uncertainty));
  if (map.empty()) return;
  print(
      "{}: where it arrives{}, how far behind costs less than an hour, and the corridor of the "
      "flights, at every level\n",
      map, supports_probability(run.info().uncertainty) ? " with 10, 50 and 90 %" : "");
}

}  // namespace

void add_reach(Command program, const Context& context) {
  Command command = program.add_command("reach",
                                        "Compute arrival probability, time and energy to go of a "
                                        "run's policy for every cell and level",
                                        "Examples:\n  tidewise reach runs/double_gyre_time\n"
                                        "  tidewise reach runs/washington --out reach.geojson");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.flight.run, "The folder of the run, or its policy.h5")
      .required();
  arguments.flight.options.add(command, "--threads", "planner.threads",
                               "CPU threads (planner.threads); default: all cores");
  arguments.out.add(command, {".nc", ".geojson"},
                    "The file to write; default: RUN/reach.nc. A .geojson holds, for charts, "
                    "regions of 10, 50 and 90 % arrival probability, the region where a delay "
                    "costs less than an hour, and the corridor of nine in ten flights; repeatable");
  add_overwrite_flag(command, arguments.flight.overwrite);
}

}  // namespace tidewise
