#include "app/batch/pass/worker.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/batch/pass/run.h"

namespace tidewise {
namespace {

/// The missions of `order` set to be computed there.
PassOrder placed(PassOrder order, const WorkerPlace& place) {
  for (auto& solve : order.solves) {
    for (auto& mission : solve) {
      PlanOptions& planner = mission.request.planner;
      if (place.device && planner.backend != BackendChoice::cpu) planner.device = *place.device;
      if (place.threads && !planner.threads) planner.threads = place.threads;
    }
  }
  return order;
}

}  // namespace

PassOrder without(const PassOrder& order, const std::vector<std::size_t>& ended) {
  PassOrder rest = order;
  for (auto& solve : rest.solves) {
    std::erase_if(solve, [&](const OrderedMission& mission) {
      return std::find(ended.begin(), ended.end(), mission.index) != ended.end();
    });
  }
  std::erase_if(rest.solves, [](const auto& solve) { return solve.empty(); });
  return rest;
}

void work_through(PassQueue& queue, const WorkerPlace& place, BatchProgress& progress,
                  RowSink& rows) {
  while (const auto order = queue.next()) {
    NotingSink noting(rows);
    try {
      PassProgress pass(progress);
      run_pass(placed(*order, place), pass, noting);
      queue.finish();
    } catch (const DeviceLost& lost) {
      PassOrder rest = without(*order, noting.ended());
      rest.last_error =
          fmt::format("{} was lost, and there is no other one ({})", place.name, lost.what());
      if (rest.solves.empty()) {
        queue.finish();
      } else {
        queue.give_back(std::move(rest));
      }
      return;
    } catch (...) {
      queue.stop();
      throw;
    }
  }
}

}  // namespace tidewise
