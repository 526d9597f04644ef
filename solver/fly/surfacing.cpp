#include "solver/fly/surfacing.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tidewise {
namespace {

constexpr double min_flights = 5;
// flights, or the equivalent number of weighted flights
constexpr double min_flights_for_quantiles = 40;

struct Place {
  PlanePoint at;
  double weight = 0;
};

struct Cloud {
  PlanePoint mean;
  double xx = 0, xy = 0, yy = 0;  // covariance, unbiased
  double count = 0;               // effective number of flights with equal weights
};

// Position of a flight `steps` after its departure; true if it had ended before.
std::pair<PlanePoint, bool> place_after(const Trajectory& flight, double steps) {
  const double total_steps = flight.begun + steps;
  const auto& points = flight.points;
  for (std::size_t n = 1; n < points.size(); ++n) {
    const double end = flight.steps_to(n);
    if (end < total_steps) continue;
    const double begin = flight.steps_to(n - 1);
    const double along = end > begin ? (total_steps - begin) / (end - begin) : 1;
    return {{points[n - 1].x + along * (points[n].x - points[n - 1].x),
             points[n - 1].y + along * (points[n].y - points[n - 1].y)},
            false};
  }
  return {{points.back().x, points.back().y}, flight.steps() < steps * (1 - 1e-9)};
}

Cloud measure(const std::vector<Place>& places) {
  Cloud cloud;
  double sum = 0;
  double squares = 0;
  for (const Place& place : places) {
    sum += place.weight;
    squares += place.weight * place.weight;
    cloud.mean.x += place.weight * place.at.x;
    cloud.mean.y += place.weight * place.at.y;
  }
  cloud.mean.x /= sum;
  cloud.mean.y /= sum;
  cloud.count = sum * sum / squares;
  for (const Place& place : places) {
    const double share = place.weight / sum * cloud.count / (cloud.count - 1);
    const double x = place.at.x - cloud.mean.x;
    const double y = place.at.y - cloud.mean.y;
    cloud.xx += share * x * x;
    cloud.xy += share * x * y;
    cloud.yy += share * y * y;
  }
  return cloud;
}

// d² within which another position lies with probability q, if all are normal: T² with two
// components, whose F distribution has a closed form.
double predicted_square(double count, double q) {
  return (count - 1) * (count + 1) / count * (std::pow(1 - q, -2 / (count - 2)) - 1);
}

// predicted_square() for one of the positions from which the covariance is computed: a beta
// distribution.
double sample_square(double count, double q) {
  return (count - 1) * (count - 1) / count * (1 - std::pow(1 - q, 2 / (count - 3)));
}

// Quantile q of the positions' d², interpolated linearly.
double weighted_quantile(std::vector<std::pair<double, double>> squares, double q) {
  std::sort(squares.begin(), squares.end());
  double sum = 0;
  for (const auto& entry : squares) sum += entry.second;
  double below = 0;
  double last = 0;
  double last_share = 0;
  for (const auto& [square, weight] : squares) {
    const double share = (below + 0.5 * weight) / sum;
    if (share >= q) {
      const double along = share > last_share ? (q - last_share) / (share - last_share) : 1;
      return last + along * (square - last);
    }
    below += weight;
    last = square;
    last_share = share;
  }
  return last;
}

class RegionFinder {
 public:
  RegionFinder(const std::vector<Place>& places, double min_width) : cloud_(measure(places)) {
    // Positions on a line also need a width, for which `min_width` is used.
    cloud_.xx += min_width * min_width;
    cloud_.yy += min_width * min_width;
    const double determinant = cloud_.xx * cloud_.yy - cloud_.xy * cloud_.xy;
    for (const Place& place : places) {
      const double x = place.at.x - cloud_.mean.x;
      const double y = place.at.y - cloud_.mean.y;
      squares_.emplace_back(
          (cloud_.yy * x * x - 2 * cloud_.xy * x * y + cloud_.xx * y * y) / determinant,
          place.weight);
    }
  }

  const Cloud& cloud() const { return cloud_; }

  SurfacingEllipse ellipse(double probability) const {
    double square = predicted_square(cloud_.count, probability);
    if (cloud_.count >= min_flights_for_quantiles) {
      square *= weighted_quantile(squares_, probability) / sample_square(cloud_.count, probability);
    }
    const double middle = 0.5 * (cloud_.xx + cloud_.yy);
    const double half = std::hypot(0.5 * (cloud_.xx - cloud_.yy), cloud_.xy);
    return {probability, std::sqrt(square * (middle + half)),
            std::sqrt(square * std::max(0.0, middle - half))};
  }

 private:
  Cloud cloud_;
  std::vector<std::pair<double, double>> squares_;  // d², weight
};

}  // namespace

std::optional<SurfacingRegion> find_surfacing(const RolloutResult& flights,
                                              const EnvironmentInfo& info, double after) {
  const double steps = after / info.time.step;
  std::vector<Place> places;
  SurfacingRegion region;
  double sum = 0;
  for (const Trajectory& flight : flights.trajectories) {
    const auto realization = static_cast<std::size_t>(flight.realization);
    const double weight = realization < info.realization_weight.size()
                              ? static_cast<double>(info.realization_weight[realization])
                              : 1;
    if (flight.points.empty() || weight == 0) continue;
    const auto [at, ended] = place_after(flight, steps);
    places.push_back({at, weight});
    sum += weight;
    if (ended) region.ended += weight;
  }
  if (places.empty() || measure(places).count < min_flights) return std::nullopt;
  const RegionFinder finder(places, 1e-4 * std::min(info.grid.dx, info.grid.dy));
  region.after = after;
  region.centre = finder.cloud().mean;
  region.angle = 0.5 * std::atan2(2 * finder.cloud().xy, finder.cloud().xx - finder.cloud().yy);
  region.within_50 = finder.ellipse(0.5);
  region.within_90 = finder.ellipse(0.9);
  region.flights = places.size();
  region.ended /= sum;
  return region;
}

}  // namespace tidewise
