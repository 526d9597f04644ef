#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "solver/induction/device_halo_exchange.h"
#include "solver/subdomains/pass.h"

namespace tidewise {

/// How much memory of a device the levels of an environment may take [B]. `device`: its place in
/// the list of devices, which is the rank of who uses it.
using LevelBudget = std::function<std::size_t(const EnvironmentInfo& window, std::size_t device)>;

/// On the current device, as solve_mission_on_device() does a whole grid, with values brought by
/// `exchange`. To be destroyed with the same
/// device current. Errors: those of DeviceEnvironment; RunError in a build without CUDA.
std::unique_ptr<SubdomainPass> make_device_pass(const SharedMission& shared,
                                                const std::vector<RowWindow>& subdomains,
                                                const LevelBudget& level_budget,
                                                std::shared_ptr<DeviceHaloExchange> exchange);

}  // namespace tidewise
