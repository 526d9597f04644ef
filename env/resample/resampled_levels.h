#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "env/file/reader.h"
#include "env/import/source/ensemble_levels.h"
#include "env/import/source/regridder.h"
#include "env/level_fields.h"
#include "env/resample/level_mixture.h"

namespace tidewise {

/// A new level before its modes are reduced: the weighted sum of its source levels. Every
/// realization's flow is exactly mean + Σ coefficient · mode. Shared modes are stacked once, with
/// the sums of their coefficients.
struct StackedLevel {
  ingest::LevelEnsemble cells;       ///< land and water; no members
  std::vector<double> mean;          ///< (component, water cell)
  std::vector<double> modes;         ///< (mode, component, water cell)
  std::vector<double> coefficient;   ///< (mode, realization), times the weight of its level
  std::size_t level_count = 0;       ///< number of levels whose modes are stacked
  std::vector<std::uint8_t> masked;  ///< (y, x)
  std::vector<double> scalar;        ///< (y, x), 0 on land; empty without a scalar field
};

/// The source levels of a new level.
struct LevelParts {
  std::vector<LevelPart> flow;
  std::vector<LevelPart> scalar;
  IndexRange closing;
};

/// Interpolates levels of an environment to other cells, bilinear over wet cells by the rules of an
/// import: a new cell is land if the nearest cell is land in any of its source levels.
class ResampledLevels {
 public:
  /// `grid`: cells whose centres lie among those of `reader`, which must outlive this object.
  ResampledLevels(const EnvironmentReader& reader, const Grid& grid);

  /// Mixes one new level. Levels should ascend from call to call, because going back reads levels
  /// again. Errors: those of read_level; InputError if no cell is water.
  StackedLevel stack(const LevelParts& parts);

  /// Longitudes or latitudes [degrees] of the new cells' centres; NaN if a surrounding cell has
  /// none.
  std::vector<double> degrees_at_cells(const std::vector<double>& degrees) const;

 private:
  const LevelFields<>& fields_at(std::int32_t level);
  void close_dry(const std::vector<LevelPart>& flow);
  void add_mask(std::int32_t level, std::vector<std::uint8_t>& masked);
  std::vector<double> at_water(const std::vector<std::size_t>& water, const float* u,
                               const float* v) const;

  const EnvironmentReader& reader_;
  std::vector<ingest::Stencil> stencils_;  // (y, x)
  ingest::Regridder regridder_;
  std::map<std::int32_t, LevelFields<>> fields_;  // (level)
};

}  // namespace tidewise
