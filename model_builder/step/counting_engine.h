#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/memory/view.h"
#include "base/words.h"
#include "env/level_fields.h"
#include "model_builder/step/cell_transitions.h"
#include "tidewise/backend.h"

namespace tidewise {

template <>
inline constexpr std::array<std::string_view, 3> words_of<Engine>{"paper", "direct", "lattice"};

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
