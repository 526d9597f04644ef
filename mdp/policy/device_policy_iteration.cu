#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/kernel/join_block.cuh"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "base/stopwatch.h"
#include "mdp/backup/policy_sweep.h"
#include "mdp/methods/functions.h"
#include "mdp/policy/block_sum.h"
#include "mdp/policy/evaluation_look.cuh"
#include "mdp/policy/policy_alternation.h"
#include "mdp/policy/policy_product.h"
#include "mdp/process/device_process.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"

namespace tidewise::mdp {
namespace {

constexpr unsigned warp = 32;
constexpr unsigned max_block_threads = 1024;

/// Improves the policy, with a block for each state and a thread for each action (or for several
/// actions if there are more actions than threads). Each thread finds Q of its actions, the block
/// finds the best, and the first thread applies keep_action(). Requires whole warps.
template <class Real>
__global__ void __launch_bounds__(max_block_threads)
    improve_policy(ProcessView<Real> process, const Real* value, const std::int32_t* action,
                   double tie, Real* next, std::int32_t* next_action) {
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
    next_action[state] = keep_action(process, value, state, action[state], best, tie);
  }
}

/// Evaluates a policy, with a block for each state and its threads over the successors, in the
/// order of block_sum(). `of` evaluates one state.
template <class Real>
__global__ void __launch_bounds__(block_sum_threads) evaluate_by_blocks(EvaluateState<Real> of) {
  const std::size_t state = blockIdx.x;
  const std::int32_t action = of.action[state];
  if (action < 0) {
    if (threadIdx.x == 0) of.next[state] = of.value[state];
    return;
  }
  const ProcessView<Real>& process = of.process;
  const auto row = static_cast<std::size_t>(process.row(static_cast<std::int32_t>(state), action));
  const std::int64_t begin = process.row_begin[row];
  Real sum =
      thread_sum(process.successor.data + begin, process.probability.data + begin,
                 process.row_begin[row + 1] - begin, of.value.data, std::int64_t{threadIdx.x});
  for (unsigned apart = block_sum_threads / 2; apart > 0; apart /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, apart);
  }
  if (threadIdx.x == 0) of.next[state] = close_row(sum, process.discount, process.reward[row]);
}

/// Body for sweep_on_device() that does nothing, because an earlier kernel has computed next from
/// value.
template <class Real>
struct LookAtState {
  View<const Real> value;  ///< (state)
  View<Real> next;         ///< (state)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t) const {}
};

constexpr unsigned validate_threads = 256;
constexpr std::size_t max_validate_blocks = 512;
// Sweeps of an evaluation between two checks by the host.
constexpr std::int64_t max_unseen_sweeps = 20;

/// Changes of an improvement: a PolicyStep for each block, which the host combines.
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
  DevicePolicies(const DecisionProcess<Real>& process, const SolveOptions& options)
      : evaluator_(options.evaluator),
        tie_(tie_to_keep(process.discount, options)),
        states_(static_cast<std::size_t>(process.state_count)),
        process_(process),
        value_(upload(first_values(process))),
        next_(states_),
        action_(states_),
        next_action_(states_),
        validate_blocks_(
            std::min((states_ + validate_threads - 1) / validate_threads, max_validate_blocks)),
        device_steps_(validate_blocks_),
        steps_(validate_blocks_),
        device_residuals_(max_unseen_sweeps + 1),
        residuals_(max_unseen_sweeps + 1) {
    // −1: the policy takes no action yet.
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(action_.data(), 0xff, states_ * sizeof(std::int32_t), native(stream_)));
    if (evaluator_ == Evaluator::cusparse) product_ = make_policy_product(process_.view(), stream_);
  }

  PolicyStep improve() {
    PolicyStep step;
    if (states_ == 0) return step;
    const auto actions = static_cast<unsigned>(process_.view().action_count);
    const unsigned threads =
        std::clamp((actions + warp - 1) / warp * warp, warp, max_block_threads);
    improve_policy<<<static_cast<unsigned>(states_), threads, 0, native(stream_)>>>(
        process_.view(), value_.data(), action_.data(), tie_, next_.data(), next_action_.data());
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
    const ValidateState<Real> validate{value_.view(), next_.view(), action_.view(),
                                       next_action_.view()};
    validate_improvement<<<static_cast<unsigned>(validate_blocks_), validate_threads, 0,
                           native(stream_)>>>(states_, validate, device_steps_.data());
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
    copy(steps_, device_steps_, stream_);
    stream_.synchronize();
    for (const PolicyStep& part : steps_) step.include(part);
    std::swap(value_, next_);
    std::swap(action_, next_action_);
    return step;
  }

  template <class Report>
  std::int64_t evaluate(EvaluationEnd end, bool policy_changed, const Report& report) {
    is_stale_ = is_stale_ || policy_changed;
    if (end.is_due() || states_ == 0) return 0;
    if (product_ && is_stale_) product_->project(action_.view(), value_.view());
    is_stale_ = false;
    while (!end.is_due()) {
      // The guess is the number of sweeps of the previous evaluation, and beyond that a fraction of
      // those done.
      const std::int64_t guess = std::max(last_sweeps_ - end.sweeps(), end.sweeps() / 4);
      sweep_unseen(
          std::min(std::clamp(guess, std::int64_t{1}, max_unseen_sweeps), end.sure_sweeps()), end);
      report(end.sweeps());
    }
    last_sweeps_ = end.sweeps();
    return end.sweeps();
  }

  bool rounds_alike() const { return evaluator_ != Evaluator::block && !product_; }

  /// Waits for work in progress.
  std::vector<Real> values() const {
    std::vector<Real> on_host(states_);
    stream_.synchronize();
    copy_bytes(MemorySpace::host, on_host.data(), MemorySpace::device, value_.data(),
               states_ * sizeof(Real));
    return on_host;
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
  /// Does `count` sweeps and reports them to `end` in order until it is due; sweeps after that copy
  /// the values.
  void sweep_unseen(std::int64_t count, EvaluationEnd& end) {
    EvaluationLook::Bits* const slots = device_residuals_.data();
    const auto slot_bytes = sizeof(EvaluationLook::Bits);
    TIDEWISE_CUDA_CHECK(cudaMemsetAsync(slots, 0xff, slot_bytes, native(stream_)));
    TIDEWISE_CUDA_CHECK(cudaMemsetAsync(slots + 1, 0, static_cast<std::size_t>(count) * slot_bytes,
                                        native(stream_)));
    for (std::int64_t n = 0; n < count; ++n) {
      sweep({end.change(), slots + n, slots + n + 1});
      std::swap(value_, next_);
    }
    copy(residuals_, device_residuals_, stream_);
    stream_.synchronize();
    for (std::int64_t n = 1; n <= count && !end.is_due(); ++n) {
      double residual = 0;
      std::memcpy(&residual, residuals_.data() + n, sizeof residual);
      end.include(residual);
    }
  }

  void sweep(const EvaluationLook& look) {
    if (product_) return product_->sweep(value_.view(), next_.view(), look);
    const EvaluateState<Real> evaluate{process_.view(), action_.view(), value_.view(),
                                       next_.view()};
    if (evaluator_ != Evaluator::block) return sweep_on_device(states_, evaluate, look, stream_);
    evaluate_by_blocks<<<static_cast<unsigned>(states_), block_sum_threads, 0, native(stream_)>>>(
        evaluate);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
    sweep_on_device(states_, LookAtState<Real>{value_.view(), next_.view()}, look, stream_);
  }

  Evaluator evaluator_;
  double tie_;  // tolerance of keep_action()
  std::size_t states_;
  DeviceStream stream_;
  DeviceProcess<Real> process_;
  DeviceArray<Real> value_;                // (state)
  DeviceArray<Real> next_;                 // (state)
  DeviceArray<std::int32_t> action_;       // (state)
  DeviceArray<std::int32_t> next_action_;  // (state)
  std::size_t validate_blocks_;
  DeviceArray<PolicyStep> device_steps_;  // (block)
  PinnedArray<PolicyStep> steps_;         // (block)
  DeviceArray<EvaluationLook::Bits>
      device_residuals_;  // residuals of sweeps, after an initial infinite one
  PinnedArray<EvaluationLook::Bits> residuals_;
  std::int64_t last_sweeps_ = max_unseen_sweeps;  // number of sweeps of the previous evaluation
  bool is_stale_ = true;                          // P_π does not belong to action_
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
  DevicePolicies<Real> policies(process, options);
  const ValueChange change = alternate(policies, process, options, progress, solution);
  policies.fetch_into(solution);
  centre_values(change, process.discount, options, solution);
  solution.seconds = watch.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(policies_on_device)

}  // namespace tidewise::mdp
