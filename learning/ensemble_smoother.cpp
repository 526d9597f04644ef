#include "learning/ensemble_smoother.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "base/standard_normal.h"
#include "learning/chi_square.h"
#include "learning/error/codes.h"

namespace tidewise {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using MatrixMap = Eigen::Map<const Matrix>;
using VectorMap = Eigen::Map<const Vector>;

/// Minimum of the observations' errors relative to the greatest forecast spread.
constexpr double min_error = 1e-4;

Eigen::Index size_of(std::size_t count) { return static_cast<Eigen::Index>(count); }

/// Gaspari & Cohn (1999), eq. 4.10: 1 at 0, 0 from twice the half-width on.
double taper(double distance, double half_width) {
  if (half_width == 0) return 1;
  const double z = std::abs(distance) / half_width;
  if (z >= 2) return 0;
  if (z <= 1) return 1 + z * z * (-5.0 / 3 + z * (5.0 / 8 + z * (0.5 - z / 4)));
  return std::max(
      0.0, 4 - 5 * z + z * z * (5.0 / 3 + z * (5.0 / 8 + z * (-0.5 + z / 12))) - 2 / (3 * z));
}

void require(bool is_valid, const char* name, double value, const char* bounds) {
  if (is_valid) return;
  throw input_error(errors::smoother_option_invalid, name, value, bounds);
}

void validate_options(const SmootherOptions& options) {
  const auto between = [](double value, double min, double max) {
    return value >= min && value <= max;
  };
  require(between(options.inflation.value_or(1), 1, 100), "inflation",
          options.inflation.value_or(1), "1 … 100");
  require(between(options.relaxation, 0, 1), "relaxation", options.relaxation, "0 … 1");
  require(between(options.localisation, 0, 1e9), "localisation", options.localisation,
          "0 (none) or more levels");
  require(between(options.reject_beyond, 0, 1e9), "reject_beyond", options.reject_beyond,
          "0 (none) or more standard deviations");
  require(options.min_spread > 0 && options.min_spread <= 1, "min_spread", options.min_spread,
          "above 0 and at most 1");
}

void validate_observations(const std::vector<FlowObservation>& observations,
                           const CoefficientView& forecast) {
  for (std::size_t n = 0; n < observations.size(); ++n) {
    const FlowObservation& observation = observations[n];
    bool finite = std::isfinite(observation.value) && std::isfinite(observation.mean) &&
                  std::isfinite(observation.middle);
    for (const auto& part : observation.parts) {
      if (part.level < 0 || part.level >= forecast.level_count ||
          part.sensitivity.size() != static_cast<std::size_t>(forecast.mode_count)) {
        throw input_error(errors::observation_outside_forecast, n, part.level,
                          part.sensitivity.size(), forecast.level_count - 1, forecast.mode_count);
      }
      for (const double value : part.sensitivity) finite = finite && std::isfinite(value);
    }
    if (!finite) {
      throw input_error(errors::observation_not_finite, n);
    }
    if (!(observation.error > 0) || !std::isfinite(observation.error)) {
      throw input_error(errors::observation_error_invalid, n, observation.error);
    }
  }
}

std::vector<std::int32_t> chosen_members(const LearningEnsemble& ensemble, std::int32_t count) {
  std::vector<std::int32_t> members = ensemble.members;
  if (members.empty()) {
    members.resize(static_cast<std::size_t>(count));
    std::iota(members.begin(), members.end(), 0);
  }
  std::vector<bool> is_taken(static_cast<std::size_t>(count), false);
  for (const std::int32_t r : members) {
    if (r < 0 || r >= count || is_taken[static_cast<std::size_t>(r)]) {
      throw input_error(errors::member_invalid, r, count - 1);
    }
    is_taken[r] = true;
  }
  return members;
}

std::vector<double> shares_of(const std::vector<std::int32_t>& members,
                              const LearningEnsemble& ensemble, std::int32_t count) {
  std::vector<double> weight(members.size(), 1.0);
  if (!ensemble.weights.empty()) {
    if (ensemble.weights.size() != static_cast<std::size_t>(count)) {
      throw input_error(errors::member_weight_count, ensemble.weights.size(), count);
    }
    for (std::size_t n = 0; n < members.size(); ++n) weight[n] = ensemble.weights[members[n]];
  }
  const auto positive =
      std::count_if(weight.begin(), weight.end(), [](double value) { return value > 0; });
  if (positive < 2) {
    throw input_error(errors::learning_members_too_few, positive);
  }
  const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (double& value : weight) value /= sum;
  return weight;
}

/// H of every member, (observation, member).
Matrix predict(const std::vector<FlowObservation>& observations, const CoefficientView& forecast,
               const std::vector<std::int32_t>& members) {
  Matrix predicted(size_of(observations.size()), size_of(members.size()));
  for (std::size_t n = 0; n < observations.size(); ++n) {
    auto row = predicted.row(size_of(n));
    row.setConstant(observations[n].mean);
    for (const auto& part : observations[n].parts) {
      const View<const float> level = forecast.level(part.level);
      for (std::size_t m = 0; m < part.sensitivity.size(); ++m) {
        if (part.sensitivity[m] == 0) continue;
        const float* coefficient =
            level.data + m * static_cast<std::size_t>(forecast.realization_count);
        for (std::size_t r = 0; r < members.size(); ++r) {
          row[size_of(r)] += part.sensitivity[m] * static_cast<double>(coefficient[members[r]]);
        }
      }
    }
  }
  return predicted;
}

/// The innovations d of all observations, and the expected covariance C_yy · factor² + R of some.
class Innovations {
 public:
  /// The arguments must outlive the object. `anomaly`: (observation, member), including a given
  /// inflation.
  Innovations(const std::vector<FlowObservation>& observations,
              const std::vector<ObservationResult>& results, const std::vector<double>& errors,
              const Matrix& anomaly, const VectorMap& weight, const SmootherOptions& options)
      : observations_(observations),
        results_(results),
        errors_(errors),
        anomaly_(anomaly),
        weight_(weight),
        unbiased_(1 / (1 - weight.squaredNorm())),
        options_(options) {}

  Vector values(const std::vector<Eigen::Index>& used) const {
    Vector values(size_of(used.size()));
    for (std::size_t n = 0; n < used.size(); ++n) {
      values[size_of(n)] = results_[used[n]].innovation;
    }
    return values;
  }
  Vector errors(const std::vector<Eigen::Index>& used) const {
    Vector errors(size_of(used.size()));
    for (std::size_t n = 0; n < used.size(); ++n) errors[size_of(n)] = errors_[used[n]];
    return errors;
  }
  Matrix anomalies(const std::vector<Eigen::Index>& used, double factor) const {
    return factor * anomaly_(used, Eigen::all);
  }
  /// Weighted anomalies: anomalies times their transpose are covariances.
  Matrix weighted(const Matrix& anomalies) const {
    return unbiased_ * (anomalies.array().rowwise() * weight_.transpose().array()).matrix();
  }
  /// C_yy · factor², tapered.
  Matrix covariance(const std::vector<Eigen::Index>& used, double factor) const {
    const Matrix y = anomalies(used, factor);
    Matrix covariance = y * weighted(y).transpose();
    for (std::size_t i = 0; i < used.size(); ++i) {
      for (std::size_t j = 0; j < used.size(); ++j) {
        covariance(size_of(i), size_of(j)) *= taper(
            observations_[used[i]].middle - observations_[used[j]].middle, options_.localisation);
      }
    }
    return covariance;
  }
  /// The Cholesky factor L of C_yy · factor² + R.
  Eigen::LLT<Matrix> factorised(const std::vector<Eigen::Index>& used, double factor) const {
    const Matrix scaled = covariance(used, factor);
    Matrix expected = 0.5 * (scaled + scaled.transpose());
    expected.diagonal().array() += errors(used).array().square();
    Eigen::LLT<Matrix> root(expected);
    if (root.info() != Eigen::Success) {
      throw input_error(errors::covariance_not_factorised);
    }
    return root;
  }
  /// 1 if the observations are consistent with the forecast, else the factor at which chi-square
  /// equals its degrees of freedom; nullopt if no factor within the bound makes them consistent.
  /// 1 / chi-square is a concave function of the factor's square, so Newton's method ascends to it.
  std::optional<double> inflation(const std::vector<Eigen::Index>& used) const {
    if (used.empty()) return 1;
    const auto degrees = static_cast<std::int32_t>(used.size());
    const Vector d = values(used);
    const Matrix unit = covariance(used, 1);
    constexpr double limit = max_adaptive_inflation * max_adaptive_inflation;
    constexpr double tolerance = 1e-10;
    double square = 1;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Vector solved = factorised(used, std::sqrt(square)).solve(d);
      const double chi_square = d.dot(solved);
      if (iteration == 0 && chi_square_tail(chi_square, degrees) >= improbable_chi_square) return 1;
      const double slope = solved.dot(unit * solved);  // slope of −chi-square
      const double step = chi_square * (chi_square / degrees - 1) / slope;
      if (!(slope > 0 && square + step < limit)) {
        const double min = d.dot(factorised(used, max_adaptive_inflation).solve(d));
        if (chi_square_tail(min, degrees) < improbable_chi_square) return std::nullopt;
        return max_adaptive_inflation;
      }
      square += step;
      if (step < tolerance * square) break;
    }
    return std::sqrt(square);
  }

  /// The observations of legs that are too far from the forecast with this inflation.
  std::vector<bool> rejected(double factor) const {
    std::vector<bool> rejected(observations_.size(), false);
    if (options_.reject_beyond == 0) return rejected;
    for (std::size_t begin = 0, end = 0; begin < rejected.size(); begin = end) {
      // Observations of a leg are adjacent.
      const std::int32_t leg = observations_[begin].leg;
      std::vector<Eigen::Index> leg_observations{size_of(begin)};
      for (end = begin + 1; end < rejected.size() && leg >= 0 && observations_[end].leg == leg;) {
        leg_observations.push_back(size_of(end++));
      }
      const Matrix y = anomalies(leg_observations, factor);
      Matrix expected = weighted(y) * y.transpose();
      expected.diagonal().array() += errors(leg_observations).array().square();
      const Vector d = values(leg_observations);
      const bool is_far = std::sqrt(d.dot(expected.ldlt().solve(d))) > options_.reject_beyond;
      std::fill(rejected.begin() + static_cast<std::ptrdiff_t>(begin),
                rejected.begin() + static_cast<std::ptrdiff_t>(end), is_far);
    }
    return rejected;
  }
  /// True if so many legs are rejected that the forecast, not the legs, must be wrong.
  bool are_too_many(const std::vector<bool>& rejected) const {
    std::size_t legs = 0;
    std::size_t rejected_legs = 0;
    for (std::size_t n = 0; n < rejected.size(); ++n) {
      const std::int32_t leg = observations_[n].leg;
      if (n > 0 && leg >= 0 && leg == observations_[n - 1].leg) continue;
      ++legs;
      if (rejected[n]) ++rejected_legs;
    }
    return rejected_legs > 1 && 5 * rejected_legs > legs;
  }
  /// Indices of the observations that are not rejected.
  static std::vector<Eigen::Index> indices_kept(const std::vector<bool>& rejected) {
    std::vector<Eigen::Index> kept;
    for (std::size_t n = 0; n < rejected.size(); ++n) {
      if (!rejected[n]) kept.push_back(size_of(n));
    }
    return kept;
  }

 private:
  const std::vector<FlowObservation>& observations_;
  const std::vector<ObservationResult>& results_;
  const std::vector<double>& errors_;
  const Matrix& anomaly_;
  const VectorMap& weight_;
  double unbiased_;  // factor of weighted sample covariances; N / (N − 1) with equal weights
  const SmootherOptions& options_;
};

}  // namespace

EnsembleSmoother::EnsembleSmoother(std::vector<FlowObservation> observations,
                                   const CoefficientView& forecast,
                                   const LearningEnsemble& ensemble, const SmootherOptions& options)
    : options_(options) {
  validate_options(options);
  validate_observations(observations, forecast);
  members_ = chosen_members(ensemble, forecast.realization_count);
  weight_ = shares_of(members_, ensemble, forecast.realization_count);
  const std::size_t count = observations.size();
  const Eigen::Index member_count = size_of(members_.size());
  const VectorMap weight(weight_.data(), member_count);
  // Unbiased covariance of a weighted sample: divided by N − 1 with equal weights.
  const double unbiased = 1 / (1 - weight.squaredNorm());

  Matrix anomaly = predict(observations, forecast, members_);
  if (!anomaly.allFinite()) {
    throw input_error(errors::forecast_coefficient_not_finite);
  }
  const Matrix predicted = anomaly;
  const Vector forecast_mean = predicted * weight;
  anomaly = options.inflation.value_or(1) * (predicted.colwise() - forecast_mean);
  const Vector variance = unbiased * (anomaly.array().square().matrix() * weight);
  const double floor = count > 0 ? min_error * std::sqrt(variance.maxCoeff()) : 0;

  // Random numbers depend only on the observation and the member.
  const Philox random(options.seed);
  const auto noise = [&](std::size_t n, std::int32_t r, std::uint32_t purpose) {
    return standard_normal(random, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(r),
                           purpose);
  };
  constexpr std::uint32_t for_ranks = 1;
  constexpr std::uint32_t for_perturbations = 2;

  for (std::size_t n = 0; n < count; ++n) {
    const Eigen::Index row = size_of(n);
    const FlowObservation& observation = observations[n];
    ObservationResult result;
    result.forecast = forecast_mean[row];
    result.forecast_spread = std::sqrt(variance[row]);
    result.innovation = observation.value - forecast_mean[row];
    const double error = std::max(observation.error, floor);
    result.normalized = result.innovation / std::hypot(result.forecast_spread, error);
    for (std::size_t r = 0; r < members_.size(); ++r) {
      const double sample = predicted(row, size_of(r)) + error * noise(n, members_[r], for_ranks);
      if (sample < observation.value) ++result.rank;
    }
    result.outside = std::abs(result.normalized) > 3 &&
                     (observation.value < predicted.row(row).minCoeff() - 2 * error ||
                      observation.value > predicted.row(row).maxCoeff() + 2 * error);
    result.posterior = result.forecast;
    result.posterior_spread = result.forecast_spread;
    results_.push_back(result);
  }
  std::vector<double> errors;
  for (const FlowObservation& observation : observations)
    errors.push_back(std::max(observation.error, floor));
  const Innovations innovations(observations, results_, errors, anomaly, weight, options);
  std::vector<bool> rejected = innovations.rejected(1);
  if (!options.inflation && innovations.are_too_many(rejected)) {
    const std::vector<Eigen::Index> all = Innovations::indices_kept(std::vector<bool>(count));
    const std::optional<double> inflation = innovations.inflation(all);
    if (inflation && *inflation > 1) rejected = innovations.rejected(*inflation);
    if (inflation != 1 && innovations.are_too_many(rejected)) rejected.assign(count, false);
  }
  const std::vector<Eigen::Index> used = innovations.indices_kept(rejected);
  for (std::size_t n = 0; n < count; ++n) results_[n].rejected = rejected[n];
  used_count_ = used.size();
  if (used.empty()) return;

  const Vector innovation = innovations.values(used);
  Eigen::LLT<Matrix> root = innovations.factorised(used, 1);
  Vector solved = root.solve(innovation);
  const auto degrees = static_cast<std::int32_t>(used.size());
  consistency_.degrees_of_freedom = degrees;
  consistency_.chi_square = innovation.dot(solved);
  consistency_.probability = chi_square_tail(consistency_.chi_square, degrees);
  double factor = 1;  // on the anomalies
  if (!options.inflation && consistency_.probability < improbable_chi_square) {
    factor = innovations.inflation(used).value_or(1);
    root = innovations.factorised(used, factor);
    solved = root.solve(innovation);
  }
  inflation_ = factor * options.inflation.value_or(1);
  consistency_.inflation = inflation_;
  consistency_.contradicted =
      chi_square_tail(innovation.dot(solved), degrees) < improbable_chi_square;

  const Eigen::Index p = size_of(used.size());
  const Matrix y = innovations.anomalies(used, factor);
  const Matrix weighted = innovations.weighted(y);
  const Vector error = innovations.errors(used);
  for (const Eigen::Index n : used) middle_.push_back(observations[n].middle);
  const Matrix covariance = innovations.covariance(used, factor);
  mean_solved_.assign(solved.begin(), solved.end());

  Matrix change;
  if (options.scheme == UpdateScheme::square_root) {
    Matrix sum = root.matrixL();
    sum.diagonal() += error;
    change = sum.triangularView<Eigen::Lower>().solve(y);
    root.matrixU().solveInPlace(change);
  } else {
    Matrix perturbed(p, member_count);
    for (Eigen::Index n = 0; n < p; ++n) {
      const auto observation = static_cast<std::size_t>(used[n]);
      for (std::size_t r = 0; r < members_.size(); ++r) {
        perturbed(n, size_of(r)) = error[n] * noise(observation, members_[r], for_perturbations);
      }
    }
    // Perturbations without a mean, so that the posterior's mean is that of the true observations.
    const Vector drift = perturbed * weight;
    change = root.solve(y - (perturbed.colwise() - drift));
  }
  const Vector after = covariance * solved;
  const Matrix remaining = y - covariance * change;
  for (Eigen::Index n = 0; n < p; ++n) {
    ObservationResult& result = results_[used[n]];
    result.posterior += after[n];
    result.posterior_spread =
        std::sqrt(unbiased * remaining.row(n).array().square().matrix().dot(weight));
  }
  weighted_anomaly_.assign(weighted.data(), weighted.data() + weighted.size());
  anomaly_solved_.assign(change.data(), change.data() + change.size());
}

void EnsembleSmoother::update_level(TimeLevel k, View<const float> before,
                                    View<double> after) const {
  const Eigen::Index member_count = size_of(members_.size());
  const Eigen::Index mode_count = size_of(after.size) / member_count;
  const std::size_t realization_count = before.size / static_cast<std::size_t>(mode_count);
  Eigen::Map<Matrix> x(after.data, mode_count, member_count);
  for (Eigen::Index m = 0; m < mode_count; ++m) {
    const float* from = before.data + static_cast<std::size_t>(m) * realization_count;
    for (Eigen::Index r = 0; r < member_count; ++r) x(m, r) = from[members_[r]];
  }
  if (used_count_ == 0) return;

  const Eigen::Index p = size_of(used_count_);
  const VectorMap weight(weight_.data(), member_count);
  const Vector mean = x * weight;
  const Matrix prior = x.colwise() - mean;
  const Vector spread = (prior.array().square().matrix() * weight).array().sqrt();
  const Matrix anomaly = inflation_ * prior;
  Matrix covariance = anomaly * MatrixMap(weighted_anomaly_.data(), p, member_count).transpose();
  if (options_.localisation > 0) {
    for (Eigen::Index n = 0; n < p; ++n) {
      covariance.col(n) *= taper(k.value + 0.5 - middle_[n], options_.localisation);
    }
  }
  const Vector posterior_mean = mean + covariance * VectorMap(mean_solved_.data(), p);
  Matrix posterior = anomaly - covariance * MatrixMap(anomaly_solved_.data(), p, member_count);
  for (Eigen::Index m = 0; m < mode_count; ++m) {
    if (spread[m] == 0) continue;  // x does not change
    const double remaining = std::sqrt(posterior.row(m).array().square().matrix().dot(weight));
    const double required =
        std::max(remaining + options_.relaxation * std::max(0.0, spread[m] - remaining),
                 options_.min_spread * spread[m]);
    // Anomalies that have become 0 are replaced by scaled ones of the forecast.
    if (remaining > 1e-12 * spread[m]) {
      posterior.row(m) *= required / remaining;
    } else {
      posterior.row(m) = prior.row(m) * (required / spread[m]);
    }
    x.row(m) = posterior.row(m).array() + posterior_mean[m];
  }
}

}  // namespace tidewise
