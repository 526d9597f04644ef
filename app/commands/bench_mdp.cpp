#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/memory/device.h"
#include "base/parallel/thread_count.h"
#include "bench/mdp/benchmark.h"
#include "bench/mdp/worlds.h"
#include "mdp/worlds/literature_worlds.h"
#include "mdp/worlds/sample_worlds.h"

namespace tidewise {
namespace {

struct Arguments {
  MdpBenchmarkOptions options;
  std::vector<std::string> worlds{"slip"};
  std::vector<std::string> methods;
  std::string backend;
  std::string precision = "float";
  std::string stop = "change";
  bool quick = false;
  std::string json;
};

constexpr mdp::SolveMethod compared_methods[] = {mdp::SolveMethod::value_iteration,
                                                 mdp::SolveMethod::gauss_seidel,
                                                 mdp::SolveMethod::block_divided,
                                                 mdp::SolveMethod::result_divided,
                                                 mdp::SolveMethod::policy_iteration,
                                                 mdp::SolveMethod::inexact_policy_iteration,
                                                 mdp::SolveMethod::fused};

void require_one_of(const char* option, const std::string& word,
                    const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  throw InputError(fmt::format("{} is {}; it must be {}", option, word, fmt::join(words, " or ")));
}

/// "slip", "wet", "sample" and "all" stand for several.
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

mdp::SolveMethod method_of(const std::string& word) {
  std::vector<std::string> names;
  for (const mdp::SolveMethod method : compared_methods) {
    if (word == mdp::name_of(method)) return method;
    names.emplace_back(mdp::name_of(method));
  }
  throw InputError(fmt::format("--methods names {}; it may name {}", word, fmt::join(names, ", ")));
}

mdp::ComputeOn device_of(const std::string& backend) {
  if (backend.empty()) return device_count() > 0 ? mdp::ComputeOn::device : mdp::ComputeOn::host;
  require_one_of("--backend", backend, {"cpu", "cuda"});
  return backend == "cuda" ? mdp::ComputeOn::device : mdp::ComputeOn::host;
}

void run(const Arguments& arguments, const CommandContext& context) {
  MdpBenchmarkOptions options = arguments.options;
  require_between("--repeats", options.repeats, 1, 1000);
  require_between("--serial-repeats", options.serial_repeats, 1, 1000);
  require_between("--threads", options.sides.threads, 1, std::numeric_limits<std::int32_t>::max());
  options.sides.threads = take_threads(options.sides.threads, "--threads");
  if (!(options.sides.tolerance > 0)) {
    throw InputError(
        fmt::format("--tolerance is {:g}; it must be above 0", options.sides.tolerance));
  }
  options.worlds = worlds_of(arguments.worlds);
  for (const std::string& word : arguments.methods) {
    options.sides.methods.push_back(method_of(word));
  }
  options.sides.also_on = device_of(arguments.backend);
  require_one_of("--precision", arguments.precision, {"float", "double"});
  options.precision =
      arguments.precision == "float" ? MdpPrecision::float32 : MdpPrecision::float64;
  require_one_of("--stop", arguments.stop, {"change", "error"});
  options.sides.stop =
      arguments.stop == "change" ? mdp::StoppingRule::change : mdp::StoppingRule::error;
  options.size = arguments.quick ? MdpSize::quick : MdpSize::whole;
  const auto progress = context.make_progress();
  if (!arguments.json.empty()) (void)AtomicFile(arguments.json);  // judged before the work begins
  give_report(benchmark_mdp(options, *progress), arguments.json);
}

}  // namespace

void add_bench_mdp(CLI::App& bench, Context context) {
  CLI::App* command = bench.add_subcommand(
      "mdp", "Solve grid worlds and worlds of other kinds by every method in turn");
  command->footer(
      "Examples:\n"
      "  tidewise bench mdp --worlds G1,G2 --json mdp.json\n"
      "  tidewise bench mdp --worlds wet-1024x4 --backend cpu --precision double\n"
      "  tidewise bench mdp --worlds sample --backend cpu --precision double --stop error\n"
      "  tidewise bench mdp --worlds all --quick");
  const auto arguments = std::make_shared<Arguments>();
  MdpBenchmarkOptions& options = arguments->options;
  options.sides.threads = core_count();
  command
      ->add_option(
          "--worlds", arguments->worlds,
          "G1 to G6, wet-SIDExSUCCESSORS, finite-512 (backward induction), random, queues, car, "
          "inventory (random@0.999: another discount), or slip, wet, sample, all")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--methods", arguments->methods, "Methods to take (default: all)")
      ->delimiter(',');
  command->add_option("--backend", arguments->backend,
                      "cpu, or cuda for both (default: cuda where there is a GPU)");
  command->add_option("--threads", options.sides.threads, "Threads of the host's sides")
      ->capture_default_str();
  command->add_option("--precision", arguments->precision, "float or double")
      ->capture_default_str();
  command
      ->add_option("--stop", arguments->stop,
                   "When to stop: change (of no value by the tolerance) or error (bounded by it)")
      ->capture_default_str();
  command->add_option("--tolerance", options.sides.tolerance, "Tolerance")->capture_default_str();
  command->add_option("--repeats", options.repeats, "Rounds that count")->capture_default_str();
  command->add_option("--serial-repeats", options.serial_repeats, "Those of one thread's sides")
      ->capture_default_str();
  command->add_flag("--quick", arguments->quick, "An eighth of each world's side");
  command->add_option("--json", arguments->json, "Also write the figures to this file");
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise
