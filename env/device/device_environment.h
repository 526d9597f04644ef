#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/memory/stream.h"
#include "env/file/reader.h"
#include "env/level_fields.h"

namespace tidewise {

/// An environment's levels in device memory. Its own threads read levels into pinned memory, and
/// its own stream copies and validates them, several levels ahead of the caller. Levels stay on the
/// device as long as the budget allows, so that a second pass reads little or nothing. Shared modes
/// are copied once, at the beginning. For use by one thread, but for holds_all() and resident(), on
/// the device that was current when the object was constructed.
///
/// Errors: RunError if the device fails, and always in a build without CUDA.
class DeviceEnvironment {
 public:
  /// `budget`: device memory that levels may take [B]. It is allocated at once, but not more than
  /// all levels need. `reader` must outlive this object. Errors: RunError if the budget does not
  /// hold three levels; those of reading shared modes.
  DeviceEnvironment(const EnvironmentReader& reader, std::size_t budget);
  DeviceEnvironment(const DeviceEnvironment&) = delete;
  DeviceEnvironment& operator=(const DeviceEnvironment&) = delete;
  /// Waits for the device, and for the level that is being read.
  ~DeviceEnvironment();

  const EnvironmentReader& reader() const;
  const EnvironmentInfo& info() const { return reader().info(); }

  /// Starts a pass: next() will return the levels of `order`, and reading begins. Waits for all
  /// work of the device, then releases levels that are still held.
  void begin(std::vector<TimeLevel> order);
  /// Returns the next level of the order and holds it until release(); two may be held at once.
  /// Work enqueued on `stream` after this call sees the complete level. Errors: those of
  /// EnvironmentReader::read_level. A later call, or finish(), may report an error in this level's
  /// fields; until then the level has the file's values. Requires that levels of the order are
  /// left.
  LevelView next(const DeviceStream& stream);
  /// Releases the level that has been held longest. Requires that all work that reads it is on
  /// `stream`.
  void release(const DeviceStream& stream);
  /// Waits until all levels that next() returned have been validated. Errors: those of next(); an
  /// invalid level is reported once for each time that next() returned it.
  void finish();

  /// True if every level of the file is on the device and valid. No level is replaced from then on,
  /// so that several threads may call this function and resident().
  bool holds_all() const;
  /// Level k, for work on any stream. Requires holds_all().
  LevelView resident(TimeLevel k) const;

  /// Seconds that next() has waited for files since begin().
  double waited_seconds() const;
  /// Number of levels that have been read from the file so far, in all passes.
  std::size_t levels_read() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise
