#include "solver/route/simplification.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tidewise {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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
    : line_(std::move(line)), deviation_(line_.size() * line_.size(), infinity) {
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

SimplifiedLine LineLegs::line_through(const std::vector<std::size_t>& predecessor) const {
  SimplifiedLine line;
  for (std::size_t n = line_.size() - 1;; n = predecessor[n]) {
    line.kept.push_back(n);
    if (n == 0) break;
    line.deviation = std::max(line.deviation, at(predecessor[n], n));
  }
  std::reverse(line.kept.begin(), line.kept.end());
  return line;
}

SimplifiedLine LineLegs::fewest(double tolerance) const {
  struct Reach {
    std::size_t legs = 0;
    double squares = 0;
    std::size_t predecessor = 0;
  };
  std::vector<Reach> reach(line_.size());
  for (std::size_t to = 1; to < line_.size(); ++to) {
    Reach best{line_.size(), 0, to - 1};
    for (std::size_t from = 0; from < to; ++from) {
      const double deviation = at(from, to);
      if (deviation > tolerance || deviation == infinity) continue;
      const Reach candidate{reach[from].legs + 1, reach[from].squares + deviation * deviation,
                            from};
      if (candidate.legs < best.legs ||
          (candidate.legs == best.legs && candidate.squares < best.squares))
        best = candidate;
    }
    reach[to] = best;
  }
  std::vector<std::size_t> predecessor;
  predecessor.reserve(reach.size());
  for (const Reach& entry : reach) predecessor.push_back(entry.predecessor);
  return line_through(predecessor);
}

template <class Extend>
SimplifiedLine LineLegs::best_line(std::size_t max_legs, const Extend& extend) const {
  const std::size_t points = line_.size();
  if (points == 1) return {{0}, 0};
  // total[n]: smallest total of lines to point n with the legs of this round.
  std::vector<double> total(points, infinity);
  total[0] = 0;
  std::vector<std::vector<std::size_t>> predecessor;  // (round, point)
  std::size_t best_round = 0;
  double best = infinity;
  for (std::size_t round = 0; round < std::min(max_legs, points - 1); ++round) {
    std::vector<double> next_total(points, infinity);
    std::vector<std::size_t> next_predecessor(points, 0);
    for (std::size_t to = 1; to < points; ++to) {
      for (std::size_t from = 0; from < to; ++from) {
        const double candidate = extend(total[from], from, to);
        if (candidate < next_total[to]) {
          next_total[to] = candidate;
          next_predecessor[to] = from;
        }
      }
    }
    predecessor.push_back(std::move(next_predecessor));
    total = std::move(next_total);
    if (total[points - 1] < best) {
      best = total[points - 1];
      best_round = round;
    }
  }
  if (!(best < infinity)) return {};
  SimplifiedLine line;
  std::size_t n = points - 1;
  line.kept.push_back(n);
  for (std::size_t round = best_round + 1; round-- > 0;) {
    line.deviation = std::max(line.deviation, at(predecessor[round][n], n));
    n = predecessor[round][n];
    line.kept.push_back(n);
  }
  std::reverse(line.kept.begin(), line.kept.end());
  return line;
}

SimplifiedLine LineLegs::nearest(std::size_t max_legs) const {
  return best_line(max_legs, [&](double worst, std::size_t from, std::size_t to) {
    return std::max(worst, at(from, to));
  });
}

SimplifiedLine LineLegs::cheapest(
    std::size_t max_legs, double tolerance,
    const std::function<double(std::size_t from, std::size_t to)>& cost) const {
  const std::size_t points = line_.size();
  std::vector<double> costs(points * points, infinity);  // (from, to)
  for (std::size_t from = 0; from < points; ++from) {
    for (std::size_t to = from + 1; to < points; ++to) {
      const bool is_allowed = at(from, to) <= tolerance && at(from, to) < infinity;
      if (is_allowed) costs[from * points + to] = cost(from, to);
    }
  }
  return best_line(max_legs, [&](double sum, std::size_t from, std::size_t to) {
    return sum + costs[from * points + to];
  });
}

}  // namespace tidewise
