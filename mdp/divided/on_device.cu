#include "mdp/divided/block_iteration.h"
#include "mdp/divided/device_executor.cuh"
#include "mdp/divided/result_iteration.h"
#include "mdp/methods/functions.h"
#include "mdp/methods/instantiate.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> block_divided_on_device(const DecisionProcess<Real>& process,
                                              const SolveOptions& options, Progress& progress) {
  DeviceExecutor executor;
  return divide_blocks(process, options, progress, executor);
}

template <class Real>
ProcessSolution<Real> result_divided_on_device(const DecisionProcess<Real>& process,
                                               const SolveOptions& options, Progress& progress) {
  DeviceExecutor executor;
  return divide_results(process, options, progress, executor);
}

TIDEWISE_INSTANTIATE_METHOD(block_divided_on_device)
TIDEWISE_INSTANTIATE_METHOD(result_divided_on_device)

}  // namespace tidewise::mdp
