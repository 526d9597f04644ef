#pragma once

#include "base/progress.h"
#include "env/tools/derived_file.h"
#include "env/tools/merge_plan.h"

namespace tidewise {

/// Writes the environment of a plan level by level: memory holds two levels, whatever the number of
/// cycles. Realization r of the file is realization r of each cycle, which the comment says; the
/// texts are those of all cycles, what several of them say once. Errors: InputError
/// for a level that cannot be read, and for writing over one of the inputs.
void write_merged(const MergePlan& plan, const DerivedFile& out, Progress& progress);

}  // namespace tidewise
