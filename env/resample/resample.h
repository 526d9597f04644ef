#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "env/import/fineness_options.h"
#include "env/import/import_forecast.h"
#include "env/tools/derived_file.h"

namespace tidewise {

/// Options of resample_environment(). Steps and cells are in [s] and [m], or in the units of a file
/// without physical units, which needs at least one of them.
struct ResampleOptions : ingest::FinenessOptions {
  std::optional<double> variance;          ///< share to keep where levels are mixed; default 0.99
  std::optional<ingest::Sampling> sample;  ///< sampling of the file; nullopt: from its history
};

/// The result of resampling.
struct ResampleReport {
  EnvironmentInfo info;
  std::vector<std::string> lines;  ///< notes for the user, one line each
};

/// Writes an environment with other steps and cells. Each level holds the mean flow of its step,
/// linear in time between the flows of `reader`'s levels, and bilinear in space over wet cells.
/// Every realization's flow is mixed exactly: the modes of all source levels of a new level are
/// stacked and reduced again, to the number in the file, or to more if the share of variance needs
/// them. Steps and cells that are not given are chosen from the flow as in an import; without a
/// vehicle they do not become longer or wider. A cell is closed if any source level at or within
/// the new level's step closes it. Scalar and series are linear in time; everything else is copied.
/// Holds the source levels of one new level in memory, and reads the file twice.
///
/// Errors: InputError for steps that do not fit the file's times, cells as wide as the area, a file
/// without units if neither is given, and writing over `reader`'s file; then nothing is written.
ResampleReport resample_environment(const EnvironmentReader& reader, const ResampleOptions& options,
                                    const DerivedFile& out, Progress& progress);

}  // namespace tidewise
