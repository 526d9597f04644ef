#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/device.h"
#include "base/memory/device_transfer.h"
#include "env/device/device_level_pair.h"
#include "model_builder/cloud/coefficients.h"
#include "solver/evaluate/device_evaluation.h"
#include "solver/evaluate/device_reach_ahead.h"
#include "solver/evaluate/device_transitions.h"
#include "solver/evaluate/expectation_accumulator.h"
#include "solver/evaluate/members.h"
#include "solver/evaluate/probability_gather.h"
#include "solver/evaluate/resident_rows.h"
#include "solver/evaluate/sum_groups.h"
#include "solver/flight/device_step_tables.h"
#include "solver/legs/legs.h"
#include "solver/pass/forward.h"
#include "solver/policy/device_stream.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

template <class T>
void set_to_zero(DeviceArray<T>& values, const DeviceStream& stream) {
  TIDEWISE_CUDA_CHECK(cudaMemsetAsync(values.data(), 0, values.size() * sizeof(T), native(stream)));
}

/// How an evaluation divides its memory.
struct EvaluationMemory {
  std::size_t legs = 1;    ///< at once
  std::size_t rows = 0;    ///< [B]
  std::size_t counts = 0;  ///< of legs' own cells [B]

  /// Probabilities at two levels, windows, totals, lists, targets and policies.
  static constexpr std::size_t of_leg = 2 * sizeof(Probability) + sizeof(LandingStencil) +
                                        sizeof(StepTotals) + 2 * sizeof(StepTotals) / sum_group +
                                        sizeof(std::uint32_t) + sizeof(std::uint8_t) +
                                        DevicePolicyStream::bytes_a_cell;  // a cell [B]
  static constexpr std::size_t most_counts = 2048;  // a cell, which sub-grids seldom pass [B]
  static constexpr std::size_t usual_counts = 512;

  /// `all`: legs of all members; `one`: the most of any. `memory`: beside what the cells of one leg
  /// need.
  EvaluationMemory(const EnvironmentInfo& info, const PositionRule& rule, std::size_t actions,
                   std::size_t all, std::size_t one, std::size_t memory) {
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    rows = std::min(resident_row_memory(info, rule, std::min(all, actions)), memory / 2);
    const std::size_t left = memory - rows + of_leg * cells;
    constexpr std::size_t most_numbers = 0xffffffffu;  // of legs' cells
    legs = std::clamp<std::size_t>(left / ((of_leg + usual_counts) * cells), 1,
                                   std::clamp<std::size_t>(all, 1, most_numbers / cells));
    legs = std::max(legs, one);
    counts = std::min(legs * most_counts * cells, left - std::min(left, legs * of_leg * cells));
  }
};

/// What lies in the place where a leg ends goes over to the next one.
struct PassPlace {
  View<const std::int32_t> cell;
  Probability* leg;   ///< (y, x)
  Probability* next;  ///< (y, x)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const auto at = static_cast<std::size_t>(cell[n]);
    if (leg[at].probability > 0) {
      if (!(next[at].probability > 0)) next[at] = {};  // too little for a double
      next[at] += leg[at];
    }
    leg[at] = {};
  }
};

/// The probability mass of some members on its way through the levels, on the device. Each leg of a
/// mission (solver/legs/legs.h) has mass of its own, as if it were a member.
class DeviceEvaluation {
 public:
  DeviceEvaluation(DeviceEnvironment& environment, const PositionRule& rule,
                   const std::vector<Action>& actions, EvaluationMembers members,
                   std::int32_t threads, const EvaluationMemory& memory)
      : environment_(environment),
        info_(environment.info()),
        rule_(rule),
        actions_(actions),
        members_(members),
        threads_(threads),
        memory_(memory),
        span_(members),
        cells_(static_cast<std::size_t>(info_.grid.cell_count())) {
    for (std::size_t m = 0; m < members.size; ++m) {
      const Mission& whole = *members[m].mission;
      for (std::size_t n = 0; n < leg_count(members[m]); ++n) {
        const Mission& mission = missions_.emplace_back(leg_mission(whole, n));
        const ViaPlace* end = n < whole.via.size() ? &whole.via[n] : nullptr;
        legs_.push_back({{&mission, &members[m].policy->leg(n)}, m, n == 0, end});
      }
    }
    states_.resize(legs_.size());
  }

  /// `advanced`: called with the number of steps that are behind us.
  std::vector<MemberOutcome> run(const std::function<void(std::int32_t)>& advanced) {
    DeviceLevelPair levels(environment_, stream_, span_.first, span_.last);
    const WaitAtEnd wait(stream_);
    walk_forward(levels, span_.first, span_.last, *this, advanced);
    if (tables_) close();
    levels.finish();
    std::vector<MemberOutcome> outcomes(members_.size);
    std::vector<ExpectationAccumulator> sums(members_.size);
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      const std::size_t m = legs_[n].member;
      if (legs_[n].is_first) {
        sums[m] = states_[n].accumulator;
      } else {
        sums[m] += states_[n].accumulator;
      }
      outcomes[m].expected = sums[m].close();
      if (states_[n].failure) outcomes[m].failure = states_[n].failure;
    }
    return outcomes;
  }

  // The walk over levels (walk_forward).
  void arrive(TimeLevel k, const LevelView& level) {
    depart_late(k);
    depart(k, level);
    if (k == span_.first && !over()) {
      if (!tables_) prepare();
      reach_.emplace(info_, rule_, action_reach(actions_));
      reach_->find(0, level, tables_->every_target(), stream_);
    }
    pass_places(k);
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      if (mission_of(n).last == k) states_[n].is = State::Is::over;
    }
  }
  bool goes_on(TimeLevel k) {
    if (over()) return false;
    policies_->begin();
    if (policies_->done() > 0) judge(policies_->done() - 1);
    rows_->make_room(stream_);
    turns_.push_back({k, read_policies(k)});
    return !over();
  }
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    if (k.value + 1 < span_.last.value) {
      reach_->find(turns_.size(), next, tables_->every_target(), stream_);
    }
    if (!turns_.back().legs.empty()) step(now, next, *reach_);
    policies_->end(stream_);
  }

 private:
  /// A leg of a member.
  struct Leg {
    EvaluationMember as_member;
    std::size_t member;
    bool is_first;
    const ViaPlace* end;                   ///< null: the target
    DeviceArray<std::int32_t> there = {};  ///< the end's cells
  };
  /// How far a leg has come.
  struct State {
    enum class Is { to_depart, under_way, over } is = Is::to_depart;
    std::size_t plane = 0;  ///< of the two, the one that holds its probability
    ExpectationAccumulator accumulator;
    std::exception_ptr failure;
  };
  /// Who took a step at one level.
  struct Turn {
    TimeLevel level;
    std::vector<std::size_t> legs;  // (lane)
  };

  bool over() const {
    return std::all_of(states_.begin(), states_.end(),
                       [](const State& state) { return state.is == State::Is::over; });
  }

  void prepare() {
    int device = 0;
    TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
    TIDEWISE_CUDA_CHECK(
        cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
    std::vector<PlanningProblem> problems;
    std::vector<const PolicySource*> policies;
    for (Leg& leg : legs_) {
      problems.push_back({actions_, *leg.as_member.mission, rule_});
      policies.push_back(leg.as_member.policy);
      if (leg.end != nullptr) leg.there = upload(leg.end->cells);
    }
    tables_.emplace(info_, problems);
    policies_.emplace(policies, actions_.size(), cells_, threads_);
    there_.emplace(actions_);
    rows_ = make_resident_rows(info_, rule_, *there_, std::min(legs_.size(), actions_.size()),
                               memory_.rows);
    weight_ = upload(counting_weights(info_, rule_), stream_);
    coefficients_.emplace(info_.mode_count, info_.realization_count);
    const std::size_t all = legs_.size() * cells_;
    for (auto& plane : probability_) {
      plane = DeviceArray<Probability>(all);
      set_to_zero(plane, stream_);
    }
    window_ = DeviceArray<LandingStencil>(all);
    totals_ = DeviceArray<StepTotals>(all);
    for (auto& sums : sums_) {
      sums = DeviceArray<StepTotals>(legs_.size() * SumGroups::groups_of(cells_));
    }
    left_ = DeviceArray<std::uint32_t>(all);
    left_count_ = DeviceArray<std::uint32_t>(1);
    counts_ = DeviceArray<std::uint32_t>(memory_.counts / sizeof(std::uint32_t));
    steps_ = DeviceArray<MemberStep>(DevicePolicyStream::ahead * legs_.size());
    steps_here_ = PinnedArray<MemberStep>(steps_.size());
    const std::size_t turns = static_cast<std::size_t>(span_.steps()) * legs_.size();
    level_totals_ = DeviceArray<StepTotals>(turns);
    set_to_zero(level_totals_, stream_);  // those that take no step are copied with the others
    facts_ = DeviceArray<LandingFacts>(turns);
    facts_here_ = PinnedArray<LandingFacts>(turns, LandingFacts{});
    set_to_zero(facts_, stream_);
  }

  /// Those whose departure the level is, whose fields are `level`.
  void depart(TimeLevel k, const LevelView& level) {
    std::vector<std::uint8_t> masked;
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      const Mission& mission = mission_of(n);
      if (!legs_[n].is_first || mission.departure != k) continue;
      if (masked.empty()) masked = fetch_all(level.masked);
      const auto start = static_cast<std::size_t>(mission.start.value);
      const StepOutcome outcome = outcome_at_start(mission, masked[start]);
      if (outcome == StepOutcome::under_way) {
        if (!tables_) prepare();
        set_all_legs(n, State::Is::under_way);
        set_probability(n, 0, start, {1 - weight_of_next_level(mission), 0, 0});
      } else {
        set_all_legs(n, State::Is::over);
        states_[n].accumulator.end_at_start(outcome, worth_at_start(info_, mission, outcome));
      }
    }
  }

  const Mission& mission_of(std::size_t leg) const { return *legs_[leg].as_member.mission; }

  /// Those of the member that leg `n` is of.
  void set_all_legs(std::size_t n, State::Is is) {
    while (!legs_[n].is_first) --n;
    do {
      states_[n++].is = is;
    } while (n < legs_.size() && !legs_[n].is_first);
  }

  /// What lies in the places where legs end, at level k, begins the next ones.
  void pass_places(TimeLevel k) {
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      if (legs_[n].end == nullptr || !(k < mission_of(n).last)) continue;
      if (states_[n].is != State::Is::under_way) continue;
      for_each_on_device(
          legs_[n].there.size(),
          PassPlace{std::as_const(legs_[n].there).view(), plane_of(n, states_[n].plane).data,
                    plane_of(n + 1, states_[n + 1].plane).data},
          stream_);
    }
  }

  /// Who departs between this level and the one before, as far as the model has them depart here.
  void depart_late(TimeLevel k) {
    for (std::size_t m = 0; m < legs_.size(); ++m) {
      if (!legs_[m].is_first) continue;
      const Mission& mission = mission_of(m);
      const double late = weight_of_next_level(mission);
      if (late == 0 || mission.departure.value + 1 != k.value) continue;
      if (states_[m].is != State::Is::under_way) continue;
      const auto start = static_cast<std::size_t>(mission.start.value);
      const std::size_t plane = states_[m].plane;
      Probability there = fetch(plane_of(m, plane).data + start, stream_);
      there += Probability{late, 0, 0};
      set_probability(m, plane, start, there);
    }
  }

  void set_probability(std::size_t m, std::size_t plane, std::size_t cell,
                       const Probability& probability) {
    copy_bytes(MemorySpace::device, plane_of(m, plane).data + cell, MemorySpace::host, &probability,
               sizeof probability, stream_);
  }

  template <class T>
  std::vector<std::remove_const_t<T>> fetch_all(View<T> there) {
    std::vector<std::remove_const_t<T>> here(there.size);
    copy_bytes(MemorySpace::host, here.data(), MemorySpace::device, there.data,
               there.size * sizeof(T), stream_);
    stream_.synchronize();
    return here;
  }

  /// Reads the policies of all that are under way, and tells who they are. One that cannot be read
  /// fails the missions that follow it, if they hold any mass on that leg.
  std::vector<std::size_t> read_policies(TimeLevel k) {
    std::vector<std::size_t> at_work;
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      if (states_[n].is == State::Is::under_way) at_work.push_back(n);
    }
    policies_->read_policies(k, at_work, stream_);
    for (const std::size_t n : at_work) {
      if (!policies_->failure(n)) continue;
      if (holds_mass(n)) {
        states_[n].failure = policies_->failure(n);
        set_all_legs(n, State::Is::over);
      } else if (legs_[n].is_first && legs_[n].end == nullptr) {
        states_[n].is = State::Is::over;  // nor will it ever hold any
      }
    }
    std::erase_if(at_work, [&](std::size_t n) {
      return policies_->failure(n) || states_[n].is == State::Is::over;
    });
    return at_work;
  }

  /// Whether nothing more comes to a leg than it holds.
  bool has_all(std::size_t n) const {
    return legs_[n].is_first || states_[n - 1].is == State::Is::over;
  }

  bool holds_mass(std::size_t m) {
    const auto held = fetch_all(plane_of(m, states_[m].plane));
    return std::any_of(held.begin(), held.end(),
                       [](const Probability& here) { return here.probability > 0; });
  }

  View<Probability> plane_of(std::size_t m, std::size_t plane) {
    return probability_[plane].view().part(m * cells_, cells_);
  }

  void step(const LevelView& now, const LevelView& next, const ReachAhead& ahead) {
    const std::size_t turn = turns_.size() - 1;
    const LevelReach whole = ahead.whole(turn);
    const std::int32_t words = ((whole.x_span >> fraction_bits) + 1 + rule_.cells_touched()) *
                               ((whole.y_span >> fraction_bits) + 1 + rule_.cells_touched());
    if (counts_.size() < static_cast<std::size_t>(words)) {
      counts_ = DeviceArray<std::uint32_t>(static_cast<std::size_t>(words));
    }
    const SubGrid subgrid =
        subgrid_of({whole.x_min, whole.x_max, whole.y_min, whole.y_max}, actions_, rule_);
    coefficients_->make(now, DisplacementScale(info_.grid, info_.time), rule_, stream_);
    LandingWork work;
    work.cloud = coefficients_->cloud(std::as_const(weight_).view());
    work.members = send_steps(now, next);
    work.action_reach = action_reach(actions_);
    work.reach = ahead.cells(turn);
    work.window_words = words;
    work.counts = counts_.data();
    work.left = left_.data();
    work.left_count = left_count_.data();
    work.facts = facts_.data() + turn * legs_.size();
    rows_->count(now, work.members, *coefficients_, std::as_const(weight_).view(), stream_);
    const std::size_t all = work.members.size * cells_;
    const std::size_t batch = std::min(all, counts_.size() / static_cast<std::size_t>(words));
    for (work.first = 0; work.first < all; work.first = work.end) {
      work.end = std::min(work.first + batch, all);
      land(work, subgrid);
    }
    sum_totals(turn);
    copy_bytes(MemorySpace::pinned, facts_here_.data() + turn * legs_.size(), MemorySpace::device,
               work.facts, legs_.size() * sizeof(LandingFacts), stream_);
  }

  void land(const LandingWork& work, const SubGrid& subgrid) {
    set_to_zero(left_count_, stream_);
    rows_->take(work, stream_);
    count_transitions(work, multiprocessors_, stream_);
    for_each_on_device(work.end - work.first, EndProbability{work.members, work.first}, stream_,
                       64);
    for_each_on_device(GatherProbability::calls(work.first, work.end, cells_),
                       GatherProbability{work.members, subgrid, work.first, work.end}, stream_,
                       128);
  }

  /// The members' steps of this turn in device memory; their planes change places.
  View<const MemberStep> send_steps(const LevelView& now, const LevelView& next) {
    const Turn& turn = turns_.back();
    const std::size_t first = policies_->place() * legs_.size();
    for (std::size_t lane = 0; lane < turn.legs.size(); ++lane) {
      const std::size_t m = turn.legs[lane];
      std::size_t& plane = states_[m].plane;
      const StepContext context = make_step_context(info_, mission_of(m), turn.level, now, next,
                                                    tables_->of(m, policies_->policy(m)));
      steps_here_[first + lane] = {{context, static_cast<double>(row_total(info_, rule_))},
                                   plane_of(m, plane),
                                   plane_of(m, 1 - plane),
                                   window_.view().part(lane * cells_, cells_),
                                   totals_.view().part(lane * cells_, cells_)};
      plane = 1 - plane;
    }
    copy_bytes(MemorySpace::device, steps_.data() + first, MemorySpace::pinned,
               steps_here_.data() + first, turn.legs.size() * sizeof(MemberStep), stream_);
    return std::as_const(steps_).view().part(first, turn.legs.size());
  }

  /// sum_over_cells() into level_totals_.
  void sum_totals(std::size_t turn) {
    SumGroups sum{totals_.data(), cells_, nullptr, turns_[turn].legs.size()};
    for (std::size_t round = 0; sum.count > 1 || round == 0; ++round) {
      const std::size_t groups = SumGroups::groups_of(sum.count);
      sum.out = groups > 1 ? sums_[round % 2].data() : level_totals_.data() + turn * legs_.size();
      for_each_on_device(sum.calls(), sum, stream_, 64);
      sum = {sum.out, groups, nullptr, sum.members};
    }
  }

  /// Looks at a turn that the device is done with: a leg that held no mass at its beginning is
  /// over, unless more may come from the leg before.
  void judge(std::size_t turn) {
    for (std::size_t lane = 0; lane < turns_[turn].legs.size(); ++lane) {
      const LandingFacts& facts = facts_here_[turn * legs_.size() + lane];
      if (facts.too_far != 0) {
        environment_.finish();  // a level that could not be read is the better reason
        require_reach(std::bit_cast<double>(facts.too_far), action_reach(actions_));
      }
      if (facts.missed != 0) {
        throw RunError("a landing lay outside the bounds of its cell: the device erred; run again");
      }
      const std::size_t n = turns_[turn].legs[lane];
      if (facts.holds == 0 && has_all(n)) states_[n].is = State::Is::over;
    }
  }

  void close() {
    stream_.synchronize();
    std::vector<StepTotals> totals(turns_.size() * legs_.size());
    copy_bytes(MemorySpace::host, totals.data(), MemorySpace::device, level_totals_.data(),
               totals.size() * sizeof(StepTotals), stream_);
    stream_.synchronize();
    for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
      judge(turn);
      const Turn& taken = turns_[turn];
      for (std::size_t lane = 0; lane < taken.legs.size(); ++lane) {
        const std::size_t at = turn * legs_.size() + lane;
        if (facts_here_[at].holds == 0) continue;
        const std::size_t m = taken.legs[lane];
        const Mission& mission = mission_of(m);
        const double steps = taken.level.value + 1 - mission.departure.value - mission.begun;
        states_[m].accumulator.enter(totals[at], steps * info_.time.step, info_.time.step);
      }
    }
  }

  DeviceEnvironment& environment_;
  const EnvironmentInfo& info_;
  PositionRule rule_;
  const std::vector<Action>& actions_;
  EvaluationMembers members_;
  std::int32_t threads_;
  EvaluationMemory memory_;
  LevelSpan span_;
  std::size_t cells_;
  std::deque<Mission> missions_;  // (leg), those of one member after the other
  std::vector<Leg> legs_;         // the same
  std::vector<State> states_;     // (leg)
  std::vector<Turn> turns_;
  int multiprocessors_ = 1;
  DeviceStream stream_;
  std::optional<DeviceStepTables> tables_;
  std::optional<DevicePolicyStream> policies_;
  std::optional<DeviceActions> there_;
  std::unique_ptr<ResidentRows> rows_;
  std::optional<ReachAhead> reach_;
  std::optional<DeviceCoefficients> coefficients_;
  DeviceArray<std::uint32_t> weight_;                    // (realization), or empty
  std::array<DeviceArray<Probability>, 2> probability_;  // (leg, y, x), of level k and k+1
  // A lane is one of the legs that take a step at the level.
  DeviceArray<LandingStencil> window_;           // (lane, y, x)
  DeviceArray<StepTotals> totals_;               // (lane, y, x)
  std::array<DeviceArray<StepTotals>, 2> sums_;  // (lane, group)
  DeviceArray<std::uint32_t> left_;              // lanes' cells
  DeviceArray<std::uint32_t> left_count_;
  DeviceArray<std::uint32_t> counts_;     // (cell of the batch, window)
  DeviceArray<MemberStep> steps_;         // (place of the turn, lane)
  PinnedArray<MemberStep> steps_here_;    // the same
  DeviceArray<StepTotals> level_totals_;  // (turn, lane)
  DeviceArray<LandingFacts> facts_;       // (turn, lane)
  PinnedArray<LandingFacts> facts_here_;  // (turn, lane)
};

}  // namespace

std::vector<MemberOutcome> evaluate_policies_on_device(DeviceEnvironment& environment,
                                                       const PositionRule& rule,
                                                       const std::vector<Action>& actions,
                                                       const std::vector<EvaluationMember>& members,
                                                       std::int32_t threads, Progress& progress,
                                                       std::size_t memory) {
  const EnvironmentInfo& info = environment.info();
  std::size_t all = 0;
  std::size_t one = 1;
  for (const EvaluationMember& member : members) {
    all += leg_count(member);
    one = std::max(one, leg_count(member));
  }
  const EvaluationMemory shares(info, rule, actions.size(), all, one,
                                memory > 0 ? memory : device_memory().free / 4);
  return evaluate_slices(
      slice(members, shares.legs, actions.size()), progress,
      [&](EvaluationMembers part, const std::function<void(std::int32_t)>& advanced) {
        return DeviceEvaluation(environment, rule, actions, part, threads, shares).run(advanced);
      });
}

ExpectedOutcome evaluate_policy_on_device(DeviceEnvironment& environment,
                                          const PlanningProblem& problem,
                                          const PolicySource& policy, Progress& progress,
                                          std::size_t memory) {
  constexpr std::int32_t one_thread = 1;
  const auto outcomes =
      evaluate_policies_on_device(environment, problem.rule, problem.actions,
                                  {{&problem.mission, &policy}}, one_thread, progress, memory);
  if (outcomes.front().failure) std::rethrow_exception(outcomes.front().failure);
  return outcomes.front().expected;
}

}  // namespace tidewise
