#include "app/batch/pass/worker.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/batch/pass/run.h"

namespace tidewise {
namespace {

/// `request` with missions that use these resources.
PassRequest on_resources(PassRequest request, const WorkerResources& resources) {
  for (auto& solve : request.solves) {
    for (auto& mission : solve) {
      PlanOptions& planner = mission.request.planner;
      if (resources.device && planner.backend != BackendChoice::cpu)
        planner.device = *resources.device;
      if (resources.threads && !planner.threads) planner.threads = resources.threads;
    }
  }
  return request;
}

}  // namespace

PassRequest without(const PassRequest& request, const std::vector<std::size_t>& ended) {
  PassRequest rest = request;
  for (auto& solve : rest.solves) {
    std::erase_if(solve, [&](const PassMission& mission) {
      return std::find(ended.begin(), ended.end(), mission.index) != ended.end();
    });
  }
  std::erase_if(rest.solves, [](const auto& solve) { return solve.empty(); });
  return rest;
}

void work_through(PassQueue& queue, const WorkerResources& resources, BatchProgress& progress,
                  RowSink& rows) {
  while (const auto request = queue.next()) {
    RecordingSink recording(rows);
    try {
      PassProgress pass(progress);
      run_pass(on_resources(*request, resources), pass, recording);
      queue.finish();
    } catch (const DeviceLost& lost) {
      PassRequest rest = without(*request, recording.ended());
      rest.last_error =
          fmt::format("{} was lost, and there is no other one ({})", resources.name, lost.what());
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
