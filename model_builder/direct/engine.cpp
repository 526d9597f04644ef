#include "model_builder/direct/engine.h"

#include <omp.h>

#include <algorithm>
#include <optional>

#include "base/parallel/first_error.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/level_spread.h"

namespace tidewise {

CellTransitions DirectCounts::count(View<const std::int32_t> x, View<const std::int32_t> y,
                                    Displacement mean, View<const std::uint32_t> weights) {
  const auto [x_min, x_max] = std::minmax_element(x.begin(), x.end());
  const auto [y_min, y_max] = std::minmax_element(y.begin(), y.end());
  const std::size_t actions = actions_.size();
  origin_.resize(actions);
  std::int32_t width = 0;
  std::int32_t height = 0;
  for (std::size_t a = 0; a < actions; ++a) {
    const StepPosition certain = certain_position(mean, actions_[a].displacement);
    const StepPosition min = position_of({*x_min, *y_min}, certain, rule_);
    const StepPosition max = position_of({*x_max, *y_max}, certain, rule_);
    origin_[a] = {rule_.first_cell(min.x), rule_.first_cell(min.y)};
    const std::int32_t touched = rule_.cells_touched();
    width = std::max(width, rule_.first_cell(max.x) + touched - origin_[a].dx);
    height = std::max(height, rule_.first_cell(max.y) + touched - origin_[a].dy);
  }
  const std::size_t window = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  count_.assign(actions * window, 0);
  for (std::size_t a = 0; a < actions; ++a) {
    const StepPosition certain = certain_position(mean, actions_[a].displacement);
    const Offset origin = origin_[a];
    std::uint32_t* counts = count_.data() + a * window;
    for (std::size_t r = 0; r < x.size; ++r) {
      const std::uint32_t weight = weights.empty() ? 1 : weights[r];
      const StepPosition to = position_of({x[r], y[r]}, certain, rule_);
      for_each_share(rule_, to.x, to.y,
                     [&](std::int32_t column, std::int32_t row, std::uint32_t share) {
                       counts[(row - origin.dy) * width + column - origin.dx] += weight * share;
                     });
    }
  }
  return {0, static_cast<std::int32_t>(actions), width, height, origin_.data(), count_.data()};
}

namespace {

class DirectEngine final : public CountingEngine {
 public:
  DirectEngine(const PositionRule& rule, const Grid& grid, const TimeAxis& time,
               std::vector<Action> actions, std::int32_t threads)
      : rule_(rule), scale_(grid, time), actions_(std::move(actions)), threads_(threads) {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override {
    (void)bound_displacements(level, scale_, rule_, cells, actions_, threads_);
    const LevelSpread spread(level, scale_, rule_);
    const auto realizations = static_cast<std::size_t>(level.realization_count);
    FirstError error;
#pragma omp parallel num_threads(threads_)
    {
      std::optional<Worker> worker;
      error.run([&] { worker.emplace(actions_, rule_, spread.row_length()); });
      const std::int32_t thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 64)
      for (std::size_t n = 0; n < cells.size; ++n) {
        error.run([&] {
          worker->cell.gather(level, spread, scale_, cells[n]);
          spread_bins(worker->cell.arguments(spread), worker->x.data(), worker->y.data());
          sink.accept(thread, cells[n],
                      worker->counts.count(worker->x.view().part(0, realizations),
                                           worker->y.view().part(0, realizations),
                                           worker->cell.mean(), weights));
        });
      }
    }
    error.rethrow();
  }

 private:
  /// Scratch memory of one thread.
  struct Worker {
    Worker(const std::vector<Action>& actions, const PositionRule& rule, std::size_t row_length)
        : counts(actions, rule), x(row_length), y(row_length) {}
    CellModes cell;
    DirectCounts counts;
    Array<std::int32_t> x;  // (realization), padded
    Array<std::int32_t> y;
  };

  PositionRule rule_;
  DisplacementScale scale_;
  std::vector<Action> actions_;
  std::int32_t threads_;
};

}  // namespace

std::unique_ptr<CountingEngine> make_direct_engine(const PositionRule& rule, const Grid& grid,
                                                   const TimeAxis& time,
                                                   std::vector<Action> actions,
                                                   std::int32_t threads) {
  return std::make_unique<DirectEngine>(rule, grid, time, std::move(actions), threads);
}

}  // namespace tidewise
