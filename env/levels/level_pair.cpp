#include "env/levels/level_pair.h"

namespace tidewise {

LevelPair::LevelPair(const EnvironmentReader& environment, TimeLevel first, TimeLevel last)
    : info_(environment.info()),
      stream_(environment, levels_between(first, last)),
      now_(info_),
      next_(&stream_.next()) {}

void LevelPair::advance() {
  copy(now_.u_mean, next_->u_mean);
  copy(now_.v_mean, next_->v_mean);
  copy(now_.u_mode, next_->u_mode);
  copy(now_.v_mode, next_->v_mode);
  copy(now_.coefficient, next_->coefficient);
  copy(now_.scalar, next_->scalar);
  copy(now_.masked, next_->masked);
  copy(now_.dry, next_->dry);
  next_ = &stream_.next();
}

}  // namespace tidewise
