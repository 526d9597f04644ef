#pragma once

#include <string>

#include "env/import/cell_size.h"
#include "env/import/fineness_options.h"
#include "env/import/level_step.h"

namespace tidewise::ingest {

/// The flow's properties that determine step and cells.
struct FlowFineness {
  double time_step = 0;      ///< the source's step [s]
  double source_points = 0;  ///< number of the source's points in the box, at one time
  FlowChange change;         ///< rate of change of the flow, if it was measured
  double allowed_step = 0;   ///< step that the flow needs [s]; 0: not measured
  FlowDetail detail;         ///< fineness of the flow
  CellChoice cells;          ///< choice of cells without --spacing
};

/// The chosen interval of levels [s], their number, and the width of cells [m].
struct ChosenFineness {
  double step = 0;
  double level_count = 0;
  double spacing = 0;
};

/// True if the flow's rate of change has to be measured, to choose a step or to check a given one.
/// Steps of an hour are always short enough, except for a vehicle.
bool needs_flow_change(const FinenessOptions& options, double source_step);

/// The reason for the interval of levels, for the report; "" if it needs none.
std::string step_text(const FinenessOptions& options, const FlowFineness& flow,
                      const ChosenFineness& chosen);
/// The reason for the width of cells, for the report; "" if it needs none.
std::string cells_text(const FinenessOptions& options, const FlowFineness& flow,
                       const ChosenFineness& chosen);

}  // namespace tidewise::ingest
