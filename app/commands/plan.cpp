#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/mission_options.h"
#include "app/commands/commands.h"
#include "app/commands/env_import.h"
#include "app/error/codes.h"
#include "app/forecast/forecast_run.h"
#include "app/forecast/mission_answers.h"
#include "app/report/environment.h"
#include "app/report/options.h"
#include "app/report/run.h"
#include "app/run/finished_run.h"
#include "app/run/prediction.h"
#include "app/serve/python_server.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "env/units/depths.h"
#include "output/model/model_file.h"
#include "planner/backend/rank_share.h"
#include "planner/error/codes.h"
#include "planner/folder/run_folder.h"
#include "planner/mission/read/file.h"
#include "planner/outputs/outputs.h"
#include "planner/problem/mission_problem.h"
#include "planner/run/arrival_constraint.h"
#include "planner/run/run_mission.h"
#include "solver/explicit/sparse_product.h"
#include "solver/subdomains/agreement.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  MissionAnswers answers;  ///< if `files` are a mission, only `files` are used
  std::string mission;
  MissionOptions options;
  std::string model;
  std::string method;
  std::optional<double> arrival_at_least;
  bool all_departures = false;
  ReportOptions report;
  PredictionOptions predictions;
  Overwrite overwrite = Overwrite::refused;
  bool serve = false;
};

void validate_folder(const Arguments& arguments, const RunRequest& mission) {
  Outputs outputs(arguments.overwrite);
  outputs.add_input(arguments.mission);
  outputs.add_input(arguments.model);
  outputs.add_mission_inputs(mission);
  outputs.add_run_output(mission.output.directory);
  arguments.predictions.add_files(outputs);
  outputs.validate();
}

/// A command such as "tidewise rehearse runs/washington --source rtofs.nc" for a run whose
/// environment was imported; else empty.
std::string rehearsal_command(const MissionProblem& run, const std::string& folder) {
  try {
    const EnvironmentInfo& info = run.info();
    const auto import = imported_by(info.history);
    const auto can_be_dived = [](const auto& profile) { return are_even(profile.depths); };
    if (!import || !std::all_of(info.profiles.begin(), info.profiles.end(), can_be_dived)) {
      return "";
    }
    // An import records file names without folders.
    const bool files_exist =
        std::all_of(import->files.begin(), import->files.end(), [](const auto& file) {
          std::error_code ignored;
          return std::filesystem::exists(file, ignored);
        });
    return fmt::format("tidewise rehearse {} --source {}{}", shell_word(folder),
                       list_sources(*import), files_exist ? "" : "  # add its folder");
  } catch (const InputError&) {
    return "";  // written by a later version
  }
}

void record(const Arguments& arguments, const MissionProblem& run, const RolloutResult& flights,
            const RunSummary& summary, const RunFolder& folder) {
  arguments.predictions.record({.problem = run,
                                .command = "plan",
                                .run = folder.path(),
                                .flights = flights,
                                .recommended = to_json(summary.recommendation),
                                .calibration = summary.calibration});
}

/// Reports the run's results and the next command.
void report(const MissionProblem& run, const RunSummary& summary,
            const std::filesystem::path& folder, const ReportOptions& options) {
  print("{}", describe_run(run, summary, folder, options));
  if (options.details == Details::hidden) return;
  const auto relative_folder = folder.lexically_proximate(std::filesystem::current_path());
  const std::string command = rehearsal_command(run, relative_folder.string());
  if (!command.empty()) print("{}", report_line("to rehearse", command));
}

/// The method of --method. Errors: InputError for one that the build, the backend or other options
/// exclude.
ExplicitMethod method_of(const Arguments& arguments, const MissionProblem& run) {
  for (const auto method : {ExplicitMethod::published, ExplicitMethod::published_host}) {
    if (arguments.method != to_string(method)) continue;
    if (arguments.model.empty()) return method;
    throw input_error(errors::published_method_combined, to_string(method), "--model");
  }
  if (!arguments.method.empty() && arguments.model.empty()) {
    throw input_error(errors::method_without_model);
  }
  if (arguments.method != "cusparse") return ExplicitMethod::padded;
  if (run.context->backend().kind == BackendKind::cpu) {
    throw input_error(errors::cusparse_needs_gpu);
  }
  if (!has_sparse_product()) {
    throw input_error(errors::cusparse_not_built);
  }
  return ExplicitMethod::sparse;
}

/// Opens the model of --model; nullopt without it.
std::optional<ModelFile> open_model(const Arguments& arguments, const MissionProblem& run) {
  (void)method_of(arguments, run);
  if (arguments.model.empty()) return std::nullopt;
  refuse_vehicle_error(run.request, "stored models have none; leave --model out");
  ModelFile model(arguments.model);
  model.require_match(run.environment(), run.rule, run.actions);
  return model;
}

/// The work of this rank for a mission that several processes solve together. The first rank
/// validates, flies, writes and reports.
void run_together(const Arguments& arguments, const CommandContext& context) {
  Communicator& communicator = context.communicator();
  const bool first = communicator.rank() == 0;
  const auto progress = context.make_progress();
  std::optional<MissionProblem> run;
  std::optional<RunFolder> folder;
  std::unique_ptr<PolicyStore> store;
  RunSummary summary;
  const CoreShare share = share_cores(communicator);
  RunRequest request;
  const auto open_run = [&] {
    run.emplace(for_this_rank(std::move(request), communicator, share.threads));
  };
  work_and_agree(communicator, [&] {
    request = read_mission_file(arguments.mission, arguments.options.settings());
    if (!first) return;
    validate_folder(arguments, request);
    if (!arguments.model.empty()) {
      throw input_error(errors::model_with_processes, arguments.model);
    }
    if (!arguments.method.empty()) {
      throw input_error(errors::published_method_combined, arguments.method, "several processes");
    }
    if (arguments.arrival_at_least) {
      throw input_error(errors::arrival_constraint_with_processes);
    }
    open_run();
    for (const auto& warning : warnings_of(*run)) context.warn(warning);
    const bool on_cores = run->context->backend().kind == BackendKind::cpu;
    if (on_cores && !share.warning().empty()) context.warn(share.warning());
    arguments.predictions.validate(run->environment());
    const auto calibration = arguments.predictions.calibration();
    folder.emplace(run->request.output.directory);
    require_no_run(folder->path(), arguments.overwrite);  // another process may have made one
    summary = begin_summary(*run);
    summary.calibration = calibration;
    store = open_store(*run, folder->staging() / "policy.h5");
  });
  work_and_agree(communicator, [&] {
    if (!first) open_run();
  });
  solve_in_subdomains(*run, communicator, store.get(), summary, *progress);
  work_and_agree(communicator, [&] {
    if (!first) return;
    const RolloutResult flights =
        fly_and_write(*run, *store, folder->staging(), summary, *progress);
    store.reset();
    export_routes(*run, *folder, summary, *progress);
    finish_run_folder(*run, *folder, summary, context);
    record(arguments, *run, flights, summary, *folder);
  });
  communicator.disband();
  if (!first) return;
  report(*run, summary, folder->path(), arguments.report);
}

/// Returns the folder of the run.
fs::path run(const Arguments& arguments, const CommandContext& context) {
  if (context.communicator().size() > 1) {
    run_together(arguments, context);
    return {};
  }
  RunRequest request = read_mission_file(arguments.mission, arguments.options.settings());
  validate_folder(arguments, request);
  const auto planning = std::make_shared<PlanningContext>(PlanningContext::AtOnce(), request);
  const auto progress = context.make_progress();
  if (arguments.arrival_at_least && !arguments.model.empty()) {
    throw input_error(errors::arrival_constraint_with_model);
  }
  if (arguments.arrival_at_least) {
    request =
        with_arrival_at_least(std::move(request), *arguments.arrival_at_least, planning, *progress);
  }
  request.planner.all_departures = arguments.all_departures;
  MissionProblem run(std::move(request), planning);
  const ExplicitMethod method = method_of(arguments, run);
  const std::optional<ModelFile> model = open_model(arguments, run);
  for (const auto& warning : warnings_of(run)) context.warn(warning);
  arguments.predictions.validate(run.environment());
  const auto calibration = arguments.predictions.calibration();
  RunFolder folder(run.request.output.directory);
  // Another process may have made a run meanwhile.
  require_no_run(folder.path(), arguments.overwrite);
  RunSummary summary = begin_summary(run);
  summary.calibration = calibration;
  RolloutResult flights;
  if (model) summary.engine = "model";
  if (is_published(method)) summary.engine = to_string(method);
  {
    const auto store = open_store(run, folder.staging() / "policy.h5");
    solve(run, model ? &*model : nullptr, method, *store, summary, *progress);
    flights = fly_and_write(run, *store, folder.staging(), summary, *progress);
  }
  export_routes(run, folder, summary, *progress);
  finish_run_folder(run, folder, summary, context);
  record(arguments, run, flights, summary, folder);
  report(run, summary, folder.path(), arguments.report);
  return folder.path();
}

/// Returns the folder of the run.
fs::path run_inputs(const Arguments& typed, const CommandContext& context) {
  Arguments arguments = typed;
  const std::vector<std::string>& files = typed.answers.files;
  arguments.mission = files.front();
  const char* option = first_given(typed.answers);
  std::error_code ignored;
  if (option != nullptr && !fs::exists(files.front(), ignored)) {
    throw input_error(errors::mission_file_missing, files.front(), "forecast");
  }
  if (!holds_currents(files.front())) {
    if (files.size() > 1) throw input_error(errors::plan_files_mixed, files.front());
    if (option == nullptr) return run(arguments, context);
    throw input_error(errors::forecast_option_with_mission, option, files.front());
  }
  if (context.communicator().size() > 1) {
    throw input_error(errors::forecast_with_processes, files.front());
  }
  ForecastRun forecast(typed.answers, typed.options.settings(), typed.overwrite, context);
  arguments.mission = forecast.mission().string();
  arguments.options.give("--out", forecast.folder().string());
  fs::path folder = run(arguments, context);
  forecast.finish(imported_by(forecast.history()), context);
  return folder;
}

void run_and_serve(const Arguments& arguments, const CommandContext& context) {
  if (arguments.serve) {
    if (context.communicator().size() > 1) throw input_error(errors::serve_with_processes);
    require_server();  // before the planning
  }
  const fs::path folder = run_inputs(arguments, context);
  if (!arguments.serve) return;
  const fs::path relative_folder = folder.lexically_proximate(fs::current_path());
  run_server({relative_folder.string(), "", false});
}

}  // namespace

void add_plan(Command program, const Context& context) {
  Command command = program.add_command(
      "plan", "Plan a mission, from a mission file or from a forecast's own files",
      "Examples:\n"
      "  tidewise plan rtofs.nc --from 126.0W,46.8N --to 124.95W,48.45N --vehicle 0.5m/s "
      "--depart \"2024-10-28 15:00\"\n"
      "  tidewise plan configs/double_gyre_time.toml\n"
      "  tidewise plan configs/double_gyre_time.toml --set mission.objective=energy --out runs/e\n"
      "  mpirun -n 4 tidewise plan configs/double_gyre_time.toml");
  Arguments& arguments = add_arguments(command, context, run_and_serve);
  command
      .add_option("mission", arguments.answers.files,
                  "A mission file (TOML); or the files of a forecast (NetCDF), or one environment")
      .required();
  add_answer_options(command, arguments.answers, false);
  MissionOptions& options = arguments.options;
  options
      .add(command, "--out", "output.directory", "The folder of the run (output.directory)",
           MissionOptions::Form::text)
      .type_name("DIR");
  add_overwrite_flag(command, arguments.overwrite);
  options.add_set(command);
  options.add_backend(command);
  options.add(command, "--baselines", "rollout.baselines",
              "Also simulate baseline controllers: all or none (rollout.baselines)");
  command
      .add_option("--arrival-at-least", arguments.arrival_at_least,
                  "Minimum arrival probability: finds the lowest lateness penalty that reaches it "
                  "(mission.failure.late)")
      .type_name("P");
  command.add_flag("--all-departures", arguments.all_departures,
                   "With mission.decide_every: allow departures at every level, by one pass for "
                   "each step of a hold");
  arguments.predictions.add(command);
  add_report_flags(command, arguments.report);
  command.add_flag("--serve", arguments.serve, "Then show the run in a browser (tidewise serve)");
  command.add_option(
      "--model", arguments.model,
      "Solve from this explicit model (of 'tidewise research build') instead of counting");
  command
      .add_option("--method", arguments.method,
                  "GPU method. With --model: padded (default; the bits of counting) or cusparse "
                  "(equal to rounding). Without --model: published or published-host, which build "
                  "P and R by the published method (docs/model.md, 2.4)")
      .one_of({"padded", "cusparse", "published", "published-host"});
}

}  // namespace tidewise
