#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/import/grid/target_grid.h"
#include "env/import/source/field_sampler.h"
#include "env/import/source/regridder.h"

namespace tidewise::ingest {

/// When a field of one time holds: then, or at all levels.
enum class Validity { at_its_time, steady };

/// The ensemble mean of a scalar field on the environment's cells, at a level's own time (members
/// made by lagging take no part in it).
class ScalarLevels {
 public:
  /// `source` holds the one variable; it must outlive this object. `name` is for complaints. `fill`
  /// is the value where there is water and the field has none; without it that is refused.
  /// Errors: InputError when the field's times do not hold all of `levels` [s since 1970]; a steady
  /// field of one time holds for all of them.
  ScalarLevels(ForecastSource& source, std::string name, const TargetGrid& target,
               const std::vector<double>& levels, std::optional<double> fill, Validity validity);

  /// The field at `seconds`, (y, x); NaN on `land`. Errors: InputError when water is left without.
  std::vector<float> at(double seconds, const std::vector<std::uint8_t>& land);

 private:
  std::vector<double> mean_over_members(double seconds);

  ForecastSource& source_;
  std::string name_;
  const TargetGrid& target_;
  std::optional<double> fill_;
  FieldSampler sampler_;
  Regridder regridder_;
  std::vector<double> fields_;  // (member, row, column)
};

}  // namespace tidewise::ingest
