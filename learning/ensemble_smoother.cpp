#include "learning/ensemble_smoother.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/standard_normal.h"
#include "learning/chi_square.h"
#include "learning/error/codes.h"

namespace tidewise {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using MatrixLook = Eigen::Map<const Matrix>;
using VectorLook = Eigen::Map<const Vector>;

/// What the errors of the observations are to the greatest forecast spread at least.
constexpr double least_error = 1e-4;

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

void require(bool right, const char* name, double value, const char* bounds) {
  if (right) return;
  throw input_error(errors::smoother_option_invalid, name, value, bounds);
}

void validate_options(const SmootherOptions& options) {
  const auto between = [](double value, double least, double most) {
    return value >= least && value <= most;
  };
  require(between(options.inflation, 1, 100), "inflation", options.inflation, "1 … 100");
  require(between(options.relaxation, 0, 1), "relaxation", options.relaxation, "0 … 1");
  require(between(options.localisation, 0, 1e9), "localisation", options.localisation,
          "0 (none) or more levels");
  require(between(options.reject_beyond, 0, 1e9), "reject_beyond", options.reject_beyond,
          "0 (none) or more standard deviations");
  require(options.least_spread > 0 && options.least_spread <= 1, "least_spread",
          options.least_spread, "above 0 and at most 1");
}

void validate_observations(const std::vector<FlowObservation>& observations,
                           const CoefficientView& forecast) {
  for (std::size_t n = 0; n < observations.size(); ++n) {
    const FlowObservation& one = observations[n];
    bool finite = std::isfinite(one.value) && std::isfinite(one.mean) && std::isfinite(one.middle);
    for (const auto& part : one.parts) {
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
    if (!(one.error > 0) || !std::isfinite(one.error)) {
      throw input_error(errors::observation_error_invalid, n, one.error);
    }
  }
}

std::vector<std::int32_t> chosen_members(const LearningEnsemble& ensemble, std::int32_t count) {
  std::vector<std::int32_t> members = ensemble.members;
  if (members.empty()) {
    members.resize(static_cast<std::size_t>(count));
    std::iota(members.begin(), members.end(), 0);
  }
  std::vector<bool> seen(static_cast<std::size_t>(count), false);
  for (const std::int32_t r : members) {
    if (r < 0 || r >= count || seen[static_cast<std::size_t>(r)]) {
      throw input_error(errors::member_invalid, r, count - 1);
    }
    seen[r] = true;
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
  const auto counting =
      std::count_if(weight.begin(), weight.end(), [](double value) { return value > 0; });
  if (counting < 2) {
    throw input_error(errors::learning_members_too_few, counting);
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
  const VectorLook weight(weight_.data(), member_count);
  // Of a sample with weights: divided by N − 1 where all are alike.
  const double unbiased = 1 / (1 - weight.squaredNorm());

  Matrix anomaly = predict(observations, forecast, members_);
  if (!anomaly.allFinite()) {
    throw input_error(errors::forecast_coefficient_not_finite);
  }
  const Matrix predicted = anomaly;
  const Vector forecast_mean = predicted * weight;
  anomaly = options.inflation * (predicted.colwise() - forecast_mean);
  const Vector variance = unbiased * (anomaly.array().square().matrix() * weight);
  const double floor = count > 0 ? least_error * std::sqrt(variance.maxCoeff()) : 0;

  // Random numbers are an observation's and a member's own, whatever else there is.
  const Philox random(options.seed);
  const auto noise = [&](std::size_t n, std::int32_t r, std::uint32_t purpose) {
    return standard_normal(random, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(r),
                           purpose);
  };
  constexpr std::uint32_t for_ranks = 1;
  constexpr std::uint32_t for_perturbations = 2;

  std::vector<Eigen::Index> used;
  for (std::size_t n = 0; n < count; ++n) {
    const Eigen::Index row = size_of(n);
    const FlowObservation& one = observations[n];
    ObservationVerdict verdict;
    verdict.forecast = forecast_mean[row];
    verdict.forecast_spread = std::sqrt(variance[row]);
    verdict.innovation = one.value - forecast_mean[row];
    const double error = std::max(one.error, floor);
    verdict.normalized = verdict.innovation / std::hypot(verdict.forecast_spread, error);
    for (std::size_t r = 0; r < members_.size(); ++r) {
      const double shown = predicted(row, size_of(r)) + error * noise(n, members_[r], for_ranks);
      if (shown < one.value) ++verdict.rank;
    }
    verdict.outside = std::abs(verdict.normalized) > 3 &&
                      (one.value < predicted.row(row).minCoeff() - 2 * error ||
                       one.value > predicted.row(row).maxCoeff() + 2 * error);
    verdict.posterior = verdict.forecast;
    verdict.posterior_spread = verdict.forecast_spread;
    verdicts_.push_back(verdict);
  }
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    // Those of a leg, which follow each other.
    const std::int32_t leg = observations[begin].leg;
    for (end = begin + 1; end < count && leg >= 0 && observations[end].leg == leg;) ++end;
    const auto size = size_of(end - begin);
    const Matrix y = anomaly.middleRows(size_of(begin), size);
    Matrix expected =
        unbiased * (y.array().rowwise() * weight.transpose().array()).matrix() * y.transpose();
    Vector innovation(size);
    for (Eigen::Index n = 0; n < size; ++n) {
      const std::size_t of = begin + static_cast<std::size_t>(n);
      innovation[n] = verdicts_[of].innovation;
      expected(n, n) += std::pow(std::max(observations[of].error, floor), 2);
    }
    const double distance = std::sqrt(innovation.dot(expected.ldlt().solve(innovation)));
    const bool rejected = options.reject_beyond > 0 && distance > options.reject_beyond;
    for (std::size_t n = begin; n < end; ++n) {
      verdicts_[n].rejected = rejected;
      if (!rejected) used.push_back(size_of(n));
    }
  }
  used_count_ = used.size();
  if (used.empty()) return;

  const Eigen::Index p = size_of(used.size());
  const Matrix y = anomaly(used, Eigen::all);
  const Matrix weighted = unbiased * (y.array().rowwise() * weight.transpose().array()).matrix();
  Vector innovation(p);
  Vector error(p);
  for (Eigen::Index n = 0; n < p; ++n) {
    const auto of = static_cast<std::size_t>(used[n]);
    innovation[n] = verdicts_[of].innovation;
    error[n] = std::max(observations[of].error, floor);
    middle_.push_back(observations[of].middle);
  }
  Matrix covariance = y * weighted.transpose();
  for (Eigen::Index i = 0; i < p; ++i) {
    for (Eigen::Index j = 0; j < p; ++j) {
      covariance(i, j) *= taper(middle_[i] - middle_[j], options.localisation);
    }
  }
  Matrix expected = 0.5 * (covariance + covariance.transpose());
  expected.diagonal().array() += error.array().square();
  const Eigen::LLT<Matrix> factor(expected);
  if (factor.info() != Eigen::Success) {
    throw input_error(errors::covariance_not_factorised);
  }

  const Vector solved = factor.solve(innovation);
  consistency_.chi_square = innovation.dot(solved);
  consistency_.degrees_of_freedom = static_cast<std::int32_t>(p);
  consistency_.probability =
      chi_square_tail(consistency_.chi_square, consistency_.degrees_of_freedom);
  mean_solved_.assign(solved.begin(), solved.end());

  Matrix change;
  if (options.scheme == UpdateScheme::square_root) {
    Matrix sum = factor.matrixL();
    sum.diagonal() += error;
    change = sum.triangularView<Eigen::Lower>().solve(y);
    factor.matrixU().solveInPlace(change);
  } else {
    Matrix perturbed(p, member_count);
    for (Eigen::Index n = 0; n < p; ++n) {
      const auto of = static_cast<std::size_t>(used[n]);
      for (std::size_t r = 0; r < members_.size(); ++r) {
        perturbed(n, size_of(r)) = error[n] * noise(of, members_[r], for_perturbations);
      }
    }
    // Without a mean, so that the posterior's mean is that of the observations as they are.
    const Vector drift = perturbed * weight;
    change = factor.solve(y - (perturbed.colwise() - drift));
  }
  const Vector after = covariance * solved;
  const Matrix remaining = y - covariance * change;
  for (Eigen::Index n = 0; n < p; ++n) {
    ObservationVerdict& verdict = verdicts_[used[n]];
    verdict.posterior += after[n];
    verdict.posterior_spread =
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
  const VectorLook weight(weight_.data(), member_count);
  const Vector mean = x * weight;
  const Matrix given = x.colwise() - mean;
  const Vector spread = (given.array().square().matrix() * weight).array().sqrt();
  const Matrix anomaly = options_.inflation * given;
  Matrix covariance = anomaly * MatrixLook(weighted_anomaly_.data(), p, member_count).transpose();
  if (options_.localisation > 0) {
    for (Eigen::Index n = 0; n < p; ++n) {
      covariance.col(n) *= taper(k.value + 0.5 - middle_[n], options_.localisation);
    }
  }
  const Vector moved = mean + covariance * VectorLook(mean_solved_.data(), p);
  Matrix rest = anomaly - covariance * MatrixLook(anomaly_solved_.data(), p, member_count);
  for (Eigen::Index m = 0; m < mode_count; ++m) {
    if (spread[m] == 0) continue;  // x stays as it is
    const double left = std::sqrt(rest.row(m).array().square().matrix().dot(weight));
    const double wanted = std::max(left + options_.relaxation * std::max(0.0, spread[m] - left),
                                   options_.least_spread * spread[m]);
    // What has nothing left at all gets the forecast's shape back.
    if (left > 1e-12 * spread[m]) {
      rest.row(m) *= wanted / left;
    } else {
      rest.row(m) = given.row(m) * (wanted / spread[m]);
    }
    x.row(m) = rest.row(m).array() + moved[m];
  }
}

}  // namespace tidewise
