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

/// Transport of values between bands of one process.
enum class HaloTransport {
  nccl,     ///< requires a different device for each band
  messages  ///< for any devices (MessageDeviceHalo)
};

/// Exchange between the ranks of a communicator. Copies directly from device to device if the
/// communicator supports it, otherwise through host memory. A rank that fails reports it by agree()
/// (solver/subdomains/agreement.h), so that no rank waits for it here.
class MessageDeviceHalo final : public DeviceHaloExchange {
 public:
  /// For the current device. `communicator` must outlive this object.
  MessageDeviceHalo(Communicator& communicator, const RowWindow& window, std::int32_t nx);

  /// Waits for the work on `stream`, and for the neighbours.
  void exchange(View<float> value, const DeviceStream& stream) override;

 private:
  Communicator& communicator_;
  std::vector<HaloSide> sides_;
  Array<float, MemorySpace::pinned> rows_;  ///< rows of the window; empty if devices copy directly
};

/// Exchanges for threads of one process, (rank), that solve `windows` on `devices`. Must be made
/// before the threads and destroyed after them. Errors: those of make_nccl_halo_group().
std::vector<std::shared_ptr<DeviceHaloExchange>> make_device_halos(
    HaloTransport transport, const ThreadCommunicators& ranks,
    const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices);

/// solve_mission_on_device() on several devices of this host, with the same bits. Rows are divided
/// into bands of about equal open water. Each band has a thread, which reads the levels that it
/// needs. If there are too few rows, only the first devices get bands. A device that is named twice
/// has two bands, which only `messages` allows. The report's read_seconds are those of the device
/// that waited longest. Errors: those of solve_mission_on_device().
SolveReport solve_mission_on_devices(const EnvironmentReader& environment,
                                     const std::vector<int>& devices,
                                     const PlanningProblem& problem, const PlannerOptions& options,
                                     const LevelBudget& level_budget, HaloTransport transport,
                                     PolicySink& sink, Progress& progress);

/// solve_mission_on_devices() with given bands, (band), at most one per device. Errors: also
/// HaloTooShort.
SolveReport solve_subdomains_on_devices(
    const EnvironmentReader& environment, const std::vector<RowWindow>& subdomains,
    const std::vector<int>& devices, const PlanningProblem& problem, const PlannerOptions& options,
    const LevelBudget& level_budget, HaloTransport transport, PolicySink& sink, Progress& progress);

/// solve_mission_on_devices() by all ranks of a communicator, one band each, on each rank's current
/// device: see solve_in_subdomains() (solver/subdomains/induction.h). Values are exchanged by
/// MessageDeviceHalo.
SolveReport solve_mission_on_devices_of_ranks(const EnvironmentReader& whole,
                                              const PlanningProblem& problem,
                                              const PlannerOptions& options,
                                              const LevelBudget& level_budget,
                                              Communicator& communicator, PolicySink* sink,
                                              Progress& progress);

}  // namespace tidewise
