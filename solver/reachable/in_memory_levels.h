#pragma once

#include <cstddef>
#include <vector>

#include "env/file/reader.h"
#include "env/level_fields.h"
#include "solver/reachable/level_source.h"

namespace tidewise {

/// Levels of an environment in memory: mean, modes, mask and scalar field, stored once for any
/// number of ensembles (EnsembleLevels). Many threads may read them at once.
class InMemoryLevels {
 public:
  /// Reads levels first … last. Errors: those of read_level.
  InMemoryLevels(const EnvironmentReader& environment, TimeLevel first, TimeLevel last);
  /// Memory of these levels, including shared modes [B].
  static std::size_t size(const EnvironmentInfo& info, TimeLevel first, TimeLevel last);

  TimeLevel first() const { return first_; }
  /// The last level held.
  TimeLevel last() const {
    return TimeLevel(first_.value + static_cast<std::int32_t>(fields_.size()) - 1);
  }
  /// True if all levels use the same modes, which are then stored once.
  bool shares_modes() const { return tidewise::shares_modes(info_); }
  /// Level with the file's coefficients. Requires a level that is held.
  LevelView level(TimeLevel k) const;

 private:
  EnvironmentInfo info_;
  TimeLevel first_;
  std::vector<LevelFields<>> fields_;
};

/// Held levels with the coefficients of an ensemble, whose realizations may differ in number and
/// values from the file's. Cheap to construct; each thread needs its own object.
class EnsembleLevels final : public LevelSource {
 public:
  /// Uses the file's coefficients.
  explicit EnsembleLevels(const InMemoryLevels& held) : held_(held) {}
  /// coefficient: (level from held.first() on, mode, realization), in the units of the file's. Both
  /// must outlive this object. Solvers need an EnvironmentInfo with the same realization_count and
  /// the weights of these realizations.
  EnsembleLevels(const InMemoryLevels& held, View<const float> coefficient,
                 std::int32_t realization_count)
      : held_(held), coefficient_(coefficient), realization_count_(realization_count) {}

  LevelView level(TimeLevel k) override;

 private:
  const InMemoryLevels& held_;
  View<const float> coefficient_;
  std::int32_t realization_count_ = 0;  ///< 0: coefficients of the file
};

}  // namespace tidewise
