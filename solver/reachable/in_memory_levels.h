#pragma once

#include <cstddef>
#include <vector>

#include "env/file/reader.h"
#include "env/level_fields.h"
#include "solver/reachable/level_source.h"

namespace tidewise {

/// Some levels of an environment in memory: mean, modes, mask and scalar field once, for any number
/// of ensembles (EnsembleLevels). Many threads may read it at once.
class InMemoryLevels {
 public:
  /// Reads levels first … last. Errors: those of read_level.
  InMemoryLevels(const EnvironmentReader& environment, TimeLevel first, TimeLevel last);
  /// Bytes that such levels take, with the modes that they share.
  static std::size_t size(const EnvironmentInfo& info, TimeLevel first, TimeLevel last);

  TimeLevel first() const { return first_; }
  TimeLevel last() const {
    return TimeLevel(first_.value + static_cast<std::int32_t>(fields_.size()) - 1);
  }
  /// Whether all have the same modes in one place.
  bool shares_modes() const { return tidewise::shares_modes(info_); }
  /// With the file's own coefficients. Requires a level that is held.
  LevelView level(TimeLevel k) const;

 private:
  EnvironmentInfo info_;
  TimeLevel first_;
  std::vector<LevelFields<>> fields_;
};

/// Held levels under coefficients of an ensemble's own: its realizations may be others, and more or
/// fewer, than the file's. Cheap to make; one for each thread.
class EnsembleLevels final : public LevelSource {
 public:
  /// With the file's own.
  explicit EnsembleLevels(const InMemoryLevels& held) : held_(held) {}
  /// coefficient: (level from held.first() on, mode, realization), in the units of the file's.
  /// Both must outlive this object. What is solved with it takes an EnvironmentInfo with the same
  /// realization_count, and with the weights of these realizations.
  EnsembleLevels(const InMemoryLevels& held, View<const float> coefficient,
                 std::int32_t realization_count)
      : held_(held), coefficient_(coefficient), realization_count_(realization_count) {}

  LevelView level(TimeLevel k) override;

 private:
  const InMemoryLevels& held_;
  View<const float> coefficient_;
  std::int32_t realization_count_ = 0;  ///< 0: the file's own
};

}  // namespace tidewise
