#include <fmt/format.h>

#include <optional>

#include "app/commands.h"
#include "app/mission_run.h"
#include "app/run_folder.h"
#include "app/run_report.h"
#include "base/stopwatch.h"
#include "output/model_file.h"
#include "output/policy_file.h"
#include "solver/backward_induction.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string mission;
  std::string out;
  std::vector<std::string> settings;
  std::string backend;
  std::string threads;
  std::string engine;
  std::string model;
};

/// The options that stand for a key of the mission, as settings; they prevail over --set.
std::vector<Setting> all_settings(const Arguments& arguments) {
  std::vector<Setting> settings(arguments.settings.begin(), arguments.settings.end());
  const auto stand_for = [&](const char* option, const char* key, const std::string& value) {
    if (value.empty()) return;
    settings.emplace_back(fmt::format("{}={}", key, value), fmt::format("{} {}", option, value));
  };
  stand_for("--backend", "planner.backend", arguments.backend);
  stand_for("--threads", "planner.threads", arguments.threads);
  stand_for("--engine", "planner.engine", arguments.engine);
  if (!arguments.out.empty()) {
    settings.emplace_back("output.directory=" + quote_toml(arguments.out),
                          "--out " + arguments.out);
  }
  return settings;
}

/// Solves by counting, or from a stored model where there is one.
SolveReport solve(const MissionRun& run, const ModelFile* model, PolicySink& sink,
                  Progress& progress) {
  const std::int32_t threads = run.backend().threads;
  if (model != nullptr && run.backend().name == "cuda") {
    return solve_explicit_on_device(run.environment(), run.actions(), run.mission(), threads,
                                    model->stored(run.environment().info()), sink, progress);
  }
  if (model != nullptr) {
    return solve_backward(run.environment(), run.actions(), run.mission(), threads,
                          model->counts(run.environment().info(), threads), sink, progress);
  }
  const MissionFile::Planner& planner = run.file().planner;
  return solve_mission(run.environment(), run.actions(), run.mission(),
                       {planner.engine, threads, planner.subgrid_radius}, sink, progress);
}

/// Solves the mission into `folder`/policy.h5 and notes in `summary` what that took.
void solve_into(const std::filesystem::path& folder, const MissionRun& run, const ModelFile* model,
                RunSummary& summary, Progress& progress) {
  const EnvironmentReader& environment = run.environment();
  PolicyWriter writer(folder / "policy.h5", environment.info(), run.actions(), run.echo(),
                      run.mission().last);
  if (environment.info().coordinates == Coordinates::geographic) {
    writer.write_longitude_latitude(environment.read_longitude(), environment.read_latitude());
  }
  const SolveReport report = solve(run, model, writer, progress);
  const Stopwatch writing;
  writer.finish();
  summary.seconds.write += writing.seconds();
  summary.seconds.read = report.read_seconds;
  summary.seconds.solve = report.solve_seconds;
  summary.problem.rows = report.rows;
  summary.problem.transitions = report.transitions;
}

void run(const Arguments& arguments, const CommandContext& context) {
  const MissionRun run(read_mission_file(arguments.mission, all_settings(arguments)));
  std::optional<ModelFile> model;
  if (!arguments.model.empty()) {
    model.emplace(arguments.model);
    model->require_match(run.environment(), run.actions());
  }
  for (const auto& warning : run.warnings()) context.warn(warning);
  const auto progress = context.make_progress();
  RunFolder folder(run.file().output.directory);
  RunSummary summary = run.begin_summary();
  if (model) summary.engine = "model";
  solve_into(folder.staging(), run, model ? &*model : nullptr, summary, *progress);
  {
    const PolicyFile policy(folder.staging() / "policy.h5");
    run.fly_and_write(policy, folder.staging(), summary, *progress);
  }
  folder.commit();
  fmt::print("{}", describe_run(run, summary, folder.path()));
}

}  // namespace

void add_plan(CLI::App& program, Context context) {
  CLI::App* command =
      program.add_subcommand("plan", "Solve a mission, fly its policy and write both down");
  command->footer(
      "Examples:\n  tidewise plan configs/double_gyre_time.toml\n"
      "  tidewise plan configs/double_gyre_time.toml --set mission.objective=energy --out runs/e");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("mission", arguments->mission, "The mission file (*.toml)")->required();
  command->add_option("--out", arguments->out, "The folder of the run (output.directory)")
      ->type_name("DIR");
  add_settings_option(*command, arguments->settings);
  command->add_option("--backend", arguments->backend, "auto, cpu or cuda (planner.backend)");
  command->add_option("--threads", arguments->threads,
                      "Threads (planner.threads); all cores if not given");
  command->add_option("--engine", arguments->engine, "paper, direct or lattice (planner.engine)");
  command->add_option("--model", arguments->model,
                      "Solve from this explicit model (of 'tidewise build') instead of counting");
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise
