#include <fmt/format.h>

#include <chrono>

#include "app/commands.h"
#include "app/mission_run.h"
#include "app/run_folder.h"
#include "app/run_report.h"
#include "base/error.h"
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

/// Solves the mission into `folder`/policy.h5 and notes in `summary` what that took.
void solve_into(const std::filesystem::path& folder, const MissionRun& run, RunSummary& summary,
                Progress& progress) {
  const EnvironmentReader& environment = run.environment();
  const MissionFile::Planner& planner = run.file().planner;
  PolicyWriter writer(folder / "policy.h5", environment.info(), run.actions(), run.echo(),
                      run.mission().last);
  if (environment.info().coordinates == Coordinates::geographic) {
    writer.write_longitude_latitude(environment.read_longitude(), environment.read_latitude());
  }
  const PlannerOptions options{planner.engine, run.backend().threads, planner.subgrid_radius};
  SolveReport report;
  try {
    report = solve_mission(environment, run.actions(), run.mission(), options, writer, progress);
  } catch (const InputError& error) {
    // What counting refuses is the environment's doing, and does not name it.
    const std::string name = environment.path().string();
    const std::string text = error.what();
    throw InputError(text.starts_with(name) ? text : name + ": " + text);
  }
  const auto before_writing = std::chrono::steady_clock::now();
  writer.finish();
  summary.seconds.write +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before_writing).count();
  summary.seconds.read = report.read_seconds;
  summary.seconds.solve = report.solve_seconds;
  summary.problem.rows = report.rows;
  summary.problem.transitions = report.transitions;
}

void run(const Arguments& arguments, const CommandContext& context) {
  const MissionRun run(read_mission_file(arguments.mission, all_settings(arguments)));
  for (const auto& warning : run.warnings()) context.warn(warning);
  const auto progress = context.make_progress();
  RunFolder folder(run.file().output.directory);
  RunSummary summary = run.begin_summary();
  solve_into(folder.staging(), run, summary, *progress);
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
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise
