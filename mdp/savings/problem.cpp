#include "mdp/savings/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/savings/monotone_cubic.h"

namespace tidewise::mdp {
namespace {

double standard_normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// Rouwenhorst's matrix of `count` states, row by row, built from that of one state less.
std::vector<double> rouwenhorst_transition(std::size_t count, double stay) {
  std::vector<double> smaller{1};
  for (std::size_t n = 2; n <= count; ++n) {
    std::vector<double> larger(n * n, 0.0);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      for (std::size_t j = 0; j + 1 < n; ++j) {
        const double p = smaller[i * (n - 1) + j];
        larger[i * n + j] += stay * p;
        larger[i * n + j + 1] += (1 - stay) * p;
        larger[(i + 1) * n + j] += (1 - stay) * p;
        larger[(i + 1) * n + j + 1] += stay * p;
      }
    }
    for (std::size_t i = 1; i + 1 < n; ++i) {  // the inner rows were added twice
      for (std::size_t j = 0; j < n; ++j) larger[i * n + j] /= 2;
    }
    smaller = std::move(larger);
  }
  return smaller;
}

std::vector<double> tauchen_transition(const std::vector<double>& log_level, double persistence,
                                       double volatility) {
  const std::size_t count = log_level.size();
  const double half = (log_level[1] - log_level[0]) / 2;
  std::vector<double> transition(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    double previous_cumulative = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const double edge = log_level[j] + half - persistence * log_level[i];
      const double cumulative = j + 1 == count ? 1 : standard_normal_below(edge / volatility);
      transition[i * count + j] = cumulative - previous_cumulative;
      previous_cumulative = cumulative;
    }
  }
  return transition;
}

/// Stationary distribution, by repeated squaring of the transition matrix.
std::vector<double> long_run_shares(std::vector<double> transition, std::size_t count) {
  for (int doubling = 0; doubling < 60; ++doubling) {
    std::vector<double> square(count * count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < count; ++j) {
        for (std::size_t m = 0; m < count; ++m) {
          square[i * count + j] += transition[i * count + m] * transition[m * count + j];
        }
        sum += square[i * count + j];
      }
      for (std::size_t j = 0; j < count; ++j) square[i * count + j] /= sum;
    }
    transition = std::move(square);
  }
  return {transition.begin(), transition.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Productivity make_productivity(ProductivityMethod method, std::int32_t count, double persistence,
                               double volatility) {
  if (count < 1 || count > 1000) {
    throw input_error(errors::productivity_count_invalid, count);
  }
  if (!(persistence >= 0 && persistence < 1)) {
    throw input_error(errors::persistence_invalid, persistence);
  }
  if (!(volatility >= 0) || std::isinf(volatility)) {
    throw input_error(errors::volatility_invalid, volatility);
  }
  if (count == 1 || volatility == 0) return {{1.0}, {1.0}};  // without risk there is one state
  const auto states = static_cast<std::size_t>(count);
  const double deviation = volatility / std::sqrt(1 - persistence * persistence);
  const bool rouwenhorst = method == ProductivityMethod::rouwenhorst;
  const double end = deviation * (rouwenhorst ? std::sqrt(count - 1.0) : 3.0);
  std::vector<double> log_level(states);
  for (std::size_t n = 0; n < states; ++n) {
    log_level[n] = end * (2 * static_cast<double>(n) / (count - 1.0) - 1);
  }
  Productivity result;
  result.transition = rouwenhorst ? rouwenhorst_transition(states, (1 + persistence) / 2)
                                  : tauchen_transition(log_level, persistence, volatility);
  const std::vector<double> share = long_run_shares(result.transition, states);
  double mean = 0;
  for (std::size_t n = 0; n < states; ++n) mean += share[n] * std::exp(log_level[n]);
  for (const double level : log_level) result.level.push_back(std::exp(level) / mean);
  return result;
}

std::vector<double> make_assets(std::int32_t count, double low, double high) {
  std::vector<double> assets;
  for (std::int32_t n = 0; n < count; ++n) {
    const double share = n / (count - 1.0);
    assets.push_back(low + (high - low) * (share * share));
  }
  return assets;
}

std::vector<double> UtilityTable::slopes() const {
  std::vector<double> slopes;
  for (std::size_t n = 0; n < consumption.size(); ++n) {
    slopes.push_back(monotone_slope(consumption, utility.data(), n));
  }
  return slopes;
}

namespace {

void validate_productivity(const Productivity& productivity) {
  constexpr double tolerance = 1e-9;
  const std::size_t count = productivity.count();
  if (count == 0 || productivity.transition.size() != count * count) {
    throw input_error(errors::savings_transition_shape, productivity.transition.size(), count);
  }
  for (const double level : productivity.level) {
    if (!(level > 0) || std::isinf(level)) throw input_error(errors::savings_level_invalid, level);
  }
  for (std::size_t from = 0; from < count; ++from) {
    double sum = 0;
    for (std::size_t to = 0; to < count; ++to) {
      const double probability = productivity.transition[from * count + to];
      if (!(probability >= 0)) {
        throw input_error(errors::savings_transition_negative, from, to, probability);
      }
      sum += probability;
    }
    if (!(std::abs(sum - 1) <= tolerance)) {
      throw input_error(errors::savings_transition_sum, from, sum);
    }
  }
}

/// Refuses an invalid utility. `min` and `max`: range of possible consumption.
void validate_utility(const UtilityTable& table, double min, double max) {
  const std::vector<double>& c = table.consumption;
  if (c.empty() && table.utility.empty()) return;
  if (c.size() < 4 || table.utility.size() != c.size()) {
    throw input_error(errors::utility_shape, c.size(), table.utility.size());
  }
  double secant = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n + 1 < c.size(); ++n) {
    const double before = secant;
    secant = (table.utility[n + 1] - table.utility[n]) / (c[n + 1] - c[n]);
    constexpr double rounding = 1e-9;
    const bool is_concave = secant <= before * (1 + rounding);
    if (!(c[n + 1] > c[n]) || !(secant > 0) || !is_concave || std::isinf(secant)) {
      throw input_error(errors::utility_not_concave, c[n], c[n + 1]);
    }
  }
  if (!(c.front() <= min && c.back() >= max)) {
    throw input_error(errors::utility_range, c.front(), c.back(), min, max);
  }
}

}  // namespace

void validate_savings(const SavingsProblem& problem) {
  const std::vector<double>& assets = problem.assets;
  if (assets.size() < 4) {
    throw input_error(errors::assets_too_few, assets.size());
  }
  for (std::size_t n = 0; n < assets.size(); ++n) {
    if (!std::isfinite(assets[n]) || (n > 0 && !(assets[n] > assets[n - 1]))) {
      throw input_error(errors::assets_not_rising, assets[n]);
    }
  }
  if (problem.state_count() > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    throw input_error(errors::savings_states_too_many, assets.size(), problem.productivity.count());
  }
  if (!(problem.discount > 0 && problem.discount < 1)) {
    throw input_error(errors::savings_discount_invalid, problem.discount);
  }
  if (!(problem.interest > -1) || std::isinf(problem.interest)) {
    throw input_error(errors::interest_invalid, problem.interest);
  }
  if (!(problem.wage >= 0) || std::isinf(problem.wage)) {
    throw input_error(errors::wage_invalid, problem.wage);
  }
  validate_productivity(problem.productivity);
  const auto [low, high] =
      std::minmax_element(problem.productivity.level.begin(), problem.productivity.level.end());
  const double min = problem.interest * assets.front() + problem.wage * *low;
  if (!(min > 0)) {
    throw input_error(errors::borrowing_limit_invalid, assets.front(), min);
  }
  const double max = (1 + problem.interest) * assets.back() + problem.wage * *high - assets.front();
  validate_utility(problem.utility, min, max);
}

}  // namespace tidewise::mdp
