#include "solver/subdomains/device_subdomains.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/memory/memory.h"
#include "base/stopwatch.h"
#include "env/row_balance.h"
#include "solver/subdomains/halo_exchange.h"
#include "solver/subdomains/induction.h"
#include "solver/subdomains/nccl_halo_group.h"

namespace tidewise {
namespace {

// Divides the rows into the same number of bands with halos of the same height, but with about
// equal open water, because devices compute only open water.
std::vector<RowWindow> share_water(const EnvironmentReader& environment, const Mission& mission,
                                   const std::vector<RowWindow>& subdomains) {
  if (subdomains.size() == 1) return subdomains;
  constexpr double closed_cell = 0.02;  // its work as a fraction of an open cell's
  const Grid& grid = environment.info().grid;
  std::vector<double> cost(static_cast<std::size_t>(grid.ny), 0);
  try {
    const auto masked = environment.read_masked(TimeLevel(mission.last.value / 2));
    for (std::size_t cell = 0; cell < masked.size(); ++cell) {
      cost[cell / static_cast<std::size_t>(grid.nx)] += masked[cell] == 0 ? 1 : closed_cell;
    }
  } catch (const InputError&) {  // the pass finds the error again, in the right order of errors
    return subdomains;
  }
  return balance_rows(cost, static_cast<std::int32_t>(subdomains.size()),
                      subdomains.front().north_halo());
}

}  // namespace

SolveReport solve_subdomains_on_devices(const EnvironmentReader& environment,
                                        const std::vector<RowWindow>& subdomains,
                                        const std::vector<int>& devices,
                                        const PlanningProblem& problem,
                                        const PlannerOptions& options,
                                        const LevelBudget& level_budget, HaloTransport transport,
                                        PolicySink& sink, Progress& progress) {
  const Stopwatch total;
  const std::size_t count = subdomains.size();
  const auto ranks = make_thread_communicators(static_cast<int>(count));
  const auto halos =
      make_device_halos(transport, ranks, subdomains, environment.info().grid.nx,
                        {devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(count)});
  std::vector<std::unique_ptr<SubdomainPass>> passes(count);
  std::vector<SolveReport> reports(count);
  SilentProgress silent;
  const auto solve = [&](Communicator& communicator) {
    const auto n = static_cast<std::size_t>(communicator.rank());
    use_device(devices[n]);
    const bool first = n == 0;
    reports[n] = solve_by_pass(
        {environment, problem, options, communicator, first ? &sink : nullptr,
         first ? progress : silent},
        subdomains,
        [&](const SharedMission& shared, const std::vector<RowWindow>& windows) {
          return make_device_pass(shared, windows, level_budget, halos[n]);
        },
        passes[n]);
  };
  // A neighbour's device may read a band's values until all have ended.
  work_as_ranks(ranks, solve, [&](Communicator& communicator) {
    passes[static_cast<std::size_t>(communicator.rank())].reset();
  });
  SolveReport report = reports.front();
  for (const SolveReport& other : reports) {
    report.read_seconds = std::max(report.read_seconds, other.read_seconds);
  }
  report.solve_seconds = total.seconds() - report.read_seconds;
  return report;
}

SolveReport solve_mission_on_devices(const EnvironmentReader& environment,
                                     const std::vector<int>& devices,
                                     const PlanningProblem& problem, const PlannerOptions& options,
                                     const LevelBudget& level_budget, HaloTransport transport,
                                     PolicySink& sink, Progress& progress) {
  const auto communicator = make_lone_communicator();
  const std::int32_t halo = choose_halo(environment, problem, options.threads, *communicator);
  return solve_with_halo(
      environment.info().grid.ny, static_cast<std::int32_t>(devices.size()), halo, &sink,
      [&](const std::vector<RowWindow>& subdomains, PolicySink* levels) {
        return solve_subdomains_on_devices(
            environment, share_water(environment, problem.mission, subdomains), devices, problem,
            options, level_budget, transport, *levels, progress);
      });
}

SolveReport solve_mission_on_devices_of_ranks(const EnvironmentReader& whole,
                                              const PlanningProblem& problem,
                                              const PlannerOptions& options,
                                              const LevelBudget& level_budget,
                                              Communicator& communicator, PolicySink* sink,
                                              Progress& progress) {
  return solve_by_passes(
      {whole, problem, options, communicator, sink, progress},
      [&](const SharedMission& shared, const std::vector<RowWindow>& subdomains) {
        const RowWindow& window = subdomains[static_cast<std::size_t>(communicator.rank())];
        return make_device_pass(
            shared, subdomains, level_budget,
            std::make_shared<MessageDeviceHalo>(communicator, window, whole.info().grid.nx));
      });
}

MessageDeviceHalo::MessageDeviceHalo(Communicator& communicator, const RowWindow& window,
                                     std::int32_t nx)
    : communicator_(communicator),
      sides_(halo_sides(window, communicator.rank(), nx)),
      rows_(communicator.reaches_devices() || sides_.empty()
                ? 0
                : static_cast<std::size_t>(window.known_size()) * static_cast<std::size_t>(nx)) {}

void MessageDeviceHalo::exchange(View<float> value, const DeviceStream& stream) {
  if (sides_.empty()) return;
  if (communicator_.reaches_devices()) {
    stream.synchronize();
    exchange_halos(communicator_, sides_, value);
    return;
  }
  for (const HaloSide& side : sides_) {
    copy_bytes(MemorySpace::pinned, rows_.data() + side.send_begin, MemorySpace::device,
               value.data + side.send_begin, side.count * sizeof(float), stream);
  }
  stream.synchronize();  // the last copy from rows_ has completed
  exchange_halos(communicator_, sides_, rows_.view());
  for (const HaloSide& side : sides_) {
    copy_bytes(MemorySpace::device, value.data + side.receive_begin, MemorySpace::pinned,
               rows_.data() + side.receive_begin, side.count * sizeof(float), stream);
  }
}

std::vector<std::shared_ptr<DeviceHaloExchange>> make_device_halos(
    HaloTransport transport, const ThreadCommunicators& ranks,
    const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices) {
  if (transport == HaloTransport::nccl && windows.size() > 1) {
    return make_nccl_halo_group(windows, nx, devices);
  }
  std::vector<std::shared_ptr<DeviceHaloExchange>> halos;
  for (std::size_t rank = 0; rank < windows.size(); ++rank) {
    halos.push_back(std::make_shared<MessageDeviceHalo>(*ranks[rank], windows[rank], nx));
  }
  return halos;
}

}  // namespace tidewise
