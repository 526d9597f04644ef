#include "base/error.h"
#include "learning/ensemble_smoother.h"
#include "learning/error/codes.h"

namespace tidewise {

// The build without learning.
// NOLINTNEXTLINE(performance-unnecessary-value-param): the signature is that of the full build
EnsembleSmoother::EnsembleSmoother(std::vector<FlowObservation>, const CoefficientView&,
                                   const LearningEnsemble&, const SmootherOptions&) {
  throw input_error(errors::learning_not_built);
}

void EnsembleSmoother::update_level(TimeLevel, View<const float>, View<double>) const {}

}  // namespace tidewise
