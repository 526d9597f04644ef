#include "mdp/divided/block_iteration.h"
#include "mdp/divided/host_executor.h"
#include "mdp/methods/host.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> iterate_block_divided(const DecisionProcess<Real>& process,
                                            const SolveOptions& options, Progress& progress) {
  HostExecutor executor(options.threads);
  return divide_blocks(process, options, progress, executor);
}

template ProcessSolution<float> iterate_block_divided(const DecisionProcess<float>&,
                                                      const SolveOptions&, Progress&);
template ProcessSolution<double> iterate_block_divided(const DecisionProcess<double>&,
                                                       const SolveOptions&, Progress&);

}  // namespace tidewise::mdp
