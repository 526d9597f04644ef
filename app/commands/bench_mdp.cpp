#include <fmt/core.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/backend_options.h"
#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "bench/mdp/benchmark.h"
#include "bench/mdp/worlds.h"
#include "mdp/methods/table.h"
#include "mdp/worlds/literature_worlds.h"
#include "mdp/worlds/sample_worlds.h"

namespace tidewise {
namespace {

/// Options as typed, before validation.
struct MdpOptions : MdpBenchmarkOptions {
  std::vector<std::string> named_worlds{"slip"};
  std::vector<std::string> methods;
  BackendRequest backend;
  bool quick = false;
};

/// The names of worlds, with "slip", "wet", "sample" and "all" replaced by the worlds of these
/// groups.
std::vector<std::string> worlds_of(const std::vector<std::string>& words) {
  std::vector<std::string> worlds;
  const auto add = [&](const std::vector<std::string>& names) {
    worlds.insert(worlds.end(), names.begin(), names.end());
  };
  for (const std::string& word : words) {
    if (word == "slip" || word == "all") add(mdp::slip_world_names());
    if (word == "wet" || word == "all") add(mdp::wet_floor_names());
    if (word == "sample" || word == "all") add(mdp::sample_world_kinds());
    if (word == "slip" || word == "wet" || word == "sample" || word == "all") continue;
    (void)mdp_world(word);
    worlds.push_back(word);
  }
  return worlds;
}

mdp::Method method_of(const std::string& word) {
  std::vector<std::string> names;
  for (const mdp::MethodRow& row : mdp::method_rows()) {
    if (!row.has_fixed_point || row.method == mdp::Method::automatic) continue;
    if (word == row.name) return row.method;
    names.emplace_back(row.name);
  }
  throw input_error(errors::bench_method_unknown, word, fmt::join(names, ", "));
}

MdpBenchmarkReport measure(MdpOptions options, Progress& progress) {
  const Backend backend = take_backend(options.backend);
  options.sides.threads = backend.threads;
  if (backend.kind == BackendKind::cuda) options.sides.also_on = BackendChoice::cuda;
  if (!(options.sides.tolerance > 0)) {
    throw input_error(errors::bench_tolerance_invalid, options.sides.tolerance);
  }
  options.worlds = worlds_of(options.named_worlds);
  for (const std::string& word : options.methods) {
    options.sides.methods.push_back(method_of(word));
  }
  options.size = options.quick ? MdpSize::quick : MdpSize::whole;
  return benchmark_mdp(options, progress);
}

}  // namespace

void add_bench_mdp(Command bench, const Context& context) {
  const BenchmarkCommand<MdpOptions> command(
      bench, "mdp", "Solve grid worlds and worlds of other kinds by every method in turn",
      "Examples:\n"
      "  tidewise research bench mdp --world G1,G2 --json mdp.json\n"
      "  tidewise research bench mdp --world wet-1024x4 --backend cpu --precision double\n"
      "  tidewise research bench mdp --world sample --backend cpu --precision double --stop "
      "error\n"
      "  tidewise research bench mdp --world all --quick");
  MdpOptions& options = command.options();
  command
      .add_option(
          "--world", options.named_worlds,
          "G1 to G6, wet-SIDExSUCCESSORS, finite-512 (backward induction), random, queues, car, "
          "inventory (random@0.999: another discount), rewired-wet-256x1x10 (10 % of successors), "
          "or "
          "slip, wet, sample, all")
      .comma_separated()
      .show_default();
  command.add_option("--method", options.methods, "Methods to take (default: all)")
      .comma_separated();
  add_backend_options(command, options.backend);
  command.option("--backend").description("cpu, or cuda for both; auto: both where there is a GPU");
  command.add_choice<MdpPrecision>(
      "--precision", options.precision,
      {{"float", MdpPrecision::float32}, {"double", MdpPrecision::float64}},
      "Precision of probabilities and values");
  command.add_choice<mdp::StoppingRule>(
      "--stop", options.sides.stop,
      {{"change", mdp::StoppingRule::change}, {"error", mdp::StoppingRule::error}},
      "When to stop: change (of no value by the tolerance) or error (bounded by it)");
  command.add_option("--tolerance", options.sides.tolerance, "Tolerance").show_default();
  command.number("--repeats", options.repeats, {1, 1000}, "Rounds that count");
  command.add_flag("--quick", options.quick, "An eighth of each world's side");
  command.complete(context, measure);
}

}  // namespace tidewise
