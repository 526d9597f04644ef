#pragma once

#include <string>

#include "env/import/cell_size.h"
#include "env/import/fineness_options.h"
#include "env/import/level_step.h"

namespace tidewise::ingest {

/// What the flow says of both.
struct FlowFineness {
  double time_step = 0;      ///< of the source [s]
  double source_points = 0;  ///< of one time of the source, in the box
  FlowChange change;         ///< where it was measured
  double allowed_step = 0;   ///< that the flow asks for [s]; 0: it was not measured
  FlowDetail detail;         ///< beside the size of cells
  CellChoice cells;          ///< without --spacing
};

/// How far apart levels are [s], how many there are, and how wide cells are [m].
struct SettledFineness {
  double step = 0;
  double level_count = 0;
  double spacing = 0;
};

/// Whether a step that is not given, or is and should be judged, has to be measured: one of an hour
/// always is short enough, but for a vehicle.
bool asks_for_step(const FinenessOptions& options, double source_step);

/// Why the levels are as far apart as they are; "" where that needs no word.
std::string step_text(const FinenessOptions& options, const FlowFineness& flow,
                      const SettledFineness& settled);
/// Why the cells are as wide as they are; "" where that needs no word.
std::string cells_text(const FinenessOptions& options, const FlowFineness& flow,
                       const SettledFineness& settled);

}  // namespace tidewise::ingest
