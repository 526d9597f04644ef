#include "mdp/worlds/mountain_car.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mdp/error/codes.h"
#include "mdp/process/row_writer.h"
#include "mdp/worlds/world_rows.h"

namespace tidewise::mdp {
namespace {

// Constants of the source.
constexpr double min_position = -1.2;
constexpr double max_position = 0.6;
constexpr double flag = 0.5;
constexpr double max_speed = 0.07;
constexpr double thrust_gain = 0.001;
constexpr double gravity_gain = 0.0025;

/// A coordinate between two nodes of an axis.
struct Place {
  std::int32_t node;
  double fraction;  // of the distance to the next node, in [0, 1]
};

class Axis {
 public:
  Axis(double min, double max, std::int32_t nodes)
      : min_(min), step_((max - min) / (nodes - 1)), nodes_(nodes) {}

  double at(std::int32_t node) const { return min_ + step_ * node; }
  Place find(double x) const {
    const double nodes = std::clamp((x - min_) / step_, 0.0, double(nodes_ - 1));
    const auto node = std::min(static_cast<std::int32_t>(nodes), nodes_ - 2);
    return {node, nodes - node};
  }

 private:
  double min_;
  double step_;
  std::int32_t nodes_;
};

class MountainCar {
 public:
  explicit MountainCar(const MountainCarOptions& options)
      : positions_(options.positions),
        position_(min_position, max_position, options.positions),
        velocity_(-max_speed, max_speed, options.velocities) {}

  bool is_over(std::int32_t state) const { return position_.at(state % positions_) >= flag; }

  /// Adds the successors of `thrust`, with `probability` in all.
  void add_step(std::int32_t state, double thrust, double probability,
                std::vector<Transition>& row) const {
    double x = position_.at(state % positions_);
    double v = velocity_.at(state / positions_);
    v = std::clamp(v + thrust_gain * thrust - gravity_gain * std::cos(3 * x), -max_speed,
                   max_speed);
    x = std::clamp(x + v, min_position, max_position);
    if (x == min_position) v = std::max(v, 0.0);  // the wall on the left
    const Place position_place = position_.find(x);
    const Place velocity_place = velocity_.find(v);
    for (std::int32_t up = 0; up < 2; ++up) {
      for (std::int32_t right = 0; right < 2; ++right) {
        const double share = (up == 1 ? velocity_place.fraction : 1 - velocity_place.fraction) *
                             (right == 1 ? position_place.fraction : 1 - position_place.fraction);
        if (share <= 0) continue;
        row.push_back({(velocity_place.node + up) * positions_ + position_place.node + right,
                       probability * share, 0});
      }
    }
  }

 private:
  std::int32_t positions_;
  Axis position_;
  Axis velocity_;
};

}  // namespace

template <class Real>
DecisionProcess<Real> make_mountain_car(const MountainCarOptions& options) {
  const std::int64_t states = std::int64_t{options.positions} * options.velocities;
  if (options.positions < 2 || options.velocities < 2 ||
      states > std::numeric_limits<std::int32_t>::max()) {
    throw input_error(errors::mountain_car_grid_invalid, options.positions, options.velocities);
  }
  require_count("thrusts", options.thrusts);
  require_discount(options.discount);
  const MountainCar car(options);
  RowWriter<Real> writer(static_cast<std::int32_t>(states), options.thrusts);
  writer.reserve(states * options.thrusts * 8);
  std::vector<Transition> row;
  for (std::int32_t state = 0; state < states; ++state) {
    for (std::int32_t action = 0; action < options.thrusts; ++action) {
      row.clear();
      if (!car.is_over(state)) {
        const double thrust = options.thrusts == 1 ? 0 : 2.0 * action / (options.thrusts - 1) - 1;
        car.add_step(state, thrust - options.gust, 0.5, row);
        car.add_step(state, thrust + options.gust, 0.5, row);
      }
      add_sound_row(writer, row, row.empty() ? 0 : -1);
    }
  }
  return finish_world(writer, options.discount);
}

template DecisionProcess<float> make_mountain_car(const MountainCarOptions&);
template DecisionProcess<double> make_mountain_car(const MountainCarOptions&);

}  // namespace tidewise::mdp
