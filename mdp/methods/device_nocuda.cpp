#include "base/memory/without_cuda.h"
#include "mdp/methods/device.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> solve_on_device(const DecisionProcess<Real>& /*process*/,
                                      const SolveOptions& /*options*/, Progress& /*progress*/) {
  refuse_without_cuda();
}

template ProcessSolution<float> solve_on_device(const DecisionProcess<float>&, const SolveOptions&,
                                                Progress&);
template ProcessSolution<double> solve_on_device(const DecisionProcess<double>&,
                                                 const SolveOptions&, Progress&);

}  // namespace tidewise::mdp
