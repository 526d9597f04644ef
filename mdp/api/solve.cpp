#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/memory/device.h"
#include "base/memory/device_report.h"
#include "base/memory/gpu_obstacle.h"
#include "base/parallel/thread_count.h"
#include "base/progress.h"
#include "mdp/api/content.h"
#include "mdp/error/codes.h"
#include "mdp/horizon/induce_backward.h"
#include "mdp/methods/table.h"
#include "mdp/process/direction.h"
#include "mdp/process/first_values.h"
#include "mdp/process/lend.h"
#include "mdp/process/value_range.h"
#include "mdp/solve/method_choice.h"
#include "mdp/solve/outcome.h"
#include "mdp/solve/solve_process.h"

namespace tidewise::mdp {
namespace {

std::optional<GpuObstacle> obstacle_to_using(std::int32_t device) {
  const DeviceReport report = report_devices();
  if (auto obstacle = obstacle_to_gpus(report)) return obstacle;
  if (auto obstacle = obstacle_to_device(device, report.count)) return obstacle;
  return obstacle_to_kernels(start_device(device), device, device_name(device));
}

/// Resolves the backend: the method may support only one, and a GPU may be unusable.
BackendChoice resolve_backend(const SolverOptions& options) {
  const BackendChoice suitable = suitable_backend(options);
  const bool may_choose = suitable == BackendChoice::automatic;
  if (suitable == BackendChoice::cpu || (may_choose && options.keeps_steps))
    return BackendChoice::cpu;
  const auto obstacle = obstacle_to_using(options.device);
  if (!obstacle) {
    use_device(options.device);
    return BackendChoice::cuda;
  }
  if (may_choose) return BackendChoice::cpu;
  throw input_error(errors::solve_cuda_unusable, obstacle->why, obstacle->remedy);
}

void require_suitable_options(const SolverOptions& requested) {
  if (requested.keeps_steps && requested.precision == Precision::float32) {
    throw input_error(errors::steps_kept_in_double);
  }
  if (requested.max_sweeps < 1) {
    throw input_error(errors::sweep_limit_invalid, requested.max_sweeps);
  }
  const bool may_be_backward = requested.method == Method::automatic && requested.horizon != 0;
  if (requested.method == Method::backward || may_be_backward) return;
  if (requested.horizon != 0) {
    throw input_error(errors::horizon_not_taken, requested.horizon);
  }
  if (requested.keeps_steps) {
    throw input_error(errors::steps_not_kept);
  }
}

/// The options of a method, without first values.
SolveOptions options_of(SolverOptions requested, const Process::Content& content) {
  require_suitable_options(requested);
  requested.first_value.clear();
  if (requested.horizon != 0) requested.method = Method::backward;
  requested.threads = take_threads(requested.threads, "threads");
  requested.backend = resolve_backend(requested);
  if (requested.keeps_steps && requested.backend == BackendChoice::cuda) {
    throw input_error(errors::steps_kept_on_processor);
  }
  SolveOptions options(std::move(requested));
  settle_endings(options, options.endings, content.has_target, content.direction);
  return options;
}

/// Backward induction that stores every step in `solution`, in the user's sign.
ProcessSolution<double> induce_all_steps(const DecisionProcess<double>& process,
                                         const SolveOptions& options, Direction direction,
                                         Progress& progress, Solution& solution) {
  validate_options(options);
  SolveOptions induction_options = options;
  induction_options.threads = worthwhile_threads(process.entry_count(), options);
  const auto states = static_cast<std::size_t>(process.state_count);
  const std::size_t count = states * static_cast<std::size_t>(options.horizon);
  solution.step_value.resize(count);
  solution.step_policy.resize(count);
  const ValueRange range = value_range(process, true);
  const auto store_step = [&](std::int64_t step, View<const double> value,
                              View<const std::int32_t> action) {
    const std::size_t begin = static_cast<std::size_t>(step) * states;
    for (std::size_t s = 0; s < states; ++s) {
      double clipped = value[s];
      range.clip(clipped);
      solution.step_value[begin + s] = direction == Direction::minimize ? 0 - clipped : clipped;
      solution.step_policy[begin + s] = action[s];
    }
  };
  ProcessSolution<double> result =
      induce_backward(process, induction_options, progress, store_step);
  range.clip_all(result.value);
  validate_steps(process, induction_options.horizon, induction_options.threads, result);
  result.method = options.method;
  settle_outcome(process, options, result);
  return result;
}

ProcessSolution<double> widen(ProcessSolution<float> result) {
  ProcessSolution<double> wide;
  static_cast<SolveFigures&>(wide) = std::move(result);
  wide.value.assign(result.value.begin(), result.value.end());
  wide.action = std::move(result.action);
  wide.bounds = result.bounds;
  wide.method = result.method;
  wide.lower = std::move(result.lower);
  wide.upper = std::move(result.upper);
  wide.interval_sweeps = result.interval_sweeps;
  wide.direct_states = result.direct_states;
  wide.infinite = std::move(result.infinite);
  wide.undecided = std::move(result.undecided);
  return wide;
}

/// Stores the bounds of the optimum of each state: its own, or those common to all states.
void store_bounds(const DecisionProcess<double>& process, const ValueRange& range,
                  ProcessSolution<double>& result, Solution& solution) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  solution.lower = result.bounds.lower;
  solution.upper = result.bounds.upper;
  if (!result.lower.empty()) {
    solution.min_value = std::move(result.lower);
    solution.max_value = std::move(result.upper);
    return;
  }
  solution.min_value = result.value;
  solution.max_value = result.value;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    double& min = solution.min_value[state];
    if (process.is_terminal(state) || std::isinf(min)) continue;
    double& max = solution.max_value[state];
    if (solution.lower != 0) min = std::nextafter(min + solution.lower, -infinity);
    if (solution.upper != 0) max = std::nextafter(max + solution.upper, infinity);
    range.clip(min);
    range.clip(max);
  }
}

/// Stores the result in `solution`, in the user's sign if costs were negated.
void store_result(const Process::Content& content, const SolveOptions& options,
                  const ValueRange& range, ProcessSolution<double> result, Solution& solution) {
  if (solution.shortfall.empty()) solution.shortfall = describe_shortfall(result, options);
  if (content.direction == Direction::minimize) negate_rewards(result);
  store_bounds(content.process, range.with_sign_of(content.direction), result, solution);
  solution.value = std::move(result.value);
  solution.policy = std::move(result.action);
  solution.method = name_of(result.direct_states > 0 ? Method::policy_iteration : result.method);
  static_cast<SolveFigures&>(solution) = std::move(result);
  solution.tolerance = options.tolerance;
  solution.backend = options.backend;
}

}  // namespace

Method method_of(std::string_view name) {
  std::string names;
  for (const MethodRow& row : method_rows()) {
    if (row.name == name) return row.method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  throw input_error(errors::choice_unknown, "method", name, names);
}

Solution solve(const Process& process, const SolverOptions& requested,
               Progress* optional_progress) {
  SilentProgress silent;
  Progress& progress = optional_progress != nullptr ? *optional_progress : silent;
  const Process::Content& content = process.content();
  SolveOptions options = options_of(requested, content);
  if (content.process.successor.is_borrowed()) require_sound(content.process, "process");
  std::optional<DecisionProcess<double>> process_with_values;
  if (!requested.first_value.empty()) {
    process_with_values = borrow_with_first_values(
        content.process, first_values_from(content.process, requested.first_value,
                                           content.direction, options.method == Method::backward));
  }
  const DecisionProcess<double>& arrays =
      process_with_values ? *process_with_values : content.process;
  if (options.method == Method::automatic) choose_method(arrays, options).settle(options);
  Solution solution;
  if (requested.keeps_history) options.history = &solution.history;
  const auto solve_narrowed = [&] {
    ProcessSolution<float> result = solve_process(convert<float>(arrays), options, progress);
    solution.shortfall = describe_shortfall(result, options);
    return widen(std::move(result));
  };
  auto result = requested.keeps_steps
                    ? induce_all_steps(arrays, options, content.direction, progress, solution)
                : options.precision == Precision::float32
                    ? solve_narrowed()
                    : solve_process(arrays, options, progress);
  const bool is_horizon = options.method == Method::backward;
  // The only error of a horizon's value is rounding.
  if (is_horizon) result.bounds = {-result.rounding, result.rounding};
  const ValueRange range = value_range(arrays, is_horizon);
  store_result(content, options, range, std::move(result), solution);
  solution.policies = compared_policies(arrays.discount, options);
  return solution;
}

std::vector<double> action_values(const Process& process, std::span<const double> value,
                                  std::int32_t threads) {
  const Process::Content& content = process.content();
  require_one_per_state(value.size(), content.process.state_count, "values");
  const bool minimizes = content.direction == Direction::minimize;
  std::vector<double> state_value(value.begin(), value.end());
  const auto negate_all = [](std::vector<double>& values) {
    for (double& number : values) number = 0 - number;
  };
  if (minimizes) negate_all(state_value);
  std::vector<double> action_value =
      find_action_values(content.process, state_value, take_threads(threads, "threads"));
  if (minimizes) negate_all(action_value);
  return action_value;
}

}  // namespace tidewise::mdp
