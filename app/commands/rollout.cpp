#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/report/knowledge.h"
#include "app/report/options.h"
#include "app/report/run.h"
#include "app/run/finished_run.h"
#include "app/run/flight_setup.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "planner/backend/planning_context.h"
#include "planner/learning/knowledge.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"
#include "planner/run/run_mission.h"

namespace tidewise {
namespace {

struct Arguments {
  FlightArguments flight;
  // Options of flights that learn:
  std::optional<std::int32_t> every;
  std::optional<double> error;
  std::optional<double> assumed_error;
  std::optional<double> inflation;
  std::optional<double> relaxation;
  std::optional<double> localisation;
  bool no_bound = false;
  ReportOptions report;
};

/// Completes the folder of the flights and prints their results, then `further_text`.
void finish(FlightSetup& setup, RunSummary& summary, const ReportOptions& options,
            const std::string& further_text, const CommandContext& context) {
  finish_run_folder(*setup.run, *setup.folder, summary, context);
  print("{}{}", describe_run(*setup.run, summary, setup.folder->path(), options), further_text);
}

void fly_by_policy(const Arguments& arguments, const CommandContext& context) {
  const auto setup = set_up_flights(arguments.flight, "rollout", FlightMode::as_requested);
  const auto progress = context.make_progress();
  RunSummary summary = begin_flight_summary(*setup);
  MissionProblem& run = *setup->run;
  const RolloutResult flights = fly(run, setup->policy, summary, *progress);
  summary.seconds.write +=
      write_flights(run, flights, setup->folder->staging(), summary, run.rollout.threads);
  finish(*setup, summary, arguments.report, "", context);
}

/// Refuses options that apply only to flights that learn.
void refuse_learning_options(const Arguments& arguments) {
  const auto refuse = [](bool is_given, const char* option) {
    if (!is_given) return;
    throw input_error(errors::adaptive_option_without_mode, option);
  };
  refuse(arguments.every.has_value(), "--every");
  refuse(arguments.error.has_value(), "--error");
  refuse(arguments.assumed_error.has_value(), "--assumed-error");
  refuse(arguments.inflation.has_value(), "--inflation");
  refuse(arguments.relaxation.has_value(), "--relaxation");
  refuse(arguments.localisation.has_value(), "--localisation");
  refuse(arguments.no_bound, "--no-bound");
}

double require_positive(const char* option, const std::optional<double>& value) {
  if (value && *value > 0 && std::isfinite(*value)) return *value;
  if (!value) {
    throw input_error(errors::adaptive_error_missing, option);
  }
  throw input_error(errors::adaptive_error_not_positive, option, *value);
}

LearningOptions learning_options(const Arguments& arguments) {
  LearningOptions options;
  if (arguments.every) {
    if (*arguments.every < 1) {
      throw input_error(errors::count_too_small, "--every", *arguments.every, 1, "");
    }
    options.replan_every = *arguments.every;
  }
  options.observation_error = require_positive("--error", arguments.error);
  if (arguments.assumed_error) {
    options.assumed_error = require_positive("--assumed-error", arguments.assumed_error);
  }
  const auto within = [](const char* option, const std::optional<double>& value, double min,
                         double max, auto& out) {
    if (!value) return;
    if (!(*value >= min && *value <= max)) {
      throw input_error(errors::adaptive_option_outside_range, option, *value, min, max);
    }
    out = *value;
  };
  within("--inflation", arguments.inflation, 1, 100, options.smoother.inflation);
  within("--relaxation", arguments.relaxation, 0, 1, options.smoother.relaxation);
  within("--localisation", arguments.localisation, 0, 1e9, options.smoother.localisation);
  return options;
}

/// The environment in which vehicles plan and learn, if they fly in another one.
struct Forecast {
  std::shared_ptr<PlanningContext> planning;  ///< null: the environment of the flights
  std::string warning;

  const EnvironmentReader* environment() const {
    return planning ? &planning->environment() : nullptr;
  }
};

Forecast open_forecast(const FlightSetup& setup, const FlightArguments& arguments) {
  if (!setup.planned_on) return {};
  Forecast forecast{
      std::make_shared<PlanningContext>(mission_of(setup.policy, arguments.options.settings())),
      {}};
  forecast.warning = validate_own_environment(setup.policy, *forecast.planning);
  return forecast;
}

/// A warning if the observations contradict the vehicles' ensemble; else empty.
std::string check_learning(const nlohmann::ordered_json& knowledge) {
  constexpr double max_consistency = 2;
  const auto& consistency = knowledge["learning"]["consistency"];
  if (!consistency.is_number() || consistency.get<double>() <= max_consistency) return {};
  return fmt::format(
      "vehicles that learn see what their ensemble and its errors cannot be (chi-square {:.3g} a "
      "degree of freedom, 1 where they are what they claim), and may be led astray: learn with a "
      "greater --assumed-error or --inflation, or plan on more modes (docs/trust/learning.md)",
      consistency.get<double>());
}

void fly_and_learn(const Arguments& arguments, const CommandContext& context) {
  KnowledgeRequest request{!arguments.no_bound, learning_options(arguments)};
  Forecast forecast;
  const auto setup =
      set_up_flights(arguments.flight, "adaptive", FlightMode::continuous,
                     [&](const FlightSetup& setup_so_far, const MissionProblem& run) {
                       if (!arguments.every) {
                         const std::int32_t every = run.mission.decisions.every;
                         std::int32_t& steps = request.learning->replan_every;
                         steps = (LearningOptions().replan_every + every - 1) / every * every;
                       }
                       if (!forecast.planning)
                         forecast = open_forecast(setup_so_far, arguments.flight);
                       validate_knowledge_request(run, forecast.environment(), request);
                     });
  MissionProblem& run = *setup->run;
  request.learning->seed = run.request.rollout.seed;
  RunSummary summary = begin_flight_summary(*setup);
  if (!forecast.warning.empty()) summary.warnings.push_back(forecast.warning);
  const auto progress = context.make_progress();
  const RolloutResult policy_flights = fly(run, setup->policy, summary, *progress);
  const KnowledgeFlights flown = fly_with_knowledge(run, policy_flights, setup->policy,
                                                    forecast.environment(), request, *progress);
  summary.rollout = flown.worth.adaptive;
  summary.steered_by = "adaptive";
  summary.knowledge = to_json(flown, request);
  const std::string warning = check_learning(summary.knowledge);
  if (!warning.empty()) summary.warnings.push_back(warning);
  summary.seconds.write += write_flights(run, flown.adaptive->rollout, setup->folder->staging(),
                                         summary, run.rollout.threads);
  finish(*setup, summary, arguments.report, describe_knowledge(run, flown), context);
}

/// Refuses --flights, which applies only to chain mode.
void refuse_flights_option(MissionOptions& options) {
  const auto flights = options.take("--flights");
  if (!flights) return;
  throw input_error(errors::adaptive_flights_per_realization, flights->place);
}

void run(const Arguments& typed, const CommandContext& context) {
  Arguments adaptive = typed;
  const auto mode = adaptive.flight.options.take("--mode");
  if (mode && mode->assignment == "rollout.mode=adaptive") {
    refuse_flights_option(adaptive.flight.options);
    fly_and_learn(adaptive, context);
    return;
  }
  refuse_learning_options(typed);
  fly_by_policy(typed, context);
}

}  // namespace

void add_rollout(Command program, const Context& context) {
  Command command = program.add_command(
      "rollout",
      "Simulate a run's policy from another start or departure, or in another environment, without "
      "a new solve",
      "Examples:\n  tidewise rollout runs/double_gyre_time --at-xy 60.5,40.5 --time 20\n"
      "  tidewise rollout runs/washington --at -125.8,47.2 --mode chain\n"
      "  tidewise rollout runs/still_water --environment double_gyre.h5\n"
      "  tidewise rollout runs/double_gyre_time --mode adaptive --every 5 --error 0.1 "
      "--realizations 50");
  Arguments& arguments = add_arguments(command, context, run);
  FlightArguments& flight = arguments.flight;
  add_flight_options(command, flight, "--environment,--truth",
                     "Simulate in this environment, of the same cells and times, and evaluate the "
                     "policy there; adaptive vehicles plan with their own");
  MissionOptions& options = flight.options;
  options.add(
      command, "--mode", "rollout.mode",
      "continuous, chain or none (rollout.mode), or adaptive: learn from observations and replan");
  options.add(command, "--realizations", "rollout.realizations",
              "all, how many, or [a, list] (rollout.realizations)");
  options.add(command, "--flights", "rollout.flights", "Flights in chain mode (rollout.flights)");
  options.add(command, "--seed", "rollout.seed",
              "Seed of chain mode, and of observation errors in adaptive mode (rollout.seed)");
  options.add(command, "--baselines", "rollout.baselines",
              "Also simulate baseline controllers: all or none (rollout.baselines)");
  options.add_backend(command);
  add_report_flags(command, arguments.report);
  add_flight_folder_option(command, flight, "rollout")
      .description("Folder to write; default: RUN/rollout_1, _2 …, adaptive RUN/adaptive_1 …");
  command.add_option("--every", arguments.every, "Adaptive: steps between plans (default: 5)")
      .type_name("K");
  command
      .add_option("--error", arguments.error,
                  "Adaptive: standard deviation of the error of each observed velocity component, "
                  "in the environment's units")
      .type_name("S");
  command
      .add_option("--assumed-error", arguments.assumed_error,
                  "Adaptive: that error as the vehicle assumes it; default: the true one")
      .type_name("S");
  command
      .add_option("--inflation", arguments.inflation,
                  "Adaptive: factor on the forecast's spread (default: 1, or more if observations "
                  "contradict the forecast)")
      .type_name("FACTOR");
  command
      .add_option("--relaxation", arguments.relaxation,
                  "Adaptive: share of the lost spread that is restored, 0 to 1 (default: 0)")
      .type_name("SHARE");
  command
      .add_option("--localisation", arguments.localisation,
                  "Adaptive: half-width of the localisation in levels; default: none")
      .type_name("LEVELS");
  command.add_flag("--no-bound", arguments.no_bound, "Adaptive: omit the clairvoyant bound");
}

}  // namespace tidewise
