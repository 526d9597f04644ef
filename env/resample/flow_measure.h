#pragma once

#include "env/file/reader.h"
#include "env/import/cell_size.h"
#include "env/import/level_step.h"

namespace tidewise {

/// How far apart the points lie that an environment's flow was made of [m]: as an import recorded
/// it, and no nearer than its cells.
double points_spacing(const EnvironmentReader& reader);

/// How fine an environment's flow is, in terms of those points: by three of its levels, in some
/// thirty realizations at most. Errors: those of read_level.
ingest::FlowDetail measure_flow_detail(const EnvironmentReader& reader);

/// How fast its flow changes: by three pairs of its levels, in the same realizations.
ingest::FlowChange measure_flow_change(const EnvironmentReader& reader);

}  // namespace tidewise
