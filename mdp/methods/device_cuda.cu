#include "base/error.h"
#include "mdp/methods/device.h"
#include "mdp/methods/device_kernels.h"
#include "mdp/methods/instantiate.h"

namespace tidewise::mdp {

template <class Real>
ProcessSolution<Real> solve_on_device(const DecisionProcess<Real>& process,
                                      const SolveOptions& options, Progress& progress) {
  switch (options.method) {
    case SolveMethod::value_iteration:
      return values_on_device(process, options, progress);
    case SolveMethod::block_divided:
      return block_divided_on_device(process, options, progress);
    case SolveMethod::result_divided:
      return result_divided_on_device(process, options, progress);
    case SolveMethod::policy_iteration:
      return policies_on_device(process, options, progress);
    case SolveMethod::fused:
      return fused_on_device(process, options, progress);
    case SolveMethod::backward:
      return backward_on_device(process, options, progress);
    case SolveMethod::q_learning:
      return q_learning_on_device(process, options, progress);
    case SolveMethod::inexact_policy_iteration:
      throw InputError(
          "inexact-policy-iteration computes on the processor alone; take --backend cpu, or "
          "policy-iteration or fused");
    case SolveMethod::gauss_seidel:
    case SolveMethod::automatic:  // solve_process() has chosen
      break;
  }
  throw InputError(
      "gauss-seidel goes through states one after another, which no GPU does; take "
      "--backend cpu, or block-divided");
}

TIDEWISE_INSTANTIATE_METHOD(solve_on_device)

}  // namespace tidewise::mdp
