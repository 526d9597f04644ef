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

std::optional<GpuObstacle> obstacle_to_taking(std::int32_t device) {
  const DeviceReport report = report_devices();
  if (auto obstacle = obstacle_to_gpus(report)) return obstacle;
  if (auto obstacle = obstacle_to_device(device, report.count)) return obstacle;
  return obstacle_to_kernels(start_device(device), device, device_name(device));
}

/// The backend, from the method's support and the GPUs if it is automatic.
BackendChoice take_backend(const SolverOptions& options) {
  const BackendChoice suitable = suitable_backend(options);
  const bool may_choose = suitable == BackendChoice::automatic;
  if (suitable == BackendChoice::cpu || (may_choose && options.keeps_steps))
    return BackendChoice::cpu;
  const auto obstacle = obstacle_to_taking(options.device);
  if (!obstacle) {
    use_device(options.device);
    return BackendChoice::cuda;
  }
  if (may_choose) return BackendChoice::cpu;
  throw input_error(errors::solve_cuda_unusable, obstacle->why, obstacle->remedy);
}

void require_own_options(const SolverOptions& asked) {
  if (asked.keeps_steps && asked.precision == Precision::float32) {
    throw input_error(errors::steps_kept_in_double);
  }
  if (asked.max_sweeps < 1) {
    throw input_error(errors::sweep_limit_invalid, asked.max_sweeps);
  }
  const bool may_be_backward = asked.method == Method::automatic && asked.horizon != 0;
  if (asked.method == Method::backward || may_be_backward) return;
  if (asked.horizon != 0) {
    throw input_error(errors::horizon_not_taken, asked.horizon);
  }
  if (asked.keeps_steps) {
    throw input_error(errors::steps_not_kept);
  }
}

/// The options of a method, without first values.
SolveOptions options_of(SolverOptions asked, const Process::Content& content) {
  require_own_options(asked);
  asked.first_value.clear();
  if (asked.horizon != 0) asked.method = Method::backward;
  asked.threads = take_threads(asked.threads, "threads");
  asked.backend = take_backend(asked);
  if (asked.keeps_steps && asked.backend == BackendChoice::cuda) {
    throw input_error(errors::steps_kept_on_processor);
  }
  SolveOptions options(std::move(asked));
  settle_endings(options, options.endings, content.has_target, content.direction);
  return options;
}

/// Backward induction that stores every step in `solution`, in the user's sign.
ProcessSolution<double> induce_all_steps(const DecisionProcess<double>& process,
                                         const SolveOptions& options, Direction direction,
                                         Progress& progress, Solution& solution) {
  validate_options(options);
  SolveOptions by = options;
  by.threads = worthwhile_threads(process.entry_count(), options);
  const auto states = static_cast<std::size_t>(process.state_count);
  const std::size_t count = states * static_cast<std::size_t>(options.horizon);
  solution.step_value.resize(count);
  solution.step_policy.resize(count);
  const ValueRange range = value_range(process, true);
  const auto keep = [&](std::int64_t step, View<const double> value,
                        View<const std::int32_t> action) {
    const std::size_t at = static_cast<std::size_t>(step) * states;
    for (std::size_t s = 0; s < states; ++s) {
      double clipped = value[s];
      range.clip(clipped);
      solution.step_value[at + s] = direction == Direction::minimize ? 0 - clipped : clipped;
      solution.step_policy[at + s] = action[s];
    }
  };
  ProcessSolution<double> found = induce_backward(process, by, progress, keep);
  range.clip_all(found.value);
  validate_steps(process, by.horizon, by.threads, found);
  found.method = options.method;
  settle_outcome(process, options, found);
  return found;
}

ProcessSolution<double> widen(ProcessSolution<float> found) {
  ProcessSolution<double> wide;
  static_cast<SolveFigures&>(wide) = std::move(found);
  wide.value.assign(found.value.begin(), found.value.end());
  wide.action = std::move(found.action);
  wide.bounds = found.bounds;
  wide.method = found.method;
  wide.lower = std::move(found.lower);
  wide.upper = std::move(found.upper);
  wide.interval_sweeps = found.interval_sweeps;
  wide.direct_states = found.direct_states;
  wide.infinite = std::move(found.infinite);
  wide.undecided = std::move(found.undecided);
  return wide;
}

/// Stores the bounds of the optimum of each state: its own, or those common to all states.
void put_bounds(const DecisionProcess<double>& process, const ValueRange& range,
                ProcessSolution<double>& found, Solution& solution) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  solution.lower = found.bounds.lower;
  solution.upper = found.bounds.upper;
  if (!found.lower.empty()) {
    solution.min_value = std::move(found.lower);
    solution.max_value = std::move(found.upper);
    return;
  }
  solution.min_value = found.value;
  solution.max_value = found.value;
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
void put_found(const Process::Content& content, const SolveOptions& options,
               const ValueRange& range, ProcessSolution<double> found, Solution& solution) {
  if (solution.shortfall.empty()) solution.shortfall = describe_shortfall(found, options);
  if (content.direction == Direction::minimize) negate_rewards(found);
  put_bounds(content.process, range.seen(content.direction), found, solution);
  solution.value = std::move(found.value);
  solution.policy = std::move(found.action);
  solution.method = name_of(found.direct_states > 0 ? Method::policy_iteration : found.method);
  static_cast<SolveFigures&>(solution) = std::move(found);
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

Solution solve(const Process& process, const SolverOptions& asked, Progress* watching) {
  SilentProgress silent;
  Progress& progress = watching != nullptr ? *watching : silent;
  const Process::Content& content = process.content();
  SolveOptions options = options_of(asked, content);
  if (content.process.successor.is_lent()) require_sound(content.process, "process");
  std::optional<DecisionProcess<double>> begun;
  if (!asked.first_value.empty()) {
    begun = borrow_with_first_values(
        content.process, first_values_from(content.process, asked.first_value, content.direction,
                                           options.method == Method::backward));
  }
  const DecisionProcess<double>& arrays = begun ? *begun : content.process;
  if (options.method == Method::automatic) choose_method(arrays, options).settle(options);
  Solution solution;
  if (asked.keeps_history) options.history = &solution.history;
  const auto solve_narrowed = [&] {
    ProcessSolution<float> found = solve_process(convert<float>(arrays), options, progress);
    solution.shortfall = describe_shortfall(found, options);
    return widen(std::move(found));
  };
  auto found = asked.keeps_steps
                   ? induce_all_steps(arrays, options, content.direction, progress, solution)
               : options.precision == Precision::float32 ? solve_narrowed()
                                                         : solve_process(arrays, options, progress);
  const bool is_horizon = options.method == Method::backward;
  // The only error of a horizon's value is rounding.
  if (is_horizon) found.bounds = {-found.rounding, found.rounding};
  const ValueRange range = value_range(arrays, is_horizon);
  put_found(content, options, range, std::move(found), solution);
  solution.policies = compared_policies(arrays.discount, options);
  return solution;
}

std::vector<double> action_values(const Process& process, std::span<const double> value,
                                  std::int32_t threads) {
  const Process::Content& content = process.content();
  require_one_per_state(value.size(), content.process.state_count, "values");
  const bool minimizes = content.direction == Direction::minimize;
  std::vector<double> of_states(value.begin(), value.end());
  const auto turn_all = [](std::vector<double>& values) {
    for (double& one : values) one = 0 - one;
  };
  if (minimizes) turn_all(of_states);
  std::vector<double> action_value =
      find_action_values(content.process, of_states, take_threads(threads, "threads"));
  if (minimizes) turn_all(action_value);
  return action_value;
}

}  // namespace tidewise::mdp
