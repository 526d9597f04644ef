#pragma once

namespace tidewise::rehearsal {

/// Between which depths a dive goes up and down, both alike: the depth that it holds.
struct DiveDepths {
  double from = 0;  ///< [m] below the surface
  double to = 0;    ///< [m], no less than `from`
};

/// Depth of a vehicle under way. It moves at one vertical speed: to the depths of its dive, between
/// their ends, and to the surface in time.
class Dive {
 public:
  /// `speed`: [m s-1], above 0.
  explicit Dive(double speed) : speed_(speed) {}

  double depth() const { return depth_; }  ///< [m]
  void set_depths(DiveDepths depths) { depths_ = depths; }
  /// Continues for `seconds`. The vehicle turns `end` [m] below the surface if its dive goes
  /// deeper, and must be at the surface after `surfacing` [s]; infinity: it need not.
  void advance(double seconds, double end, double surfacing);

 private:
  void move(double distance, double end);

  double speed_;
  DiveDepths depths_;
  double depth_ = 0;
  bool rises_ = false;
};

}  // namespace tidewise::rehearsal
