#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "app/cli/environment_options.h"
#include "app/cli/mission_options.h"
#include "app/cli/place_option.h"
#include "app/cli/terminal.h"
#include "app/commands/commands.h"
#include "app/report/comparison.h"
#include "app/report/run.h"
#include "app/run/compared_run.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "planner/route/export.h"
#include "planner/run/comparison.h"
#include "planner/run/folder.h"
#include "planner/run/mission_run.h"
#include "planner/run/policy_validation.h"
#include "planner/run/replanning.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string run;
  std::string from;
  std::string from_lonlat;
  std::int32_t passed = 0;
  std::optional<std::string> environment;
  std::vector<std::string> names;
  MissionOptions options;
  std::string out;
};

/// Puts the vehicle's place in place of the mission's start.
void start_where_it_is(const Arguments& arguments, RunRequest& mission) {
  if (arguments.from.empty() && arguments.from_lonlat.empty()) {
    throw InputError(
        "replan: where the vehicle is is not given; give --from X,Y or --from-lonlat LON,LAT");
  }
  if (!arguments.from.empty()) {
    mission.mission.start = parse_position("--from", arguments.from, Position::Frame::plane);
    mission.places["mission.start"] = "--from " + arguments.from;
  } else {
    mission.mission.start =
        parse_position("--from-lonlat", arguments.from_lonlat, Position::Frame::geographic);
    mission.places["mission.start_lonlat"] = "--from-lonlat " + arguments.from_lonlat;
  }
}

/// Puts another environment in place of the run's, where one is named.
void take_environment(const Arguments& arguments, RunRequest& mission) {
  if (!arguments.environment) {
    if (arguments.names.empty()) return;
    throw InputError(
        fmt::format("--name {}: is of the file that --environment names; give that too",
                    arguments.names.front()));
  }
  if (arguments.environment->empty()) {
    throw InputError("--environment: names no file; name the forecast to plan in");
  }
  mission.environment = {fs::absolute(*arguments.environment).lexically_normal(),
                         parse_names(arguments.names)};
  mission.places["environment.file"] = "--environment " + *arguments.environment;
}

/// RUN_replanned_1 beside the run, or the first number after it that is not taken; of a run that
/// was replanned itself the next number.
fs::path free_folder(const fs::path& run) {
  static const std::regex replanned("_replanned_[0-9]+$");
  const std::string name = std::regex_replace(run.filename().string(), replanned, "");
  for (int n = 1;; ++n) {
    fs::path folder = run.parent_path() / fmt::format("{}_replanned_{}", name, n);
    if (!fs::exists(folder)) return folder;
  }
}

/// The new run and the folder that it goes into: replans that begin at once get one each.
struct Destined {
  std::unique_ptr<MissionRun> run;
  std::unique_ptr<RunFolder> folder;
};

Destined choose_folder(RunRequest mission, const std::shared_ptr<PlanningContext>& planning,
                       const fs::path& before, const std::string& out) {
  if (!out.empty()) {
    std::error_code ignored;
    if (fs::equivalent(out, before, ignored)) {
      throw InputError(fmt::format(
          "--out {}: is the run that is replanned, which is kept; name another folder", out));
    }
  }
  for (;;) {
    mission.output.directory = out.empty() ? free_folder(before) : fs::absolute(out);
    auto run = std::make_unique<MissionRun>(mission, planning);
    auto folder = out.empty() ? RunFolder::make_new(mission.output.directory)
                              : std::make_unique<RunFolder>(mission.output.directory);
    if (folder) return {std::move(run), std::move(folder)};
  }
}

/// The two runs beside each other: the text for the terminal, and comparison.json in the folder.
std::string compare_with_old(const ComparedRun& before, std::size_t passed, const MissionRun& run,
                             const RunFolder& folder, const RunSummary& summary,
                             Progress& progress) {
  std::vector<ComparedRun> new_run;
  new_run.push_back({folder.path().string(), PolicyFile(folder.staging() / "policy.h5"), run.file(),
                     to_json(summary)});
  const RunComparison found = compare_with_before(before, passed, new_run.front(), run,
                                                  {*summary.expected, summary.rollout}, progress);
  nlohmann::ordered_json json;
  json["runs"] = {run_to_json(before), run_to_json(new_run.front())};
  json["comparisons"] = {comparison_to_json(found, before, new_run.front())};
  write_text_file(folder.staging() / "comparison.json",
                  json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  return fmt::format("\nthe run before: A, {}; this one: B, {}\n", before.name,
                     folder.path().string()) +
         describe_comparison(found, 'B');
}

void run(const Arguments& arguments, const CommandContext& context) {
  const ComparedRun before = open_compared_run(arguments.run, arguments.options.settings());
  RunRequest mission = before.mission;
  ReplannedFrom from;
  from.policy = fs::absolute(before.policy.path()).lexically_normal().string();
  from.environment = mission.environment.file.string();
  from.passed = arguments.passed;
  start_where_it_is(arguments, mission);
  take_environment(arguments, mission);
  take_out_passed(mission, static_cast<std::size_t>(arguments.passed));
  const auto planning = std::make_shared<PlanningContext>(mission);
  std::vector<std::string> warnings;
  if (!arguments.environment) {
    const std::string warning = validate_own_environment(before.policy, *planning);
    if (!warning.empty()) warnings.push_back(warning);
  }
  std::vector<std::string> notes;
  end_as_before(mission, before.policy, planning->environment(), notes);
  const auto destined =
      choose_folder(std::move(mission), planning, fs::absolute(before.policy.path()).parent_path(),
                    arguments.out);
  MissionRun& run = *destined.run;
  RunFolder& folder = *destined.folder;
  for (const auto& warning : run.warnings()) context.warn(warning);
  if (run.mission().battery) {
    warnings.push_back(fmt::format(
        "the battery is taken to hold {:.6g} where the vehicle is now, as at the departure; give "
        "what is left of it: --set vehicle.battery=…",
        *run.mission().battery));
  }
  const auto progress = context.make_progress();
  RunSummary summary = run.begin_summary();
  summary.replanned_from = from;
  summary.notes.insert(summary.notes.end(), notes.begin(), notes.end());
  summary.warnings = warnings;
  {
    const auto store =
        run.open_store(folder.staging() / "policy.h5", {}, nullptr, PolicyExtent::from_start);
    run.solve_from_start(*store, summary, *progress);
    run.fly_and_write(store->source(), folder.staging(), summary, *progress);
    MissionRun::finish(*store, summary);
  }
  const std::string compared = compare_with_old(before, static_cast<std::size_t>(arguments.passed),
                                                run, folder, summary, *progress);
  for (const std::string& warning :
       export_finished_run(folder.staging(), folder.path(), run.file().output.formats,
                           run.backend().threads, *progress)) {
    summary.warnings.push_back(warning);
  }
  run.write_summary_into(folder.staging(), summary);
  folder.commit();
  for (const auto& warning : summary.warnings) context.warn(warning);
  print("{}{}", describe_run(run, summary, folder.path()), compared);
}

}  // namespace

void add_replan(Command program, const Context& context) {
  Command command = program.add_command(
      "replan",
      "Plan what is left of a run's mission from where the vehicle is now, beside the old plan",
      "Examples:\n  tidewise replan runs/washington --from-lonlat -125.8,47.1 "
      "--at 2024-10-29T12:00Z\n"
      "  tidewise replan runs/double_gyre_time --from 80.5,90.5 --at 40 --environment "
      "posterior.h5");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run, or its policy.h5").required();
  const Option from =
      command
          .add_option("--from", arguments.from, "Where the vehicle is, in the environment's units")
          .type_name("X,Y");
  command
      .add_option("--from-lonlat", arguments.from_lonlat,
                  "Where the vehicle is, in degrees east and north")
      .type_name("LON,LAT")
      .excludes(from);
  MissionOptions& options = arguments.options;
  options
      .add(command, "--at", "mission.departure",
           "When it is there: a time level, or a date such as 2024-10-29T12:00Z")
      .type_name("K|DATE")
      .required();
  command
      .add_option("--passed", arguments.passed,
                  "How many of the mission's places to pass (mission.via) it has passed")
      .type_name("N");
  command
      .add_option("--environment", arguments.environment,
                  "Plan in this environment: a newer forecast, or one that was corrected by what "
                  "was observed; the run's own if not given")
      .type_name("FILE");
  add_names_option(command, arguments.names);
  options.add_set(command);
  options.add(command, "--baselines", "rollout.baselines",
              "Fly what needs no plan beside it: all or none (rollout.baselines)");
  options.add_backend(command);
  command
      .add_option("--out", arguments.out,
                  "Folder to write; RUN_replanned_1, _2 … beside the run if not given")
      .type_name("DIR");
}

}  // namespace tidewise
