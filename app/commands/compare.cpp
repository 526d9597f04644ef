
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli/common_options.h"
#include "app/cli/mission_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/report/comparison.h"
#include "app/report/environment.h"
#include "app/report/solution_comparison.h"
#include "app/run/compared_run.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/file_set.h"
#include "base/hdf5/file_kind.h"
#include "mdp/file/solution.h"
#include "mdp/process/exact_comparison.h"
#include "planner/outputs/outputs.h"

namespace tidewise {
namespace {

struct Arguments {
  std::vector<std::string> runs;
  OutputFiles out;
  std::optional<CostOfOldPlan> cost;  ///< absent: expected
  MissionOptions options;
  Values values = Values::hidden;
  Overwrite overwrite = Overwrite::refused;
};

constexpr std::size_t max_runs = 26;  // each run has a letter

FileKind json_kind() {
  return text_kind("JSON of 'tidewise compare'", {"\"comparisons\":", "\"runs\":"});
}

void add_json(const std::string& path, const nlohmann::ordered_json& json, FileSet& files) {
  if (path.empty()) return;
  files.add_text(path, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void validate_outputs(const Arguments& arguments, const std::vector<ComparedRun>& runs) {
  Outputs outputs(arguments.overwrite);
  for (const ComparedRun& run : runs) outputs.add_run_inputs(run.policy.path(), run.request);
  outputs.add_output("--out", arguments.out.with_ending(".nc"),
                     hdf5_kind_by_variable("difference of two policies", "action_changed"));
  outputs.add_output("--out", arguments.out.with_ending(".json"), json_kind());
  outputs.validate();
}

void validate(const Arguments& arguments) {
  const std::size_t count = arguments.runs.size();
  if (count < 2 || count > max_runs) {
    throw input_error(errors::compare_run_count, count, max_runs);
  }
  const std::string fields = arguments.out.with_ending(".nc");
  if (!fields.empty() && count > 2) {
    throw input_error(errors::compare_out_needs_pair, fields, count);
  }
}

/// Compares solutions of one decision process with the first of them.
void run_solutions(const Arguments& arguments, const CommandContext& context) {
  const std::vector<std::string>& names = arguments.runs;
  const std::string fields = arguments.out.with_ending(".nc");
  for (const auto& [option, is_given] :
       {std::pair{"--cost", arguments.cost.has_value()}, {"--out FILE.nc", !fields.empty()}}) {
    if (is_given) throw input_error(errors::compare_option_of_runs, option, names.front());
  }
  Outputs outputs(arguments.overwrite);
  for (const std::string& name : names) outputs.add_input(name);
  outputs.add_output("--out", arguments.out.with_ending(".json"), json_kind());
  outputs.validate();
  const mdp::StoredSolution first = mdp::read_solution(names.front());
  nlohmann::ordered_json json{{"runs", names}, {"comparisons", nlohmann::ordered_json::array()}};
  std::string text = report_line("A", names.front());
  for (std::size_t n = 1; n < names.size(); ++n) {
    const mdp::StoredSolution other = mdp::read_solution(names[n]);
    const std::size_t states = first.solution.value.size();
    if (other.solution.value.size() != states) {
      throw input_error(errors::compare_solutions_states, names.front(), states, names[n],
                        other.solution.value.size());
    }
    const std::string& model = first.origin.model_fingerprint;
    const std::string& other_model = other.origin.model_fingerprint;
    if (!model.empty() && !other_model.empty() && model != other_model) {
      context.warn(fmt::format("{} and {} are of two models", names.front(), names[n]));
    }
    const auto comparison = mdp::compare_solutions(first.solution, other.solution);
    const char letter = static_cast<char>('A' + n);
    text += "\n" + report_line(std::string(1, letter), names[n]) +
            describe_solutions(comparison, letter);
    json["comparisons"].push_back(solutions_to_json(comparison));
  }
  FileSet files;
  add_json(arguments.out.with_ending(".json"), json, files);
  files.commit();
  (void)give_figures(json);
  print("{}", text);
}

void run(const Arguments& arguments, const CommandContext& context) {
  validate(arguments);
  if (mdp::is_solution_file(arguments.runs.front())) return run_solutions(arguments, context);
  const std::vector<Setting> settings = arguments.options.settings();
  std::vector<ComparedRun> runs;
  for (const std::string& name : arguments.runs) runs.push_back(open_compared_run(name, settings));
  validate_outputs(arguments, runs);
  FileSet files;
  const std::string difference = arguments.out.with_ending(".nc");
  AtomicFile* const fields = difference.empty() ? nullptr : &files.add(difference);
  const auto progress = context.make_progress();
  std::string recommendations;
  std::string text = describe_runs(runs, arguments.values);
  nlohmann::ordered_json json{{"runs", nlohmann::ordered_json::array()},
                              {"comparisons", nlohmann::ordered_json::array()}};
  for (const ComparedRun& run : runs) json["runs"].push_back(run_to_json(run));
  for (std::size_t n = 1; n < runs.size(); ++n) {
    const RunComparison comparison = compare_runs(
        runs[0], runs[n], arguments.cost.value_or(CostOfOldPlan::expected), fields, *progress);
    if (comparison.cost && !comparison.cost->warning.empty())
      context.warn(comparison.cost->warning);
    const char letter = static_cast<char>('A' + n);
    recommendations += describe_recommendation(comparison, runs[0], runs[n], letter) + "\n";
    text += "\n" + describe_comparison(comparison, runs[n], letter, arguments.values);
    json["comparisons"].push_back(comparison_to_json(comparison, runs[0], runs[n]));
  }
  add_json(arguments.out.with_ending(".json"), json, files);
  files.commit();
  (void)give_figures(json);
  print("{}{}\n{}", describe_uncertainty(runs), recommendations, text);
}

}  // namespace

void add_compare(Command program, const Context& context) {
  Command command = program.add_command(
      "compare",
      "Compare runs: changes of the plan and the cost of keeping the old one; or solutions of a "
      "decision process",
      "Examples:\n  tidewise compare runs/cycle_00 runs/cycle_06\n"
      "  tidewise compare runs/cycle_00 runs/cycle_06 --cost flown --out change.nc "
      "--out change.json\n"
      "  tidewise compare values.h5 policies.txt");
  Arguments& arguments = add_arguments(command, context, run);
  command
      .add_option("runs", arguments.runs,
                  "Folders of runs, or solutions (.h5, .txt); the others are compared with the "
                  "first")
      .required();
  arguments.out.add(command, {".nc", ".json"},
                    "Also write the differences of the policies (time, y, x) to a NetCDF file, or "
                    "all figures to .json; repeatable");
  command.add_choice<CostOfOldPlan>(
      "--cost", arguments.cost,
      {{"none", CostOfOldPlan::none},
       {"expected", CostOfOldPlan::expected},
       {"flown", CostOfOldPlan::flown}},
      "Cost of keeping the first plan in the other's forecast: expected (by the model; default), "
      "flown (also by flights of both plans) or none (needs no environment)");
  add_value_flag(command, arguments.values);
  add_overwrite_flag(command, arguments.overwrite);
  arguments.options.add_backend(command);
}

}  // namespace tidewise
