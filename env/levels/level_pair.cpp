#include "env/levels/level_pair.h"

#include <utility>

namespace tidewise {

LevelPair::LevelPair(const EnvironmentReader& environment, TimeLevel first, TimeLevel last)
    : info_(environment.info()),
      stream_(environment, levels_between(first, last)),
      now_(info_),
      next_(&stream_.next()) {}

void LevelPair::advance() {
  std::swap(now_, *next_);  // the stream reuses the memory of the old level
  next_ = &stream_.next();
}

}  // namespace tidewise
