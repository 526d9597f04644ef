#include "app/model_source.h"

#include <fmt/format.h>

#include "base/error.h"
#include "model_builder/device_paper_engine.h"

namespace tidewise {

Backend take_building_backend(const MissionFile& mission) {
  const MissionFile::Planner& planner = mission.planner;
  if (planner.engine == Engine::paper) return take_backend(mission);
  if (planner.backend == BackendChoice::cuda) {
    throw InputError(
        fmt::format("{}: planner.backend is cuda, and {} counts for a model on the CPU alone; take "
                    "auto or cpu, or the engine paper",
                    mission.place("planner.backend"), to_string(planner.engine)));
  }
  MissionFile without_gpu = mission;
  without_gpu.planner.backend = BackendChoice::cpu;
  return take_backend(without_gpu);
}

std::unique_ptr<CompactLevelSource> make_model_source(const Backend& backend,
                                                      const MissionFile::Planner& planner,
                                                      const EnvironmentReader& environment,
                                                      const std::vector<Action>& actions,
                                                      const SubGrid& subgrid) {
  if (backend.kind == BackendKind::cpu) {
    return make_cpu_compact_source(environment, actions, subgrid, planner.engine, backend.threads,
                                   planner.subgrid_radius);
  }
  const EnvironmentInfo& info = environment.info();
  constexpr std::int32_t calling_threads = 1;
  return make_compact_source(environment, actions, subgrid,
                             make_device_paper_engine(info.grid, info.time, actions,
                                                      planner.subgrid_radius, planner.block_size),
                             calling_threads);
}

}  // namespace tidewise
