#include "planner/backend/model_source.h"

#include <fmt/format.h>

#include "base/error.h"
#include "model_builder/device/counting_engine.h"
#include "model_builder/paper/device_engine.h"

namespace tidewise {

std::unique_ptr<CompactLevelSource> make_model_source(
    const Backend& backend, const PlanOptions& planner, const EnvironmentReader& environment,
    const PositionRule& rule, const std::vector<Action>& actions, const SubGrid& subgrid) {
  if (backend.kind == BackendKind::cpu) {
    return make_cpu_compact_source(environment, rule, actions, subgrid, planner.engine,
                                   backend.threads, planner.subgrid_radius);
  }
  const EnvironmentInfo& info = environment.info();
  constexpr std::int32_t calling_threads = 1;
  auto engine =
      planner.engine == Engine::paper
          ? make_device_paper_engine(rule, info.grid, info.time, actions, planner.subgrid_radius,
                                     planner.block_size)
          : make_device_counting_engine(planner.engine, rule, info.grid, info.time, actions);
  return make_compact_source(environment, rule, actions, subgrid, std::move(engine),
                             calling_threads);
}

void refuse_profiles_on_device(const Backend& backend, const RunRequest& request) {
  if (backend.kind == BackendKind::cpu || request.vehicle.profiles.size() < 2) return;
  throw InputError(fmt::format(
      "{}: vehicle.profiles names {}, and a GPU takes explicit models of one; name one alone, or "
      "take --backend cpu",
      request.place("vehicle.profiles"), request.vehicle.profiles.size()));
}

}  // namespace tidewise
