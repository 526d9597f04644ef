#include "model_builder/direct/engine.h"

#include <omp.h>

#include <algorithm>
#include <optional>

#include "base/parallel/first_error.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/cell_modes.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/padded_coefficients.h"

namespace tidewise {

CellTransitions DirectCounts::count(View<const std::int32_t> x, View<const std::int32_t> y,
                                    View<const std::uint32_t> weights) {
  const auto [x_min, x_max] = std::minmax_element(x.begin(), x.end());
  const auto [y_min, y_max] = std::minmax_element(y.begin(), y.end());
  const std::size_t actions = actions_.size();
  origin_.resize(actions);
  std::int32_t width = 0;
  std::int32_t height = 0;
  for (std::size_t a = 0; a < actions; ++a) {
    const Displacement step = actions_[a].displacement;
    origin_[a] = {landing_offset(*x_min, step.x), landing_offset(*y_min, step.y)};
    width = std::max(width, landing_offset(*x_max, step.x) - origin_[a].dx + 1);
    height = std::max(height, landing_offset(*y_max, step.y) - origin_[a].dy + 1);
  }
  const std::size_t window = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  count_.assign(actions * window, 0);
  for (std::size_t a = 0; a < actions; ++a) {
    const Displacement step = actions_[a].displacement;
    std::uint32_t* counts = count_.data() + a * window;
    for (std::size_t r = 0; r < x.size; ++r) {
      const std::int32_t column = landing_offset(x[r], step.x) - origin_[a].dx;
      const std::int32_t row = landing_offset(y[r], step.y) - origin_[a].dy;
      counts[row * width + column] += weights.empty() ? 1 : weights[r];
    }
  }
  return {0, static_cast<std::int32_t>(actions), width, height, origin_.data(), count_.data()};
}

namespace {

class DirectEngine final : public CountingEngine {
 public:
  DirectEngine(const Grid& grid, const TimeAxis& time, std::vector<Action> actions,
               std::int32_t threads)
      : scale_(grid, time), actions_(std::move(actions)), threads_(threads) {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override {
    (void)bound_displacements(level, scale_, cells, actions_, threads_);
    const PaddedCoefficients coefficients(level);
    const CellKernels& kernels = cell_kernels();
    const auto realizations = static_cast<std::size_t>(level.realization_count);
    FirstError error;
#pragma omp parallel num_threads(threads_)
    {
      std::optional<Worker> worker;
      error.run([&] { worker.emplace(actions_, coefficients.row_length()); });
      const std::int32_t thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 64)
      for (std::size_t n = 0; n < cells.size; ++n) {
        error.run([&] {
          worker->modes.gather(level, cells[n]);
          kernels.displacements(coefficients.arguments(worker->modes, scale_), worker->x.data(),
                                worker->y.data());
          sink.accept(thread, cells[n],
                      worker->counts.count(worker->x.view().part(0, realizations),
                                           worker->y.view().part(0, realizations), weights));
        });
      }
    }
    error.rethrow();
  }

 private:
  /// One thread's scratch memory.
  struct Worker {
    Worker(const std::vector<Action>& actions, std::size_t row_length)
        : counts(actions), x(row_length), y(row_length) {}
    CellModes modes;
    DirectCounts counts;
    Array<std::int32_t> x;  // (realization), padded
    Array<std::int32_t> y;
  };

  DisplacementScale scale_;
  std::vector<Action> actions_;
  std::int32_t threads_;
};

}  // namespace

std::unique_ptr<CountingEngine> make_direct_engine(const Grid& grid, const TimeAxis& time,
                                                   std::vector<Action> actions,
                                                   std::int32_t threads) {
  return std::make_unique<DirectEngine>(grid, time, std::move(actions), threads);
}

}  // namespace tidewise
