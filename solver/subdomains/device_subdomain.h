#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "solver/induction/device_halo_exchange.h"
#include "solver/subdomains/pass.h"

namespace tidewise {

/// Memory of a device for the levels of an environment [B]. `device`: index in the list of devices,
/// which is the rank that uses it.
using LevelBudget = std::function<std::size_t(const EnvironmentInfo& window, std::size_t device)>;

/// A band's pass on the current device: solve_mission_on_device() with values from `exchange`. Must
/// be destroyed while the same device is current. Errors: those of DeviceEnvironment; RunError in a
/// build without CUDA.
std::unique_ptr<SubdomainPass> make_device_pass(const SharedMission& shared,
                                                const std::vector<RowWindow>& subdomains,
                                                const LevelBudget& level_budget,
                                                std::shared_ptr<DeviceHaloExchange> exchange);

}  // namespace tidewise
