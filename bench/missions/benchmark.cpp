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

// From a file, with the sinks of a run.
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
    ChecksumSink own;
    SilentProgress silent;
    const Stopwatch watch;
    solve_mission(environment_, {actions_, mission, rule_}, options_, sink != nullptr ? *sink : own,
                  silent);
    return watch.seconds();
  }

  double solve_all(const std::vector<Mission>& missions,
                   std::vector<ChecksumSink>& sinks) const override {
    std::vector<ChecksumSink> own(sinks.empty() ? missions.size() : 0);
    std::vector<GroupMember> members;
    for (std::size_t m = 0; m < missions.size(); ++m) {
      members.push_back({&missions[m], sinks.empty() ? &own[m] : &sinks[m]});
    }
    SilentProgress silent;
    const Stopwatch watch;
    const GroupReport report =
        solve_missions(environment_, rule_, actions_, members, options_, silent);
    const double taken = watch.seconds();
    for (const std::exception_ptr& failure : report.failure) {
      if (failure) std::rethrow_exception(failure);
    }
    return taken;
  }

 private:
  TemporaryGyre gyre_;
  EnvironmentReader environment_;
  std::vector<Action> actions_;
  PositionRule rule_;
  PlannerOptions options_;
};

// From levels in device memory.
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
    std::vector<PolicySink*> to;
    for (const Mission& mission : missions) members.push_back(&mission);
    for (ChecksumSink& sink : sinks) to.push_back(&sink);
    return solve_group_on_device(problem_, actions_, members, Engine::lattice, to);
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
  std::vector<std::size_t> some{0, missions.size() - 1};
  for (std::size_t m = middle; m < std::min(middle + 4, missions.size()); ++m) some.push_back(m);
  for (const std::size_t m : some) {
    ChecksumSink alone;
    backend.solve_one(missions[m], &alone);
    if (alone.sum() == sinks[m].sum()) continue;
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
  const std::string one = fmt::format("{}, one mission", backend.name());
  const std::string all = fmt::format("{}, {} missions", backend.name(), missions.size());
  report.ratios = {{all, one, 0, missions.size() == 100 ? max_ratio_to_one : 0.0}};
  return {{one, [&](std::int32_t) { return backend.solve_one(missions[0], nullptr); }},
          {all, [&](std::int32_t) {
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
  const std::string one = fmt::format("{}, one mission", backend.name());
  const std::string each = name("one after the other");
  const std::string pass = name("in one pass");
  report.ratios = {{each, pass}, {pass, one}};
  Contenders contenders{{one, [&](std::int32_t) { return backend.solve_one(mission, nullptr); }},
                        {each,
                         [&backend, legs = leg_missions(with_via_points)](std::int32_t) {
                           double seconds = 0;
                           for (const Mission& leg : legs)
                             seconds += backend.solve_one(leg, nullptr);
                           return seconds;
                         }},
                        {pass, [&backend, with_via_points](std::int32_t) {
                           std::vector<ChecksumSink> no_sinks;
                           return backend.solve_all({with_via_points}, no_sinks);
                         }}};
  if (options.on_device) {
    const std::string apart = name("in one pass, each with counts of its own");
    report.ratios.push_back({apart, pass});
    contenders.push_back({apart, [&backend, with_via_points](std::int32_t) {
                            return backend.solve_one(with_via_points, nullptr);
                          }});
  }
  return contenders;
}

}  // namespace

BenchmarkReport benchmark_missions(const MissionsBenchmarkOptions& asked, Progress& progress) {
  MissionsBenchmarkOptions options = asked;
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
