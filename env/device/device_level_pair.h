#pragma once

#include "env/device/device_environment.h"
#include "env/levels/level_stream.h"

namespace tidewise {

/// Levels k and k+1 together on the device, forward in time: the counterpart of LevelPair, for work
/// on `stream`. Errors: those of DeviceEnvironment.
class DeviceLevelPair {
 public:
  /// Level `first` is next() until the first advance(). `environment` and `stream` must outlive the
  /// pair.
  DeviceLevelPair(DeviceEnvironment& environment, const DeviceStream& stream, TimeLevel first,
                  TimeLevel last)
      : environment_(environment), stream_(stream) {
    environment_.begin(levels_between(first, last));
    next_ = environment_.next(stream_);
  }

  /// Moves on by one level: k+1 becomes k. Requires that levels are left, and that leave() was
  /// called for the previous k.
  void advance() {
    now_ = next_;
    next_ = environment_.next(stream_);
  }
  /// Releases now(). Requires that all work that reads it is on the stream.
  void leave() { environment_.release(stream_); }
  /// Releases next() and waits until all levels have been validated.
  void finish() {
    environment_.release(stream_);
    environment_.finish();
  }

  /// Level k.
  const LevelView& now() const { return now_; }
  /// Level k+1.
  const LevelView& next() const { return next_; }

 private:
  DeviceEnvironment& environment_;
  const DeviceStream& stream_;
  LevelView now_;
  LevelView next_;
};

}  // namespace tidewise
