#pragma once

#include "env/file/reader.h"
#include "env/import/cell_size.h"
#include "env/import/level_step.h"

namespace tidewise {

/// Spacing of the source points from which an environment's flow was made [m], as the import
/// recorded it, but at least the spacing of the cells.
double points_spacing(const EnvironmentReader& reader);

/// Measures how finely structured an environment's flow is, relative to those points, from three of
/// its levels and at most 32 realizations. Errors: those of read_level.
ingest::FlowDetail measure_flow_detail(const EnvironmentReader& reader);

/// Measures how fast the flow changes, from three pairs of levels in the same realizations. Errors:
/// those of read_level.
ingest::FlowChange measure_flow_change(const EnvironmentReader& reader);

}  // namespace tidewise
