#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/kernel/for_each.cuh"
#include "base/kernel/join_block.cuh"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "base/stopwatch.h"
#include "mdp/backup/policy_sweep.h"
#include "mdp/methods/functions.h"
#include "mdp/policy/policy_alternation.h"
#include "mdp/policy/policy_product.h"
#include "mdp/process/device_process.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"

namespace tidewise::mdp {
namespace {

constexpr unsigned warp = 32;
constexpr unsigned most_block_threads = 1024;

/// A block for each state, a thread for each action (several where there are more than threads):
/// each finds Q of its own, then the block the best. Requires whole warps.
template <class Real>
__global__ void __launch_bounds__(most_block_threads)
    improve_policy(ProcessView<Real> process, const Real* value, Real* next, std::int32_t* action) {
  const auto state = static_cast<std::int32_t>(blockIdx.x);
  BestAction<Real> best{value[state], -1};
  for (std::int64_t a = threadIdx.x; a < process.action_count; a += blockDim.x) {
    consider_action(process, value, state, static_cast<std::int32_t>(a), best);
  }
  best = join_block(best, [](const BestAction<Real>& one, const BestAction<Real>& other) {
    return better_of(one, other);
  });
  if (threadIdx.x == 0) {
    next[state] = best.value;
    action[state] = best.action;
  }
}

constexpr unsigned validate_threads = 256;
constexpr std::size_t most_validate_blocks = 512;

/// What an improvement changed, a PolicyStep for each block, to be put together by the host.
template <class Real>
__global__ void __launch_bounds__(validate_threads)
    validate_improvement(std::size_t states, ValidateState<Real> validate, PolicyStep* steps) {
  PolicyStep mine{{INFINITY, -INFINITY}, 0, 0};
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t s = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; s < states;
       s += stride) {
    mine.include(validate(s));
  }
  mine = join_block(mine);
  if (threadIdx.x == 0) steps[blockIdx.x] = mine;
}

/// Values and policy in device memory.
template <class Real>
class DevicePolicies {
 public:
  DevicePolicies(const DecisionProcess<Real>& process, Evaluator evaluator)
      : states_(static_cast<std::size_t>(process.state_count)),
        process_(process),
        value_(upload(first_values(process))),
        next_(states_),
        action_(states_),
        next_action_(states_),
        validate_blocks_(
            std::min((states_ + validate_threads - 1) / validate_threads, most_validate_blocks)),
        steps_there_(validate_blocks_),
        steps_(validate_blocks_) {
    // −1: a policy that takes no action yet.
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(action_.data(), 0xff, states_ * sizeof(std::int32_t), native(stream_)));
    if (evaluator == Evaluator::cusparse) product_ = make_policy_product(process_.view(), stream_);
  }

  PolicyStep improve() {
    PolicyStep step;
    if (states_ == 0) return step;
    const auto actions = static_cast<unsigned>(process_.view().action_count);
    const unsigned threads =
        std::clamp((actions + warp - 1) / warp * warp, warp, most_block_threads);
    improve_policy<<<static_cast<unsigned>(states_), threads, 0, native(stream_)>>>(
        process_.view(), value_.data(), next_.data(), next_action_.data());
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
    const ValidateState<Real> validate{value_.view(), next_.view(), action_.view(),
                                       next_action_.view()};
    validate_improvement<<<static_cast<unsigned>(validate_blocks_), validate_threads, 0,
                           native(stream_)>>>(states_, validate, steps_there_.data());
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
    copy(steps_, steps_there_, stream_);
    stream_.synchronize();
    for (const PolicyStep& part : steps_) step.include(part);
    std::swap(value_, next_);
    std::swap(action_, next_action_);
    return step;
  }

  void evaluate(std::int64_t sweeps, bool policy_changed) {
    is_stale_ = is_stale_ || policy_changed;
    if (sweeps == 0 || states_ == 0) return;
    if (product_ && is_stale_) product_->project(action_.view(), value_.view());
    is_stale_ = false;
    for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
      if (product_) {
        product_->sweep(value_.view(), next_.view());
      } else {
        for_each_on_device(
            states_,
            EvaluateState<Real>{process_.view(), action_.view(), value_.view(), next_.view()},
            stream_);
      }
      std::swap(value_, next_);
    }
  }

  bool rounds_alike() const { return !product_; }

  /// Waits for those under way.
  std::vector<Real> values() const {
    std::vector<Real> here(states_);
    stream_.synchronize();
    copy_bytes(MemorySpace::host, here.data(), MemorySpace::device, value_.data(),
               states_ * sizeof(Real));
    return here;
  }

  void fetch_into(ProcessSolution<Real>& solution) const {
    solution.value.resize(states_);
    solution.action.resize(states_);
    copy_bytes(MemorySpace::host, solution.value.data(), MemorySpace::device, value_.data(),
               states_ * sizeof(Real));
    copy_bytes(MemorySpace::host, solution.action.data(), MemorySpace::device, action_.data(),
               states_ * sizeof(std::int32_t));
  }

 private:
  std::size_t states_;
  DeviceStream stream_;
  DeviceProcess<Real> process_;
  DeviceArray<Real> value_;                // (state)
  DeviceArray<Real> next_;                 // (state)
  DeviceArray<std::int32_t> action_;       // (state)
  DeviceArray<std::int32_t> next_action_;  // (state)
  std::size_t validate_blocks_;
  DeviceArray<PolicyStep> steps_there_;           // (block)
  PinnedArray<PolicyStep> steps_;                 // (block)
  bool is_stale_ = true;                          // P_π is not of action_
  std::unique_ptr<PolicyProduct<Real>> product_;  // with cuSPARSE
  WaitAtEnd wait_{stream_};
};

}  // namespace

template <class Real>
ProcessSolution<Real> policies_on_device(const DecisionProcess<Real>& process,
                                         const SolveOptions& options, Progress& progress) {
  const Stopwatch watch;
  if (options.evaluator == Evaluator::cusparse) require_policy_product();
  ProcessSolution<Real> solution;
  DevicePolicies<Real> policies(process, options.evaluator);
  const ValueChange change = alternate(policies, process, options, progress, solution);
  policies.fetch_into(solution);
  centre_values(change, process.discount, options, solution);
  solution.seconds = watch.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(policies_on_device)

}  // namespace tidewise::mdp
