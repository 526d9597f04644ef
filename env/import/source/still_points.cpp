#include "env/import/source/still_points.h"

#include <cmath>
#include <map>
#include <numeric>

namespace tidewise::ingest {
namespace {

/// The first and the last time of every file of a member before all others: what stands for land
/// changes with the file, seldom within it. Returns how many those are.
std::size_t order_by_file(const std::vector<const VariableSeries*>& components, std::size_t member,
                          std::vector<std::size_t>& times) {
  std::vector<std::uint8_t> is_end(times.size(), 0);
  for (const VariableSeries* component : components) {
    std::map<std::size_t, std::size_t> last;  // by file
    for (std::size_t time = 0; time < times.size(); ++time) {
      const std::size_t file = component->file_index(time, member);
      if (!last.contains(file)) is_end[time] = 1;
      last[file] = time;
    }
    for (const auto& [file, time] : last) is_end[time] = 1;
  }
  const auto others = std::stable_partition(times.begin(), times.end(),
                                            [&](std::size_t time) { return is_end[time] != 0; });
  return static_cast<std::size_t>(others - times.begin());
}

/// What one member's points have been at the times that were looked at.
struct PointHistory {
  std::vector<std::uint8_t> has_moved;
  std::vector<std::uint8_t> was_zero;

  bool is_still(std::size_t point) const { return has_moved[point] == 0 && was_zero[point] != 0; }
  bool any_still() const {
    for (std::size_t point = 0; point < has_moved.size(); ++point) {
      if (is_still(point)) return true;
    }
    return false;
  }
};

void look(const std::vector<const VariableSeries*>& components, const PointBox& box,
          std::size_t level, std::size_t time, std::size_t member, PointHistory& history) {
  const std::size_t points = history.has_moved.size();
  std::vector<std::uint8_t> missing(points, 0);
  std::vector<std::uint8_t> moves(points, 0);
  for (const VariableSeries* component : components) {
    const auto values = component->read(time, member, box, level);
    const double tolerance = component->zero_tolerance(time, member);
    for (std::size_t n = 0; n < points; ++n) {
      if (std::isnan(values[n])) missing[n] = 1;
      if (std::abs(values[n]) > tolerance) moves[n] = 1;
    }
  }
  for (std::size_t n = 0; n < points; ++n) {
    if (missing[n] != 0) continue;
    (moves[n] != 0 ? history.has_moved : history.was_zero)[n] = 1;
  }
}

}  // namespace

std::vector<std::uint8_t> find_still_points(const std::vector<const VariableSeries*>& components,
                                            const PointBox& box, std::size_t level) {
  const std::size_t points = box.rows * box.columns;
  const VariableSeries& first = *components.front();
  std::vector<std::size_t> times(first.times().size());
  std::vector<std::uint8_t> still(points, 0);
  for (std::size_t member = 0; member < first.member_count(); ++member) {
    std::iota(times.begin(), times.end(), std::size_t{0});
    const std::size_t ends = order_by_file(components, member, times);
    PointHistory history{std::vector<std::uint8_t>(points, 0),
                         std::vector<std::uint8_t>(points, 0)};
    for (std::size_t n = 0; n < times.size(); ++n) {
      if (n >= ends && !history.any_still()) break;
      look(components, box, level, times[n], member, history);
    }
    for (std::size_t n = 0; n < points; ++n) {
      if (history.is_still(n)) still[n] = 1;
    }
  }
  return still;
}

}  // namespace tidewise::ingest
