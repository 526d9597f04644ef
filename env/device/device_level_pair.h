#pragma once

#include "env/device/device_environment.h"
#include "env/levels/level_stream.h"

namespace tidewise {

/// Levels k and k+1 together on the device, forward in time: the counterpart of LevelPair, for work
/// on `stream`. If the environment holds all levels, the pair does not change it, and several
/// threads may each have a pair. Errors: those of DeviceEnvironment.
class DeviceLevelPair {
 public:
  /// Level `first` is next() until the first advance(). `environment` and `stream` must outlive the
  /// pair.
  DeviceLevelPair(DeviceEnvironment& environment, const DeviceStream& stream, TimeLevel first,
                  TimeLevel last)
      : environment_(environment),
        stream_(stream),
        is_resident_(environment.holds_all()),
        next_level_(first) {
    if (!is_resident_) environment_.begin(levels_between(first, last));
    next_ = take();
  }

  /// Moves on by one level: k+1 becomes k. Requires that levels are left, and that leave() was
  /// called for the previous k.
  void advance() {
    now_ = next_;
    next_ = take();
  }
  /// Releases now(). Requires that all work that reads it is on the stream.
  void leave() {
    if (!is_resident_) environment_.release(stream_);
  }
  /// Releases next() and waits until all levels have been validated.
  void finish() {
    if (is_resident_) return;
    environment_.release(stream_);
    environment_.finish();
  }

  /// Level k.
  const LevelView& now() const { return now_; }
  /// Level k+1.
  const LevelView& next() const { return next_; }

 private:
  LevelView take() {
    const TimeLevel k = next_level_;
    ++next_level_.value;
    return is_resident_ ? environment_.resident(k) : environment_.next(stream_);
  }

  DeviceEnvironment& environment_;
  const DeviceStream& stream_;
  bool is_resident_;
  TimeLevel next_level_;
  LevelView now_;
  LevelView next_;
};

}  // namespace tidewise
