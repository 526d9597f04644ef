#include "planner/rehearsal/dive.h"

#include <algorithm>
#include <cmath>

namespace tidewise::rehearsal {

void Dive::go_on(double seconds, double end, double surfacing) {
  constexpr double longest = 10;  // [s] within which it turns once at most
  const double parts = std::max(1.0, std::ceil(seconds / longest - 1e-9));
  const double way = speed_ * seconds / parts;
  for (double part = 0; part < parts; ++part) {
    const double left = surfacing - part / parts * seconds;
    const bool surfaces = depth_ + way > speed_ * left;  // one part deeper would be too deep
    if (surfaces) {
      depth_ = std::max(0.0, depth_ - way);
      rises_ = false;
    } else {
      move(way, end);
    }
  }
}

void Dive::move(double way, double end) {
  const double top = std::min(depths_.from, end);
  const double bottom = std::min(depths_.to, end);
  if (depth_ <= top) rises_ = false;
  if (depth_ >= bottom) rises_ = true;
  const double left = std::abs(depth_ - (rises_ ? top : bottom));
  const double back = std::min(std::max(way - left, 0.0), bottom - top);
  const double to = rises_ ? std::max(depth_ - way, top) : std::min(depth_ + way, bottom);
  depth_ = std::min(rises_ ? to + back : to - back, end);
  if (way >= left) rises_ = !rises_;
}

}  // namespace tidewise::rehearsal
