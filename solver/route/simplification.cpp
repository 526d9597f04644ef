#include "solver/route/simplification.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tidewise {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

double distance_to_segment(const PlanePoint& point, const PlanePoint& from, const PlanePoint& to) {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  const double squared = x * x + y * y;
  const double along = (point.x - from.x) * x + (point.y - from.y) * y;
  const double share = squared > 0 ? std::clamp(along / squared, 0.0, 1.0) : 0;
  return std::hypot(point.x - (from.x + share * x), point.y - (from.y + share * y));
}

}  // namespace

LineLegs::LineLegs(std::vector<PlanePoint> line, const IsClear& is_clear)
    : line_(std::move(line)), deviation_(line_.size() * line_.size(), endless) {
  for (std::size_t from = 0; from + 1 < line_.size(); ++from) {
    for (std::size_t to = from + 1; to < line_.size(); ++to) {
      if (is_clear(from, to)) at(from, to) = deviation_of(from, to);
    }
  }
}

double LineLegs::deviation_of(std::size_t from, std::size_t to) const {
  double farthest = 0;
  for (std::size_t n = from + 1; n < to; ++n) {
    farthest = std::max(farthest, distance_to_segment(line_[n], line_[from], line_[to]));
  }
  return farthest;
}

SimplifiedLine LineLegs::along(const std::vector<std::size_t>& before) const {
  SimplifiedLine line;
  for (std::size_t n = line_.size() - 1;; n = before[n]) {
    line.kept.push_back(n);
    if (n == 0) break;
    line.deviation = std::max(line.deviation, at(before[n], n));
  }
  std::reverse(line.kept.begin(), line.kept.end());
  return line;
}

SimplifiedLine LineLegs::fewest(double tolerance) const {
  struct Reach {
    std::size_t legs = 0;
    double squares = 0;
    std::size_t before = 0;
  };
  std::vector<Reach> reach(line_.size());
  for (std::size_t to = 1; to < line_.size(); ++to) {
    Reach best{line_.size(), 0, to - 1};
    for (std::size_t from = 0; from < to; ++from) {
      const double deviation = at(from, to);
      if (deviation > tolerance || deviation == endless) continue;
      const Reach by{reach[from].legs + 1, reach[from].squares + deviation * deviation, from};
      if (by.legs < best.legs || (by.legs == best.legs && by.squares < best.squares)) best = by;
    }
    reach[to] = best;
  }
  std::vector<std::size_t> before;
  before.reserve(reach.size());
  for (const Reach& one : reach) before.push_back(one.before);
  return along(before);
}

template <class Through>
SimplifiedLine LineLegs::least(std::size_t max_legs, const Through& through) const {
  const std::size_t points = line_.size();
  if (points == 1) return {{0}, 0};
  // total[n]: smallest total of lines to point n with the legs of this round.
  std::vector<double> total(points, endless);
  total[0] = 0;
  std::vector<std::vector<std::size_t>> before;  // (round, point)
  std::size_t best_round = 0;
  double best = endless;
  for (std::size_t round = 0; round < std::min(max_legs, points - 1); ++round) {
    std::vector<double> reached(points, endless);
    std::vector<std::size_t> from_of(points, 0);
    for (std::size_t to = 1; to < points; ++to) {
      for (std::size_t from = 0; from < to; ++from) {
        const double by = through(total[from], from, to);
        if (by < reached[to]) {
          reached[to] = by;
          from_of[to] = from;
        }
      }
    }
    before.push_back(std::move(from_of));
    total = std::move(reached);
    if (total[points - 1] < best) {
      best = total[points - 1];
      best_round = round;
    }
  }
  if (!(best < endless)) return {};
  SimplifiedLine line;
  std::size_t n = points - 1;
  line.kept.push_back(n);
  for (std::size_t round = best_round + 1; round-- > 0;) {
    line.deviation = std::max(line.deviation, at(before[round][n], n));
    n = before[round][n];
    line.kept.push_back(n);
  }
  std::reverse(line.kept.begin(), line.kept.end());
  return line;
}

SimplifiedLine LineLegs::nearest(std::size_t max_legs) const {
  return least(max_legs, [&](double worst, std::size_t from, std::size_t to) {
    return std::max(worst, at(from, to));
  });
}

SimplifiedLine LineLegs::cheapest(
    std::size_t max_legs, double tolerance,
    const std::function<double(std::size_t from, std::size_t to)>& cost) const {
  const std::size_t points = line_.size();
  std::vector<double> costs(points * points, endless);  // (from, to)
  for (std::size_t from = 0; from < points; ++from) {
    for (std::size_t to = from + 1; to < points; ++to) {
      const bool may = at(from, to) <= tolerance && at(from, to) < endless;
      if (may) costs[from * points + to] = cost(from, to);
    }
  }
  return least(max_legs, [&](double sum, std::size_t from, std::size_t to) {
    return sum + costs[from * points + to];
  });
}

}  // namespace tidewise
