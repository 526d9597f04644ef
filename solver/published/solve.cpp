#include "solver/published/solve.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/memory/device_transfer.h"
#include "env/copy_fields.h"
#include "solver/induction/backward_induction.h"
#include "solver/induction/value_overflow.h"
#include "solver/step/boundary.h"

namespace tidewise {
namespace {

// Builds levels on the current device and backs them up on the device or the host.
class DeviceLevels {
 public:
  DeviceLevels(const EnvironmentInfo& info, const PublishedProblem& problem,
               const PublishedOptions& options)
      : info_(info),
        problem_(problem),
        memory_(*options.on_device),
        model_(problem, memory_, 1, {.transition = options.block_size}, options.device_memory),
        target_(upload(problem.mission().target)),
        weights_(upload(problem.weights())),
        value_(problem.cells()),
        value_next_(problem.cells()),
        action_(problem.cells()) {}

  void keep(const LevelFields<>& fields) {
    copy_fields(now_, fields);
    std::swap(now_, next_);
  }

  void back_up(const PublishedLevel& on_host, const LevelFields<>& fields,
               const Array<float>& value_next, View<float> expected, Array<float>& value,
               Array<std::int16_t>& action) {
    copy_fields(now_, fields);
    const PublishedLevel level = PublishedProblem::in_memory_of(
        on_host, now_.view(info_), next_.masked, next_.scalar, target_, weights_);
    model_.clear();
    model_.build(level);
    model_.finish();
    if (memory_ == PublishedMemory::host) {
      problem_.back_up(model_.on_host(0), on_host.outcome, value_next, expected, value, action);
    } else {
      copy(value_next_, value_next);
      model_.back_up(0, PublishedProduct::rows, level.outcome, value_next_, value_, action_);
      model_.finish();
      copy(value, value_);
      copy(action, action_);
    }
    std::swap(now_, next_);
  }

 private:
  const EnvironmentInfo& info_;
  const PublishedProblem& problem_;
  PublishedMemory memory_;
  DevicePublishedModel model_;
  DeviceArray<std::uint8_t> target_;  // (y, x)
  DeviceArray<std::uint32_t> weights_;
  LevelFields<MemorySpace::device> now_, next_;
  DeviceArray<float> value_, value_next_;
  DeviceArray<std::int16_t> action_;
};

class PublishedLevelSolver final : public LevelSolver {
 public:
  PublishedLevelSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                       const PublishedOptions& options)
      : info_(info),
        mission_(problem.mission),
        threads_(options.threads),
        problem_(info, problem, options.subgrid_radius),
        value_(problem_.cells()),
        value_next_(problem_.cells()),
        action_(problem_.cells(), no_action),
        expected_(problem_.rows()) {
    if (options.on_device) on_device_.emplace(info, problem_, options);
  }

  void start(const LevelFields<>& fields) override {
    const BoundaryValue at_boundary = boundary_value(info_, mission_);
    for (std::size_t cell = 0; cell < problem_.cells(); ++cell) {
      value_[cell] = at_boundary(fields.masked[cell] != 0, mission_.target[cell] != 0, cell);
    }
    if (on_device_) on_device_->keep(fields);
    keep(fields);
  }

  void step(TimeLevel k, const LevelFields<>& fields) override {
    std::swap(value_, value_next_);
    const PublishedLevel level =
        problem_.level(k, fields.view(info_), masked_next_, scalar_next_, threads_);
    if (on_device_) {
      on_device_->back_up(level, fields, value_next_, expected_, value_, action_);
    } else {
      problem_.back_up(problem_.build(level, threads_), level.outcome, value_next_, expected_,
                       value_, action_);
    }
    decided_ = std::count_if(action_.begin(), action_.end(), [](auto a) { return a >= 0; });
    refuse_overflow(info_.grid, k, value_);
    keep(fields);
  }

  std::int64_t decided() const override { return decided_; }
  void hand_over(TimeLevel k, PolicySink& sink) const override {
    sink.accept(0, k, action_, value_);
  }

 private:
  void keep(const LevelFields<>& fields) {
    copy(masked_next_, fields.masked);
    copy(scalar_next_, fields.scalar);
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::int32_t threads_;
  PublishedProblem problem_;
  Array<float> value_;               // (y, x)
  Array<float> value_next_;          // (y, x)
  Array<std::int16_t> action_;       // (y, x)
  Array<float> expected_;            // (row)
  Array<std::uint8_t> masked_next_;  // (y, x)
  Array<float> scalar_next_;         // (y, x)
  std::int64_t decided_ = 0;
  std::optional<DeviceLevels> on_device_;
};

}  // namespace

SolveReport solve_as_published(const EnvironmentReader& environment, const PlanningProblem& problem,
                               const PublishedOptions& options, PolicySink& sink,
                               Progress& progress) {
  PublishedLevelSolver solver(environment.info(), problem, options);
  return solve_levels(environment, problem.mission, problem.actions.size(), solver, sink, progress);
}

}  // namespace tidewise
