#include "model_builder/paper/engine.h"

#include <omp.h>

#include "base/parallel/first_error.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/level_spread.h"
#include "model_builder/step/realization_bins.h"

namespace tidewise {
namespace {

class PaperEngine final : public CountingEngine {
 public:
  PaperEngine(const PositionRule& rule, const Grid& grid, const TimeAxis& time,
              const std::vector<Action>& actions, std::int32_t threads, std::int32_t subgrid_radius)
      : rule_(rule),
        scale_(grid, time),
        actions_(displaced_actions(actions, rule.draws)),
        threads_(threads),
        min_subgrid_{-subgrid_radius, subgrid_radius, -subgrid_radius, subgrid_radius} {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override {
    const SubGrid subgrid =
        join(min_subgrid_,
             subgrid_of(bound_displacements(level, scale_, rule_, cells, actions_, threads_),
                        actions_, {rule_.landing, rule_.bin_bits}));
    const std::vector<ModeScale> modes = mode_scales(level, scale_, rule_);
    const auto window = static_cast<std::size_t>(subgrid.size());
    const Offset origin{subgrid.dx_min, subgrid.dy_min};
    FirstError error;
    const auto draws = static_cast<std::size_t>(rule_.draws);
    for (std::size_t a = 0; a < actions_.size() / draws; ++a) {
      s2_count_.assign(window * cells.size, 0);
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 64)
      for (std::size_t n = 0; n < cells.size; ++n) {
        error.run([&] {
          for (std::size_t d = a * draws; d < (a + 1) * draws; ++d) {
            count_transitions(level, modes, weights, cells[n], actions_[d].displacement, subgrid,
                              s2_count_.data() + n * window);
          }
          sink.accept(omp_get_thread_num(), cells[n],
                      {static_cast<std::int32_t>(a), 1, subgrid.width(), subgrid.height(), &origin,
                       s2_count_.data() + n * window});
        });
      }
      error.rethrow();
    }
  }

 private:
  /// K_TRANSITION for one cell and action, realization by realization.
  void count_transitions(const LevelView& level, const std::vector<ModeScale>& modes,
                         View<const std::uint32_t> weights, CellIndex cell, Displacement action,
                         const SubGrid& subgrid, std::uint32_t* count) const {
    const auto realizations = static_cast<std::size_t>(level.realization_count);
    for (std::size_t r = 0; r < realizations; ++r) {
      const std::uint32_t weight = weights.empty() ? 1 : weights[r];
      const StepPosition position = realization_position(
          level, scale_, rule_, modes.data(), static_cast<std::size_t>(cell.value), r, action);
      for_each_share(rule_, position.x, position.y,
                     [&](std::int32_t dx, std::int32_t dy, std::uint32_t share) {
                       count[subgrid.index({dx, dy})] += weight * share;
                     });
    }
  }

  PositionRule rule_;
  DisplacementScale scale_;
  std::vector<Action> actions_;  // displaced
  std::int32_t threads_;
  SubGrid min_subgrid_;
  std::vector<std::uint32_t> s2_count_;  // (cell, sub-grid)
};

}  // namespace

std::unique_ptr<CountingEngine> make_paper_engine(const PositionRule& rule, const Grid& grid,
                                                  const TimeAxis& time,
                                                  const std::vector<Action>& actions,
                                                  std::int32_t threads,
                                                  std::int32_t subgrid_radius) {
  return std::make_unique<PaperEngine>(rule, grid, time, actions, threads, subgrid_radius);
}

}  // namespace tidewise
