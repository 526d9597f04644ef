#include "base/memory/without_cuda.h"

#include "mdp/methods/device.h"
#include "mdp/methods/instantiate.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> solve_on_device(const DecisionProcess<Real>&, const SolveOptions&,
                                      Progress&) {
  refuse_without_cuda();
}

TIDEWISE_INSTANTIATE_METHOD(solve_on_device)

}  // namespace tidewise::mdp
