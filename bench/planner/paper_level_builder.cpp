#include "bench/planner/paper_level_builder.h"

#include <cmath>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/stopwatch.h"
#include "solver/step/boundary.h"

namespace tidewise {
PaperLevelBuilder::PaperLevelBuilder(const PlannerProblem& problem,
                                     const std::vector<Action>& actions, const Mission& mission,
                                     std::int32_t threads)
    : problem_(problem),
      actions_(actions),
      target_(mission.target),
      reward_(static_cast<float>(-problem.info().time.step)),
      threads_(threads),
      model_(problem.rule(), problem.info().grid, problem.info().time, actions) {}

void PaperLevelBuilder::prepare(TimeLevel k) {
  const EnvironmentInfo& info = problem_.info();
  LevelFields<> fields(info);
  problem_.fill(k, fields);
  Prepared& level = prepared_[k.value];
  level.cells.clear();
  for (std::int32_t c = 0; c < info.grid.cell_count(); ++c) {
    const auto cell = static_cast<std::size_t>(c);
    if (is_non_terminal(fields.masked[cell] != 0, target_[cell] != 0)) level.cells.emplace_back(c);
  }
  level.subgrid =
      subgrid_of(bound_displacements(fields.view(info), DisplacementScale(info.grid, info.time),
                                     problem_.rule(), level.cells, actions_, threads_),
                 actions_, problem_.rule());
  Array<CellIndex> cells(level.cells.size());
  std::copy(level.cells.begin(), level.cells.end(), cells.begin());
  copy(level.device_cells, cells);
  const auto window = static_cast<std::size_t>(level.subgrid.size());
  copy(level.landing_reward, Array<float>(cells.size() * window, reward_));
}

double PaperLevelBuilder::build(TimeLevel k) {
  const Prepared& level = prepared_.at(k.value);
  built_ = &level;
  wait_for_device();
  const Stopwatch watch;
  for (PaperModel& model : models_) model.clear();
  model_.build_level(
      {problem_.on_device(k), {}, level.device_cells, level.subgrid, level.landing_reward}, models_,
      stream_);
  return watch.seconds();
}

void PaperLevelBuilder::feed(CountSink& sink) const {
  for (std::size_t a = 0; a < models_.size(); ++a) {
    // Every landing has the same reward, so the mean must have it, too, except for rounding of the
    // sum's shares.
    for (const float mean : models_[a].mean_reward) {
      if (!(std::fabs(mean - reward_) <= 1e-5F * std::fabs(reward_)))
        throw RunError("bench planner: paper gives a wrong mean reward");
    }
    feed_counts(models_[a], built_->subgrid, ActionIndex(static_cast<std::int32_t>(a)),
                built_->cells, sink);
  }
}

}  // namespace tidewise
