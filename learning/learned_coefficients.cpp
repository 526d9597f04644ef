#include <cmath>

#include "learning/ensemble_smoother.h"

namespace tidewise {

CoefficientMoments coefficient_moments(View<const double> coefficient, std::int32_t mode_count,
                                       const std::vector<double>& member_weight) {
  const std::size_t members = member_weight.size();
  double squares = 0;
  for (const double weight : member_weight) squares += weight * weight;
  CoefficientMoments moments;
  for (std::size_t m = 0; m < static_cast<std::size_t>(mode_count); ++m) {
    const double* row = coefficient.data + m * members;
    double mean = 0;
    for (std::size_t r = 0; r < members; ++r) mean += member_weight[r] * row[r];
    double sum = 0;
    for (std::size_t r = 0; r < members; ++r) {
      sum += member_weight[r] * (row[r] - mean) * (row[r] - mean);
    }
    moments.mean.push_back(mean);
    moments.spread.push_back(squares < 1 ? std::sqrt(sum / (1 - squares)) : 0);
  }
  return moments;
}

LearnedCoefficients learn(const std::vector<FlowObservation>& observations,
                          const CoefficientView& forecast, const LearningEnsemble& ensemble,
                          const SmootherOptions& options) {
  const EnsembleSmoother smoother(observations, forecast, ensemble, options);
  const std::vector<double>& weight = smoother.member_weights();
  const std::size_t size = static_cast<std::size_t>(forecast.mode_count) * weight.size();
  LearnedCoefficients learned;
  learned.coefficient.resize(static_cast<std::size_t>(forecast.level_count) * size);
  std::vector<double> before(size);
  std::vector<double> after(size);
  const EnsembleSmoother no_update({}, forecast, ensemble, {});
  for (std::int32_t k = 0; k < forecast.level_count; ++k) {
    no_update.update_level(TimeLevel(k), forecast.level(k), before);
    smoother.update_level(TimeLevel(k), forecast.level(k), after);
    const auto prior = coefficient_moments(before, forecast.mode_count, weight);
    const auto posterior = coefficient_moments(after, forecast.mode_count, weight);
    learned.spread_before.insert(learned.spread_before.end(), prior.spread.begin(),
                                 prior.spread.end());
    learned.spread_after.insert(learned.spread_after.end(), posterior.spread.begin(),
                                posterior.spread.end());
    learned.mean.insert(learned.mean.end(), posterior.mean.begin(), posterior.mean.end());
    float* to = learned.coefficient.data() + static_cast<std::size_t>(k) * size;
    for (std::size_t n = 0; n < size; ++n) to[n] = static_cast<float>(after[n]);
  }
  learned.observations = smoother.results();
  learned.consistency = smoother.consistency();
  return learned;
}

}  // namespace tidewise
