#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>

#include "app/cli/common_options.h"
#include "app/cli/mission_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/report/environment.h"
#include "app/report/pilot_words.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/hdf5/file_kind.h"
#include "base/stopwatch.h"
#include "env/units/meridian_convergence.h"
#include "output/run/policy_file.h"
#include "output/run/refined_file.h"
#include "planner/outputs/outputs.h"
#include "planner/problem/mission_problem.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"
#include "planner/run/prediction_check.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/refine/refine_policy.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string run;
  std::string out;
  RefinementOptions refinement;
  bool all_states = false;
  MissionOptions options;
  Overwrite overwrite = Overwrite::refused;
};

/// Cells around a flight whose actions are refined, too, since the refined flight differs slightly.
constexpr std::int32_t ring = 1;

fs::path output_path(const Arguments& arguments, const fs::path& policy) {
  if (arguments.out.empty()) return fs::absolute(policy).parent_path() / "refined.h5";
  const fs::path out = fs::absolute(arguments.out);
  return fs::is_directory(out) ? out / "refined.h5" : out;
}

void validate_output(const fs::path& place, const fs::path& policy, const RunRequest& mission,
                     Overwrite overwrite) {
  Outputs outputs(overwrite);
  outputs.add_run_inputs(policy, mission);
  outputs.add_output("--out", place, hdf5_kind("refined policy", "tidewise_refined_policy"));
  outputs.validate();
}

struct Gains {
  std::int64_t states = 0;
  std::int64_t improved = 0;
  double mean = 0;
  double max = 0;
};

Gains summarize_gains(const RefinedPolicy& refined) {
  Gains gains;
  for (const auto& level : refined.level) {
    for (const RefinedAction& action : level) {
      ++gains.states;
      gains.improved += action.gain > 0 ? 1 : 0;
      gains.mean += static_cast<double>(action.gain);
      gains.max = std::max(gains.max, static_cast<double>(action.gain));
    }
  }
  if (gains.states > 0) gains.mean /= static_cast<double>(gains.states);
  return gains;
}

/// Text such as "bearing 27.4°" if true north is known, else "heading 62.6°" in the plane.
std::string describe_heading(double heading, const std::optional<double>& convergence) {
  constexpr double degree = 57.29577951308232;
  if (convergence) return fmt::format("bearing {:.1f}°", true_bearing(heading, *convergence));
  return fmt::format("heading {:.1f}°", heading * degree);
}

/// The meridian convergence at the start [degrees]; nullopt if the environment has no longitudes.
std::optional<double> convergence_at_start(const MissionProblem& run) {
  const EnvironmentReader& environment = run.environment();
  if (environment.info().coordinates != Coordinates::geographic) return std::nullopt;
  return MeridianConvergence(environment.info().grid, environment.read_longitude(),
                             environment.read_latitude())
      .at(run.mission.start_x, run.mission.start_y);
}

std::string describe_start(const RefinedPolicy& refined, const Mission& mission,
                           const MissionProblem& run, const PolicyFile& policy) {
  std::vector<std::int16_t> action(static_cast<std::size_t>(policy.grid().cell_count()));
  policy.read_action(mission.departure, action);
  for (const RefinedAction& refined_action :
       refined.level[static_cast<std::size_t>(mission.departure.value)]) {
    if (refined_action.cell != mission.start.value) continue;
    const Action& planned = run.actions[static_cast<std::size_t>(
        action[static_cast<std::size_t>(refined_action.cell)])];
    const auto convergence = convergence_at_start(run);
    const EnvironmentInfo& info = run.info();
    const std::string dive =
        info.velocities > 1
            ? describe_dive(info.profiles[static_cast<std::size_t>(planned.profile)]) + ", "
            : "";
    return report_line(
        "at the start",
        dive +
            fmt::format("{} at speed {:.4g} becomes {} at {:.4g}: {:+.4g} of value ({})",
                        describe_heading(planned.heading, convergence), planned.speed,
                        describe_heading(refined_action.heading, convergence), refined_action.speed,
                        refined_action.gain,
                        convergence ? "clockwise from true north" : "counter-clockwise from +x"));
  }
  return {};
}

std::string describe_expected(const ExpectedOutcome& expected, bool has_probability) {
  const bool arrives = expected.arrival_probability > 0;
  std::string text = has_probability
                         ? fmt::format("arrival {:.2f} %", 100 * expected.arrival_probability)
                     : arrives ? "arrival"
                               : "no arrival";
  if (arrives) {
    text += fmt::format("{} {:.6g}", has_probability ? ", then time" : " after", expected.time);
  }
  return text + " (model estimate for the policy before refinement)";
}

std::string describe_flights(const RolloutStatistics& flown) {
  std::string text = flown.has_probability
                         ? fmt::format("arrival {:.2f} %", 100 * flown.arrival_rate)
                         : fmt::format("arrival in {} of {} simulated missions",
                                       count_arrived(flown), flown.trajectories);
  if (flown.arrival_rate > 0) {
    text += fmt::format(", then time {:.6g}, energy {:.6g}, net energy {:.6g}", flown.time.mean,
                        flown.energy.mean, flown.net_energy.mean);
  }
  return text +
         fmt::format("; return {:.6g} ± {:.2g}", flown.mean_total_reward, flown.standard_error);
}

void run(const Arguments& arguments, const CommandContext& context) {
  validate_refinement(arguments.refinement);
  const PolicyFile policy(policy_path(arguments.run));
  const fs::path place = output_path(arguments, policy.path());
  RunRequest request = mission_of(policy, arguments.options.settings());
  validate_output(place, policy.path(), request, arguments.overwrite);
  request.rollout.mode = RolloutChoice::continuous;
  const auto planning = std::make_shared<PlanningContext>(request);
  const std::string warning = validate_own_environment(policy, *planning);
  MissionProblem mission_run(std::move(request), planning);
  if (!mission_run.mission.via.empty()) {
    throw input_error(errors::refine_with_via, mission_run.request.place("mission.via"));
  }
  refuse_keeping(mission_run,
                 "only missions with a target are refined; plan with more headings instead");
  refuse_vehicle_error(mission_run.request,
                       "headings are refined without it; plan with more headings instead");
  refuse_held(mission_run,
              "headings are refined for one step each; refine a mission that decides at each step");
  validate_policy(policy, mission_run, PlannedHere::yes);
  mission_run.choose_start(policy);
  if (!warning.empty()) context.warn(warning);
  const Mission& mission = mission_run.mission;
  const EnvironmentReader& environment = mission_run.environment();
  const auto progress = context.make_progress();

  const RolloutOptions flight_options = mission_run.rollout;
  const RolloutResult discrete =
      mission_run.context->planner().fly(mission, policy, flight_options, *progress);
  StatesToRefine states;
  if (!arguments.all_states) {
    states = states_near(discrete, environment.info().grid, mission.last, ring);
  }
  const ExpectedOutcome expected =
      mission_run.context->planner().evaluate(mission, policy, *progress);
  const RolloutStatistics flown_discrete = summarize(discrete, environment.info());
  const Stopwatch refining;
  const RefinedPolicy refined = mission_run.context->planner().refine(
      mission, policy, arguments.all_states ? nullptr : &states, arguments.refinement, *progress);
  const double seconds = refining.seconds();
  const RolloutResult flown = fly_refined(environment, mission_run.planning_problem(), policy,
                                          refined, flight_options, *progress);
  write_refined_policy(place, environment, mission, refined, policy);

  const std::string shortfall = validate_prediction(expected, flown_discrete, mission,
                                                    mission_run.rule.landing, environment.info());
  if (!shortfall.empty()) context.warn(shortfall);
  const Gains gains = summarize_gains(refined);
  std::string report = report_line(
      "refined", fmt::format("{} states in {:.3g} s, {} of them improved; the expected value "
                             "gains {:.4g} on average, {:.4g} at most",
                             gains.states, seconds, gains.improved, gains.mean, gains.max));
  report += describe_start(refined, mission, mission_run, policy);
  report += report_line(
      "flights", fmt::format("{} through the same realizations", discrete.trajectories.size()));
  report += report_line(
      "expected",
      describe_expected(expected, supports_probability(environment.info().uncertainty)));
  report += report_line("discrete", describe_flights(flown_discrete));
  report += report_line("refined", describe_flights(summarize(flown, environment.info())));
  const Backend& backend = mission_run.context->backend();
  report += report_line("computed on", fmt::format("{}: {}", backend.name, backend.device));
  report += report_line("written to", place.lexically_proximate(fs::current_path()).string());
  print("{}", report);
}

}  // namespace

void add_refine(Command program, const Context& context) {
  Command command = program.add_command(
      "refine", "Refine a run's headings and speeds between those that it was planned with",
      "Examples:\n  tidewise research refine runs/double_gyre_time\n"
      "  tidewise research refine runs/double_gyre_time --all-states --realizations 0 --out "
      "refined.h5");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run, or its policy.h5").required();
  command.add_option("--out", arguments.out,
                     "File to write, or a folder for refined.h5; default: RUN/refined.h5");
  command
      .add_option("--realizations", arguments.refinement.realizations,
                  "Number of realizations for expectations, evenly chosen; 0: all")
      .show_default();
  command.add_flag("--all-states", arguments.all_states,
                   "Refine every state with an action, not only those near flights");
  arguments.options.add_backend(command);
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise
