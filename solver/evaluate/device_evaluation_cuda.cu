#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/device.h"
#include "base/memory/device_transfer.h"
#include "env/device/device_level_pair.h"
#include "model_builder/cloud/coefficients.h"
#include "solver/evaluate/device_evaluation.h"
#include "solver/evaluate/device_reach.h"
#include "solver/evaluate/device_transitions.h"
#include "solver/evaluate/expectation_accumulator.h"
#include "solver/evaluate/front_moves.h"
#include "solver/evaluate/members.h"
#include "solver/evaluate/probability_gather.h"
#include "solver/evaluate/resident_rows.h"
#include "solver/flight/device_step_tables.h"
#include "solver/legs/legs.h"
#include "solver/pass/forward.h"
#include "solver/policy/device_stream.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

// Division of an evaluation's memory.
struct EvaluationMemory {
  // Probabilities at two levels, target and policy of a front [B per cell].
  static constexpr std::size_t of_front = 2 * sizeof(Probability) + sizeof(std::uint8_t) +
                                          DevicePolicyStream::bytes_per_cell;  // a cell [B]
  // Windows, totals and lists of a front that takes a step [B per cell].
  static constexpr std::size_t of_lane = sizeof(LandingStencil) + sizeof(LandingBox) +
                                         sizeof(StepTotals) + 2 * sizeof(StepTotals) / sum_group +
                                         sizeof(std::uint32_t);  // a cell [B]
  static constexpr std::size_t max_counts = 2048;  // per cell, which sub-grids seldom exceed [B]
  static constexpr std::size_t usual_counts = 512;
  static constexpr std::size_t max_numbers = 0xffffffffu;  // maximum index of lanes' cells

  std::size_t cells;
  std::size_t rows;  ///< [B]
  std::size_t left;  ///< memory without the rows [B]

  // `all`: number of fronts of all members. `memory`: memory in addition to that of one front's
  // cells [B].
  EvaluationMemory(const EnvironmentInfo& info, const PositionRule& rule, std::size_t actions,
                   std::size_t all, std::size_t memory)
      : cells(static_cast<std::size_t>(info.grid.cell_count())),
        rows(std::min(resident_row_memory(info, rule, std::min(all, actions)), memory / 2)),
        left(memory - rows + (of_front + of_lane) * cells) {}

  // Number of fronts at once, all of which can take a step together.
  std::size_t fronts() const {
    return std::max<std::size_t>(left / ((of_front + of_lane + usual_counts) * cells), 1);
  }
  // Number of these fronts that take a step together.
  std::size_t lanes(std::size_t fronts) const {
    return std::clamp<std::size_t>(without(fronts * of_front) / ((of_lane + usual_counts) * cells),
                                   1, std::clamp<std::size_t>(fronts, 1, max_numbers / cells));
  }
  // Memory of the counts of these fronts' cells [B].
  std::size_t counts(std::size_t fronts) const {
    const std::size_t together = lanes(fronts);
    return std::min(together * max_counts * cells, without(fronts * of_front + together * of_lane));
  }

 private:
  std::size_t without(std::size_t per_cell) const {
    return left - std::min(left, per_cell * cells);
  }
};
static_assert(held_evaluation_memory(1, 0) >=
              2 * (EvaluationMemory::of_lane + EvaluationMemory::usual_counts));
static_assert(held_evaluation_memory(1, 1) - held_evaluation_memory(1, 0) >=
              2 * (EvaluationMemory::of_front + sizeof(std::int16_t)));

// The probability mass of some members on the device. It is divided into fronts, each of one leg of
// a member (solver/legs/legs.h) and one held action; no_action is the front of mass that takes the
// policy's action. The order of all sums is that of evaluate_policies(): mass in a cell is added
// front by front, no_action first and then in ascending order of actions; each front's step is one
// sum over its cells; a member's outcome is the sum over its legs and the fronts of each in that
// order.
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
      max_fronts_ += front_count(members[m], actions.size());
      const Mission& whole = *members[m].mission;
      for (std::size_t n = 0; n < leg_count(members[m]); ++n) {
        const Mission& mission = missions_.emplace_back(leg_mission(whole, n));
        const ViaPlace* end = n < whole.via.size() ? &whole.via[n] : nullptr;
        legs_.push_back({{&mission, &members[m].policy->leg(n)}, m, n == 0, end});
      }
    }
    lanes_ = memory.lanes(max_fronts_);
  }

  // `advanced`: called with the number of completed steps.
  std::vector<MemberOutcome> run(const std::function<void(std::int32_t)>& advanced) {
    DeviceLevelPair levels(environment_, stream_, span_.first, span_.last);
    const WaitAtEnd wait(stream_);
    walk_forward(levels, span_.first, span_.last, *this, advanced);
    if (tables_) close();
    levels.finish();
    std::vector<MemberOutcome> outcomes(members_.size);
    std::vector<ExpectationAccumulator> sums(members_.size);
    for (const Leg& leg : legs_) {
      for (const auto& [action, front] : leg.fronts) sums[leg.member] += front.accumulator;
      outcomes[leg.member].expected = sums[leg.member].close();
      if (leg.failure) outcomes[leg.member].failure = leg.failure;
    }
    return outcomes;
  }

  // walk_forward() calls the following functions.
  void arrive(TimeLevel k, const LevelView& level) {
    depart_late(k);
    depart(k, level);
    if (k == span_.first && !over()) {
      if (!tables_) prepare();
      reach_.emplace(info_, rule_, action_reach(actions_));
      reach_->find(0, level, tables_->every_target(), stream_);
    }
    pass_via_points(k);
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      if (mission_of(n).last == k) legs_[n].is = Leg::Is::over;
    }
  }
  bool goes_on(TimeLevel k) {
    if (over()) return false;
    policies_->begin();
    if (policies_->done() > 0) check_turn(policies_->done() - 1);
    rows_->make_room(stream_);
    turns_.push_back({k, lanes_of(read_policies(k))});
    return !over();
  }
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    if (k.value + 1 < span_.last.value) {
      reach_->find(turns_.size(), next, tables_->every_target(), stream_);
    }
    if (!turns_.back().lanes.empty()) step(now, next, *reach_);
    policies_->end(stream_);
  }

 private:
  // Mass of one leg with one held action, or with no_action.
  struct Front {
    DeviceArray<Probability> planes;  // (level k or k+1, y, x)
    std::size_t plane = 0;            ///< index of the plane that holds its probability
    ExpectationAccumulator accumulator;
  };
  // A leg of a member, and its state.
  struct Leg {
    EvaluationMember as_member;
    std::size_t member;
    bool is_first;
    const ViaPlace* end;                       ///< null: the target
    DeviceArray<std::int32_t> end_cells = {};  ///< cells in which the leg ends
    std::map<std::int16_t, Front> fronts = {};
    enum class Is { to_depart, under_way, over } is = Is::to_depart;
    std::exception_ptr failure = {};
  };
  // A front that takes a step.
  struct Lane {
    std::size_t leg;
    std::int16_t action;
    Front* front;
  };
  struct Turn {
    TimeLevel level;
    std::vector<Lane> lanes;
  };

  bool over() const {
    return std::all_of(legs_.begin(), legs_.end(),
                       [](const Leg& leg) { return leg.is == Leg::Is::over; });
  }

  void prepare() {
    multiprocessors_ = device_limit(cudaDevAttrMultiProcessorCount);
    std::vector<PlanningProblem> problems;
    std::vector<const PolicySource*> policies;
    for (Leg& leg : legs_) {
      problems.push_back({actions_, *leg.as_member.mission, rule_});
      policies.push_back(leg.as_member.policy);
      if (leg.end != nullptr) leg.end_cells = upload(leg.end->cells);
    }
    tables_.emplace(info_, problems);
    policies_.emplace(policies, actions_.size(), cells_, threads_);
    device_actions_.emplace(actions_);
    rows_ = make_resident_rows(info_, rule_, *device_actions_,
                               std::min(max_fronts_, actions_.size()), memory_.rows);
    weight_ = upload(counting_weights(info_, rule_), stream_);
    coefficients_.emplace(info_.mode_count, info_.realization_count);
    for (std::size_t n = 0; n < legs_.size(); ++n) (void)front(n, no_action);
    const std::size_t together = lanes_ * cells_;
    window_ = DeviceArray<LandingStencil>(together);
    box_ = DeviceArray<LandingBox>(together);
    totals_ = DeviceArray<StepTotals>(together);
    for (auto& sums : sums_) {
      sums = DeviceArray<StepTotals>(lanes_ * SumGroups::groups_of(cells_));
    }
    left_ = DeviceArray<std::uint32_t>(together);
    left_count_ = DeviceArray<std::uint32_t>(1);
    counts_ = DeviceArray<std::uint32_t>(memory_.counts(max_fronts_) / sizeof(std::uint32_t));
    steps_.emplace(max_fronts_);
    hands_ = DeviceArray<Probability*>(
        max_fronts_ > legs_.size() ? DevicePolicyStream::ahead * legs_.size() * actions_.size()
                                   : 0);
    host_hands_ = PinnedArray<Probability*>(hands_.size());
    const std::size_t turns = static_cast<std::size_t>(span_.steps()) * max_fronts_;
    level_totals_ = DeviceArray<StepTotals>(turns);
    // Totals of fronts that take no step are also copied.
    set_to_zero(level_totals_.data(), turns, stream_);
    facts_ = DeviceArray<LandingFacts>(turns);
    host_facts_ = PinnedArray<LandingFacts>(turns, LandingFacts{});
    set_to_zero(facts_.data(), turns, stream_);
  }

  // Starts the members that depart at this level; `level`: its fields.
  void depart(TimeLevel k, const LevelView& level) {
    std::vector<std::uint8_t> masked;
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      const Mission& mission = mission_of(n);
      if (!legs_[n].is_first || mission.departure != k) continue;
      if (masked.empty()) masked = fetch_all(level.masked, stream_);
      const auto start = static_cast<std::size_t>(mission.start.value);
      const StepOutcome outcome = outcome_at_start(mission, masked[start]);
      if (outcome == StepOutcome::under_way) {
        if (!tables_) prepare();
        set_all_legs(n, Leg::Is::under_way);
        set_probability(n, start, {1 - weight_of_next_level(mission), 0, 0});
      } else {
        set_all_legs(n, Leg::Is::over);
        legs_[n].fronts[no_action].accumulator.end_at_start(
            outcome, value_without_step(info_, mission, outcome));
      }
    }
  }

  const Mission& mission_of(std::size_t leg) const { return *legs_[leg].as_member.mission; }

  Front& front(std::size_t leg, std::int16_t action) {
    Front& front = legs_[leg].fronts[action];
    if (front.planes.empty()) {
      front.planes = DeviceArray<Probability>(2 * cells_);
      set_to_zero(front.planes.data(), front.planes.size(), stream_);
    }
    return front;
  }
  Probability* mass_of(Front& front) { return front.planes.data() + front.plane * cells_; }

  // Sets the state of all legs of the member of leg `n`.
  void set_all_legs(std::size_t n, Leg::Is is) {
    while (!legs_[n].is_first) --n;
    do {
      legs_[n++].is = is;
    } while (n < legs_.size() && !legs_[n].is_first);
  }

  // Moves mass in the cells where legs end, at level k, to the next legs; the mass keeps its
  // action.
  void pass_via_points(TimeLevel k) {
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      if (legs_[n].end == nullptr || !(k < mission_of(n).last)) continue;
      if (legs_[n].is != Leg::Is::under_way) continue;
      for (auto& [action, passing] : legs_[n].fronts) {
        for_each_on_device(legs_[n].end_cells.size(),
                           PassViaPoint{std::as_const(legs_[n].end_cells).view(), mass_of(passing),
                                        mass_of(front(n + 1, action))},
                           stream_);
      }
    }
  }

  // True if the model also departs at level k, which follows the mission's departure level.
  bool departs_late(std::size_t n, TimeLevel k) const {
    const Mission& mission = mission_of(n);
    return weight_of_next_level(mission) > 0 && mission.departure.value + 1 == k.value;
  }

  // Starts the part of the mass that departs at this level, for departures between levels.
  void depart_late(TimeLevel k) {
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      if (!legs_[n].is_first || !departs_late(n, k)) continue;
      if (legs_[n].is != Leg::Is::under_way) continue;
      const auto start = static_cast<std::size_t>(mission_of(n).start.value);
      Probability mass = fetch(mass_of(front(n, no_action)) + start, stream_);
      mass += Probability{weight_of_next_level(mission_of(n)), 0, 0};
      set_probability(n, start, mass);
    }
  }

  // Sets the mass of a cell in the front of no_action.
  void set_probability(std::size_t leg, std::size_t cell, const Probability& probability) {
    copy_bytes(MemorySpace::device, mass_of(front(leg, no_action)) + cell, MemorySpace::host,
               &probability, sizeof probability, stream_);
  }

  // True if mass of a leg may take its policy's action at level k.
  bool follows(std::size_t n, TimeLevel k) const {
    return legs_[n].is == Leg::Is::under_way && (!holds_at(mission_of(n), k) || departs_late(n, k));
  }

  // Reads the policies that legs follow at level k, and returns these legs. If a policy cannot be
  // read, the missions whose mass follows it on that leg fail.
  std::vector<std::size_t> read_policies(TimeLevel k) {
    std::vector<std::size_t> followers;
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      if (follows(n, k)) followers.push_back(n);
    }
    policies_->read_policies(k, followers, stream_);
    for (const std::size_t n : followers) {
      if (!policies_->failure(n)) continue;
      if (has_followers(n, k)) {
        legs_[n].failure = policies_->failure(n);
        set_all_legs(n, Leg::Is::over);
      } else if (legs_[n].is_first && legs_[n].end == nullptr && !holds_at(mission_of(n), k)) {
        legs_[n].is = Leg::Is::over;  // it has no mass and will not receive any
      }
    }
    std::erase_if(followers, [&](std::size_t n) {
      return policies_->failure(n) || legs_[n].is == Leg::Is::over;
    });
    for (const std::size_t n : followers) {
      if (mission_of(n).decisions.hold()) assign(n, k);
    }
    return followers;
  }

  // The fronts that take a step.
  std::vector<Lane> lanes_of(const std::vector<std::size_t>& followers) {
    std::vector<Lane> lanes;
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      if (legs_[n].is != Leg::Is::under_way) continue;
      const bool follows = std::binary_search(followers.begin(), followers.end(), n);
      for (auto& [action, front] : legs_[n].fronts) {
        if (action != no_action || follows) lanes.push_back({n, action, &front});
      }
    }
    return lanes;
  }

  // Moves mass to the fronts of the policy's actions at level k.
  void assign(std::size_t n, TimeLevel k) {
    const View<const std::int16_t> policy = policies_->host_policy(n);
    std::vector<std::uint8_t> taken(actions_.size() + 1, 0);
    for (const std::int16_t action : policy) taken[static_cast<std::size_t>(action + 1)] = 1;
    for (std::size_t a = 0; a < actions_.size(); ++a) {
      if (taken[a + 1] != 0) (void)front(n, static_cast<std::int16_t>(a));
    }
    const std::size_t first = (policies_->place() * legs_.size() + n) * actions_.size();
    for (std::size_t a = 0; a < actions_.size(); ++a) {
      const auto known = legs_[n].fronts.find(static_cast<std::int16_t>(a));
      host_hands_[first + a] = known == legs_[n].fronts.end() ? nullptr : mass_of(known->second);
    }
    copy_bytes(MemorySpace::device, hands_.data() + first, MemorySpace::pinned,
               host_hands_.data() + first, actions_.size() * sizeof(Probability*), stream_);
    for_each_on_device(cells_,
                       AssignActions{policies_->policy(n),
                                     std::as_const(hands_).view().part(first, actions_.size()),
                                     mass_of(front(n, no_action)), !holds_at(mission_of(n), k)},
                       stream_);
  }

  // True if no more mass can reach the leg.
  bool has_all(std::size_t n) const {
    return legs_[n].is_first || legs_[n - 1].is == Leg::Is::over;
  }

  // True if some mass of the leg takes the policy's action at level k.
  bool has_followers(std::size_t n, TimeLevel k) {
    return std::any_of(legs_[n].fronts.begin(), legs_[n].fronts.end(), [&](auto& of_action) {
      auto& [action, front] = of_action;
      if (action != no_action && holds_at(mission_of(n), k)) return false;
      const auto held = fetch_all(View<const Probability>(mass_of(front), cells_), stream_);
      return std::any_of(held.begin(), held.end(),
                         [](const Probability& mass) { return mass.probability > 0; });
    });
  }

  // Policy with this action in every cell, (y, x).
  View<const std::int16_t> everywhere(std::int16_t action) {
    DeviceArray<std::int16_t>& plane = everywhere_[action];
    if (plane.empty()) plane = upload(std::vector<std::int16_t>(cells_, action));
    return std::as_const(plane).view();
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
    work.action_reach = action_reach(actions_);
    work.reach = ahead.cells(turn);
    work.window_words = words;
    work.counts = counts_.data();
    work.left = left_.data();
    work.left_count = left_count_.data();
    const View<const MemberStep> lanes = send_steps(now, next);
    rows_->count(now, lanes, *coefficients_, std::as_const(weight_).view(), stream_);
    for (std::size_t first = 0; first < lanes.size; first += lanes_) {
      work.members = lanes.part(first, std::min(lanes_, lanes.size - first));
      work.facts = facts_.data() + turn * max_fronts_ + first;
      const std::size_t all = work.members.size * cells_;
      const std::size_t batch = std::min(all, counts_.size() / static_cast<std::size_t>(words));
      for (work.first = 0; work.first < all; work.first = work.end) {
        work.end = std::min(work.first + batch, all);
        land(work, subgrid);
      }
      sum_totals(work.members.size, level_totals_.data() + turn * max_fronts_ + first);
    }
    copy_bytes(MemorySpace::pinned, host_facts_.data() + turn * max_fronts_, MemorySpace::device,
               facts_.data() + turn * max_fronts_, lanes.size * sizeof(LandingFacts), stream_);
  }

  void land(const LandingWork& work, const SubGrid& subgrid) {
    set_to_zero(left_count_.data(), left_count_.size(), stream_);
    rows_->take(work, stream_);
    count_transitions(work, multiprocessors_, stream_);
    for_each_on_device(work.end - work.first, EndProbability{work.members, work.first}, stream_,
                       64);
    for_each_on_device(GatherProbability::calls(work.first, work.end, cells_),
                       GatherProbability{work.members, subgrid, work.first, work.end}, stream_,
                       128);
  }

  // Copies the steps of this turn's lanes to the device; swaps their planes.
  View<const MemberStep> send_steps(const LevelView& now, const LevelView& next) {
    const Turn& turn = turns_.back();
    steps_->begin(policies_->place());
    for (std::size_t n = 0; n < turn.lanes.size(); ++n) {
      const auto& [leg, action, front] = turn.lanes[n];
      const View<const std::int16_t> policy =
          action == no_action ? policies_->policy(leg) : everywhere(action);
      const StepContext context = make_step_context(info_, mission_of(leg), turn.level, now, next,
                                                    tables_->of(leg, policy));
      const std::size_t place = n % lanes_ * cells_;
      const View<Probability> mass(mass_of(*front), cells_);
      front->plane = 1 - front->plane;
      steps_->add({{context, static_cast<double>(row_total(info_, rule_))},
                   mass,
                   View<Probability>(mass_of(*front), cells_),
                   window_.view().part(place, cells_),
                   box_.view().part(place, cells_),
                   totals_.view().part(place, cells_)});
    }
    return steps_->send(stream_);
  }

  // sum_over_cells() for lanes that have taken a step together.
  void sum_totals(std::size_t lanes, StepTotals* out) {
    SumGroups sum{totals_.data(), cells_, nullptr, lanes};
    for (std::size_t round = 0; sum.count > 1 || round == 0; ++round) {
      const std::size_t groups = SumGroups::groups_of(sum.count);
      sum.out = groups > 1 ? sums_[round % 2].data() : out;
      for_each_on_device(sum.calls(), sum, stream_, 64);
      sum = {sum.out, groups, nullptr, sum.members};
    }
  }

  // Evaluates a completed turn: a leg that held no mass at its start is over, unless mass may come
  // from the leg before.
  void check_turn(std::size_t turn) {
    const std::vector<Lane>& lanes = turns_[turn].lanes;
    std::vector<std::uint8_t> holds(legs_.size(), 0);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const LandingFacts& facts = host_facts_[turn * max_fronts_ + lane];
      if (facts.too_far != 0) {
        // An unreadable level is the more useful error.
        if (!environment_.holds_all()) environment_.finish();
        require_reach(std::bit_cast<double>(facts.too_far), action_reach(actions_));
      }
      if (facts.missed != 0) {
        throw RunError(
            "a landing is outside the bounds of its cell: the device made an error; run again");
      }
      if (facts.holds != 0) holds[lanes[lane].leg] = 1;
    }
    for (const Lane& lane : lanes) {
      if (holds[lane.leg] == 0 && has_all(lane.leg)) legs_[lane.leg].is = Leg::Is::over;
    }
  }

  void close() {
    stream_.synchronize();
    const std::vector<StepTotals> totals =
        fetch_all(level_totals_.view().part(0, turns_.size() * max_fronts_), stream_);
    for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
      check_turn(turn);
      const Turn& taken = turns_[turn];
      for (std::size_t lane = 0; lane < taken.lanes.size(); ++lane) {
        const std::size_t at = turn * max_fronts_ + lane;
        if (host_facts_[at].holds == 0) continue;
        const Mission& mission = mission_of(taken.lanes[lane].leg);
        const double steps = taken.level.value + 1 - mission.departure.value - mission.begun;
        taken.lanes[lane].front->accumulator.enter(totals[at], steps * info_.time.step,
                                                   info_.time.step);
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
  std::deque<Mission> missions_;  // (leg), member after member
  std::vector<Leg> legs_;         // (leg), member after member
  std::size_t max_fronts_ = 0;    // maximum number of fronts of all legs
  std::size_t lanes_ = 1;         // maximum number of lanes that take a step together
  std::vector<Turn> turns_;
  int multiprocessors_ = 1;
  DeviceStream stream_;
  std::optional<DeviceStepTables> tables_;
  std::optional<DevicePolicyStream> policies_;
  std::optional<DeviceActions> device_actions_;
  std::unique_ptr<ResidentRows> rows_;
  std::optional<ReachAhead> reach_;
  std::optional<DeviceCoefficients> coefficients_;
  DeviceArray<std::uint32_t> weight_;                             // (realization), or empty
  std::map<std::int16_t, DeviceArray<std::int16_t>> everywhere_;  // (action), (y, x)
  // Data of the lanes that take a step together.
  DeviceArray<LandingStencil> window_;           // (lane, y, x)
  DeviceArray<LandingBox> box_;                  // (lane, y, x)
  DeviceArray<StepTotals> totals_;               // (lane, y, x)
  std::array<DeviceArray<StepTotals>, 2> sums_;  // (lane, group)
  DeviceArray<std::uint32_t> left_;              // lanes' cells
  DeviceArray<std::uint32_t> left_count_;
  DeviceArray<std::uint32_t> counts_;  // (cell of the batch, window)
  std::optional<TurnArray<MemberStep>> steps_;
  DeviceArray<Probability*> hands_;       // (place of the turn, leg, action), or empty
  PinnedArray<Probability*> host_hands_;  // copy of hands_
  DeviceArray<StepTotals> level_totals_;  // (turn, lane)
  DeviceArray<LandingFacts> facts_;       // (turn, lane)
  PinnedArray<LandingFacts> host_facts_;  // (turn, lane)
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
  for (const EvaluationMember& member : members) all += front_count(member, actions.size());
  const EvaluationMemory shares(info, rule, actions.size(), all,
                                memory > 0 ? memory : device_memory().free / 4);
  return evaluate_slices(
      slice(members, shares.fronts(), actions.size()), progress,
      [&](EvaluationMembers part, const std::function<void(std::int32_t)>& advanced) {
        return DeviceEvaluation(environment, rule, actions, part, threads, shares).run(advanced);
      });
}

}  // namespace tidewise
