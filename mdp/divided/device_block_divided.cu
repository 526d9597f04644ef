#include "mdp/divided/block_iteration.h"
#include "mdp/divided/device_executor.cuh"
#include "mdp/methods/device_kernels.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> block_divided_on_device(const DecisionProcess<Real>& process,
                                              const SolveOptions& options, Progress& progress) {
  DeviceExecutor executor;
  return divide_blocks(process, options, progress, executor);
}

template ProcessSolution<float> block_divided_on_device(const DecisionProcess<float>&,
                                                        const SolveOptions&, Progress&);
template ProcessSolution<double> block_divided_on_device(const DecisionProcess<double>&,
                                                         const SolveOptions&, Progress&);

}  // namespace tidewise::mdp
