#include "base/memory/without_cuda.h"

#include "mdp/methods/functions.h"
#include "mdp/savings/solve_savings.h"

namespace tidewise::mdp {

#define TIDEWISE_ABSENT(method)                                                                \
  template <class Real>                                                                        \
  ProcessSolution<Real> method(const DecisionProcess<Real>&, const SolveOptions&, Progress&) { \
    refuse_without_cuda();                                                                     \
  }                                                                                            \
  TIDEWISE_INSTANTIATE_METHOD(method)

TIDEWISE_DEVICE_METHODS(TIDEWISE_ABSENT)

SavingsSolution solve_savings_on_device(const SavingsProblem&, const SavingsOptions&, Progress&) {
  refuse_without_cuda();
}

}  // namespace tidewise::mdp
