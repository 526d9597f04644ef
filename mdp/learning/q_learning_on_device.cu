#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/host_device.h"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "base/memory/stream.h"
#include "base/stopwatch.h"
#include "mdp/learning/agent.h"
#include "mdp/learning/plan.h"
#include "mdp/methods/functions.h"
#include "mdp/process/array_copies.h"
#include "mdp/process/device_process.h"

namespace tidewise::mdp {

/// For .cu files: lanes of a warp that share an agent, 1, 2, 4 … or 32 adjacent ones. Implements
/// the Lanes of mdp/learning/agent.h; the groups of a warp may diverge. Its functions are marked
/// for both sides so that host-and-device templates can take it; the host never calls them.
class AgentLanes {
 public:
  /// `width`: a power of two, at most 32, that divides the block.
  TIDEWISE_HOST_DEVICE explicit AgentLanes(std::int32_t width) : width_(width) {
#if defined(__CUDA_ARCH__)
    const auto in_warp = static_cast<std::int32_t>(threadIdx.x % 32);
    lane_ = in_warp % width;
    first_ = in_warp - lane_;
    group_ = (width == 32 ? 0xffffffffu : (1u << width) - 1) << first_;
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t lane() const { return lane_; }
  TIDEWISE_HOST_DEVICE std::int32_t width() const { return width_; }
  TIDEWISE_HOST_DEVICE std::uint32_t ballot([[maybe_unused]] bool yes) const {
#if defined(__CUDA_ARCH__)
    return (__ballot_sync(group_, yes) & group_) >> first_;
#else
    return 0;
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t count([[maybe_unused]] std::uint32_t bits) const {
#if defined(__CUDA_ARCH__)
    return __popc(bits);
#else
    return 0;
#endif
  }
  template <class Real>
  TIDEWISE_HOST_DEVICE BestAction<Real> best(BestAction<Real> own) const {
#if defined(__CUDA_ARCH__)
    for (std::int32_t apart = width_ / 2; apart > 0; apart /= 2) {
      const BestAction<Real> other{__shfl_xor_sync(group_, own.value, apart),
                                   __shfl_xor_sync(group_, own.action, apart)};
      own = better_of(own, other);
    }
#endif
    return own;
  }

 private:
  std::int32_t width_;
  std::int32_t lane_ = 0;
  std::int32_t first_ = 0;   // first lane of the group in the warp
  std::uint32_t group_ = 1;  // mask of its lanes
};

/// Number of lanes for an agent: the next power of two of the number of actions, at most a warp.
inline std::int32_t lanes_for(std::int32_t actions) {
  std::int32_t width = 1;
  while (width < actions && width < 32) width *= 2;
  return width;
}

namespace {

constexpr unsigned block_threads = 128;  // few, so that 512 agents are spread over the device

template <class Lanes>
__device__ Lanes lanes_of([[maybe_unused]] std::int32_t width) {
  if constexpr (std::is_same_v<Lanes, OneLane>) {
    return {};
  } else {
    return Lanes(width);
  }
}

/// Runs rounds [begin, end). The grid synchronizes after each half of a round, which is some
/// microseconds faster than a launch for each half.
template <class Lanes, class Real>
__global__ void __launch_bounds__(block_threads)
    learn(const __grid_constant__ LearningRound<Real> work, std::int64_t begin, std::int64_t end,
          std::int32_t width) {
  const auto grid = cooperative_groups::this_grid();
  const Lanes lanes = lanes_of<Lanes>(width);
  const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const auto group_size = static_cast<std::size_t>(width);
  for (std::int64_t round = begin; round < end; ++round) {
    for (std::size_t n = thread / group_size; n < work.agents.size; n += threads / group_size) {
      work.act(n, round, lanes);
    }
    grid.sync();
    for (std::size_t n = thread; n < work.agents.size; n += threads) work.settle(n, round);
    grid.sync();
  }
}

/// Returns the kernel: with warp reductions for several lanes, without them for one.
template <class Real>
const void* kernel_for(std::int32_t width) {
  return width == 1 ? reinterpret_cast<const void*>(&learn<OneLane, Real>)
                    : reinterpret_cast<const void*>(&learn<AgentLanes, Real>);
}

/// Returns the launch: as many blocks as can be resident, or fewer if the agents need fewer.
template <class Real>
LearningLaunch launch_for(std::size_t agents, std::int32_t width) {
  int device = 0;
  int together = 0;
  int processors = 0;
  int processor_threads = 0;
  int per_processor = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  TIDEWISE_CUDA_CHECK(cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, device));
  if (together == 0) {
    throw RunError(
        "the GPU cannot synchronize the blocks of a kernel, which q-learning needs; use "
        "--backend cpu");
  }
  TIDEWISE_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  TIDEWISE_CUDA_CHECK(
      cudaDeviceGetAttribute(&processor_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  TIDEWISE_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_processor, kernel_for<Real>(width), int{block_threads}, 0));
  const std::size_t needed =
      (agents * static_cast<std::size_t>(width) + block_threads - 1) / block_threads;
  const auto max = static_cast<std::size_t>(processors) * static_cast<std::size_t>(per_processor);
  LearningLaunch launch;
  launch.lanes = width;
  launch.blocks = static_cast<std::int32_t>(std::min(needed, std::max<std::size_t>(max, 1)));
  launch.block_threads = int{block_threads};
  launch.blocks_per_processor = per_processor;
  launch.occupancy = static_cast<double>(per_processor) * block_threads / processor_threads;
  return launch;
}

template <class Real>
void launch_rounds(LearningRound<Real> work, std::int64_t begin, std::int64_t end,
                   LearningLaunch launch, const DeviceStream& stream) {
  void* arguments[] = {&work, &begin, &end, &launch.lanes};
  TIDEWISE_CUDA_CHECK(cudaLaunchCooperativeKernel(
      kernel_for<Real>(launch.lanes), dim3(static_cast<unsigned>(launch.blocks)),
      dim3(block_threads), arguments, 0, native(stream)));
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

template <class Real>
ProcessSolution<Real> q_learning_on_device(const DecisionProcess<Real>& process,
                                           const SolveOptions& options, Progress& progress) {
  const Stopwatch all;
  const LearningPlan<Real> plan(process, options.q_learning);
  const auto rows = static_cast<std::size_t>(process.row_count());
  const DeviceProcess<Real> on_device(process);
  const auto row_reward = upload(plan.row_reward);
  const auto entry_reward = upload(process.entry_reward);
  const auto starts = upload(plan.starts);
  const auto terminal_value = upload(process.initial_value);
  const auto exploration = upload(plan.exploration);
  const LearnedTable<Real> first = plan.first_table();
  auto table = upload(first.value);
  auto agents = upload(first.agents);
  auto visits = upload(first.visits);
  auto mean = upload(first.mean);
  auto averaged = upload(first.averaged);
  auto error_sum = upload(std::vector<unsigned long long>(rows, 0));
  auto hits = upload(std::vector<unsigned>(rows, 0));

  LearningRound<Real> work = plan.round();
  work.simulator = {on_device.view(), row_reward.view(), entry_reward.view()};
  work.table.value = table.view();
  work.table.error_sum = error_sum.view();
  work.table.hits = hits.view();
  work.table.visits = visits.view();
  work.table.mean = mean.view();
  work.table.averaged = averaged.view();
  work.agents = agents.view();
  work.starts = starts.view();
  work.terminal_value = terminal_value.view();
  work.exploration = exploration.view();

  const std::int32_t asked = options.q_learning.lanes;
  const std::int32_t width = asked > 0 ? asked : lanes_for(process.action_count);
  const DeviceStream stream;
  const WaitAtEnd wait(stream);
  const LearningLaunch launch =
      agents.empty() ? LearningLaunch() : launch_for<Real>(agents.size(), width);
  ProcessSolution<Real> solution = plan.learn(
      [&](std::int64_t begin, std::int64_t end) {
        launch_rounds(work, begin, end, launch, stream);
        stream.synchronize();
      },
      [&] {
        return LearnedTable<Real>{vector_of(table), vector_of(visits), vector_of(mean),
                                  vector_of(averaged), vector_of(agents)};
      },
      progress);
  solution.learning.launch = launch;
  solution.seconds = all.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(q_learning_on_device)

}  // namespace tidewise::mdp
