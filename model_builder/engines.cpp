#include "model_builder/engines.h"

#include "model_builder/direct/engine.h"
#include "model_builder/lattice/engine.h"
#include "model_builder/paper/engine.h"

namespace tidewise {

std::unique_ptr<CountingEngine> make_cpu_engine(Engine engine, const PositionRule& rule,
                                                const Grid& grid, const TimeAxis& time,
                                                std::vector<Action> actions, std::int32_t threads,
                                                std::int32_t subgrid_radius) {
  switch (engine) {
    case Engine::paper:
      return make_paper_engine(rule, grid, time, std::move(actions), threads, subgrid_radius);
    case Engine::direct:
      return make_direct_engine(rule, grid, time, std::move(actions), threads);
    case Engine::lattice:
      return make_lattice_engine(rule, grid, time, std::move(actions), threads);
  }
  return nullptr;
}

}  // namespace tidewise
