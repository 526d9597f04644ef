#include "tidewise/process.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/memory/device.h"
#include "base/memory/device_report.h"
#include "base/memory/gpu_obstacle.h"
#include "base/parallel/thread_count.h"
#include "mdp/file/reader.h"
#include "mdp/process/decision_process.h"
#include "mdp/solve/method_choice.h"
#include "mdp/solve/solve_process.h"

namespace tidewise::mdp {

struct Process::Content {
  DecisionProcess<double> process;
};

namespace {

std::shared_ptr<const Process::Content> take(ProcessArrays arrays) {
  DecisionProcess<double> process;
  process.state_count = arrays.state_count;
  process.action_count = arrays.action_count;
  process.row_begin = std::move(arrays.row_begin);
  process.successor = std::move(arrays.successor);
  process.probability = std::move(arrays.probability);
  process.reward = std::move(arrays.reward);
  process.initial_value = std::move(arrays.initial_value);
  process.discount = arrays.discount;
  require_sound(process, "process");
  return std::make_shared<Process::Content>(Process::Content{std::move(process)});
}

std::optional<GpuObstacle> obstacle_to_taking(std::int32_t device) {
  const DeviceReport report = report_devices();
  if (auto obstacle = obstacle_to_gpus(report)) return obstacle;
  if (auto obstacle = obstacle_to_device(device, report.count)) return obstacle;
  return obstacle_to_kernels(start_device(device), device, device_name(device));
}

ComputeOn take_backend(const SolverOptions& options) {
  if (options.backend == BackendChoice::cpu) return ComputeOn::host;
  const auto obstacle = obstacle_to_taking(options.device);
  if (!obstacle) {
    use_device(options.device);
    return ComputeOn::device;
  }
  if (options.backend == BackendChoice::automatic) return ComputeOn::host;
  throw InputError(fmt::format("the backend is cuda, and {}; {}, or take automatic or cpu",
                               obstacle->why, obstacle->mend));
}

SolveMethod method_of(Method method) {
  switch (method) {
    case Method::value_iteration:
      return SolveMethod::value_iteration;
    case Method::gauss_seidel:
      return SolveMethod::gauss_seidel;
    case Method::block_divided:
      return SolveMethod::block_divided;
    case Method::result_divided:
      return SolveMethod::result_divided;
    case Method::policy_iteration:
      return SolveMethod::policy_iteration;
    case Method::inexact_policy_iteration:
      return SolveMethod::inexact_policy_iteration;
    case Method::fused:
      return SolveMethod::fused;
    case Method::backward:
      return SolveMethod::backward;
    case Method::automatic:
      break;
  }
  return SolveMethod::automatic;
}

SolveOptions options_of(const SolverOptions& asked) {
  if (asked.most_sweeps < 1) {
    throw InputError(fmt::format("most_sweeps is {}; it must be 1 or more", asked.most_sweeps));
  }
  SolveOptions options;
  options.method = method_of(asked.method);
  options.threads = take_threads(asked.threads, "threads");
  options.compute_on = take_backend(asked);
  options.evaluator = options.compute_on == ComputeOn::device ? Evaluator::cuda : Evaluator::serial;
  options.tolerance = asked.tolerance;
  options.most_sweeps = asked.most_sweeps;
  options.horizon = asked.horizon;
  return options;
}

}  // namespace

Process::Process(ProcessArrays arrays) : content_(take(std::move(arrays))) {}
Process::Process(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

Process Process::read(const std::filesystem::path& path) {
  SilentProgress silent;
  const ReadOptions options{.transition_rewards = TransitionRewards::drop};
  return Process(std::make_shared<Content>(Content{read_process<double>(path, options, silent)}));
}

std::int32_t Process::state_count() const { return content_->process.state_count; }
std::int32_t Process::action_count() const { return content_->process.action_count; }
double Process::discount() const { return content_->process.discount; }

Solution solve(const Process& process, const SolverOptions& asked) {
  SolveOptions options = options_of(asked);
  const DecisionProcess<double>& arrays = process.content().process;
  if (options.method == SolveMethod::automatic) {
    options.method = choose_method(arrays, options).method;
  }
  SilentProgress silent;
  ProcessSolution<double> found = solve_process(arrays, options, silent);
  return {std::move(found.value), std::move(found.action), found.bounds.lower,
          found.bounds.upper,     found.converged,         found.sweeps,
          found.seconds,          name_of(options.method)};
}

}  // namespace tidewise::mdp
