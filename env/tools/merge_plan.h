#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/file/extras.h"
#include "env/file/reader.h"

namespace tidewise {

/// Which of two forecast cycles gives the levels that both hold.
enum class Prevailing { earlier, later };

/// Levels of one cycle that follow each other in the merged environment.
struct MergePart {
  std::size_t cycle = 0;  ///< index into MergePlan::cycles
  TimeLevel first;        ///< of the cycle itself
  TimeLevel last;
  TimeLevel at;  ///< level of the merged environment that `first` becomes
};

/// How forecast cycles join along time.
struct MergePlan {
  std::vector<const EnvironmentReader*> cycles;  ///< by their first time
  std::vector<EnvironmentExtras> extras;         ///< (cycle)
  EnvironmentInfo info;                          ///< of the merged environment, texts of the first
  std::vector<MergePart> parts;                  ///< in the order of time, without gaps
  std::int32_t shared_levels = 0;                ///< levels that more than one cycle holds
};

/// Judges whether the environments of `readers`, which must outlive the plan, can be joined, and
/// plans it. They may come in any order; what they must agree in is their grid, time step, units,
/// number of modes and of realizations, weights, projection, longitudes and latitudes, and scalar
/// field. Their times lie on one axis, whatever date each counts from, and leave no gap. Of masks
/// that differ, or of which one moves, a moving one is made. Errors: InputError that names both
/// files, the variable and the remedy.
MergePlan plan_merge(const std::vector<const EnvironmentReader*>& readers, Prevailing prevailing);

}  // namespace tidewise
