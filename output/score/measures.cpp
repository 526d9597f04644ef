#include "output/score/measures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "output/json_number.h"

namespace tidewise {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double day = 86400;            // [s]
constexpr double nearly_certain = 0.95;  // probability
constexpr std::uint32_t samples = 2000;  // number of samples of the bootstrap
constexpr std::size_t bins = 10;

/// The terms of the sums.
enum class Term : std::size_t {
  arrived,
  brier,
  crps,
  above_95,
  half_window,
  window,
  half_window_of_arrivals,
  window_of_arrivals,
  half_region,
  region,
  predicted,                    // index of the first bin
  observed = predicted + bins,  // index of the first bin
  count = observed + bins
};
constexpr auto term_count = static_cast<std::size_t>(Term::count);
constexpr std::size_t index(Term term, std::size_t offset = 0) {
  return static_cast<std::size_t>(term) + offset;
}

/// Sum of each term, and number of the predictions that it covers.
struct Sums {
  std::array<double, term_count> sum{};
  std::array<std::int64_t, term_count> count{};

  void add(std::size_t term, double value) {
    sum[term] += value;
    ++count[term];
  }
  void add(Term term, double value) { add(index(term), value); }
  void add(const Sums& other) {
    for (std::size_t n = 0; n < term_count; ++n) {
      sum[n] += other.sum[n];
      count[n] += other.count[n];
    }
  }
  double mean(std::size_t term) const {
    return count[term] > 0 ? sum[term] / static_cast<double>(count[term]) : nan;
  }
};

double within(double time, const ArrivalTimes& times, ArrivalShare from, ArrivalShare to) {
  return time >= at(times, from) && time <= at(times, to) ? 1 : 0;
}

/// Probability that a mission's rank among all missions is within a window. Ranks of calibrated
/// predictions are uniform between 0 and 1; a mission that does not arrive has a rank between the
/// probability of arrival and 1.
double rank_within(double time, const ArrivalQuantiles& predicted, ArrivalShare from,
                   ArrivalShare to) {
  if (std::isfinite(time)) return within(time, predicted.all, from, to);
  const auto share = [](ArrivalShare quantile) {
    return static_cast<double>(arrival_percents[static_cast<std::size_t>(quantile)]) / 100;
  };
  const double probability = predicted.probability;
  if (probability >= 1) return 0;
  return std::max(0.0, share(to) - std::max(share(from), probability)) / (1 - probability);
}

Sums sums_of(const Prediction& prediction) {
  using enum ArrivalShare;
  Sums sums;
  if (const auto& in = prediction.outcome->surfaced) {
    sums.add(Term::half_region, (*in)[0] ? 1 : 0);
    sums.add(Term::region, (*in)[1] ? 1 : 0);
  }
  if (!prediction.arrival) return sums;
  const ArrivalQuantiles& predicted = *prediction.arrival;
  const double time = prediction.outcome->arrived.value_or(infinity);
  const double arrived = std::isfinite(time) ? 1 : 0;
  sums.add(Term::arrived, arrived);
  sums.add(Term::brier, (predicted.probability - arrived) * (predicted.probability - arrived));
  sums.add(Term::crps, arrival_crps(predicted, time, prediction.deadline - prediction.departure));
  if (predicted.probability >= nearly_certain) sums.add(Term::above_95, arrived);
  sums.add(Term::half_window, rank_within(time, predicted, p25, p75));
  sums.add(Term::window, rank_within(time, predicted, p05, p95));
  if (arrived > 0) {
    sums.add(Term::half_window_of_arrivals, within(time, predicted.arriving, p25, p75));
    sums.add(Term::window_of_arrivals, within(time, predicted.arriving, p05, p95));
  }
  const auto bin = std::min(bins - 1, static_cast<std::size_t>(predicted.probability * bins));
  sums.add(index(Term::predicted, bin), predicted.probability);
  sums.add(index(Term::observed, bin), arrived);
  return sums;
}

// Measures that are not means follow the means.
constexpr std::size_t brier_of_base_rate = term_count;
constexpr std::size_t brier_skill = term_count + 1;
constexpr std::size_t value_count = term_count + 2;
using Values = std::array<double, value_count>;

Values values_of(const Sums& sums) {
  Values values;
  for (std::size_t n = 0; n < term_count; ++n) values[n] = sums.mean(n);
  const double rate = sums.mean(index(Term::arrived));
  values[brier_of_base_rate] = rate * (1 - rate);
  values[brier_skill] = values[brier_of_base_rate] > 0
                            ? 1 - values[index(Term::brier)] / values[brier_of_base_rate]
                            : nan;
  return values;
}

/// The values of each bootstrap sample, which has as many dates as there are.
std::vector<Values> resampled(const std::vector<Sums>& dates) {
  const Philox random(1);
  const auto count = static_cast<std::uint32_t>(dates.size());
  std::vector<Values> values;
  for (std::uint32_t sample = 0; sample < samples; ++sample) {
    Sums sums;
    for (std::uint32_t n = 0; n < count; ++n) {
      const auto words = random(sample, n);
      sums.add(dates[to_range(words.word[0], words.word[1], count)]);
    }
    values.push_back(values_of(sums));
  }
  return values;
}

class Intervals {
 public:
  explicit Intervals(const std::vector<Sums>& dates) {
    for (const Sums& date : dates) sums_.add(date);
    values_ = values_of(sums_);
    if (dates.size() > 1) samples_ = resampled(dates);
  }

  Measure mean(std::size_t term) const { return measure_of(term, sums_.count[term]); }
  Measure mean(Term term) const { return mean(index(term)); }
  /// Mean over all predictions with a probability.
  Measure mean_of_all(std::size_t value) const {
    return measure_of(value, sums_.count[index(Term::arrived)]);
  }
  const Sums& sums() const { return sums_; }

 private:
  Measure measure_of(std::size_t value, std::int64_t count) const {
    Measure measure{values_[value], nan, nan, count};
    std::vector<double> sample_values;
    for (const Values& sample : samples_) {
      if (!std::isnan(sample[value])) sample_values.push_back(sample[value]);
    }
    if (sample_values.empty() || count == 0) return measure;
    std::sort(sample_values.begin(), sample_values.end());
    const auto last = static_cast<double>(sample_values.size() - 1);
    measure.low = sample_values[static_cast<std::size_t>(std::floor(0.05 * last))];
    measure.high = sample_values[static_cast<std::size_t>(std::ceil(0.95 * last))];
    return measure;
  }

  Sums sums_;
  Values values_{};
  std::vector<Values> samples_;
};

/// ∫ of the square of a line from c to d over a length.
double squared_line(double length, double c, double d) {
  return length * (c * c + c * d + d * d) / 3;
}

nlohmann::ordered_json measure_json(const Measure& measure) {
  return {{"value", json_number(measure.value)},
          {"low", json_number(measure.low)},
          {"high", json_number(measure.high)},
          {"count", measure.count}};
}

}  // namespace

double arrival_crps(const ArrivalQuantiles& predicted, double arrived, double horizon) {
  const double truth = std::min(arrived, horizon);
  double score = 0;
  // Adds the integral between two times between which F is a line; `truth` may lie between them.
  const auto add = [&](double from, double to, double low, double high) {
    from = std::clamp(from, 0.0, horizon);
    to = std::clamp(to, 0.0, horizon);
    if (!(to > from)) return;
    const double until = std::clamp(truth, from, to);
    const double middle = low + (high - low) * (until - from) / (to - from);
    score += squared_line(until - from, low, middle);
    score += squared_line(to - until, 1 - middle, 1 - high);
  };
  const double p = predicted.probability;
  if (!(p > 0)) {
    add(0, horizon, 0, 0);
    return score;
  }
  const ArrivalTimes& times = predicted.arriving;
  const auto share = [&](std::size_t n) {
    return p * static_cast<double>(arrival_percents[n]) / 100;
  };
  add(0, times.front(), 0, 0);
  for (std::size_t n = 1; n < times.size(); ++n) {
    add(times[n - 1], times[n], share(n - 1), share(n));
  }
  add(times.back(), horizon, p, p);
  return score;
}

PredictionMeasures measure(const std::vector<Prediction>& predictions) {
  PredictionMeasures measures;
  std::map<std::int64_t, Sums> by_date;
  for (const Prediction& prediction : predictions) {
    if (!prediction.outcome) continue;
    if (!prediction.arrival) ++measures.without_probability;
    const auto date = static_cast<std::int64_t>(std::floor(prediction.departure / day));
    by_date[date].add(sums_of(prediction));
  }
  std::vector<Sums> dates;
  for (const auto& [date, sums] : by_date) {
    if (sums.count[index(Term::arrived)] + sums.count[index(Term::region)] > 0) {
      dates.push_back(sums);
    }
  }
  const Intervals intervals(dates);
  measures.dates = static_cast<std::int64_t>(dates.size());
  measures.scored = intervals.sums().count[index(Term::arrived)];
  measures.arrived = static_cast<std::int64_t>(intervals.sums().sum[index(Term::arrived)]);
  measures.base_rate = intervals.mean(Term::arrived);
  measures.brier = intervals.mean(Term::brier);
  measures.brier_of_base_rate = intervals.mean_of_all(brier_of_base_rate);
  measures.brier_skill = intervals.mean_of_all(brier_skill);
  measures.crps = intervals.mean(Term::crps);
  measures.above_95 = intervals.mean(Term::above_95);
  measures.windows = {intervals.mean(Term::half_window), intervals.mean(Term::window)};
  measures.windows_of_arrivals = {intervals.mean(Term::half_window_of_arrivals),
                                  intervals.mean(Term::window_of_arrivals)};
  measures.surfacing = {intervals.mean(Term::half_region), intervals.mean(Term::region)};
  for (std::size_t n = 0; n < bins; ++n) {
    measures.reliability[n] = {static_cast<double>(n) / bins, static_cast<double>(n + 1) / bins,
                               intervals.mean(index(Term::predicted, n)),
                               intervals.mean(index(Term::observed, n))};
  }
  return measures;
}

nlohmann::ordered_json to_json(const PredictionMeasures& measures) {
  using Json = nlohmann::ordered_json;
  Json reliability = Json::array();
  for (const ReliabilityBin& bin : measures.reliability) {
    reliability.push_back({{"from", bin.from},
                           {"to", bin.to},
                           {"count", bin.observed.count},
                           {"predicted", json_number(bin.predicted.value)},
                           {"observed", measure_json(bin.observed)}});
  }
  return {{"scored", measures.scored},
          {"arrived", measures.arrived},
          {"dates", measures.dates},
          {"is_descriptive", measures.dates < dates_for_evidence},
          {"without_probability", measures.without_probability},
          {"base_rate", measure_json(measures.base_rate)},
          {"brier", measure_json(measures.brier)},
          {"brier_of_base_rate", measure_json(measures.brier_of_base_rate)},
          {"brier_skill", measure_json(measures.brier_skill)},
          {"crps", measure_json(measures.crps)},
          {"above_95", measure_json(measures.above_95)},
          {"window_50", measure_json(measures.windows[0])},
          {"window_90", measure_json(measures.windows[1])},
          {"window_50_of_arrivals", measure_json(measures.windows_of_arrivals[0])},
          {"window_90_of_arrivals", measure_json(measures.windows_of_arrivals[1])},
          {"surfacing_50", measure_json(measures.surfacing[0])},
          {"surfacing_90", measure_json(measures.surfacing[1])},
          {"reliability", std::move(reliability)}};
}

}  // namespace tidewise
