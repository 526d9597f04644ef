#include "base/error.h"
#include "mdp/methods/device.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> solve_on_device(const DecisionProcess<Real>& /*process*/,
                                      const SolveOptions& /*options*/, Progress& /*progress*/) {
  throw RunError("a process was to be solved on a GPU, and this build holds no CUDA");
}

template ProcessSolution<float> solve_on_device(const DecisionProcess<float>&, const SolveOptions&,
                                                Progress&);
template ProcessSolution<double> solve_on_device(const DecisionProcess<double>&,
                                                 const SolveOptions&, Progress&);

}  // namespace tidewise::mdp
