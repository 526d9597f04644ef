#include "planner/backend/unsupported.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/byte_size.h"
#include "base/error.h"
#include "planner/error/codes.h"
#include "solver/evaluate/device_evaluation.h"
#include "solver/fly/baseline_fleet.h"
#include "solver/induction/device_induction.h"
#include "solver/subdomains/nccl_halo_group.h"

namespace tidewise {
namespace {

/// Returns a reason why the CPU does `part`, a verb; empty for a mission without vehicle errors.
std::string why_not_with_error(const Mission& mission, const char* part) {
  if (!mission.error.any()) return {};
  return fmt::format(
      "the CPU {} with the vehicle's own error (vehicle.speed_error, "
      "vehicle.heading_error), as GPUs do not",
      part);
}

std::string too_large(const char* what, std::size_t needed, std::size_t available,
                      const char* fewer = "vehicle.headings or speeds") {
  return fmt::format(
      "{}: that takes {} of the GPU's memory, and {} are left for it; give more by "
      "planner.device_memory, or take fewer {}",
      what, describe_bytes(double(needed)), describe_bytes(double(available)), fewer);
}

}  // namespace

void refuse_on_devices(const RunRequest& request, std::size_t devices) {
  if (devices < 2) return;
  const std::string& place = request.place("planner.devices");
  if (nccl_support() == NcclSupport::absent) {
    throw input_error(errors::nccl_not_built, place, devices);
  }
  if (request.planner.engine == Engine::paper) {
    throw input_error(errors::paper_engine_on_several_gpus, place, devices);
  }
}

void refuse_on_devices_of_ranks(const RunRequest& request, int processes) {
  if (request.planner.engine != Engine::paper) return;
  throw input_error(errors::engine_not_parallel, request.place("planner.engine"), processes);
}

void refuse_model_on_device(const RunRequest& request, const Mission& mission) {
  if (!mission.decisions.hold()) return;
  throw input_error(errors::held_actions_from_model, request.place("mission.decide_every"),
                    mission.decisions.every);
}

std::string DeviceLimits::why_not_solved(const Mission& mission) const {
  if (std::string why = why_not_with_error(mission, "solves"); !why.empty()) return why;
  const bool holds = mission.decisions.hold();
  if (!holds && mission.via.empty()) return {};
  const std::size_t leg_bytes =
      mission.via.empty() ? 0 : device_legs_cell_bytes(mission.via.size());
  const std::size_t hold_bytes =
      holds ? 2 * sizeof(float) * actions.size() * (mission.via.size() + 1) : std::size_t{0};
  // A band has its own rows and at most as many again to the south and to the north.
  constexpr std::size_t max_bands_per_window = 3;
  const std::size_t needed = (leg_bytes + hold_bytes) *
                             static_cast<std::size_t>(info.grid.cell_count()) *
                             std::min(devices, max_bands_per_window) / devices;
  const std::size_t available = budget.scratch / 2;
  if (needed <= available) return {};
  if (!holds) {
    return too_large("the CPU solves past via points (mission.via)", needed, available,
                     "via points");
  }
  return too_large("the CPU solves with held actions (mission.decide_every)", needed, available);
}

std::string DeviceLimits::why_not_evaluated(const Mission& mission) const {
  if (std::string why = why_not_with_error(mission, "evaluates"); !why.empty()) return why;
  if (!mission.decisions.hold()) return {};
  const std::size_t fronts = (actions.size() + 1) * (mission.via.size() + 1);
  const std::size_t hold_bytes =
      held_evaluation_memory(static_cast<std::size_t>(info.grid.cell_count()), fronts);
  if (hold_bytes <= budget.evaluation) return {};
  return too_large("the CPU evaluates held actions (mission.decide_every)", hold_bytes,
                   budget.evaluation);
}

std::string DeviceLimits::why_not_flown(const Mission& mission, std::size_t flights) const {
  if (std::string why = why_not_with_error(mission, "flies"); !why.empty()) return why;
  if (flights_fit(budget, flights)) return {};
  return fmt::format(
      "the CPU flies: {} flights do not fit into the GPU's memory; give more by "
      "planner.device_memory, or fly fewer",
      flights);
}

std::size_t max_baseline_flights(const Mission& mission, const std::vector<Action>& actions,
                                 const TimeAxis& time, const RolloutOptions& options) {
  if (options.mode != RolloutMode::continuous) return 0;
  std::set<std::pair<double, std::int32_t>> speeds;
  for (const Action& action : actions) speeds.emplace(action.speed, action.profile);
  std::vector<BaselineSpeed> all_speeds;
  for (const auto& [speed, profile] : speeds) all_speeds.emplace_back(speed, profile);
  return options.realizations.size() * baseline_rules(mission, all_speeds, time.step).size();
}

}  // namespace tidewise
