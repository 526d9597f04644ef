#include "mdp/divided/device_executor.cuh"
#include "mdp/divided/result_iteration.h"
#include "mdp/methods/device_kernels.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> result_divided_on_device(const DecisionProcess<Real>& process,
                                               const SolveOptions& options, Progress& progress) {
  DeviceExecutor executor;
  return divide_results(process, options, progress, executor);
}

template ProcessSolution<float> result_divided_on_device(const DecisionProcess<float>&,
                                                         const SolveOptions&, Progress&);
template ProcessSolution<double> result_divided_on_device(const DecisionProcess<double>&,
                                                          const SolveOptions&, Progress&);

}  // namespace tidewise::mdp
