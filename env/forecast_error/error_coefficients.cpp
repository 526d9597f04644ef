#include "env/forecast_error/error_coefficients.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/standard_normal.h"

namespace tidewise {

double rms_at(const ForecastErrorModel& model, double lead) {
  const auto after = std::find_if(model.rms.begin(), model.rms.end(),
                                  [&](const auto& point) { return point.first >= lead; });
  if (after == model.rms.begin()) return after->second;
  if (after == model.rms.end()) return model.rms.back().second;
  const auto [time, rms] = *(after - 1);
  return std::lerp(rms, after->second, (lead - time) / (after->first - time));
}

ErrorCoefficients::ErrorCoefficients(const ForecastErrorModel& model, double step,
                                     std::size_t mode_count, std::size_t realization_count,
                                     std::uint64_t seed)
    : model_(model),
      mode_count_(mode_count),
      realization_count_(realization_count),
      random_(seed),
      slow_(mode_count * realization_count),
      fast_real_(slow_.size()),
      fast_imaginary_(slow_.size()) {
  const auto memory = [step](double time) { return time > 0 ? std::exp(-step / time) : 0.0; };
  slow_memory_ = memory(model.slow_time);
  const double fast = memory(model.fast_time);
  const double turn = model.period > 0 ? 2 * std::numbers::pi * step / model.period : 0;
  fast_cosine_ = fast * std::cos(turn);
  fast_sine_ = fast * std::sin(turn);
  fast_noise_ = std::sqrt(1 - fast * fast);
}

/// Advances both processes of a mode and a realization. Returns their sum, which has unit variance.
double ErrorCoefficients::next_value(std::size_t state, std::uint32_t mode,
                                     std::uint32_t realization) {
  const auto draw = [&](std::uint32_t process) {
    return standard_normal(random_, realization, mode, 3 * level_ + process);
  };
  const bool is_first = level_ == 0;
  double sum = 0;
  if (model_.slow_share > 0) {
    double& slow = slow_[state];
    slow = is_first ? draw(0)
                    : slow_memory_ * slow + std::sqrt(1 - slow_memory_ * slow_memory_) * draw(0);
    sum += std::sqrt(model_.slow_share) * slow;
  }
  if (model_.slow_share < 1) {
    const double real = fast_real_[state];
    const double imaginary = fast_imaginary_[state];
    const double noise = is_first ? 1 : fast_noise_;
    fast_real_[state] = fast_cosine_ * real - fast_sine_ * imaginary + noise * draw(1);
    fast_imaginary_[state] = fast_sine_ * real + fast_cosine_ * imaginary + noise * draw(2);
    sum += std::sqrt(1 - model_.slow_share) * fast_real_[state];
  }
  return sum;
}

void ErrorCoefficients::fill_next(double lead, float* coefficients) {
  const double rms = rms_at(model_, lead);
#pragma omp parallel for schedule(static)
  for (std::size_t mode = 0; mode < mode_count_; ++mode) {
    std::vector<double> values(realization_count_);
    double mean = 0;
    for (std::size_t r = 0; r < realization_count_; ++r) {
      values[r] = next_value(mode * realization_count_ + r, static_cast<std::uint32_t>(mode),
                             static_cast<std::uint32_t>(r));
      mean += values[r];
    }
    mean /= static_cast<double>(realization_count_);
    double squares = 0;
    for (double& value : values) {
      value -= mean;
      squares += value * value;
    }
    const double scale = rms / std::sqrt(squares / static_cast<double>(realization_count_));
    float* out = coefficients + mode * realization_count_;
    std::transform(values.begin(), values.end(), out,
                   [scale](double value) { return static_cast<float>(scale * value); });
  }
  ++level_;
}

}  // namespace tidewise
