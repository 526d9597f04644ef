#pragma once

#include "env/file/reader.h"
#include "env/levels/level_stream.h"

namespace tidewise {

/// Levels k and k+1 together, forward in time, each read once. Holds three levels: these two and
/// the one that is being read.
class LevelPair {
 public:
  /// Reads level `first`, which is next() until the first advance(). `environment` must outlive it.
  LevelPair(const EnvironmentReader& environment, TimeLevel first, TimeLevel last);

  /// k+1 becomes k. Requires that levels are left.
  void advance();

  /// All work that reads now() is done; as of DeviceLevelPair.
  void leave() {}

  LevelView now() const { return now_.view(info_); }
  LevelView next() const { return next_->view(info_); }

 private:
  const EnvironmentInfo& info_;
  LevelStream stream_;
  LevelFields<> now_;
  LevelFields<>* next_;
};

}  // namespace tidewise
