#include "bench/planner/published_run.h"

#include <utility>

#include "base/memory/device.h"
#include "base/memory/device_transfer.h"
#include "base/stopwatch.h"
#include "solver/explicit/sparse_product.h"
#include "solver/step/boundary.h"

namespace tidewise {

PublishedRun::PublishedRun(const PlannerProblem& problem, const std::vector<Action>& actions,
                           const Mission& mission, std::int32_t threads)
    : problem_(problem),
      actions_(actions),
      mission_(mission),
      published_(problem.info(),
                 {actions_, mission_, position_rule(LandingBy::cell, problem.info())},
                 10),  // the paper's 21 × 21
      target_(upload(mission_.target)) {
  const EnvironmentInfo& info = problem.info();
  LevelFields<> now(info);
  LevelFields<> next(info);
  problem.fill(TimeLevel(0), now);
  for (TimeLevel k(0); k.value < mission_.last.value; ++k.value) {
    const TimeLevel next_level(k.value + 1);
    problem.fill(next_level, next);
    const PublishedLevel on_host =
        published_.level(k, now.view(info), next.masked, next.scalar, threads);
    const LevelView on_device = problem.on_device(k);
    const LevelView next_on_device = problem.on_device(next_level);
    levels_.push_back(PublishedProblem::in_memory_of(on_host, on_device, next_on_device.masked,
                                                     next_on_device.scalar, target_, {}));
    copy(masked_.emplace_back(), now.masked);
    std::swap(now, next);
  }
  copy(masked_.emplace_back(), now.masked);
}

PublishedTimes PublishedRun::run(PublishedMemory memory, Progress& progress,
                                 PolicySink* sink) const {
  DevicePublishedModel model(published_, memory, mission_.last.value);
  model.build(levels_.front());  // warms up
  model.clear();
  progress.begin(memory == PublishedMemory::host ? "published method, appended on the host"
                                                 : "published method, on the device",
                 mission_.last.value, "levels");
  PublishedTimes times;
  const Stopwatch watch;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    model.build(levels_[k]);
    progress.advance_to(static_cast<std::int64_t>(k) + 1);
  }
  model.finish();
  times.build = watch.seconds();
  times.entries = static_cast<double>(model.entries());
  if (memory == PublishedMemory::host) {
    times.solve = solve_on_host(model, sink);
  } else {
    times.solve = solve_on_device(model, PublishedProduct::rows, sink);
    if (has_sparse_product()) {
      (void)solve_on_device(model, PublishedProduct::cusparse, nullptr);  // warms up
      times.cusparse = solve_on_device(model, PublishedProduct::cusparse, nullptr);
    }
  }
  progress.end();
  return times;
}

double PublishedRun::build_one_level(const PaperBlocks& blocks) const {
  DevicePublishedModel model(published_, PublishedMemory::device, 2, blocks, std::size_t{4} << 30);
  const PublishedLevel& level = levels_[levels_.size() / 2];
  model.build(level);  // warms up
  model.finish();
  const Stopwatch watch;
  model.build(level);
  model.finish();
  return 1e3 * watch.seconds();
}

std::vector<float> PublishedRun::last_values() const {
  const BoundaryValue at_boundary = boundary_value(problem_.info(), mission_);
  std::vector<float> value(published_.cells());
  for (std::size_t cell = 0; cell < value.size(); ++cell) {
    value[cell] = at_boundary(masked_.back()[cell] != 0, mission_.target[cell] != 0, cell);
  }
  return value;
}

double PublishedRun::solve_on_host(const DevicePublishedModel& model, PolicySink* sink) const {
  const Stopwatch watch;
  std::vector<float> value_next = last_values();
  std::vector<float> value(value_next.size());
  std::vector<float> expected(published_.rows());
  std::vector<std::int16_t> action(value.size(), no_action);
  if (sink != nullptr) sink->accept(0, mission_.last, action, value_next);
  for (TimeLevel k(mission_.last.value - 1); k.value >= 0; --k.value) {
    const auto n = static_cast<std::size_t>(k.value);
    const OutcomeRule outcome = outcome_rule(problem_.info(), mission_, k, mission_.target,
                                             {masked_[n], masked_[n + 1], {}, {}, {}});
    published_.back_up(model.on_host(k.value), outcome, value_next, expected, value, action);
    if (sink != nullptr) sink->accept(0, k, action, value);
    std::swap(value, value_next);
  }
  return watch.seconds();
}

double PublishedRun::solve_on_device(DevicePublishedModel& model, PublishedProduct product,
                                     PolicySink* sink) const {
  const Stopwatch watch;
  PinnedArray<float> value(published_.cells());
  PinnedArray<std::int16_t> action(published_.cells(), no_action);
  const std::vector<float> last = last_values();
  DeviceArray<float> device_value(published_.cells());
  DeviceArray<std::int16_t> device_action(published_.cells());
  DeviceArray<float> value_next = upload(last);
  if (sink != nullptr) sink->accept(0, mission_.last, action, last);
  for (TimeLevel k(mission_.last.value - 1); k.value >= 0; --k.value) {
    model.back_up(k.value, product, levels_[static_cast<std::size_t>(k.value)].outcome, value_next,
                  device_value, device_action);
    copy(value, device_value, model.stream());
    copy(action, device_action, model.stream());
    model.stream().synchronize();
    if (sink != nullptr) sink->accept(0, k, action, value);
    std::swap(device_value, value_next);
  }
  return watch.seconds();
}

}  // namespace tidewise
