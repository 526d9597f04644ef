#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/memory/view.h"
#include "learning/flow_observation.h"

namespace tidewise {

/// How the ensemble's anomalies follow the observations.
enum class UpdateScheme {
  square_root,            ///< deterministic (Whitaker & Hamill 2002, by Andrews' gain)
  perturbed_observations  ///< each realization sees observations of its own (Burgers et al. 1998)
};

/// Observations with a chi-square of a smaller probability contradict the forecast.
inline constexpr double improbable_chi_square = 0.01;
/// Bound of the adaptive inflation.
inline constexpr double max_adaptive_inflation = 3;

struct SmootherOptions {
  UpdateScheme scheme = UpdateScheme::square_root;
  /// Factor on the forecast's anomalies before the update, 1 to 100. Without a value it is
  /// adaptive: 1 where the observations are consistent with the forecast; where chi-square is
  /// improbable, the factor at which it equals the degrees of freedom (the innovation statistics of
  /// Wang & Bishop 2003, §5), at most max_adaptive_inflation. Where chi-square is improbable
  /// there, too, it is 1.
  std::optional<double> inflation = {};
  /// Of the spread that the observations took, the share that is given back (relaxation to prior
  /// spread, Whitaker & Hamill 2012); 0 … 1.
  double relaxation = 0;
  /// Localisation in time [levels]: covariances are tapered by the function of Gaspari & Cohn
  /// (1999, eq. 4.10) of this half-width, so that an observation reaches twice as far, ever less.
  /// 0: it reaches everywhere.
  double localisation = 0;
  /// Leaves out the observations of a leg, all of them, that are together farther from the
  /// forecast's mean than so many standard deviations of what was to be expected, √(dᵀ(HPHᵀ +
  /// R)⁻¹d); 0: none. With adaptive inflation, legs that are more than one and more than a fifth of
  /// all are a fault of the forecast: then the inflated spread rejects.
  double reject_beyond = 0;
  /// Every coefficient keeps this share of its forecast spread at least; > 0, so that no ensemble
  /// becomes certain of what it does not know.
  double min_spread = 1e-3;
  /// Of the perturbed observations and of ranks.
  std::uint64_t seed = 1;
};

/// The coefficients of an ensemble at all levels, in memory.
struct CoefficientView {
  const float* data = nullptr;  ///< (level, mode, realization)
  std::int32_t level_count = 0;
  std::int32_t mode_count = 0;
  std::int32_t realization_count = 0;

  View<const float> level(std::int32_t k) const {
    const auto size =
        static_cast<std::size_t>(mode_count) * static_cast<std::size_t>(realization_count);
    return {data + static_cast<std::size_t>(k) * size, size};
  }
};

/// Whose coefficients learn.
struct LearningEnsemble {
  /// Numbers of realizations, in the order in which the posterior has them; none is there twice.
  /// Empty: all. A truth that is flown through is left out here.
  std::vector<std::int32_t> members;
  /// (realization), of all of them, not of the members alone; empty: all count alike.
  std::vector<std::uint32_t> weights;
};

/// What became of an observation. Spreads are standard deviations, in its unit.
struct ObservationVerdict {
  double forecast = 0;         ///< mean of H over the ensemble
  double forecast_spread = 0;  ///< of H, a given inflation included, an adaptive one not
  double innovation = 0;       ///< observed − forecast
  /// innovation / √(forecast_spread² + error²): about normal, if the forecast and the error are
  /// what they claim to be.
  double normalized = 0;
  /// How many realizations, each with an error of its own as the observation has one, are below it:
  /// 0 … members. Over many observations all are alike likely.
  std::int32_t rank = 0;
  /// Beyond all realizations by more than twice its error, and beyond three standard deviations of
  /// what was to be expected: nothing that the ensemble can be.
  bool outside = false;
  bool rejected = false;        ///< by reject_beyond; not used
  double posterior = 0;         ///< mean of H afterwards
  double posterior_spread = 0;  ///< before relaxation
};

/// How well observations and forecast go together.
struct Consistency {
  /// dᵀ(HPHᵀ + R)⁻¹d of those used, a given inflation included, an adaptive one not.
  double chi_square = 0;
  std::int32_t degrees_of_freedom = 0;  ///< as many as were used
  /// That of a greater chi-square, were all as claimed: near 0 the ensemble or the errors are too
  /// small, near 1 too large.
  double probability = 1;
  double inflation = 1;  ///< factor that the update used, given or adaptive
  /// Chi-square stays improbable with that factor.
  bool contradicted = false;
};

/// The ensemble smoother in the space of the coefficients: all levels learn from all observations,
/// earlier and later ones, by the ensemble's own covariance across time. With x the coefficients, y
/// = H(x), C their weighted sample covariances and R = diag(error²)
///
///   mean:      x + C_xy (C_yy + R)⁻¹ (d − y)
///   anomalies: square root: x' − C_xy L⁻ᵀ (L + √R)⁻¹ y',  L Lᵀ = C_yy + R,
///              which has the Kalman posterior's covariance exactly; or each realization like the
///              mean, with a perturbed d of its own.
///
/// All in double, on the calling thread: the same bits on every run, and many may be at work side
/// by side. Coefficients that the ensemble has no spread in stay as they are.
class EnsembleSmoother {
 public:
  /// Holds what all levels share; borrows nothing. `forecast` has at least all levels that
  /// observations name. An error of less than 10⁻⁴ of the greatest forecast spread of an
  /// observation counts as that. Errors: InputError for fewer than two members with a weight,
  /// numbers that are not finite, errors ≤ 0, options out of bounds.
  EnsembleSmoother(std::vector<FlowObservation> observations, const CoefficientView& forecast,
                   const LearningEnsemble& ensemble, const SmootherOptions& options);

  /// The posterior of one level. before: (mode, realization); after: (mode, member). Their mean is
  /// no longer that of the forecast (0, where that has coefficients around its mean field):
  /// coefficient_moments() has it.
  void update_level(TimeLevel k, View<const float> before, View<double> after) const;

  const std::vector<ObservationVerdict>& verdicts() const { return verdicts_; }
  const Consistency& consistency() const { return consistency_; }
  /// Weights of the members, summing to 1.
  const std::vector<double>& member_weights() const { return weight_; }

 private:
  std::vector<std::int32_t> members_;
  std::vector<double> weight_;  // (member)
  SmootherOptions options_;
  double inflation_ = 1;
  // Of the observations that are used, and as many.
  std::size_t used_count_ = 0;
  std::vector<double> middle_;            // (used) [levels]
  std::vector<double> weighted_anomaly_;  // (used, member): C_xy = x' times this, transposed
  std::vector<double> mean_solved_;       // (used): (C_yy + R)^-1 (d - y)
  std::vector<double> anomaly_solved_;    // (used, member): x' changes by C_xy times this
  std::vector<ObservationVerdict> verdicts_;
  Consistency consistency_;
};

/// An ensemble that has learned.
struct LearnedCoefficients {
  std::vector<float> coefficient;     ///< (level, mode, member)
  std::vector<double> mean;           ///< (level, mode), weighted
  std::vector<double> spread_before;  ///< (level, mode), standard deviations
  std::vector<double> spread_after;
  std::vector<ObservationVerdict> observations;
  Consistency consistency;
};

/// All levels at once. Pure and thread-safe. Errors: those of EnsembleSmoother. Without
/// observations the coefficients stay the same bits.
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
