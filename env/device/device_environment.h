#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/memory/stream.h"
#include "env/file/reader.h"
#include "env/level_fields.h"

namespace tidewise {

/// An environment's levels in device memory. A thread of its own reads them into pinned memory, and
/// a stream of its own brings them over and judges them, several levels ahead of who uses them.
/// Levels stay on the device as long as the budget lasts, so that a second pass over them reads
/// little or nothing. Modes that levels share are brought over once, at the beginning. Used by one
/// thread, and on the device that was current when it was made.
///
/// Errors: RunError where the device fails, in a build without CUDA always.
class DeviceEnvironment {
 public:
  /// `budget`: device memory that levels may take [B], taken at once: as much of it as all levels
  /// need. `reader` must outlive this object. Errors: RunError where the budget does not hold three
  /// levels; those of reading shared modes.
  DeviceEnvironment(const EnvironmentReader& reader, std::size_t budget);
  DeviceEnvironment(const DeviceEnvironment&) = delete;
  DeviceEnvironment& operator=(const DeviceEnvironment&) = delete;
  /// Waits for the device, and for the level that is being read.
  ~DeviceEnvironment();

  const EnvironmentReader& reader() const;
  const EnvironmentInfo& info() const { return reader().info(); }

  /// The levels that next() will give from now on, in this order; reading begins. Levels that are
  /// still held are released, once the device has done all its work.
  void begin(std::vector<TimeLevel> order);
  /// The next level of the order, held until it is released; two may be held at once. Work that is
  /// put on `stream` from now on finds it complete. Errors: those of EnvironmentReader::read_level;
  /// what is wrong with a level's fields may come with a later call, or with finish(), and until
  /// then the level holds what the file does. Requires that levels of the order are left.
  LevelView next(const DeviceStream& stream);
  /// Ends the hold on the level that has been held longest: all work that reads it is on `stream`.
  void release(const DeviceStream& stream);
  /// Waits until every level given so far has been judged. Errors: as of next(); a wrong level is
  /// refused once each time that it is given.
  void finish();

  /// Seconds that next() has waited for files since begin().
  double waited_seconds() const;
  /// How many levels have come from the file so far, in all passes together.
  std::size_t levels_read() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise
