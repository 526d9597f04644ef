#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "base/parallel/communicator.h"
#include "base/progress.h"
#include "env/file/reader.h"
#include "solver/induction/backward_induction.h"
#include "solver/induction/device_halo_exchange.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/device_subdomain.h"
#include "solver/subdomains/halo_exchange.h"

namespace tidewise {

/// How bands of one process exchange values.
enum class HaloTransport {
  nccl,     ///< each band on a device of its own
  messages  ///< wherever they are (MessageDeviceHalo)
};

/// Between the ranks of a communicator, wherever they are: straight from device to device where
/// the communicator reaches them, else by way of the host's memory. A rank that fails says so by
/// agree() (solver/subdomains/agreement.h), so that none waits here for it.
class MessageDeviceHalo final : public DeviceHaloExchange {
 public:
  /// On the current device. `communicator` must outlive this object.
  MessageDeviceHalo(Communicator& communicator, const RowWindow& window, std::int32_t nx);

  /// Waits for what is on `stream`, and for the neighbours.
  void exchange(View<float> value, const DeviceStream& stream) override;

 private:
  Communicator& communicator_;
  std::vector<HaloSide> sides_;
  Array<float, MemorySpace::pinned>
      rows_;  ///< as many as the window's; none where devices are reached
};

/// Of threads of one process, (rank), that are to solve `windows` on `devices`. Made before the
/// threads, and goes after them. Errors: those of make_nccl_halo_group().
std::vector<std::shared_ptr<DeviceHaloExchange>> make_device_halos(
    HaloTransport transport, const ThreadCommunicators& ranks,
    const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices);

/// solve_mission_on_device() by several devices of this host at once: the rows are divided between
/// them, in bands of about as much open water each, each with a thread of its own that reads what
/// its band needs. The same bits. Where rows are few for so many bands, the first devices take all.
/// Devices that are named twice have two bands, which `messages` alone allows. The report's
/// read_seconds are those of the device that waited longest. Errors: as one device's.
SolveReport solve_mission_on_devices(const EnvironmentReader& environment,
                                     const std::vector<int>& devices,
                                     const PlanningProblem& problem, const PlannerOptions& options,
                                     const LevelBudget& level_budget, HaloTransport transport,
                                     PolicySink& sink, Progress& progress);

/// The same with given bands, (band), no more than devices. Errors: also HaloTooShort.
SolveReport solve_subdomains_on_devices(
    const EnvironmentReader& environment, const std::vector<RowWindow>& subdomains,
    const std::vector<int>& devices, const PlanningProblem& problem, const PlannerOptions& options,
    const LevelBudget& level_budget, HaloTransport transport, PolicySink& sink, Progress& progress);

/// The same by all ranks of a communicator, a band each on the device that is current for it: see
/// solve_in_subdomains() (solver/subdomains/induction.h). Values travel as MessageDeviceHalo says.
SolveReport solve_mission_on_devices_of_ranks(const EnvironmentReader& whole,
                                              const PlanningProblem& problem,
                                              const PlannerOptions& options,
                                              const LevelBudget& level_budget,
                                              Communicator& communicator, PolicySink* sink,
                                              Progress& progress);

}  // namespace tidewise
