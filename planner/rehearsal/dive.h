#pragma once

namespace tidewise::rehearsal {

/// Between which depths a dive goes up and down, both alike: the depth that it holds.
struct DiveDepths {
  double from = 0;  ///< [m] below the surface
  double to = 0;    ///< [m], no less than `from`
};

/// How deep a vehicle is under way. It goes down and up at one vertical speed: from where it is to
/// the depths of its dive, between these from one end to the other, and to the surface in time.
class Dive {
 public:
  /// `speed`: [m s-1], above 0.
  explicit Dive(double speed) : speed_(speed) {}

  double depth() const { return depth_; }  ///< [m]
  void set_depths(DiveDepths depths) { depths_ = depths; }
  /// Goes on for so many seconds. It turns `end` [m] below the surface where its dive goes deeper,
  /// and is to be at the surface after `surfacing` [s]; infinity: it need not.
  void go_on(double seconds, double end, double surfacing);

 private:
  void move(double way, double end);

  double speed_;
  DiveDepths depths_;
  double depth_ = 0;
  bool rises_ = false;
};

}  // namespace tidewise::rehearsal
