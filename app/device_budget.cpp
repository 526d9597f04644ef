#include "app/device_budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/problem_estimate.h"
#include "base/byte_size.h"
#include "base/error.h"
#include "env/level_block.h"

namespace tidewise {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// What solving, evaluating and flying keep for each cell: values, actions, masks, boxes of
// displacements and probabilities of some levels in flight; with room to spare [B].
constexpr std::size_t scratch_per_cell = 256;
// Tables of actions, thresholds and landings, which do not grow with the cells [B].
constexpr std::size_t fixed_scratch = 32 * mebibyte;
// More brings no speed: it is for the points of flights, and for the explicit model's slabs [B].
constexpr std::size_t most_scratch = 4096 * mebibyte;
constexpr std::size_t least_levels = 4;

std::size_t least_scratch(const EnvironmentInfo& info) {
  return fixed_scratch + scratch_per_cell * static_cast<std::size_t>(info.grid.cell_count());
}

}  // namespace

std::size_t device_level_bytes(const EnvironmentInfo& info) { return LevelBlock(info).size(); }

std::size_t least_device_memory(const EnvironmentInfo& info) {
  return least_scratch(info) + least_levels * device_level_bytes(info);
}

DeviceBudget divide_device_memory(const EnvironmentInfo& info, std::size_t memory,
                                  std::string_view place) {
  const std::size_t least = least_device_memory(info);
  if (memory < least) {
    throw InputError(fmt::format(
        "{}: the run may take {} of the GPU's memory, and this environment needs {} (four levels "
        "of {} and {} to work in); give --device-memory {}MiB or more, or take --backend cpu",
        place, describe_bytes(double(memory)), describe_bytes(double(least)),
        describe_bytes(double(device_level_bytes(info))),
        describe_bytes(double(least_scratch(info))), (least + mebibyte - 1) / mebibyte));
  }
  DeviceBudget budget;
  budget.scratch = std::max(least_scratch(info), std::min(memory / 4, most_scratch));
  budget.scratch = std::min(budget.scratch, memory - least_levels * device_level_bytes(info));
  const std::size_t all_levels =
      device_level_bytes(info) *
      std::max(least_levels, static_cast<std::size_t>(info.time.level_count));
  budget.levels = std::min(memory - budget.scratch, all_levels);
  budget.scratch = memory - budget.levels;
  return budget;
}

bool flights_fit(const DeviceBudget& budget, std::int64_t flights, std::int64_t steps) {
  return estimate_flight_memory(flights, steps) <= static_cast<double>(budget.scratch);
}

}  // namespace tidewise
