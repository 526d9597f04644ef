#include "planner/backend/model_source.h"

#include <utility>

#include "model_builder/device/counting_engine.h"
#include "model_builder/engines.h"
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
  auto engine = make_profile_engines(actions, [&](std::vector<Action> profile_actions) {
    return planner.engine == Engine::paper
               ? make_device_paper_engine(rule, info.grid, info.time, std::move(profile_actions),
                                          planner.subgrid_radius, planner.block_size)
               : make_device_counting_engine(planner.engine, rule, info.grid, info.time,
                                             std::move(profile_actions));
  });
  return make_compact_source(environment, rule, actions, subgrid, std::move(engine),
                             calling_threads);
}

}  // namespace tidewise
