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

/// Steps and cells are [s] and [m], or 1 in a file without units, which needs one of them.
struct ResampleOptions : ingest::FinenessOptions {
  std::optional<double> variance;          ///< share to keep where levels are mixed; 0.99
  std::optional<ingest::Sampling> sample;  ///< what the file's levels hold; nothing: its history
};

/// What came of it.
struct ResampleReport {
  EnvironmentInfo info;
  std::vector<std::string> lines;  ///< what a user should know, a line each
};

/// Writes an environment with other steps and cells: each level holds the mean flow of its step,
/// linear in time between the flows of `reader`'s levels, and bilinear in space over wet cells.
/// Every realization's flow is mixed as it is: the modes of all levels that a level is made of are
/// stacked and reduced anew, to as many as the file has, or more where fewer would not keep the
/// share of variance. Steps and cells that are not given are chosen from the flow as an import
/// does, and are not made longer and wider but for a vehicle. Masks close what any level closes
/// that a new level or its step falls on; scalar and series are linear in time; all else is as it
/// was. Holds the levels that one new level is made of, and reads the file twice.
///
/// Errors: InputError for steps that the file does not hold, cells as wide as the area, a file
/// without units where nothing is given, writing over `reader`'s file; then nothing is written.
ResampleReport resample_environment(const EnvironmentReader& reader, const ResampleOptions& options,
                                    const DerivedFile& out, Progress& progress);

}  // namespace tidewise
