#include "learning/forecast_error/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "env/forecast_error/error_coefficients.h"
#include "learning/forecast_error/error_pairs.h"

namespace tidewise {
namespace {

constexpr double hour = 3600;  // [s]
constexpr std::size_t min_legs = 30;
constexpr std::size_t min_series = 5;
constexpr std::size_t min_bins = 5;
constexpr double min_lag = 24 * hour;  // lag that the data must reach
constexpr std::size_t replicates = 200;
constexpr std::uint32_t bootstrap_stream = 0;
constexpr std::uint32_t halves_stream = 1;

/// The rms errors of a lead-time bin and of each series in it.
struct LeadBin {
  double leads = 0;
  std::vector<double> squares;  // (series): error² − variance of the observation
  std::vector<double> count;    // (series)

  explicit LeadBin(std::size_t series) : squares(series, 0.0), count(series, 0.0) {}

  void add(const LeadBin& other) {
    leads += other.leads;
    for (std::size_t n = 0; n < count.size(); ++n) {
      squares[n] += other.squares[n];
      count[n] += other.count[n];
    }
  }
  ForecastErrorFit::Counts counts() const {
    const auto used = std::count_if(count.begin(), count.end(), [](double n) { return n > 0; });
    return {static_cast<std::size_t>(std::accumulate(count.begin(), count.end(), 0.0)),
            static_cast<std::size_t>(used)};
  }
  bool is_enough() const { return counts().data >= min_legs && counts().series >= min_series; }
  /// A result of 0 or less, or NaN, means that the observations' variance explains all.
  double mean_square(const SeriesWeights& weights) const {
    return std::inner_product(weights.begin(), weights.end(), squares.begin(), 0.0) /
           std::inner_product(weights.begin(), weights.end(), count.begin(), 0.0);
  }
};

/// At most eight bins of whole multiples of six hours, each with enough legs; empty if there are
/// too few legs in all.
std::vector<LeadBin> lead_bins(const std::vector<ErrorSeries>& series) {
  double last = 0;
  for (const ErrorSeries& one_series : series)
    last = std::max(last, one_series.samples.back().lead);
  constexpr double max_bins = 8;
  constexpr double unit = 6 * hour;
  const double width = unit * std::max(1.0, std::ceil(last / (max_bins * unit)));
  std::vector<LeadBin> bins(static_cast<std::size_t>(last / width) + 1, LeadBin(series.size()));
  for (std::size_t n = 0; n < series.size(); ++n) {
    for (const ErrorSample& sample : series[n].samples) {
      LeadBin& bin = bins[static_cast<std::size_t>(std::max(0.0, sample.lead) / width)];
      bin.leads += sample.lead;
      bin.squares[n] += 0.5 * (sample.u * sample.u + sample.v * sample.v) - sample.variance;
      bin.count[n] += 1;
    }
  }
  std::vector<LeadBin> merged;
  LeadBin rest(series.size());
  for (const LeadBin& bin : bins) {
    rest.add(bin);
    if (!rest.is_enough()) continue;
    merged.push_back(std::exchange(rest, LeadBin(series.size())));
  }
  if (!merged.empty()) merged.back().add(rest);
  return merged;
}

/// The middle 90 % of values; nullopt if fewer than half of all replicates gave one.
ForecastErrorIntervals::Interval interval_of(std::vector<double> values) {
  if (values.size() < replicates / 2) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const auto quantile = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * last))];
  };
  return std::make_pair(quantile(0.05), quantile(0.95));
}

class Fitter {
 public:
  Fitter(const std::vector<ErrorSeries>& series, double cell,
         const ForecastErrorFitOptions& options)
      : series_(series), cell_(cell), options_(options), once_(series.size(), 1.0) {
    fit_.all.series = series.size();
    for (const ErrorSeries& one_series : series) fit_.all.data += one_series.samples.size();
  }

  ForecastErrorFit fit() {
    fit_.model.slow_share = 0;
    fit_rms();
    if (fit_.model.rms.empty()) {
      fit_.missing.emplace_back(missing_rms_);
      if (!options_.length) fit_.missing.emplace_back("length: needs the rms error");
      if (!options_.time) fit_.missing.emplace_back("correlation in time: needs the rms error");
    }
    if (options_.length) fit_.model.length = *options_.length;
    if (options_.time) set_time({1, *options_.time, 0, 0});
    if (fit_.model.rms.empty()) return std::move(fit_);
    pairs_.emplace(normalised(), cell_);
    fit_.along_tracks = pairs_->along_tracks();
    if (!options_.length) fit_length_of_pairs();
    if (fit_.model.length > 0) {
      constexpr double reach = 1.4;  // in lengths: beyond it the correlation in space is about 0
      pairs_->add_lags(reach * fit_.model.length);
      fit_.at_fixed_place = pairs_->by_lag(once_, fit_.model.length);
    }
    if (!options_.time) fit_time();
    find_intervals();
    return std::move(fit_);
  }

 private:
  void fit_rms() {
    bins_ = lead_bins(series_);
    if (bins_.empty()) {
      missing_rms_ = fmt::format("rms: needs {} legs of {} tracks; there are {} of {}", min_legs,
                                 min_series, fit_.all.data, fit_.all.series);
    }
    for (const LeadBin& bin : bins_) {
      const double square = bin.mean_square(once_);
      if (!(square > 0)) {
        missing_rms_ =
            "rms: the stated errors of the observations explain the whole difference; "
            "needs smaller ones (--error, --representation)";
        fit_.model.rms.clear();
        fit_.rms.clear();
        return;
      }
      fit_.rms.push_back(bin.counts());
      fit_.model.rms.emplace_back(bin.leads / static_cast<double>(fit_.rms.back().data),
                                  std::sqrt(square));
    }
  }

  /// Errors divided by the rms at their lead time.
  std::vector<ErrorSeries> normalised() const {
    std::vector<ErrorSeries> all = series_;
    for (ErrorSeries& error_series : all) {
      for (ErrorSample& sample : error_series.samples) {
        const double rms = rms_at(fit_.model, sample.lead);
        sample.u /= rms;
        sample.v /= rms;
        sample.variance /= rms * rms;
      }
    }
    return all;
  }

  void fit_length_of_pairs() {
    fit_.length = {pairs_->pairs_by_distance(), fit_.all.series};
    const auto bins = pairs_->by_distance(once_);
    const auto length =
        fit_.all.series >= min_series && bins.size() >= min_bins ? fit_length(bins) : std::nullopt;
    if (length) {
      fit_.model.length = *length;
      return;
    }
    fit_.missing.push_back(fmt::format(
        "length: needs {} tracks at one time, some nearer to each other than the length and some "
        "farther; there are {} tracks and {} pairs (or give --error-length)",
        min_series, fit_.all.series, fit_.length.data));
  }

  void fit_time() {
    fit_.time = {pairs_->pairs_by_lag(), fit_.all.series};
    const auto& bins = fit_.at_fixed_place;
    if (fit_.model.length == 0) {
      fit_.missing.emplace_back("correlation in time: needs the length (or give --error-time)");
    } else if (fit_.all.series < min_series || bins.size() < min_bins ||
               bins.back().lag < min_lag) {
      fit_.missing.push_back(
          fmt::format("correlation in time: needs {} tracks, some of which pass a place up to {} h "
                      "after others; there are {} tracks, with lags to {:.3g} h (or give "
                      "--error-time)",
                      min_series, min_lag / hour, fit_.all.series,
                      bins.empty() ? 0.0 : bins.back().lag / hour));
    } else {
      has_fast_ = supports_fast();
      set_time(fit_bins(bins));
    }
  }

  TimeCorrelation fit_bins(const std::vector<LagCorrelation>& bins) const {
    return has_fast_ ? fit_slow_and_fast(bins, options_.period) : fit_slow(bins);
  }

  void set_time(const TimeCorrelation& time) {
    fit_.model.slow_share = time.slow_share;
    fit_.model.slow_time = time.slow_share > 0 ? time.slow_time : 0;
    fit_.model.fast_time = time.slow_share < 1 ? time.fast_time : 0;
    fit_.model.period = time.slow_share < 1 ? time.period : 0;
  }

  /// Repeated two-fold cross-validation: true if both processes, fitted to half of the series,
  /// predict the correlations of the other half better than the slow one does.
  bool supports_fast() const {
    constexpr std::uint32_t splits = 20;
    double gain = 0;
    for (std::uint32_t split = 0; split < splits; ++split) {
      SeriesWeights half(series_.size(), 0.0);
      SeriesWeights other(series_.size(), 0.0);
      std::vector<std::pair<std::uint32_t, std::size_t>> order;
      for (std::size_t n = 0; n < series_.size(); ++n) {
        order.emplace_back(random_(split, static_cast<std::uint32_t>(n), halves_stream).word[0], n);
      }
      std::sort(order.begin(), order.end());
      for (std::size_t n = 0; n < order.size(); ++n) {
        (n % 2 == 0 ? half : other)[order[n].second] = 2;  // a mean weight of 1
      }
      const auto first = pairs_->by_lag(half, fit_.model.length);
      const auto second = pairs_->by_lag(other, fit_.model.length);
      if (first.empty() || second.empty()) continue;
      gain += fit_slow(first).misfit(second) + fit_slow(second).misfit(first) -
              fit_slow_and_fast(first, options_.period).misfit(second) -
              fit_slow_and_fast(second, options_.period).misfit(first);
    }
    return gain > 0;
  }

  /// Number of times that each series is drawn, in one draw per series.
  SeriesWeights draw(std::uint32_t replicate) const {
    SeriesWeights weights(series_.size(), 0.0);
    const auto count = static_cast<std::uint32_t>(series_.size());
    for (std::uint32_t n = 0; n < count; ++n) {
      const auto words = random_(replicate, n, bootstrap_stream);
      weights[to_range(words.word[0], words.word[1], count)] += 1;
    }
    return weights;
  }

  void find_intervals() {
    std::vector<std::vector<double>> rms(bins_.size());
    std::vector<double> length;
    std::vector<double> slow_share;
    std::vector<double> slow_time;
    std::vector<double> fast_time;
    std::vector<double> period;
    const bool fits_length = !options_.length && fit_.model.length > 0;
    const bool fits_time = !options_.time && fit_.model.slow_time + fit_.model.fast_time > 0;
    for (std::uint32_t replicate = 0; replicate < replicates; ++replicate) {
      const SeriesWeights weights = draw(replicate);
      for (std::size_t n = 0; n < bins_.size(); ++n) {
        const double square = bins_[n].mean_square(weights);
        if (std::isfinite(square)) rms[n].push_back(std::sqrt(std::max(0.0, square)));
      }
      std::optional<double> replicate_length = fit_.model.length;
      if (fits_length) {
        replicate_length = fit_length(pairs_->by_distance(weights));
        if (replicate_length) length.push_back(*replicate_length);
      }
      if (!fits_time || !replicate_length) continue;
      const auto bins = pairs_->by_lag(weights, *replicate_length);
      if (bins.size() < min_bins) continue;
      const TimeCorrelation time = fit_bins(bins);
      slow_share.push_back(time.slow_share);
      if (time.slow_share > 0) slow_time.push_back(time.slow_time);
      if (time.slow_share == 1) continue;
      fast_time.push_back(time.fast_time);
      period.push_back(time.period);
    }
    for (auto& values : rms) fit_.intervals.rms.push_back(interval_of(std::move(values)));
    fit_.intervals.length = interval_of(std::move(length));
    if (fit_.model.slow_time > 0) fit_.intervals.slow_time = interval_of(std::move(slow_time));
    if (fit_.model.fast_time == 0) return;
    fit_.intervals.slow_share = interval_of(std::move(slow_share));
    fit_.intervals.fast_time = interval_of(std::move(fast_time));
    if (!options_.period) fit_.intervals.period = interval_of(std::move(period));
  }

  const std::vector<ErrorSeries>& series_;
  double cell_;
  const ForecastErrorFitOptions& options_;
  SeriesWeights once_;
  Philox random_{0};
  std::vector<LeadBin> bins_;
  std::string missing_rms_;
  std::optional<ErrorPairs> pairs_;
  bool has_fast_ = false;
  ForecastErrorFit fit_;
};

}  // namespace

ForecastErrorFit fit_forecast_error(const std::vector<ErrorSeries>& series, double cell,
                                    const ForecastErrorFitOptions& options) {
  return Fitter(series, cell, options).fit();
}

}  // namespace tidewise
