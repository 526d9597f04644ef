#include "bench/missions_benchmark.h"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stopwatch.h"
#include "bench/machine.h"
#include "bench/missions_problem.h"
#include "env/environment_reader.h"
#include "solver/mission_group.h"

namespace tidewise {
namespace {

constexpr double most_times_one = 3;  // that a hundred missions may take

/// One place to solve: a mission by itself, and a group.
struct Place {
  std::string name;
  std::function<void(const Mission&, PolicySink&)> solve_one;
  std::function<GroupReport(const std::vector<GroupMember>&)> solve_all;

  std::string one() const { return fmt::format("{}, one mission", name); }
  std::string all(std::size_t missions) const {
    return fmt::format("{}, {} missions", name, missions);
  }
};

Place on_cpu(const EnvironmentReader& environment, const std::vector<Action>& actions,
             std::int32_t threads) {
  const PlannerOptions options{.engine = Engine::lattice, .threads = threads};
  return {fmt::format("CPU, {} thread{}", threads, threads == 1 ? "" : "s"),
          [&environment, &actions, options](const Mission& mission, PolicySink& sink) {
            SilentProgress silent;
            solve_mission(environment, actions, mission, options, sink, silent);
          },
          [&environment, &actions, options](const std::vector<GroupMember>& members) {
            SilentProgress silent;
            return solve_missions(environment, actions, members, options, silent);
          }};
}

double time_one(const Place& place, const Mission& mission) {
  ChecksumSink sink;
  const Stopwatch watch;
  place.solve_one(mission, sink);
  return watch.seconds();
}

double time_all(const Place& place, const std::vector<Mission>& missions,
                std::vector<ChecksumSink>& sinks) {
  sinks.assign(missions.size(), {});
  std::vector<GroupMember> members;
  for (std::size_t m = 0; m < missions.size(); ++m) members.push_back({&missions[m], &sinks[m]});
  const Stopwatch watch;
  const GroupReport report = place.solve_all(members);
  const double taken = watch.seconds();
  for (const std::exception_ptr& failure : report.failure) {
    if (failure) std::rethrow_exception(failure);
  }
  return taken;
}

/// The first, the last, and one of each objective about the middle.
void check(const Place& place, const std::vector<Mission>& missions,
           const std::vector<ChecksumSink>& sinks) {
  const std::size_t middle = missions.size() / 2;
  std::vector<std::size_t> some{0, missions.size() - 1};
  for (std::size_t m = middle; m < std::min(middle + 4, missions.size()); ++m) some.push_back(m);
  for (const std::size_t m : some) {
    ChecksumSink alone;
    place.solve_one(missions[m], alone);
    if (alone.sum() == sinks[m].sum()) continue;
    throw RunError(fmt::format(
        "bench missions: {}: mission {} has another policy or other values in a group than alone",
        place.name, m));
  }
}

}  // namespace

BenchmarkReport benchmark_missions(const MissionsBenchmarkOptions& options, Progress& progress) {
  DoubleGyreOptions size;
  size.nx = options.cells;
  size.ny = options.cells;
  size.level_count = options.steps + 1;
  size.mode_count = options.modes;
  size.realization_count = options.realizations;
  const TemporaryGyre gyre(size, progress);
  const EnvironmentReader environment(gyre.path());
  const EnvironmentInfo& info = environment.info();
  const auto actions = make_actions({0.5, 1}, options.headings, info.grid, info.time);
  const auto missions = various_missions(info.grid, TimeLevel(options.steps), options.missions);
  const std::vector<Place> places{on_cpu(environment, actions, options.threads)};

  BenchmarkReport report;
  report.title = fmt::format(
      "missions: {} × {} cells, {} steps, {} actions, {} realizations, {} modes; one pass from the "
      "file to sinks in memory",
      options.cells, options.cells, options.steps, actions.size(), options.realizations,
      options.modes);
  report.machine = describe_machine();
  report.unit = std::string(1, 's');  // GCC 12 warns of a literal here (GCC bug 105651)
  for (const Place& place : places) {
    report.sides.push_back({place.one(), {}});
    report.sides.push_back({place.all(missions.size()), {}});
    report.ratios.push_back({place.all(missions.size()), place.one(), 0,
                             options.missions == 100 ? most_times_one : 0.0});
  }
  progress.begin("measuring", options.repeats + 1, "rounds");
  for (std::int32_t round = 0; round <= options.repeats; ++round) {
    for (std::size_t p = 0; p < places.size(); ++p) {
      std::vector<ChecksumSink> sinks;
      const double one = time_one(places[p], missions[0]);
      const double all = time_all(places[p], missions, sinks);
      if (round == 0) {  // the first round warms up
        check(places[p], missions, sinks);
        continue;
      }
      report.sides[2 * p].samples.push_back(one);
      report.sides[2 * p + 1].samples.push_back(all);
    }
    progress.advance_to(round + 1);
  }
  progress.end();
  return report;
}

}  // namespace tidewise
