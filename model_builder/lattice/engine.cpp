#include "model_builder/lattice/engine.h"

#include <omp.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel/first_error.h"
#include "model_builder/direct/engine.h"
#include "model_builder/lattice/counts.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/level_spread.h"

namespace tidewise {
namespace {

class LatticeEngine final : public CountingEngine {
 public:
  LatticeEngine(const PositionRule& rule, const Grid& grid, const TimeAxis& time,
                std::vector<Action> actions, std::int32_t threads)
      : rule_(rule), scale_(grid, time), actions_(std::move(actions)), threads_(threads) {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override;

 private:
  struct Worker;

  PositionRule rule_;
  DisplacementScale scale_;
  std::vector<Action> actions_;
  std::int32_t threads_;
};

/// Scratch memory of one thread, and its work on one or two cells.
struct LatticeEngine::Worker {
  Worker(const LatticeEngine& the_engine, const LevelSpread& the_spread, const LevelView& the_level,
         View<const std::uint32_t> the_weights)
      : engine(the_engine),
        spread(the_spread),
        level(the_level),
        weights(the_weights),
        lattice(engine.actions_, engine.rule_),
        direct(engine.actions_, engine.rule_),
        packed{Array<std::int32_t>(spread.row_length()), Array<std::int32_t>(spread.row_length())} {
  }

  /// Bins the clouds of `count` (1 or 2) neighbours in the list, which share each loaded
  /// coefficient.
  void bin(const CellIndex* cells, std::size_t count) {
    bool all_fit = true;
    for (std::size_t c = 0; c < count; ++c) {
      modes[c].gather(level, spread, engine.scale_, cells[c]);
      all_fit = all_fit && modes[c].fits_packed_bins();
    }
    if (count == 2 && all_fit) {
      const SpreadArguments arguments[2] = {modes[0].arguments(spread), modes[1].arguments(spread)};
      std::int32_t* const out[2] = {packed[0].data(), packed[1].data()};
      packed_bins_of_two(arguments, out, box);
      return;
    }
    for (std::size_t c = 0; c < count; ++c) {
      if (!modes[c].fits_packed_bins()) continue;
      box[c] = packed_bins(modes[c].arguments(spread), packed[c].data());
    }
  }

  CellTransitions counts(std::size_t c) {
    const auto realizations = static_cast<std::size_t>(level.realization_count);
    if (!modes[c].fits_packed_bins() || !lattice.fits(box[c]) ||
        !lattice.pays(box[c], realizations)) {
      return counts_directly(c);
    }
    return lattice.count(std::as_const(packed[c]).view().part(0, realizations), box[c],
                         modes[c].mean(), weights);
  }

  CellTransitions counts_directly(std::size_t c) {
    const auto realizations = static_cast<std::size_t>(level.realization_count);
    if (x.empty()) {
      x = Array<std::int32_t>(spread.row_length());
      y = Array<std::int32_t>(spread.row_length());
    }
    spread_bins(modes[c].arguments(spread), x.data(), y.data());
    return direct.count(x.view().part(0, realizations), y.view().part(0, realizations),
                        modes[c].mean(), weights);
  }

  const LatticeEngine& engine;
  const LevelSpread& spread;
  const LevelView& level;
  View<const std::uint32_t> weights;
  LatticeCounts lattice;
  DirectCounts direct;
  CellModes modes[2];
  Array<std::int32_t> packed[2];
  BinBox box[2] = {};
  Array<std::int32_t> x;
  Array<std::int32_t> y;
};

void LatticeEngine::count_level(const LevelView& level, View<const std::uint32_t> weights,
                                View<const CellIndex> cells, CountSink& sink) {
  (void)bound_displacements(level, scale_, rule_, cells, actions_, threads_);
  const LevelSpread spread(level, scale_, rule_);
  FirstError error;
#pragma omp parallel num_threads(threads_)
  {
    std::optional<Worker> worker;
    error.run([&] { worker.emplace(*this, spread, level, weights); });
    const std::int32_t thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 32)
    for (std::size_t n = 0; n < cells.size; n += 2) {
      error.run([&] {
        const std::size_t count = std::min<std::size_t>(2, cells.size - n);
        worker->bin(cells.data + n, count);
        for (std::size_t c = 0; c < count; ++c) {
          sink.accept(thread, cells[n + c], worker->counts(c));
        }
      });
    }
  }
  error.rethrow();
}

}  // namespace

std::unique_ptr<CountingEngine> make_lattice_engine(const PositionRule& rule, const Grid& grid,
                                                    const TimeAxis& time,
                                                    std::vector<Action> actions,
                                                    std::int32_t threads) {
  return std::make_unique<LatticeEngine>(rule, grid, time, std::move(actions), threads);
}

}  // namespace tidewise
