#pragma once

#include "env/file/reader.h"
#include "env/levels/level_stream.h"

namespace tidewise {

/// Levels k and k+1 together, forward in time; each level is read once. Holds three levels: these
/// two and the one that is being read.
class LevelPair {
 public:
  /// Reads level `first`, which is next() until the first advance(). `environment` must outlive the
  /// pair.
  LevelPair(const EnvironmentReader& environment, TimeLevel first, TimeLevel last);

  /// Moves on by one level: k+1 becomes k. Requires that levels are left.
  void advance();

  /// Does nothing; the counterpart of DeviceLevelPair::leave().
  void leave() {}

  /// Level k.
  LevelView now() const { return now_.view(info_); }
  /// Level k+1.
  LevelView next() const { return next_->view(info_); }

 private:
  const EnvironmentInfo& info_;
  LevelStream stream_;
  LevelFields<> now_;
  LevelFields<>* next_;
};

}  // namespace tidewise
