#include "app/solve_report.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "app/environment_report.h"
#include "base/peak_memory.h"

namespace tidewise {
namespace {

/// "greedy"'s options that say how a method went about it: "block-divided, buffering".
std::string describe_method(const SolveOptions& options) {
  std::string text{name_of(options.method)};
  if (options.method == SolveMethod::policy_iteration) {
    text += fmt::format(", evaluator {}", name_of(options.evaluator));
  }
  if (options.method == SolveMethod::block_divided) {
    text += options.block_variant == BlockVariant::buffering      ? ", buffering"
            : options.block_variant == BlockVariant::prioritising ? ", prioritising"
                                                                  : "";
  }
  return text;
}

template <class Real>
std::string describe_model(const DecisionProcess<Real>& process) {
  std::int64_t rows = 0;
  std::int64_t terminal = 0;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (process.is_terminal(s)) ++terminal;
    for (std::int32_t a = 0; a < process.action_count; ++a) {
      rows += process.is_allowed(process.row(s, a)) ? 1 : 0;
    }
  }
  return fmt::format("{} states ({} terminal), {} actions of states, {} transitions, discount {}",
                     process.state_count, terminal, rows, process.entry_count(), process.discount);
}

std::string describe_accuracy(SolveMethod method, double residual, const ErrorBounds& bounds,
                              double rounding, double discount) {
  if (method == SolveMethod::backward) {
    return fmt::format("exact but for rounding, which can add {:.2g}", rounding);
  }
  std::string text = fmt::format("Bellman residual {:.3g}", residual);
  if (std::isfinite(bounds.error())) {
    text += fmt::format("; the optimum is within {:.3g} … {:+.3g} of each value", bounds.lower,
                        bounds.upper);
    if (rounding > bounds.error() / 2) {
      text += fmt::format(", and rounding can add {:.2g}", rounding);
    }
  } else if (discount == 1) {
    text += "; with a discount of 1 there is no bound on the error";
  }
  return text;
}

template <class Real>
std::string describe_sweeps(const ProcessSolution<Real>& solution) {
  std::string text = fmt::format("{} in {:.4g} s, {:.3g} ms each", solution.sweeps,
                                 solution.sweep_seconds, 1e3 * solution.seconds_per_sweep());
  if (solution.improvements > 0) {
    text += fmt::format("; {} improvements of the policy", solution.improvements);
  }
  return text;
}

}  // namespace

template <class Real>
std::string describe_solution(const DecisionProcess<Real>& process,
                              const ProcessSolution<Real>& solution, const SolveOptions& options,
                              const Backend& backend) {
  const auto first = static_cast<std::size_t>(process.initial_state);
  std::string text = report_line("model", describe_model(process));
  text += report_line("value", fmt::format("{:.10g} at state {}, action {}",
                                           static_cast<double>(solution.value[first]), first,
                                           solution.action[first]));
  text += report_line("method", fmt::format("{}, {} precision", describe_method(options),
                                            std::is_same_v<Real, float> ? "single" : "double"));
  text += report_line("sweeps", describe_sweeps(solution));
  text +=
      report_line("accuracy", describe_accuracy(options.method, solution.residual, solution.bounds,
                                                solution.rounding, process.discount));
  std::string where = fmt::format("{}: {}", backend.name, backend.device);
  if (backend.kind == BackendKind::cpu) where += fmt::format(", {} thread(s)", backend.threads);
  where += fmt::format(", {:.3g} s in all, {:.0f} MB", solution.seconds,
                       1e-6 * static_cast<double>(peak_memory_bytes()));
  if (!backend.reason.empty()) where += fmt::format(" ({})", backend.reason);
  return text + report_line("computed on", where);
}

template std::string describe_solution(const DecisionProcess<float>&, const ProcessSolution<float>&,
                                       const SolveOptions&, const Backend&);
template std::string describe_solution(const DecisionProcess<double>&,
                                       const ProcessSolution<double>&, const SolveOptions&,
                                       const Backend&);

}  // namespace tidewise
