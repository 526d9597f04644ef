#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/parallel/strand.h"
#include "env/file/reader.h"
#include "env/level_fields.h"
#include "solver/reachable/level_source.h"

namespace tidewise {

/// Levels of an environment's file. Each is read ahead, in the direction of the requests. Levels
/// that fit into memory are kept for the next pass.
class FileLevels final : public LevelSource {
 public:
  /// Default memory for levels that are kept [B].
  static constexpr std::size_t default_room = std::size_t{1} << 30;

  /// `memory`: memory for levels that are kept [B]; three more levels are held. `reader` must
  /// outlive the object.
  explicit FileLevels(const EnvironmentReader& reader, std::size_t memory = default_room);

  LevelView level(TimeLevel k) override;
  /// Time spent waiting for levels [s].
  double waited_seconds() const { return waited_seconds_; }

 private:
  void read_ahead(TimeLevel k);
  // Memory in which level k is kept; null if there is no room.
  LevelFields<>* kept_slot(TimeLevel k);

  const EnvironmentReader& reader_;
  std::size_t levels_to_keep_;                      // number of levels that may still be kept
  std::vector<std::optional<LevelFields<>>> kept_;  // (level)
  std::vector<bool> is_read_;                       // (level): true if kept_ holds it
  LevelFields<> current_;                           // the last level that is not kept
  LevelFields<> next_;
  std::optional<TimeLevel> current_level_;
  std::optional<TimeLevel> next_level_;
  std::optional<TimeLevel> requested_;  // level of the last request
  double waited_seconds_ = 0;
  Strand reading_;  // last member: its work uses the members above
};

}  // namespace tidewise
