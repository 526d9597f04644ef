#include "env/import/time/usual_step.h"

#include <algorithm>
#include <cmath>

#include "env/import/grid/median.h"

namespace tidewise::ingest {
namespace {

constexpr double max_share = 0.1;     // maximum rounding as a share of a step
constexpr double max_rounding = 600;  // [s]
constexpr double min_slack = 1;       // [s] as times are read to the nearest second
constexpr double round_off = 1e-6;    // [s]

/// The roundest number of seconds within `slack` of `step`.
double rounded(double step, double slack) {
  for (const double unit : {3600.0, 60.0, 1.0}) {
    const double round = std::round(step / unit) * unit;
    if (round > 0 && std::abs(round - step) <= slack) return round;
  }
  return step;
}

}  // namespace

UsualStep usual_step(const std::vector<double>& times) {
  if (times.size() < 2) return {};
  const auto count = static_cast<double>(times.size() - 1);
  const double mean = (times.back() - times.front()) / count;
  double earliest = 0;  // [s] relative to a regular axis from the first time to the last
  double latest = 0;
  std::vector<double> steps;
  for (std::size_t n = 1; n < times.size(); ++n) {
    steps.push_back(times[n] - times[n - 1]);
    const double deviation = times[n] - (times.front() + static_cast<double>(n) * mean);
    earliest = std::min(earliest, deviation);
    latest = std::max(latest, deviation);
  }
  const double max = std::min(max_share * mean, max_rounding);
  if (latest - earliest > 2 * max) return {median(std::move(steps)), min_slack};
  // An error d of one end tilts the axis, so that other times differ from it by at least d / 2.
  const double irregularity = 2 * (latest - earliest);
  return {rounded(mean, irregularity / count + round_off),
          std::clamp(irregularity, min_slack, std::max(min_slack, max))};
}

bool are_same_times(const std::vector<double>& a, const std::vector<double>& b) {
  const double slack = std::max(usual_step(a).slack, usual_step(b).slack);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](double x, double y) { return std::abs(x - y) <= slack; });
}

}  // namespace tidewise::ingest
