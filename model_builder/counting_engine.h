#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/view.h"
#include "env/level_fields.h"
#include "model_builder/actions.h"
#include "model_builder/cell_counts.h"

namespace tidewise {

/// The three ways to the same integers (design section 3).
enum class Engine { paper, direct, lattice };

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

/// An engine on the CPU. `threads` ≥ 1; results do not depend on it. The sub-grid of `paper`
/// reaches `subgrid_radius` cells at least; the others' windows fit each cell by themselves.
std::unique_ptr<CountingEngine> make_cpu_engine(Engine engine, const Grid& grid,
                                                const TimeAxis& time, std::vector<Action> actions,
                                                std::int32_t threads,
                                                std::int32_t subgrid_radius = 0);

}  // namespace tidewise
