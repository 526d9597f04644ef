#include "bench/missions/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/stopwatch.h"
#include "bench/error/codes.h"
#include "bench/machine.h"
#include "bench/missions/device.h"
#include "bench/missions/problem.h"
#include "bench/planner/device.h"
#include "bench/planner/problem.h"
#include "env/file/reader.h"
#include "solver/legs/legs.h"
#include "solver/missions/group.h"

namespace tidewise {
namespace {

constexpr double max_ratio_to_one = 3;  // limit for a hundred missions

// A backend that solves and returns the time [s]. Sinks that only a check needs may be left out.
class SolverBackend {
 public:
  virtual ~SolverBackend() = default;
  virtual std::string name() const = 0;
  virtual const Grid& grid() const = 0;
  virtual double solve_one(const Mission& mission, ChecksumSink* sink) const = 0;
  // sinks: (mission), or empty.
  virtual double solve_all(const std::vector<Mission>& missions,
                           std::vector<ChecksumSink>& sinks) const = 0;
};

// Solves on the CPU from a file, with the sinks of a run.
class CpuBackend final : public SolverBackend {
 public:
  CpuBackend(const MissionsBenchmarkOptions& options, Progress& progress)
      : gyre_(options, progress),
        environment_(gyre_.path()),
        actions_(make_actions({0.5, 1}, options.headings, environment_.info().grid,
                              environment_.info().time)),
        rule_(position_rule(options.landing, environment_.info())),
        options_{.engine = Engine::lattice, .threads = options.threads} {}

  std::string name() const override {
    return fmt::format("CPU, {} thread{}", options_.threads, options_.threads == 1 ? "" : "s");
  }
  const Grid& grid() const override { return environment_.info().grid; }

  double solve_one(const Mission& mission, ChecksumSink* sink) const override {
    ChecksumSink ignored;
    SilentProgress silent;
    const Stopwatch watch;
    solve_mission(environment_, {actions_, mission, rule_}, options_,
                  sink != nullptr ? *sink : ignored, silent);
    return watch.seconds();
  }

  double solve_all(const std::vector<Mission>& missions,
                   std::vector<ChecksumSink>& sinks) const override {
    std::vector<ChecksumSink> ignored(sinks.empty() ? missions.size() : 0);
    std::vector<GroupMember> members;
    for (std::size_t m = 0; m < missions.size(); ++m) {
      members.push_back({&missions[m], sinks.empty() ? &ignored[m] : &sinks[m]});
    }
    SilentProgress silent;
    const Stopwatch watch;
    const GroupReport report =
        solve_missions(environment_, rule_, actions_, members, options_, silent);
    const double seconds = watch.seconds();
    for (const std::exception_ptr& failure : report.failure) {
      if (failure) std::rethrow_exception(failure);
    }
    return seconds;
  }

 private:
  TemporaryGyre gyre_;
  EnvironmentReader environment_;
  std::vector<Action> actions_;
  PositionRule rule_;
  PlannerOptions options_;
};

// Solves on a GPU from levels in device memory.
class DeviceBackend final : public SolverBackend {
 public:
  explicit DeviceBackend(const MissionsBenchmarkOptions& options)
      : problem_(options, level_memory), actions_(problem_.actions(options.headings)) {}

  std::string name() const override { return device_name(current_device()); }
  const Grid& grid() const override { return problem_.info().grid; }

  double solve_one(const Mission& mission, ChecksumSink* sink) const override {
    return solve_on_device(problem_, actions_, mission, Engine::lattice, sink);
  }

  double solve_all(const std::vector<Mission>& missions,
                   std::vector<ChecksumSink>& sinks) const override {
    std::vector<const Mission*> members;
    std::vector<PolicySink*> policy_sinks;
    for (const Mission& mission : missions) members.push_back(&mission);
    for (ChecksumSink& sink : sinks) policy_sinks.push_back(&sink);
    return solve_group_on_device(problem_, actions_, members, Engine::lattice, policy_sinks);
  }

 private:
  static constexpr std::size_t level_memory = std::size_t{1} << 30;  // all of the published problem

  PlannerProblem problem_;
  std::vector<Action> actions_;
};

std::unique_ptr<SolverBackend> make_backend(const MissionsBenchmarkOptions& options,
                                            Progress& progress) {
  if (!options.on_device) return std::make_unique<CpuBackend>(options, progress);
  if (device_count() == 0) {
    throw input_error(errors::bench_missions_needs_gpu);
  }
  return std::make_unique<DeviceBackend>(options);
}

// Checks the first mission, the last, and one of each objective from the middle.
void check_group(const SolverBackend& backend, const std::vector<Mission>& missions) {
  std::vector<ChecksumSink> sinks(missions.size());
  backend.solve_all(missions, sinks);
  const std::size_t middle = missions.size() / 2;
  std::vector<std::size_t> checked{0, missions.size() - 1};
  for (std::size_t m = middle; m < std::min(middle + 4, missions.size()); ++m) checked.push_back(m);
  for (const std::size_t m : checked) {
    ChecksumSink single;
    backend.solve_one(missions[m], &single);
    if (single.sum() == sinks[m].sum()) continue;
    throw RunError(
        fmt::format("bench missions: {}: mission {} has another policy or other values in a group "
                    "than by itself",
                    backend.name(), m));
  }
}

using Contenders = std::vector<BenchmarkContender>;

// One mission against the group.
Contenders group_contenders(const SolverBackend& backend, const std::vector<Mission>& missions,
                            BenchmarkReport& report) {
  const std::string single_name = fmt::format("{}, one mission", backend.name());
  const std::string group_name = fmt::format("{}, {} missions", backend.name(), missions.size());
  report.ratios = {{group_name, single_name, 0, missions.size() == 100 ? max_ratio_to_one : 0.0}};
  return {{single_name, [&](std::int32_t) { return backend.solve_one(missions[0], nullptr); }},
          {group_name, [&](std::int32_t) {
             std::vector<ChecksumSink> no_sinks;
             return backend.solve_all(missions, no_sinks);
           }}};
}

// One mission against the same with via points, whose legs are solved one by one, as a group, and
// on a device in one pass that counts for each leg.
Contenders leg_contenders(const SolverBackend& backend, const Mission& mission,
                          const MissionsBenchmarkOptions& options, BenchmarkReport& report) {
  const Mission with_via_points = by_via_points(backend.grid(), mission, options.via);
  const auto name = [&](const char* how) {
    return fmt::format("{}, {} legs {}", backend.name(), options.via + 1, how);
  };
  const std::string single_name = fmt::format("{}, one mission", backend.name());
  const std::string separate_name = name("one after the other");
  const std::string group_name = name("in one pass");
  report.ratios = {{separate_name, group_name}, {group_name, single_name}};
  Contenders contenders{
      {single_name, [&](std::int32_t) { return backend.solve_one(mission, nullptr); }},
      {separate_name,
       [&backend, legs = leg_missions(with_via_points)](std::int32_t) {
         double seconds = 0;
         for (const Mission& leg : legs) seconds += backend.solve_one(leg, nullptr);
         return seconds;
       }},
      {group_name, [&backend, with_via_points](std::int32_t) {
         std::vector<ChecksumSink> no_sinks;
         return backend.solve_all({with_via_points}, no_sinks);
       }}};
  if (options.on_device) {
    const std::string separate_counts_name = name("in one pass, each with counts of its own");
    report.ratios.push_back({separate_counts_name, group_name});
    contenders.push_back({separate_counts_name, [&backend, with_via_points](std::int32_t) {
                            return backend.solve_one(with_via_points, nullptr);
                          }});
  }
  return contenders;
}

}  // namespace

BenchmarkReport benchmark_missions(const MissionsBenchmarkOptions& requested, Progress& progress) {
  MissionsBenchmarkOptions options = requested;
  if (options.steps == 0) options.steps = options.on_device ? 199 : 10;
  const std::unique_ptr<SolverBackend> backend = make_backend(options, progress);
  const auto missions = various_missions(backend->grid(), TimeLevel(options.steps),
                                         options.via > 0 ? 1 : options.missions);
  BenchmarkReport report;
  report.title = fmt::format(
      "missions: {} × {} cells, {} steps, {} actions, {} realizations, {} modes; {}", options.cells,
      options.cells, options.steps, 2 * options.headings, options.realizations, options.modes,
      options.on_device ? "levels on the device, policies back in the host's memory"
                        : "one pass from the file to sinks in memory");
  report.machine = describe_machine();
  report.unit = std::string(1, 's');  // GCC 12 warns of a literal here (GCC bug 105651)
  if (options.via > 0) {
    const Contenders legs = leg_contenders(*backend, missions[0], options, report);
    measure_in_turn(legs, options.repeats, WarmUp::one_round, report, progress);
    return report;
  }
  progress.begin("checking", 1, "groups");
  check_group(*backend, missions);  // also warms up
  progress.advance_to(1);
  progress.end();
  measure_in_turn(group_contenders(*backend, missions, report), options.repeats, WarmUp::none,
                  report, progress);
  return report;
}

}  // namespace tidewise
