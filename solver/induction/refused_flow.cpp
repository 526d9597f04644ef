#include "solver/induction/refused_flow.h"

#include <algorithm>

#include "base/error.h"
#include "env/file/file_in_error.h"
#include "env/level_fields.h"
#include "model_builder/step/level_bounds.h"

namespace tidewise {

void explain_refused_flow(const EnvironmentReader& environment, const PositionRule& rule,
                          const std::vector<Action>& actions,
                          const std::vector<const Mission*>& missions, TimeLevel k) {
  const EnvironmentInfo& info = environment.info();
  LevelFields<> fields(info);
  environment.read_level(k, fields);
  std::vector<CellIndex> solved_cells;
  const RowWindow& window = environment.window();
  const CellIndex first = info.grid.cell(0, window.south_halo());
  const CellIndex end = info.grid.cell(0, window.south_halo() + window.size());
  for (std::int32_t cell = first.value; cell < end.value; ++cell) {
    const auto place = static_cast<std::size_t>(cell);
    const bool is_solved = std::any_of(
        missions.begin(), missions.end(),
        [&](const Mission* mission) { return mission->last > k && mission->target[place] == 0; });
    if (is_solved && fields.masked[place] == 0) solved_cells.emplace_back(cell);
  }
  with_file_in_error(environment, [&] {
    (void)subgrid_of(fields.view(info), info.time, rule, solved_cells, actions, 1);
  });
  throw RunError(environment.path().string() + ": changed while it was read; run again");
}

}  // namespace tidewise
