#pragma once

namespace tidewise::rehearsal {

/// Depths between which a dive goes up and down. A dive with equal depths stays at that depth.
struct DiveDepths {
  double from = 0;  ///< [m] below the surface
  double to = 0;    ///< [m], no less than `from`
};

/// Depth of a vehicle over time. It moves at one vertical speed: to the depths of its dive, up and
/// down between them, and to the surface in time for the next decision.
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
