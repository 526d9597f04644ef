
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/memory/device_transfer.h"
#include "base/memory/for_each.cuh"
#include "env/file/level_stream.h"
#include "model_builder/device/level_preparation.h"
#include "solver/evaluate/active_cells.cuh"
#include "solver/evaluate/device_evaluation.h"
#include "solver/evaluate/device_reach_ahead.h"
#include "solver/evaluate/device_transitions.h"
#include "solver/evaluate/expectation_accumulator.h"
#include "solver/evaluate/probability_gather.h"
#include "solver/evaluate/sum_groups.h"
#include "solver/policy/device_stream.h"
#include "solver/step/device_mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

template <class T>
void set_to_zero(DeviceArray<T>& values, const DeviceStream& stream) {
  TIDEWISE_CUDA_CHECK(cudaMemsetAsync(values.data(), 0, values.size() * sizeof(T), native(stream)));
}

/// The probability mass of one level on its way to the next, on the device.
class DeviceForwardPropagation {
 public:
  DeviceForwardPropagation(DeviceEnvironment& environment, const PlanningProblem& problem,
                           std::size_t scratch)
      : environment_(environment),
        info_(environment.info()),
        problem_(problem),
        cell_count_(static_cast<std::size_t>(info_.grid.cell_count())),
        steps_(
            static_cast<std::size_t>(problem.mission.last.value - problem.mission.departure.value)),
        scratch_(scratch) {}

  ExpectedOutcome run(const PolicySource& policy, Progress& progress) {
    environment_.begin(levels_between(problem_.mission.departure, problem_.mission.last));
    const LevelView first = environment_.next(stream_);
    const StepOutcome outcome = outcome_at_start(
        problem_.mission, fetch(first.masked.data + problem_.mission.start.value, stream_));
    progress.begin("evaluating the policy", static_cast<std::int64_t>(steps_), "levels");
    if (outcome == StepOutcome::under_way) {
      prepare();
      push(first, policy, progress);
    } else {
      accumulator_.end_at_start(outcome, problem_.mission.failure_penalty);
      environment_.release(stream_);
    }
    environment_.finish();
    progress.end();
    return accumulator_.close();
  }

 private:
  void prepare() {
    int device = 0;
    TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
    TIDEWISE_CUDA_CHECK(
        cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
    there_.emplace(info_, problem_);
    weight_ = upload(counting_weights(info_, problem_.rule), stream_);
    coefficients_.emplace(info_.mode_count, info_.realization_count);
    probability_ = DeviceArray<Probability>(cell_count_);
    probability_next_ = DeviceArray<Probability>(cell_count_);
    window_ = DeviceArray<LandingStencil>(cell_count_);
    totals_ = DeviceArray<StepTotals>(cell_count_);
    for (auto& sums : sums_) sums = DeviceArray<StepTotals>(SumGroups::groups_of(cell_count_));
    level_totals_ = DeviceArray<StepTotals>(steps_);
    facts_ = DeviceArray<LandingFacts>(steps_);
    facts_here_ = PinnedArray<LandingFacts>(steps_, LandingFacts{});
    set_to_zero(probability_, stream_);
    set_to_zero(level_totals_, stream_);
    set_to_zero(facts_, stream_);
    const Probability one{1, 0, 0};
    copy_bytes(MemorySpace::device, probability_.data() + problem_.mission.start.value,
               MemorySpace::host, &one, sizeof one, stream_);
    constexpr std::size_t bytes_a_cell = 2048;
    if (scratch_ == 0) {
      scratch_ = std::min(cell_count_ * bytes_a_cell, device_memory().free / 4);
    }
    counts_ = DeviceArray<std::uint32_t>(scratch_ / sizeof(std::uint32_t));
  }

  /// From departure, whose fields are `next`, until no mass is under way.
  void push(LevelView next, const PolicySource& policy, Progress& progress) {
    ReachAhead reach(info_, problem_.rule, action_reach(problem_.actions));
    ActiveCells active(cell_count_);
    DevicePolicyStream policy_stream(policy, problem_.actions.size(), cell_count_);
    const WaitAtEnd wait(stream_);
    reach.find(0, next, there_->target(), stream_);
    for (TimeLevel k = problem_.mission.departure; k < problem_.mission.last; ++k.value) {
      policy_stream.begin();
      const std::size_t turn = policy_stream.begun() - 1;
      if (policy_stream.done() > 0 && ended_before(policy_stream.done() - 1)) break;
      const LevelView now = next;
      next = environment_.next(stream_);
      if (turn + 1 < steps_) reach.find(turn + 1, next, there_->target(), stream_);
      View<const std::int16_t> level_policy;
      try {
        level_policy = policy_stream.read_policy(k, stream_);
      } catch (const InputError&) {  // which nobody has to know when no mass is left
        active.find(probability_, 0, static_cast<std::int32_t>(cell_count_), stream_);
        const bool none = fetch(active.count(), stream_) == 0;
        validate_from(policy_stream.done(), turn);
        if (!none) throw;
        environment_.release(stream_);
        break;
      }
      const StepContext context =
          make_step_context(info_, problem_.mission, k, now, next,
                            {there_->target(), level_policy, there_->effects()});
      step({context, static_cast<double>(row_total(info_, problem_.rule))}, reach, active, turn);
      environment_.release(stream_);
      policy_stream.end(stream_);
      progress.advance_to(static_cast<std::int64_t>(turn) + 1);
    }
    environment_.release(stream_);
    close(policy_stream);
  }

  void step(const PropagationStep& step, const ReachAhead& reach, ActiveCells& active,
            std::size_t turn) {
    const LevelReach whole = reach.whole(turn);
    const std::int32_t words =
        ((whole.x_span >> fraction_bits) + 1 + problem_.rule.cells_touched()) *
        ((whole.y_span >> fraction_bits) + 1 + problem_.rule.cells_touched());
    if (counts_.size() < static_cast<std::size_t>(words)) {
      counts_ = DeviceArray<std::uint32_t>(static_cast<std::size_t>(words));
    }
    const SubGrid subgrid = subgrid_of({whole.x_min, whole.x_max, whole.y_min, whole.y_max},
                                       problem_.actions, problem_.rule);
    coefficients_->make(step.context.now, DisplacementScale(info_.grid, info_.time), problem_.rule,
                        stream_);
    const auto cells = static_cast<std::int32_t>(cell_count_);
    const auto batch = static_cast<std::int32_t>(
        std::min(cell_count_, counts_.size() / static_cast<std::size_t>(words)));
    for (std::int32_t first = 0; first < cells; first += std::min(batch, cells - first)) {
      const std::int32_t end = first + std::min(batch, cells - first);
      active.find(probability_, first, end, stream_);
      LandingWork work = landing_work(step, reach, active, turn);
      work.first_cell = first;
      work.window_words = words;
      count_transitions(work, end - first, multiprocessors_, stream_);
      const View<const LandingStencil> window = std::as_const(window_).view();
      for_each_on_device(static_cast<std::size_t>(end - first),
                         EndProbability{step, std::as_const(probability_).view(), window,
                                        totals_.view(), static_cast<std::size_t>(first)},
                         stream_, 64);
      for_each_on_device(cell_count_,
                         GatherProbability{step, std::as_const(probability_).view(), window,
                                           probability_next_.view(), subgrid, first, end},
                         stream_, 128);
    }
    sum_totals(turn);
    std::swap(probability_, probability_next_);
    copy_bytes(MemorySpace::pinned, facts_here_.data() + turn, MemorySpace::device,
               facts_.data() + turn, sizeof(LandingFacts), stream_);
  }

  LandingWork landing_work(const PropagationStep& step, const ReachAhead& reach,
                           const ActiveCells& active, std::size_t turn) {
    LandingWork work;
    work.cloud = coefficients_->cloud(std::as_const(weight_).view());
    work.policy = step.context.policy;
    work.effect = step.context.effect;
    work.action_reach = action_reach(problem_.actions);
    work.reach = reach.cells(turn);
    work.cells = active.list();
    work.cell_count = active.count();
    work.counts = counts_.data();
    work.window = window_.data();
    work.facts = facts_.data() + turn;
    return work;
  }

  /// sum_over_cells() into level_totals_.
  void sum_totals(std::size_t turn) {
    SumGroups sum{totals_.data(), cell_count_, nullptr};
    for (std::size_t round = 0; sum.count > 1 || round == 0; ++round) {
      const std::size_t groups = SumGroups::groups_of(sum.count);
      sum.out = groups > 1 ? sums_[round % 2].data() : level_totals_.data() + turn;
      for_each_on_device(sum.calls(), sum, stream_, 64);
      sum = {sum.out, groups, nullptr};
    }
  }

  /// Judges a turn that the device is done with. Whether no mass was left at its beginning.
  bool ended_before(std::size_t turn) {
    const LandingFacts& facts = facts_here_[turn];
    if (facts.too_far != 0) {
      environment_.finish();  // a level that could not be read is the better reason
      require_reach(std::bit_cast<double>(facts.too_far), action_reach(problem_.actions));
    }
    if (facts.missed != 0) {
      throw RunError("a landing lay outside the bounds of its cell: the device erred; run again");
    }
    return facts.cells == 0;
  }
  void validate_from(std::size_t first, std::size_t end) {
    for (std::size_t turn = first; turn < end; ++turn) (void)ended_before(turn);
  }

  void close(const DevicePolicyStream& policy_stream) {
    stream_.synchronize();
    std::vector<StepTotals> totals(steps_);
    copy_bytes(MemorySpace::host, totals.data(), MemorySpace::device, level_totals_.data(),
               steps_ * sizeof(StepTotals), stream_);
    stream_.synchronize();
    for (std::size_t turn = 0; turn < policy_stream.begun() && !ended_before(turn); ++turn) {
      accumulator_.enter(totals[turn], static_cast<std::int32_t>(turn + 1) * info_.time.step);
    }
  }

  DeviceEnvironment& environment_;
  const EnvironmentInfo& info_;
  PlanningProblem problem_;
  std::size_t cell_count_;
  std::size_t steps_;
  std::size_t scratch_;
  int multiprocessors_ = 1;
  DeviceStream stream_;
  std::optional<DeviceMission> there_;
  std::optional<DeviceCoefficients> coefficients_;
  DeviceArray<std::uint32_t> weight_;            // (realization), or empty
  DeviceArray<Probability> probability_;         // (y, x), at k
  DeviceArray<Probability> probability_next_;    // (y, x), at k+1
  DeviceArray<std::uint32_t> counts_;            // (cell of the batch, window)
  DeviceArray<LandingStencil> window_;           // (y, x)
  DeviceArray<StepTotals> totals_;               // (y, x)
  std::array<DeviceArray<StepTotals>, 2> sums_;  // (group)
  DeviceArray<StepTotals> level_totals_;         // (step)
  DeviceArray<LandingFacts> facts_;              // (step)
  PinnedArray<LandingFacts> facts_here_;         // (step)
  ExpectationAccumulator accumulator_;
};

}  // namespace

ExpectedOutcome evaluate_policy_on_device(DeviceEnvironment& environment,
                                          const PlanningProblem& problem,
                                          const PolicySource& policy, Progress& progress,
                                          std::size_t scratch) {
  return DeviceForwardPropagation(environment, problem, scratch).run(policy, progress);
}

}  // namespace tidewise
