#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/parallel/strand.h"
#include "env/file/reader.h"
#include "env/level_fields.h"
#include "solver/reachable/level_source.h"

namespace tidewise {

/// Levels of an environment's file, each read while the one before it is at work, in the direction
/// in which they are asked for. Those that find room stay in memory for the next pass.
class FileLevels final : public LevelSource {
 public:
  /// Of levels that are looked at more than once [B].
  static constexpr std::size_t usual_room = std::size_t{1} << 30;

  /// `room`: of the levels that stay [B]; three more are held besides. `reader` must outlive it.
  explicit FileLevels(const EnvironmentReader& reader, std::size_t room = usual_room);

  LevelView level(TimeLevel k) override;
  /// What was waited for [s].
  double waited_seconds() const { return waited_seconds_; }

 private:
  void read_ahead(TimeLevel k);
  /// Where a level may stay; null: there is no room for it.
  LevelFields<>* place_to_stay(TimeLevel k);

  const EnvironmentReader& reader_;
  std::size_t room_;                                // levels that may stay yet
  std::vector<std::optional<LevelFields<>>> kept_;  // (level)
  std::vector<bool> is_read_;                       // (level): kept_ holds it
  LevelFields<> current_;                           // of levels that do not stay
  LevelFields<> coming_;
  std::optional<TimeLevel> current_level_;
  std::optional<TimeLevel> coming_level_;
  std::optional<TimeLevel> asked_;  // last
  double waited_seconds_ = 0;
  Strand reading_;  // last: its work uses the rest
};

}  // namespace tidewise
