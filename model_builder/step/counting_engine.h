#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory/view.h"
#include "env/level_fields.h"
#include "model_builder/step/cell_transitions.h"
#include "tidewise/backend.h"

namespace tidewise {

std::string_view to_string(Engine engine);

/// Counts, for every asked cell of a level and every action, how many realizations land where.
class CountingEngine {
 public:
  virtual ~CountingEngine() = default;
  /// `cells`: those wanted, each once. `weights`: (realization), or empty where all count for 1.
  /// Errors: InputError when a displacement reaches 1024 cells, action included.
  virtual void count_level(const LevelView& level, View<const std::uint32_t> weights,
                           View<const CellIndex> cells, CountSink& sink) = 0;
};

}  // namespace tidewise
