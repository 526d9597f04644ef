#include "mdp/divided/host_executor.h"
#include "mdp/divided/iterations.h"
#include "mdp/methods/functions.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> iterate_block_divided(const DecisionProcess<Real>& process,
                                            const SolveOptions& options, Progress& progress) {
  HostExecutor executor(options.threads);
  return divide_blocks(process, options, progress, executor);
}

template <class Real>
ProcessSolution<Real> iterate_result_divided(const DecisionProcess<Real>& process,
                                             const SolveOptions& options, Progress& progress) {
  HostExecutor executor(options.threads);
  return divide_results(process, options, progress, executor);
}

TIDEWISE_INSTANTIATE_METHOD(iterate_block_divided)
TIDEWISE_INSTANTIATE_METHOD(iterate_result_divided)

}  // namespace tidewise::mdp
