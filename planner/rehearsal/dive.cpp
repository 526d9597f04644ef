#include "planner/rehearsal/dive.h"

#include <algorithm>
#include <cmath>

namespace tidewise::rehearsal {

void Dive::advance(double seconds, double end, double surfacing) {
  constexpr double longest = 10;  // [s] short enough that the vehicle turns at most once
  const double parts = std::max(1.0, std::ceil(seconds / longest - 1e-9));
  const double distance = speed_ * seconds / parts;
  for (double part = 0; part < parts; ++part) {
    const double remaining = surfacing - part / parts * seconds;
    const bool surfaces =
        depth_ + distance > speed_ * remaining;  // a deeper vehicle could not surface in time
    if (surfaces) {
      depth_ = std::max(0.0, depth_ - distance);
      rises_ = false;
    } else {
      move(distance, end);
    }
  }
}

void Dive::move(double distance, double end) {
  const double top = std::min(depths_.from, end);
  const double bottom = std::min(depths_.to, end);
  if (depth_ <= top) rises_ = false;
  if (depth_ >= bottom) rises_ = true;
  const double remaining = std::abs(depth_ - (rises_ ? top : bottom));
  const double beyond_turn = std::min(std::max(distance - remaining, 0.0), bottom - top);
  const double next_depth =
      rises_ ? std::max(depth_ - distance, top) : std::min(depth_ + distance, bottom);
  depth_ = std::min(rises_ ? next_depth + beyond_turn : next_depth - beyond_turn, end);
  if (distance >= remaining) rises_ = !rises_;
}

}  // namespace tidewise::rehearsal
