#pragma once

#include "env/device/device_environment.h"
#include "env/levels/level_stream.h"

namespace tidewise {

/// Levels k and k+1 together on the device, forward in time: LevelPair's twin, for work on
/// `stream`. Errors: those of DeviceEnvironment.
class DeviceLevelPair {
 public:
  /// Level `first` is next() until the first advance(). Both must outlive it.
  DeviceLevelPair(DeviceEnvironment& environment, const DeviceStream& stream, TimeLevel first,
                  TimeLevel last)
      : environment_(environment), stream_(stream) {
    environment_.begin(levels_between(first, last));
    next_ = environment_.next(stream_);
  }

  /// k+1 becomes k. Requires that levels are left, and that the k before was left.
  void advance() {
    now_ = next_;
    next_ = environment_.next(stream_);
  }
  /// All work that reads now() is on the stream.
  void leave() { environment_.release(stream_); }
  /// Leaves next(), too, and waits until all levels have been judged.
  void finish() {
    environment_.release(stream_);
    environment_.finish();
  }

  const LevelView& now() const { return now_; }
  const LevelView& next() const { return next_; }

 private:
  DeviceEnvironment& environment_;
  const DeviceStream& stream_;
  LevelView now_;
  LevelView next_;
};

}  // namespace tidewise
