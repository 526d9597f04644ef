#include "planner/backend/device_budget.h"

#include <algorithm>

#include "base/byte_size.h"
#include "base/error.h"
#include "env/levels/level_block.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Memory of a pass for each cell, with a margin [B]. The largest need is a level solve with some
// levels in flight: values, actions, masks, lists, windows, probabilities.
constexpr std::size_t scratch_per_cell = 512;
// Memory for tables of actions and landings, coefficients in tiles, and tallies of steps [B].
constexpr std::size_t fixed_scratch = 32 * mebibyte;
// Above this size, scratch memory only allows more flights and brings no speed [B].
constexpr std::size_t max_scratch = 4096 * mebibyte;
constexpr std::size_t min_levels = 4;

// Memory of a vehicle, its number and state, and one step of its log [B].
constexpr std::size_t bytes_per_flight = 160;

std::size_t min_scratch(const EnvironmentInfo& info) {
  return fixed_scratch + scratch_per_cell * static_cast<std::size_t>(info.grid.cell_count());
}

}  // namespace

std::size_t device_level_bytes(const EnvironmentInfo& info) { return LevelBlock(info).size(); }

std::size_t device_levels_bytes(const EnvironmentInfo& info, std::size_t levels) {
  return SharedModes<>::size(info) + levels * device_level_bytes(info);
}

std::size_t min_device_memory(const EnvironmentInfo& info) {
  return min_scratch(info) + device_levels_bytes(info, min_levels);
}

DeviceBudget divide_device_memory(const EnvironmentInfo& info, std::size_t memory,
                                  std::string_view place) {
  const std::size_t min = min_device_memory(info);
  if (memory < min) {
    throw input_error(errors::device_memory_too_small, place, describe_bytes(double(memory)),
                      describe_bytes(double(min)), describe_bytes(double(device_level_bytes(info))),
                      describe_bytes(double(min_scratch(info))), (min + mebibyte - 1) / mebibyte);
  }
  DeviceBudget budget;
  budget.scratch = std::max(min_scratch(info), std::min(memory / 4, max_scratch));
  budget.scratch = std::min(budget.scratch, memory - device_levels_bytes(info, min_levels));
  const std::size_t all_levels = device_levels_bytes(
      info, std::max(min_levels, static_cast<std::size_t>(info.time.level_count)));
  budget.levels = std::min(memory - budget.scratch, all_levels);
  budget.scratch = memory - budget.levels;
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  budget.evaluation = budget.scratch - scratch_per_cell * cells;
  budget.flight_log = budget.scratch / 2;
  return budget;
}

bool flights_fit(const DeviceBudget& budget, std::size_t flights) {
  return flights <= (budget.scratch - budget.flight_log) / bytes_per_flight;
}

}  // namespace tidewise
