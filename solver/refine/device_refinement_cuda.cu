#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/host_device.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/device_transfer.h"
#include "env/device/device_level_pair.h"
#include "solver/flight/device_step_tables.h"
#include "solver/pass/forward.h"
#include "solver/refine/refine_policy.h"
#include "solver/refine/refinement_tables.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

// The counterpart of HostLanes for the 32 lanes of a warp. All lanes must make each call together,
// and each receives the result. Marked for host and device so that templates for both can take it;
// the host never runs it.
class DeviceLanes {
 public:
  TIDEWISE_HOST_DEVICE DeviceLanes() {
#if defined(__CUDA_ARCH__)
    lane_ = static_cast<std::int32_t>(threadIdx.x % 32);
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t lane() const { return lane_; }

  // The same lane computes the terms of n in each call, so a lane may read back only its own data
  // of n.
  template <class Body>
  TIDEWISE_HOST_DEVICE void for_each(std::int32_t count, const Body& body) const {
    for (std::int32_t n = lane_; n < count; n += 32) body(n);
  }
  template <class Term>
  TIDEWISE_HOST_DEVICE double sum(std::int32_t count, const Term& term) const {
    double part = 0;
    for (std::int32_t n = lane_; n < count; n += 32) part += term(n);
    for (int apart = 16; apart > 0; apart /= 2) part += from_lane(part, apart);
    return part;
  }
  template <class Term>
  TIDEWISE_HOST_DEVICE double greatest(std::int32_t count, const Term& term) const {
    double maximum = 0;
    for (std::int32_t n = lane_; n < count; n += 32) {
      const double value = term(n);
      if (value > maximum) maximum = value;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
      const double other = from_lane(maximum, apart);
      if (other > maximum) maximum = other;
    }
    return maximum;
  }

 private:
  // Value of the lane `apart` away.
  TIDEWISE_HOST_DEVICE double from_lane(double value, [[maybe_unused]] int apart) const {
#if defined(__CUDA_ARCH__)
    return __shfl_xor_sync(0xffffffffu, value, apart);
#else
    return value;
#endif
  }

  std::int32_t lane_ = 0;
};

constexpr unsigned block_threads = 128;
constexpr unsigned block_warps = block_threads / 32;

// One warp per state, each with its own row of `flow`; every lane reads only what it wrote.
__global__ void refine_states(const __grid_constant__ RefineState refine,
                              View<const std::int32_t> cells, float* flow,
                              View<RefinedAction> refined) {
  const std::size_t warp = static_cast<std::size_t>(blockIdx.x) * block_warps + threadIdx.x / 32;
  const std::size_t warps = static_cast<std::size_t>(gridDim.x) * block_warps;
  const DeviceLanes lanes;
  for (std::size_t n = warp; n < cells.size; n += warps) {
    const RefinedAction one = refine(lanes, cells[n], flow + warp * refine.flow_size());
    if (lanes.lane() == 0) refined[n] = one;
  }
}

// The tables of RefineState in device memory.
struct DeviceTables {
  DeviceArray<std::int32_t> realization;
  DeviceArray<double> weight;
  DeviceArray<ActionBracket> bracket;
  DeviceArray<double> headings;
  DeviceMission mission;

  DeviceTables(const EnvironmentInfo& info, const PlanningProblem& problem,
               const RefinementTables& tables)
      : realization(upload(tables.realization)),
        weight(upload(tables.weight)),
        bracket(upload(tables.bracket)),
        headings(upload(tables.headings)),
        mission(info, problem) {}

  void show(RefineState& refine) const {
    refine.realization = realization;
    refine.weight = weight;
    refine.effect = mission.effects();
    refine.bracket = bracket;
    refine.headings = headings;
    refine.outcome.landing.target = mission.target();
  }
};

// Number of blocks, with one warp per state, limited by the memory for velocities.
std::size_t blocks_for(std::size_t states, std::size_t flow_bytes, std::size_t scratch) {
  constexpr std::size_t maximum = 4096;  // a few waves of the largest device
  const std::size_t wanted = (states + block_warps - 1) / block_warps;
  const std::size_t fitting = scratch / std::max<std::size_t>(flow_bytes * block_warps, 1);
  return std::clamp<std::size_t>(std::min(wanted, fitting), 1, maximum);
}

// Refines level after level on the device.
class DeviceRefinement {
 public:
  DeviceRefinement(const EnvironmentInfo& info, const PlanningProblem& problem,
                   const PolicySource& policy, const RefinementOptions& options,
                   std::size_t scratch)
      : info_(info),
        mission_(problem.mission),
        policy_(policy),
        options_(options),
        scratch_(scratch),
        action_count_(problem.actions.size()),
        tables_(make_refinement_tables(info, problem, options)),
        device_tables_(info, problem, tables_),
        action_(static_cast<std::size_t>(info.grid.cell_count())),
        value_(action_.size()),
        non_interpolable_(action_.size()) {}

  const DeviceStream& stream() const { return stream_; }

  std::vector<RefinedAction> refine(TimeLevel k, const LevelView& now, const LevelView& next,
                                    const StatesToRefine* states) {
    read_policy(policy_, k, action_count_, action_);
    policy_.read_value(TimeLevel(k.value + 1), value_);
    const std::vector<std::int32_t> cells = cells_to_refine(states, k, action_);
    std::vector<RefinedAction> refined(cells.size());
    if (cells.empty()) return refined;
    const auto device_action = upload(action_);
    const auto device_value = upload(value_);
    const auto device_cells = upload(cells);
    DeviceArray<RefinedAction> device_refined(cells.size());
    const WaitAtEnd wait(stream_);
    RefineState refine =
        refine_state_without_tables(info_, mission_, k, now, next, tables_, options_);
    device_tables_.show(refine);
    refine.policy = device_action;
    refine.outcome.value_next = device_value;
    refine.outcome.non_interpolable = non_interpolable_;
    for_each_on_device(
        value_.size(),
        FindNonInterpolable{next.masked, refine.outcome.landing.target, refine.outcome.value_next,
                            mission_.failure, non_interpolable_.view()},
        stream_);
    launch(refine, device_cells, device_refined.view());
    copy_bytes(MemorySpace::host, refined.data(), MemorySpace::device, device_refined.data(),
               refined.size() * sizeof(RefinedAction), stream_);
    stream_.synchronize();
    return refined;
  }

 private:
  void launch(const RefineState& refine, View<const std::int32_t> cells,
              View<RefinedAction> refined) {
    const std::size_t flow_size = refine.flow_size();
    const std::size_t blocks = blocks_for(cells.size, flow_size * sizeof(float), scratch_);
    const std::size_t needed = blocks * block_warps * flow_size;
    if (flow_.size() < needed) flow_ = DeviceArray<float>(needed);
    refine_states<<<static_cast<unsigned>(blocks), block_threads, 0, native(stream_)>>>(
        refine, cells, flow_.data(), refined);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  const PolicySource& policy_;
  const RefinementOptions& options_;
  std::size_t scratch_;
  std::size_t action_count_;
  DeviceStream stream_;
  RefinementTables tables_;
  DeviceTables device_tables_;
  std::vector<std::int16_t> action_;  // actions of the current level, (y, x)
  std::vector<float> value_;          // values of the next level, (y, x)
  DeviceArray<std::uint8_t> non_interpolable_;
  DeviceArray<float> flow_;  // (warp, realization, component)
};

}  // namespace

RefinedPolicy refine_policy_on_device(DeviceEnvironment& environment,
                                      const PlanningProblem& problem, const PolicySource& policy,
                                      const StatesToRefine* states,
                                      const RefinementOptions& options, Progress& progress,
                                      std::size_t scratch) {
  DeviceRefinement work(environment.info(), problem, policy, options, scratch);
  RefinedPolicy refined;
  refined.level.resize(static_cast<std::size_t>(problem.mission.last.value) + 1);
  const TimeLevel first = first_to_refine(problem.mission, states);
  DeviceLevelPair levels(environment, work.stream(), first, problem.mission.last);
  walk_forward(levels, first, problem.mission.last, "refining", progress, true,
               [&](TimeLevel k, const LevelView& now, const LevelView& next) {
                 refined.level[static_cast<std::size_t>(k.value)] =
                     work.refine(k, now, next, states);
                 return true;
               });
  levels.finish();
  return refined;
}

}  // namespace tidewise
