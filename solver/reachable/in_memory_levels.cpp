#include "solver/reachable/in_memory_levels.h"

namespace tidewise {

InMemoryLevels::InMemoryLevels(const EnvironmentReader& environment, TimeLevel first,
                               TimeLevel last)
    : info_(environment.info()), first_(first) {
  for (TimeLevel k = first; k <= last; ++k.value) {
    environment.read_level(k, fields_.emplace_back(info_));
  }
}

std::size_t InMemoryLevels::size(const EnvironmentInfo& info, TimeLevel first, TimeLevel last) {
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const auto modes = static_cast<std::size_t>(info.mode_count);
  const auto velocities = static_cast<std::size_t>(info.velocities);
  const std::size_t modes_per_level = tidewise::shares_modes(info) ? 0 : modes;
  const std::size_t numbers =
      cells * (velocities * (2 + 2 * modes_per_level) + (info.has_scalar ? 1 : 0)) +
      modes * static_cast<std::size_t>(info.realization_count);
  // Several profiles have their own masks.
  const std::size_t masks = velocities == 1 ? 2 : 1 + 2 * velocities;
  return SharedModes<>::size(info) + static_cast<std::size_t>(last.value - first.value + 1) *
                                         (numbers * sizeof(float) + masks * cells);
}

LevelView InMemoryLevels::level(TimeLevel k) const {
  return fields_[static_cast<std::size_t>(k.value - first_.value)].view(info_);
}

LevelView EnsembleLevels::level(TimeLevel k) {
  LevelView level = held_.level(k);
  if (realization_count_ == 0) return level;
  const auto row = static_cast<std::size_t>(realization_count_);
  const std::size_t size = static_cast<std::size_t>(level.mode_count) * row;
  level.realization_count = realization_count_;
  level.coefficient =
      coefficient_.part(static_cast<std::size_t>(k.value - held_.first().value) * size, size);
  return level;
}

}  // namespace tidewise
