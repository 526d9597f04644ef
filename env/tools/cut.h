#pragma once

#include "base/progress.h"
#include "env/file/reader.h"
#include "env/level_fields.h"
#include "env/tools/cut_window.h"
#include "env/tools/derived_file.h"

namespace tidewise {

/// What a cut leaves of an environment: grid and times shortened, all else as it was.
EnvironmentInfo cut_info(const EnvironmentInfo& info, const CutWindow& window);

/// The window's cells of one level, whose fields are `whole` of `info`, into `cut` of cut_info().
void cut_level(const EnvironmentInfo& info, const LevelFields<>& whole, const CutWindow& window,
               LevelFields<>& cut);

/// Writes the cut as an environment of its own, level by level: memory holds three levels. The
/// share of variance that the modes keep stays that of the whole, as the comment says. Errors:
/// InputError for a level that cannot be read, and for writing over `reader`'s file.
void write_cut(const EnvironmentReader& reader, const CutWindow& window, const DerivedFile& out,
               Progress& progress);

}  // namespace tidewise
