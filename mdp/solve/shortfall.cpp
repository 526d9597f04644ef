#include "mdp/solve/shortfall.h"

#include <fmt/format.h>

namespace tidewise::mdp {

template <class Real>
std::string describe_shortfall(const ProcessSolution<Real>& solution, const SolveOptions& options) {
  if (solution.converged) return {};
  if (!solution.endless.empty()) {
    const std::size_t others = solution.endless.size() - 1;
    return fmt::format(
        "from state {}{} rewards are gained without end, so that it has no value; give --gamma "
        "below 1, or make ends of states by --target",
        solution.endless.front(), others > 0 ? fmt::format(" (and {} more)", others) : "");
  }
  if (!solution.lower.empty()) {
    return fmt::format(
        "bounds did not come together: after {} sweeps from both ends they leave an error of "
        "{:.3g} and the tolerance is {:g}; allow more by --max-sweeps or a larger --tolerance",
        solution.interval_sweeps, solution.bounds.error(), options.tolerance);
  }
  return fmt::format(
      "{} did not converge: after {} sweeps the Bellman residual is {:.3g} and the tolerance {:g}; "
      "allow more by --max-sweeps or a larger --tolerance, or look whether the model gains without "
      "end",
      name_of(options.method), solution.sweeps, solution.residual, options.tolerance);
}

template std::string describe_shortfall(const ProcessSolution<float>&, const SolveOptions&);
template std::string describe_shortfall(const ProcessSolution<double>&, const SolveOptions&);

}  // namespace tidewise::mdp
