#include "model_builder/lattice/engine.h"

#include <omp.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel/first_error.h"
#include "model_builder/direct/engine.h"
#include "model_builder/lattice/counts.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/padded_coefficients.h"

namespace tidewise {
namespace {

std::vector<std::int32_t> along_x(const std::vector<Action>& actions) {
  std::vector<std::int32_t> displacements;
  for (const auto& action : actions) displacements.push_back(action.displacement.x);
  return displacements;
}

std::vector<std::int32_t> along_y(const std::vector<Action>& actions) {
  std::vector<std::int32_t> displacements;
  for (const auto& action : actions) displacements.push_back(action.displacement.y);
  return displacements;
}

class LatticeEngine final : public CountingEngine {
 public:
  LatticeEngine(const Grid& grid, const TimeAxis& time, std::vector<Action> actions,
                std::int32_t threads, const CellKernels& kernels)
      : scale_(grid, time),
        actions_(std::move(actions)),
        x_(along_x(actions_)),
        y_(along_y(actions_)),
        threads_(threads),
        kernels_(kernels) {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override;

 private:
  struct Worker;

  /// Whether every fine bin of the level is sure to fit the kernels' 16 bits.
  bool bins_fit(const DisplacementRange& range) const {
    const auto fits = [](std::int32_t displacement, const LatticeAxis& axis) {
      const std::int64_t cells = (displacement >> fraction_bits);
      return std::abs(cells) + 1 < INT16_MAX / axis.bins_per_cell();
    };
    return fits(range.x_min, x_) && fits(range.x_max, x_) && fits(range.y_min, y_) &&
           fits(range.y_max, y_);
  }

  DisplacementScale scale_;
  std::vector<Action> actions_;
  LatticeAxis x_;
  LatticeAxis y_;
  std::int32_t threads_;
  const CellKernels& kernels_;
};

/// One thread's scratch memory and its way through one or two cells.
struct LatticeEngine::Worker {
  Worker(const LatticeEngine& the_engine, const PaddedCoefficients& the_coefficients,
         const LevelView& the_level, View<const std::uint32_t> the_weights)
      : engine(the_engine),
        coefficients(the_coefficients),
        level(the_level),
        weights(the_weights),
        lattice(engine.x_, engine.y_, engine.kernels_),
        direct(engine.actions_),
        packed{Array<std::int32_t>(coefficients.row_length()),
               Array<std::int32_t>(coefficients.row_length())} {}

  /// `count` neighbours in the list, 1 or 2, share each coefficient that is loaded. Where bins do
  /// not `fit`, the cells are only made ready for counts().
  void bin(const CellIndex* cells, std::size_t count, bool fit) {
    for (std::size_t c = 0; c < count; ++c) {
      modes[c].gather(level, cells[c]);
      clouds[c] = coefficients.arguments(modes[c], engine.scale_);
    }
    if (!fit) return;
    const AxisTables x_tables = engine.x_.tables();
    const AxisTables y_tables = engine.y_.tables();
    if (count == 2) {
      std::int32_t* const out[2] = {packed[0].data(), packed[1].data()};
      engine.kernels_.fine_bins_of_two(clouds, x_tables, y_tables, out, box);
    } else {
      box[0] = engine.kernels_.fine_bins(clouds[0], x_tables, y_tables, packed[0].data());
    }
  }

  CellTransitions counts(std::size_t c, bool fit) {
    if (!fit || !LatticeCounts::fits(box[c])) return counts_directly(c);
    return lattice.count(
        std::as_const(packed[c]).view().part(0, static_cast<std::size_t>(level.realization_count)),
        box[c], weights);
  }

  CellTransitions counts_directly(std::size_t c) {
    const auto realizations = static_cast<std::size_t>(level.realization_count);
    if (x.empty()) {
      x = Array<std::int32_t>(coefficients.row_length());
      y = Array<std::int32_t>(coefficients.row_length());
    }
    engine.kernels_.displacements(clouds[c], x.data(), y.data());
    return direct.count(x.view().part(0, realizations), y.view().part(0, realizations), weights);
  }

  const LatticeEngine& engine;
  const PaddedCoefficients& coefficients;
  const LevelView& level;
  View<const std::uint32_t> weights;
  LatticeCounts lattice;
  DirectCounts direct;
  CellModes modes[2];
  CloudArguments clouds[2] = {};
  Array<std::int32_t> packed[2];
  BinBox box[2] = {};
  Array<std::int32_t> x;
  Array<std::int32_t> y;
};

void LatticeEngine::count_level(const LevelView& level, View<const std::uint32_t> weights,
                                View<const CellIndex> cells, CountSink& sink) {
  const DisplacementRange range = bound_displacements(level, scale_, cells, actions_, threads_);
  const PaddedCoefficients coefficients(level);
  const bool fits = bins_fit(range);
  FirstError error;
#pragma omp parallel num_threads(threads_)
  {
    std::optional<Worker> worker;
    error.run([&] { worker.emplace(*this, coefficients, level, weights); });
    const std::int32_t thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 32)
    for (std::size_t n = 0; n < cells.size; n += 2) {
      error.run([&] {
        const std::size_t count = std::min<std::size_t>(2, cells.size - n);
        worker->bin(cells.data + n, count, fits);
        for (std::size_t c = 0; c < count; ++c) {
          sink.accept(thread, cells[n + c], worker->counts(c, fits));
        }
      });
    }
  }
  error.rethrow();
}

}  // namespace

std::unique_ptr<CountingEngine> make_lattice_engine(const Grid& grid, const TimeAxis& time,
                                                    std::vector<Action> actions,
                                                    std::int32_t threads,
                                                    const CellKernels& kernels) {
  return std::make_unique<LatticeEngine>(grid, time, std::move(actions), threads, kernels);
}

}  // namespace tidewise
