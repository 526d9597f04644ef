#include "app/report/solve.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "app/report/environment.h"
#include "base/memory/peak_memory.h"
#include "mdp/solve/solve_process.h"

namespace tidewise {
namespace {

/// A method with its options: "block-divided, buffering".
std::string describe_method(const mdp::SolveOptions& options, bool is_direct) {
  if (is_direct) return "policy-iteration, direct solves";
  std::string text{mdp::name_of(options.method)};
  mdp::Evaluator evaluator = options.evaluator;
  if (options.method == mdp::Method::policy_iteration && evaluator == mdp::Evaluator::automatic) {
    evaluator =
        options.backend == BackendChoice::cuda ? mdp::Evaluator::cuda : mdp::Evaluator::serial;
  }
  if (mdp::is_policy_iteration(options.method) && evaluator != mdp::Evaluator::automatic) {
    text += fmt::format(", evaluator {}", mdp::name_of(evaluator));
  }
  if (options.method == mdp::Method::block_divided) {
    if (mdp::buffers(options.blocks.variant)) text += ", buffering";
    if (mdp::prioritises(options.blocks.variant)) text += ", prioritising";
  }
  return text;
}

template <class Real>
std::string describe_model(const mdp::DecisionProcess<Real>& process) {
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

std::string describe_scaled(const mdp::ScaledRows& scaled) {
  return fmt::format("{} summed to 1 within {:.1g} and were made to", scaled.count, scaled.max);
}

/// A value with at most ten digits, as many as its bounds share when they are rounded.
std::string describe_value(double value, double lower, double upper) {
  for (int digits = 10; digits > 0; --digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    if (fmt::format("{:.{}g}", lower, digits) == text &&
        fmt::format("{:.{}g}", upper, digits) == text) {
      return text;
    }
  }
  return fmt::format("{:.10g}, from {:.10g} to {:.10g}", value, lower, upper);
}

template <class Real>
std::string describe_first_value(const mdp::ProcessSolution<Real>& solution, std::size_t first) {
  const auto value = static_cast<double>(solution.value[first]);
  const std::string text =
      solution.lower.empty() ? fmt::format("{:.10g}", value)
                             : describe_value(value, solution.lower[first], solution.upper[first]);
  return fmt::format("{} at state {}, action {}", text, first, solution.action[first]);
}

/// The greatest relative error of a value; infinite if a value may be 0 or has no finite bounds.
template <class Real>
double relative_error(const mdp::ProcessSolution<Real>& solution) {
  double largest = 0;
  for (std::size_t s = 0; s < solution.lower.size(); ++s) {
    const double gap = solution.upper[s] - solution.lower[s];
    const double smallest = std::min(std::abs(solution.lower[s]), std::abs(solution.upper[s]));
    if (gap > 0) largest = std::max(largest, gap / smallest);
  }
  return largest;
}

template <class Real>
std::string describe_accuracy(const mdp::ProcessSolution<Real>& solution,
                              const mdp::SolveOptions& options) {
  if (options.method == mdp::Method::backward) {
    return fmt::format("exact but for rounding, which can add {:.2g}", solution.rounding);
  }
  std::string text = fmt::format("Bellman residual {:.3g}", solution.residual);
  if (!std::isfinite(solution.bounds.error())) {
    return text + "; there is no bound on the error";
  }
  text += fmt::format("; the optimum is within {:.3g} … {:+.3g} of each value",
                      solution.bounds.lower, solution.bounds.upper);
  const double relative = relative_error(solution);
  if (relative > 0 && std::isfinite(relative)) text += fmt::format(", {:.2g} of it", relative);
  if (std::is_same_v<Real, float>) text += ", of the model as single precision holds it";
  if (solution.outcome == mdp::Outcome::limited_by_rounding) {
    text += fmt::format("; rounding keeps it from the tolerance of {:g}", options.tolerance);
  }
  return text;
}

template <class Real>
std::string describe_sweeps(const mdp::ProcessSolution<Real>& solution) {
  std::string text = fmt::format("{} in {:.4g} s, {:.3g} ms each", solution.sweeps,
                                 solution.sweep_seconds, 1e3 * solution.seconds_per_sweep());
  if (solution.turned_at > 0) {
    text += fmt::format("; the first {} fused, until changes were seen to shrink slowly",
                        solution.turned_at);
  }
  if (solution.improvements > 0) {
    text += fmt::format("; {} improvements of the policy", solution.improvements);
  }
  if (solution.interval_sweeps > 0) {
    text += fmt::format("; {} from both ends", solution.interval_sweeps);
  }
  return text;
}

}  // namespace

template <class Real>
std::string describe_solution(const mdp::DecisionProcess<Real>& process,
                              const mdp::ProcessSolution<Real>& solution,
                              const mdp::SolveOptions& options, const Backend& backend) {
  const auto first = static_cast<std::size_t>(process.initial_state);
  std::string text = report_line("model", describe_model(process));
  if (process.scaled.count > 0) text += report_line("rows", describe_scaled(process.scaled));
  text += report_line("value", describe_first_value(solution, first));
  if (!solution.infinite.empty()) {
    text += report_line(
        "infinite",
        fmt::format("the value of {} of {} states, such as state {}: from there no "
                    "policy surely comes to an end",
                    solution.infinite.size(), process.state_count, solution.infinite.front()));
  }
  text += report_line("method", fmt::format("{}, {} precision",
                                            describe_method(options, solution.direct_states > 0),
                                            std::is_same_v<Real, float> ? "single" : "double"));
  text += report_line("sweeps", describe_sweeps(solution));
  text += report_line("accuracy", describe_accuracy(solution, options));
  const auto policies = mdp::compared_policies(process.discount, options);
  if (!policies.empty()) {
    text += report_line("policies", policies == "sure"
                                        ? "those that surely come to an end"
                                        : "those that come to an end, or go round for nothing");
  }
  std::string device_text = fmt::format("{}: {}", backend.name, backend.device);
  if (backend.kind == BackendKind::cpu) {
    device_text +=
        fmt::format(", {} thread(s)", mdp::worthwhile_threads(process.entry_count(), options));
  }
  device_text += fmt::format(", {:.3g} s in all, {:.0f} MB", solution.seconds,
                             1e-6 * static_cast<double>(peak_memory_bytes()));
  if (backend.kind == BackendKind::cuda && !solution.lower.empty()) {
    device_text += "; bounds by the processor, one thread";
  }
  if (!backend.reason.empty()) device_text += fmt::format(" ({})", backend.reason);
  return text + report_line("computed on", device_text);
}

template std::string describe_solution(const mdp::DecisionProcess<float>&,
                                       const mdp::ProcessSolution<float>&, const mdp::SolveOptions&,
                                       const Backend&);
template std::string describe_solution(const mdp::DecisionProcess<double>&,
                                       const mdp::ProcessSolution<double>&,
                                       const mdp::SolveOptions&, const Backend&);

}  // namespace tidewise
