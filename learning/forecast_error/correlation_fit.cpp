#include "learning/forecast_error/correlation_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/golden_section.h"

namespace tidewise {
namespace {

constexpr double hour = 3600;  // [s]
constexpr double min_amplitude = 0.5;

/// A range to search on a logarithmic scale.
struct Range {
  double low = 0;
  double high = 0;
  int count = 1;  // number of points of the first grid

  double point(int n) const {
    return count == 1 ? low : low * std::pow(high / low, static_cast<double>(n) / (count - 1));
  }
  double ratio() const { return count == 1 ? 1 : std::pow(high / low, 1.0 / (count - 1)); }
};

constexpr Range slow_range{3 * hour, 1000 * hour, 16};
constexpr Range fast_range{1 * hour, 200 * hour, 12};
constexpr Range period_range{8 * hour, 30 * hour, 12};

/// The best share for the times in `model`, by linear least squares.
void set_share(const std::vector<LagCorrelation>& observed, TimeCorrelation& model) {
  double products = 0;
  double squares = 0;
  for (const LagCorrelation& correlation : observed) {
    const double slow = std::exp(-correlation.lag / model.slow_time);
    const double fast = std::exp(-correlation.lag / model.fast_time) *
                        std::cos(2 * std::numbers::pi * correlation.lag / model.period);
    products += correlation.weight * (slow - fast) * (correlation.correlation - fast);
    squares += correlation.weight * (slow - fast) * (slow - fast);
  }
  model.slow_share = squares > 0 ? std::clamp(products / squares, 0.0, 1.0) : 1;
}

/// A local search that changes the times in turn, by factors that shrink.
void refine(const std::vector<LagCorrelation>& observed, const Range& periods,
            TimeCorrelation& best) {
  const auto misfit_of = [&](TimeCorrelation& model) {
    set_share(observed, model);
    return model.misfit(observed);
  };
  double min = misfit_of(best);
  struct Search {
    double TimeCorrelation::*time;
    Range range;
    double step;
  };
  Search searches[] = {
      {&TimeCorrelation::slow_time, slow_range, std::log(slow_range.ratio())},
      {&TimeCorrelation::fast_time, fast_range, std::log(fast_range.ratio())},
      {&TimeCorrelation::period, periods, std::log(periods.ratio())},
  };
  constexpr int rounds = 200;
  constexpr double finest = 1e-4;
  for (int round = 0; round < rounds; ++round) {
    bool is_better = false;
    for (Search& search : searches) {
      for (const double step : {search.step, -search.step}) {
        TimeCorrelation candidate = best;
        double& time = candidate.*search.time;
        time = std::clamp(time * std::exp(step), search.range.low, search.range.high);
        const double misfit = misfit_of(candidate);
        if (misfit >= min) continue;
        min = misfit;
        best = candidate;
        is_better = true;
        break;
      }
    }
    if (is_better) continue;
    double largest = 0;
    for (Search& search : searches) largest = std::max(largest, search.step /= 2);
    if (largest < finest) return;
  }
}

}  // namespace

double TimeCorrelation::at(double lag) const {
  double correlation = slow_share > 0 ? slow_share * std::exp(-lag / slow_time) : 0;
  if (slow_share < 1) {
    correlation += (1 - slow_share) * std::exp(-lag / fast_time) *
                   std::cos(2 * std::numbers::pi * lag / period);
  }
  return correlation;
}

double TimeCorrelation::misfit(const std::vector<LagCorrelation>& observed) const {
  double sum = 0;
  for (const LagCorrelation& correlation : observed) {
    const double difference = correlation.correlation - at(correlation.lag);
    sum += correlation.weight * difference * difference;
  }
  return sum;
}

TimeCorrelation fit_slow(const std::vector<LagCorrelation>& observed) {
  constexpr int steps = 60;
  const auto model_of = [](double logarithm) {
    return TimeCorrelation{1, std::exp(logarithm), 0, 0};
  };
  const auto fitness = [&](double logarithm) { return -model_of(logarithm).misfit(observed); };
  return model_of(
      golden_section(fitness, std::log(slow_range.low), std::log(slow_range.high), steps).at);
}

TimeCorrelation fit_slow_and_fast(const std::vector<LagCorrelation>& observed,
                                  std::optional<double> period) {
  const Range periods = period ? Range{*period, *period, 1} : period_range;
  TimeCorrelation best;
  double min = std::numeric_limits<double>::infinity();
  for (int slow = 0; slow < slow_range.count; ++slow) {
    for (int fast = 0; fast < fast_range.count; ++fast) {
      for (int n = 0; n < periods.count; ++n) {
        TimeCorrelation model{1, slow_range.point(slow), fast_range.point(fast), periods.point(n)};
        set_share(observed, model);
        const double misfit = model.misfit(observed);
        if (misfit >= min) continue;
        min = misfit;
        best = model;
      }
    }
  }
  refine(observed, periods, best);
  return best;
}

double mean_correlation(double distance, double length) {
  const double square = distance * distance / (2 * length * length);
  return (1 - square) * std::exp(-square);
}

std::optional<double> fit_length(const std::vector<DistanceCorrelation>& observed) {
  if (observed.empty()) return std::nullopt;
  struct Fit {
    double amplitude;
    double misfit;
  };
  const auto fit = [&](double length) -> Fit {
    double products = 0;
    double squares = 0;
    double total = 0;
    for (const DistanceCorrelation& correlation : observed) {
      const double square = correlation.distance * correlation.distance / (2 * length * length);
      const double along = std::exp(-square);
      const double across = (1 - 2 * square) * along;
      products +=
          correlation.weight * (along * correlation.longitudinal + across * correlation.transverse);
      squares += correlation.weight * (along * along + across * across);
      total += correlation.weight * (correlation.longitudinal * correlation.longitudinal +
                                     correlation.transverse * correlation.transverse);
    }
    if (squares == 0) return {0, total};
    return {products / squares, total - products * products / squares};
  };
  const auto [nearest, farthest] =
      std::minmax_element(observed.begin(), observed.end(),
                          [](const auto& a, const auto& b) { return a.distance < b.distance; });
  const Range range{nearest->distance, farthest->distance, 60};
  int best = 0;
  double min = std::numeric_limits<double>::infinity();
  for (int n = 0; n < range.count; ++n) {
    const auto [amplitude, misfit] = fit(range.point(n));
    if (amplitude <= 0 || misfit >= min) continue;
    min = misfit;
    best = n;
  }
  if (best == 0 || best == range.count - 1) return std::nullopt;
  constexpr int steps = 40;
  const double length = std::exp(
      golden_section([&](double logarithm) { return -fit(std::exp(logarithm)).misfit; },
                     std::log(range.point(best - 1)), std::log(range.point(best + 1)), steps)
          .at);
  const double amplitude = fit(length).amplitude;
  if (amplitude < min_amplitude || amplitude > 1 / min_amplitude) return std::nullopt;
  return length;
}

}  // namespace tidewise
