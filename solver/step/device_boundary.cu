#include <cmath>

#include "base/kernel/warp.h"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "solver/policy/policy.h"
#include "solver/step/device_boundary.h"

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;

unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

__global__ void boundary(View<const std::uint8_t> masked, View<const std::uint8_t> target,
                         CellRange written, BoundaryValue boundary_value, BeyondTarget water,
                         float* value, std::int16_t* action, std::int32_t* cells,
                         std::int32_t* cell_count) {
  const std::size_t cell = static_cast<std::size_t>(written.begin) +
                           static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  bool non_terminal = false;
  if (cell < static_cast<std::size_t>(written.end)) {
    const bool is_masked = masked[cell] != 0;
    const bool in_target = target[cell] != 0;
    non_terminal = is_non_terminal(is_masked, in_target) && water == BeyondTarget::non_terminal;
    value[cell] = non_terminal ? -INFINITY : boundary_value(is_masked, in_target, cell);
    action[cell] = no_action;
  }
  const std::int32_t place = DeviceWarp().append(non_terminal, cell_count);
  if (non_terminal) cells[place] = static_cast<std::int32_t>(cell);
}

// Larger windows are assumed to contain a closed cell, because the search would cost more.
constexpr std::int32_t widest_look = 64;

struct Reach {
  std::int32_t first;
  std::int32_t last;
  __device__ bool too_wide() const { return last - first > widest_look; }
};

// From the minimum to the maximum displacement of the flow and the actions together.
__device__ Reach reach_of(const PositionRule& rule, std::int32_t smallest, std::int32_t largest) {
  return {min(rule.first_cell_of(smallest), 0), max(rule.last_cell_of(largest), 0)};
}

// Marks cells from which a marked cell lies along `axis` within the displacements of the flow and
// the actions together. `also`: more marks; may be empty.
__global__ void near_along(Grid grid, Offset axis, View<const std::uint8_t> marked,
                           View<const std::uint8_t> also, const std::int32_t* flow_least,
                           const std::int32_t* flow_greatest, std::int32_t action_least,
                           std::int32_t action_greatest, PositionRule rule, std::uint8_t* near) {
  const std::size_t cell = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (cell >= marked.size) return;
  const Reach reach = reach_of(rule, *flow_least + action_least, *flow_greatest + action_greatest);
  const CellIndex index(static_cast<std::int32_t>(cell));
  bool found = reach.too_wide();
  for (std::int32_t n = reach.first; n <= reach.last && !found; ++n) {
    const std::int32_t column = grid.column(index) + n * axis.dx;
    const std::int32_t row = grid.row(index) + n * axis.dy;
    if (!grid.contains(column, row)) continue;
    const auto neighbour = static_cast<std::size_t>(grid.cell(column, row).value);
    found = marked[neighbour] != 0 || (also.size > 0 && also[neighbour] != 0);
  }
  near[cell] = found ? 1 : 0;
}

}  // namespace

void set_boundary(View<const std::uint8_t> masked, View<const std::uint8_t> target, CellRange own,
                  const BoundaryValue& boundary_value, BeyondTarget water, float* value,
                  std::int16_t* action, std::int32_t* cells, std::int32_t* cell_count,
                  const DeviceStream& stream) {
  const CellRange all{0, static_cast<std::int32_t>(masked.size)};
  const CellRange written = water == BeyondTarget::non_terminal ? own : all;
  boundary<<<blocks_for(written.size()), threads, 0, native(stream)>>>(
      masked, target, written, boundary_value, water, value, action, cells, cell_count);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void find_near_masked(const Grid& grid, View<const std::uint8_t> masked_now,
                      View<const std::uint8_t> masked_next, Displacement min, Displacement max,
                      const PositionRule& rule, const DeviceLevelFacts* facts,
                      std::uint8_t* scratch, std::uint8_t* near, const DeviceStream& stream) {
  const unsigned blocks = blocks_for(masked_now.size);
  near_along<<<blocks, threads, 0, native(stream)>>>(grid, {1, 0}, masked_now, masked_next,
                                                     &facts->x_min, &facts->x_max, min.x, max.x,
                                                     rule, scratch);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
  near_along<<<blocks, threads, 0, native(stream)>>>(grid, {0, 1}, {scratch, masked_now.size}, {},
                                                     &facts->y_min, &facts->y_max, min.y, max.y,
                                                     rule, near);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise
