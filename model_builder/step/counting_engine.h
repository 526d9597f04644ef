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

/// Counts, for every wanted cell of a level and every action, the realizations by landing.
class CountingEngine {
 public:
  virtual ~CountingEngine() = default;
  /// `cells`: the wanted cells, each once. `weights`: (realization); empty: all have the weight 1.
  /// Errors: InputError when a displacement, including the action, reaches 1024 cells.
  virtual void count_level(const LevelView& level, View<const std::uint32_t> weights,
                           View<const CellIndex> cells, CountSink& sink) = 0;
};

}  // namespace tidewise
