#include "solver/flow_refusal.h"

#include "base/error.h"
#include "env/blame.h"
#include "model_builder/level_bounds.h"

namespace tidewise {

void explain_refused_flow(const EnvironmentReader& environment, const std::vector<Action>& actions,
                          const Mission& mission, TimeLevel k) {
  const EnvironmentInfo& info = environment.info();
  const RowWindow& window = environment.window();
  LevelFields<> fields(info);
  environment.read_level(k, fields);
  std::vector<CellIndex> sailed;
  for (std::int32_t row = 0; row < window.size(); ++row) {
    for (std::int32_t column = 0; column < info.grid.nx; ++column) {
      const CellIndex cell = info.grid.cell(column, window.south_halo() + row);
      const auto place = static_cast<std::size_t>(cell.value);
      if (fields.closed[place] == 0 && mission.target[place] == 0) sailed.push_back(cell);
    }
  }
  blaming(environment, [&] {
    (void)bound_displacements(fields.view(info), DisplacementScale(info.grid, info.time),
                              {sailed.data(), sailed.size()}, actions, 1);
  });
  throw RunError(environment.path().string() + ": changed while it was read; run again");
}

}  // namespace tidewise
