#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/memory/view.h"
#include "learning/flow_observation.h"

namespace tidewise {

/// The update of the ensemble's anomalies.
enum class UpdateScheme {
  square_root,            ///< deterministic (Whitaker & Hamill 2002, by Andrews' gain)
  perturbed_observations  ///< each realization has its own perturbed copy (Burgers et al. 1998)
};

/// Observations with a chi-square of a smaller probability contradict the forecast.
inline constexpr double improbable_chi_square = 0.01;
/// Bound of the adaptive inflation.
inline constexpr double max_adaptive_inflation = 3;

/// Options of EnsembleSmoother.
struct SmootherOptions {
  UpdateScheme scheme = UpdateScheme::square_root;
  /// Factor on the forecast's anomalies before the update, 1 to 100. Without a value it is
  /// adaptive: 1 if the observations are consistent with the forecast; if chi-square is
  /// improbable, the factor at which it equals the degrees of freedom (the innovation statistics of
  /// Wang & Bishop 2003, §5), at most max_adaptive_inflation. If chi-square is improbable
  /// even with that factor, it is 1.
  std::optional<double> inflation = {};
  /// Share of the lost spread that is restored (relaxation to prior spread, Whitaker & Hamill
  /// 2012); 0 … 1.
  double relaxation = 0;
  /// Localisation in time [levels]: covariances are tapered by the function of Gaspari & Cohn
  /// (1999, eq. 4.10) with this half-width, so that the effect of an observation falls to 0 at
  /// twice this distance. 0: no taper.
  double localisation = 0;
  /// Rejects all observations of a leg if their distance from the forecast's mean, √(dᵀ(HPHᵀ +
  /// R)⁻¹d), exceeds this number of expected standard deviations; 0: rejects none. With adaptive
  /// inflation, if more than one leg and more than a fifth of all would be rejected, the forecast
  /// is at fault: then the inflated spread decides.
  double reject_beyond = 0;
  /// Minimum share of its forecast spread that every coefficient keeps; > 0, so that no ensemble
  /// becomes certain without evidence.
  double min_spread = 1e-3;
  /// Seed of the perturbed observations and of ranks.
  std::uint64_t seed = 1;
};

/// A view of the coefficients of an ensemble at all levels, in memory.
struct CoefficientView {
  const float* data = nullptr;  ///< (level, mode, realization)
  std::int32_t level_count = 0;
  std::int32_t mode_count = 0;
  std::int32_t realization_count = 0;

  /// The coefficients of level k, (mode, realization).
  View<const float> level(std::int32_t k) const {
    const auto size =
        static_cast<std::size_t>(mode_count) * static_cast<std::size_t>(realization_count);
    return {data + static_cast<std::size_t>(k) * size, size};
  }
};

/// The realizations whose coefficients are updated.
struct LearningEnsemble {
  /// Numbers of realizations, in the posterior's order, without repetition. Empty: all. Leave out a
  /// realization that serves as the truth.
  std::vector<std::int32_t> members;
  /// Weights of all realizations, not only of the members, (realization); empty: equal weights.
  std::vector<std::uint32_t> weights;
};

/// The result of one observation. Spreads are standard deviations, in its unit.
struct ObservationResult {
  double forecast = 0;         ///< mean of H over the ensemble
  double forecast_spread = 0;  ///< spread of H, with a given inflation, without an adaptive one
  double innovation = 0;       ///< observed − forecast
  /// innovation / √(forecast_spread² + error²): about normal, if the forecast's spread and the
  /// error are correct.
  double normalized = 0;
  /// Number of realizations below the observation, each with a random error like that of the
  /// observation: 0 … members. Over many observations all ranks are equally likely.
  std::int32_t rank = 0;
  /// True if the observation is beyond all realizations by more than twice its error, and beyond
  /// three expected standard deviations: the ensemble cannot explain it.
  bool outside = false;
  bool rejected = false;        ///< true if reject_beyond rejects it, so that it is not used
  double posterior = 0;         ///< mean of H after the update
  double posterior_spread = 0;  ///< before relaxation
};

/// The consistency of observations and forecast.
struct Consistency {
  /// dᵀ(HPHᵀ + R)⁻¹d of the used observations, including a given inflation, but not an adaptive
  /// one.
  double chi_square = 0;
  std::int32_t degrees_of_freedom = 0;  ///< number of used observations
  /// Probability of a greater chi-square if spread and errors are correct. Near 0 spread or errors
  /// are too small, near 1 too large.
  double probability = 1;
  double inflation = 1;  ///< factor that the update used, given or adaptive
  /// True if chi-square is improbable even with that factor.
  bool contradicted = false;
};

/// The ensemble smoother in the space of the coefficients. All levels are updated by all
/// observations, earlier and later ones, through the ensemble's covariance across time. With x the
/// coefficients, y = H(x), C their weighted sample covariances and R = diag(error²)
///
///   mean:      x + C_xy (C_yy + R)⁻¹ (d − y)
///   anomalies: square root: x' − C_xy L⁻ᵀ (L + √R)⁻¹ y',  L Lᵀ = C_yy + R,
///              which has the Kalman posterior's covariance exactly; or each realization like the
///              mean, with a perturbed d of its own.
///
/// It computes in double precision on the calling thread, with the same bits on every run; several
/// threads may use separate objects. Coefficients without spread do not change.
class EnsembleSmoother {
 public:
  /// Solves the part that all levels share, and copies what it needs. `forecast` must have all
  /// levels of the observations. Errors below 10⁻⁴ of the greatest forecast spread of an
  /// observation are raised to that. Errors: InputError for fewer than two members with a weight,
  /// numbers that are not finite, errors ≤ 0, options out of bounds.
  EnsembleSmoother(std::vector<FlowObservation> observations, const CoefficientView& forecast,
                   const LearningEnsemble& ensemble, const SmootherOptions& options);

  /// Computes the posterior of one level. before: (mode, realization); after: (mode, member). The
  /// mean of the coefficients is no longer that of the forecast, which is usually 0; see
  /// coefficient_moments().
  void update_level(TimeLevel k, View<const float> before, View<double> after) const;

  /// Results of all observations, in their order.
  const std::vector<ObservationResult>& results() const { return results_; }
  /// Consistency of the used observations with the forecast.
  const Consistency& consistency() const { return consistency_; }
  /// Weights of the members, summing to 1.
  const std::vector<double>& member_weights() const { return weight_; }

 private:
  std::vector<std::int32_t> members_;
  std::vector<double> weight_;  // (member)
  SmootherOptions options_;
  double inflation_ = 1;
  // The following refer to the used observations.
  std::size_t used_count_ = 0;
  std::vector<double> middle_;            // (used) [levels]
  std::vector<double> weighted_anomaly_;  // (used, member): C_xy = x' times this, transposed
  std::vector<double> mean_solved_;       // (used): (C_yy + R)^-1 (d - y)
  std::vector<double> anomaly_solved_;    // (used, member): x' changes by C_xy times this
  std::vector<ObservationResult> results_;
  Consistency consistency_;
};

/// The result of learn().
struct LearnedCoefficients {
  std::vector<float> coefficient;     ///< (level, mode, member)
  std::vector<double> mean;           ///< (level, mode), weighted
  std::vector<double> spread_before;  ///< (level, mode), standard deviations
  std::vector<double> spread_after;
  std::vector<ObservationResult> observations;
  Consistency consistency;
};

/// Updates all levels at once. Thread-safe, without side effects. Without observations the
/// coefficients keep their bits. Errors: those of EnsembleSmoother.
LearnedCoefficients learn(const std::vector<FlowObservation>& observations,
                          const CoefficientView& forecast, const LearningEnsemble& ensemble = {},
                          const SmootherOptions& options = {});

/// The weighted mean and standard deviation of each mode's coefficients. coefficient: (mode,
/// member).
struct CoefficientMoments {
  std::vector<double> mean;    ///< (mode)
  std::vector<double> spread;  ///< (mode)
};
CoefficientMoments coefficient_moments(View<const double> coefficient, std::int32_t mode_count,
                                       const std::vector<double>& member_weight);

}  // namespace tidewise
