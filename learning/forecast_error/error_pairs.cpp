#include "learning/forecast_error/error_pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tidewise {
namespace {

constexpr double hour = 3600;  // [s]
constexpr double max_lag = 60 * hour;
constexpr double bin_ratio = 1.2;      // ratio of the distances of neighbouring bins
constexpr std::size_t max_bins = 60;   // up to 1.2^60 times the smallest distance
constexpr std::size_t near_bins = 12;  // number of bins of equal width up to the reach
constexpr double min_pairs = 30;       // in a bin

/// A typical duration, so that neither gaps nor short legs set the width of the bins.
double median_duration(const std::vector<ErrorSeries>& series) {
  std::vector<double> durations;
  for (const ErrorSeries& error_series : series) {
    for (const ErrorSample& sample : error_series.samples) durations.push_back(sample.duration);
  }
  if (durations.empty()) return 0;
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  return *middle;
}

double product(const ErrorSample& a, const ErrorSample& b) { return 0.5 * (a.u * b.u + a.v * b.v); }

}  // namespace

ErrorPairs::ErrorPairs(std::vector<ErrorSeries> series, double min_distance)
    : series_(std::move(series)),
      min_distance_(min_distance),
      lag_width_(std::max(hour, median_duration(series_))),
      lag_bins_(static_cast<std::size_t>(std::ceil(max_lag / lag_width_)) + 1),
      by_distance_(series_.size(), std::vector<DistanceSum>(max_bins)),
      distances_(max_bins) {
  for (const ErrorSeries& error_series : series_) {
    Sum sum;
    for (const ErrorSample& sample : error_series.samples) {
      sum.count += 1;
      sum.value += product(sample, sample) - sample.variance;
    }
    squares_.push_back(sum);
  }
  for (std::size_t first = 0; first < series_.size(); ++first) {
    for (std::size_t second = first + 1; second < series_.size(); ++second) {
      sum_distances(first, second);
    }
  }
}

std::size_t ErrorPairs::lag_bin(double lag) const {
  return static_cast<std::size_t>(std::lround(std::abs(lag) / lag_width_));
}

void ErrorPairs::sum_distances(std::size_t first, std::size_t second) {
  const double half_width = 0.5 * lag_width_;
  const std::vector<ErrorSample>& second_samples = series_[second].samples;
  std::size_t begin = 0;
  for (const ErrorSample& sample : series_[first].samples) {
    while (begin < second_samples.size() && second_samples[begin].lead < sample.lead - half_width)
      ++begin;
    for (std::size_t n = begin;
         n < second_samples.size() && second_samples[n].lead <= sample.lead + half_width; ++n) {
      const ErrorSample& other = second_samples[n];
      const double x = other.at.x - sample.at.x;
      const double y = other.at.y - sample.at.y;
      const double square = x * x + y * y;
      if (square == 0) continue;
      const double ratio = std::log(std::sqrt(square) / min_distance_) / std::log(bin_ratio);
      const auto bin = static_cast<std::size_t>(
          std::clamp(1 + std::floor(ratio), 0.0, static_cast<double>(max_bins - 1)));
      const double along = (sample.u * x + sample.v * y) * (other.u * x + other.v * y) / square;
      const double across = (sample.v * x - sample.u * y) * (other.v * x - other.u * y) / square;
      for (const std::size_t index : {first, second}) {
        DistanceSum& sum = by_distance_[index][bin];
        sum.count += 1;
        sum.longitudinal += along;
        sum.transverse += across;
      }
      distances_[bin].count += 1;
      distances_[bin].value += square;
      ++pairs_by_distance_;
    }
  }
}

double ErrorPairs::variance(const SeriesWeights& weights) const {
  Sum all;
  for (std::size_t n = 0; n < squares_.size(); ++n) {
    all.count += weights[n] * squares_[n].count;
    all.value += weights[n] * squares_[n].value;
  }
  return all.value / all.count;
}

std::vector<DistanceCorrelation> ErrorPairs::by_distance(const SeriesWeights& weights) const {
  const double unit = variance(weights);
  std::vector<DistanceCorrelation> correlations;
  for (std::size_t bin = 0; bin < max_bins; ++bin) {
    DistanceSum all;
    for (std::size_t n = 0; n < by_distance_.size(); ++n) {
      const DistanceSum& sum = by_distance_[n][bin];
      const double weight = weights[n] - 0.5;  // weight of both series together: a + b - 1
      all.count += weight * sum.count;
      all.longitudinal += weight * sum.longitudinal;
      all.transverse += weight * sum.transverse;
    }
    if (all.count < min_pairs) continue;
    correlations.push_back({std::sqrt(distances_[bin].value / distances_[bin].count),
                            all.longitudinal / all.count / unit, all.transverse / all.count / unit,
                            all.count});
  }
  return correlations;
}

void ErrorPairs::add_lag(const Leg& leg, const Leg& other) {
  if (leg.series == other.series && !series_[leg.series].is_fixed) return;
  const double lag = std::abs(leg.sample->lead - other.sample->lead);
  const std::size_t lag_index = lag_bin(lag);
  if (lag_index == 0 || lag_index >= lag_bins_) return;
  const double distance =
      std::hypot(leg.sample->at.x - other.sample->at.x, leg.sample->at.y - other.sample->at.y);
  if (distance >= reach_) return;
  const auto near_bin = static_cast<std::size_t>(distance / reach_ * near_bins);
  const std::size_t bin = lag_index * near_bins + near_bin;
  const double value = product(*leg.sample, *other.sample);
  const auto add = [&](LagSum& sum) {
    sum.count += 1;
    sum.product += value;
  };
  add(by_lag_[leg.series][bin]);
  if (leg.series != other.series) {
    add(by_lag_[other.series][bin]);
    add(between_series_[bin]);
  }
  lags_[lag_index].count += 1;
  lags_[lag_index].value += lag;
  ++pairs_by_lag_;
}

void ErrorPairs::add_lags(double reach) {
  reach_ = reach;
  by_lag_.assign(series_.size(), std::vector<LagSum>(lag_bins_ * near_bins));
  between_series_.assign(lag_bins_ * near_bins, LagSum());
  lags_.assign(lag_bins_, Sum());

  // Legs within the reach are in the same square or in neighbouring ones.
  std::map<std::pair<double, double>, std::vector<Leg>> squares;
  for (std::size_t n = 0; n < series_.size(); ++n) {
    for (const ErrorSample& sample : series_[n].samples) {
      squares[{std::floor(sample.at.x / reach), std::floor(sample.at.y / reach)}].push_back(
          {n, &sample});
    }
  }
  const auto is_earlier = [](const Leg& a, const Leg& b) {
    return a.sample->lead < b.sample->lead;
  };
  for (auto& [place, legs] : squares) std::stable_sort(legs.begin(), legs.end(), is_earlier);
  for (const auto& [place, legs] : squares) {
    for (std::size_t n = 0; n < legs.size(); ++n) {
      for (std::size_t m = n + 1;
           m < legs.size() && legs[m].sample->lead - legs[n].sample->lead <= max_lag; ++m) {
        add_lag(legs[n], legs[m]);
      }
    }
    for (const auto& [x, y] : {std::pair{1.0, 0.0}, {-1.0, 1.0}, {0.0, 1.0}, {1.0, 1.0}}) {
      const auto neighbours = squares.find({place.first + x, place.second + y});
      if (neighbours == squares.end()) continue;
      const std::vector<Leg>& neighbour_legs = neighbours->second;
      std::size_t begin = 0;
      for (const Leg& leg : legs) {
        while (begin < neighbour_legs.size() &&
               neighbour_legs[begin].sample->lead < leg.sample->lead - max_lag) {
          ++begin;
        }
        for (std::size_t m = begin; m < neighbour_legs.size() &&
                                    neighbour_legs[m].sample->lead <= leg.sample->lead + max_lag;
             ++m) {
          add_lag(leg, neighbour_legs[m]);
        }
      }
    }
  }
}

std::vector<LagCorrelation> ErrorPairs::by_lag(const SeriesWeights& weights, double length) const {
  const double unit = variance(weights);
  std::vector<LagCorrelation> correlations;
  for (std::size_t lag_index = 1; lag_index < lag_bins_; ++lag_index) {
    double products = 0;
    double squares = 0;
    for (std::size_t near_bin = 0; near_bin < near_bins; ++near_bin) {
      const std::size_t bin = lag_index * near_bins + near_bin;
      LagSum all{-between_series_[bin].count, -between_series_[bin].product};
      for (std::size_t n = 0; n < by_lag_.size(); ++n) {
        all.count += weights[n] * by_lag_[n][bin].count;
        all.product += weights[n] * by_lag_[n][bin].product;
      }
      const double middle = reach_ * (static_cast<double>(near_bin) + 0.5) / near_bins;
      const double expected = mean_correlation(middle, length);
      products += expected * all.product;
      squares += expected * expected * all.count;
    }
    if (squares < min_pairs) continue;
    correlations.push_back(
        {lags_[lag_index].value / lags_[lag_index].count, products / squares / unit, squares});
  }
  return correlations;
}

std::vector<LagCorrelation> ErrorPairs::along_tracks() const {
  std::vector<LagSum> sums(lag_bins_);
  std::vector<double> lags(lag_bins_, 0);
  for (const ErrorSeries& error_series : series_) {
    for (std::size_t n = 0; n < error_series.samples.size(); ++n) {
      for (std::size_t m = n + 1; m < error_series.samples.size(); ++m) {
        const double lag = error_series.samples[m].lead - error_series.samples[n].lead;
        const std::size_t bin = lag_bin(lag);
        if (bin >= lag_bins_) break;
        sums[bin].count += 1;
        sums[bin].product += product(error_series.samples[n], error_series.samples[m]);
        lags[bin] += lag;
      }
    }
  }
  const double unit = variance(SeriesWeights(series_.size(), 1.0));
  std::vector<LagCorrelation> correlations;
  for (std::size_t bin = 1; bin < lag_bins_; ++bin) {
    const auto& [count, value] = sums[bin];
    if (count < min_pairs) continue;
    correlations.push_back({lags[bin] / count, value / count / unit, count});
  }
  return correlations;
}

}  // namespace tidewise
