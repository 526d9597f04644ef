#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "base/error.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "model_builder/cloud/coefficients.h"
#include "model_builder/device/actions.h"
#include "model_builder/device/count_launch.cuh"
#include "solver/backup/backup_with_rows.h"
#include "solver/backup/device_backup.cuh"
#include "solver/backup/expectation.h"
#include "solver/backup/held_backup.h"
#include "solver/flight/device_step_tables.h"
#include "solver/induction/device_level_solver.h"
#include "solver/legs/legs.h"
#include "solver/step/device_boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/planning_problem.h"
#include "solver/step/prepared_level.h"

namespace tidewise {
namespace {

// Results of a leg at a level in flight.
struct LegSlot {
  LegSlot(std::size_t cells, std::size_t own_cells)
      : value(cells), action(cells), host_value(own_cells), host_action(own_cells) {}

  DeviceArray<float> value;               // (y, x)
  DeviceArray<std::int16_t> action;       // (y, x)
  PinnedArray<float> host_value;          // (own row, x)
  PinnedArray<std::int16_t> host_action;  // (own row, x)
};

// The cells in which legs decide at a level in flight, and facts about them.
struct DecidedCells {
  DecidedCells(std::size_t cells, std::size_t profiles)
      : non_terminal(cells), facts(profiles), host_facts(profiles) {
    for (std::size_t p = 0; p < profiles; ++p) profile.emplace_back(cells);
  }

  DeviceArray<std::int32_t> non_terminal;
  std::vector<PreparedLevel> profile;
  DeviceArray<DeviceLevelFacts> facts;  // (profile); the first has the number of cells for all
  PinnedArray<DeviceLevelFacts> host_facts;
};

// Data of one level in flight.
struct Slot {
  Slot(std::size_t cells, std::size_t own_cells, const EnvironmentInfo& info, std::size_t profiles,
       std::size_t legs)
      : coefficients(info.mode_count, info.realization_count) {
    for (std::size_t n = 0; n < legs; ++n) leg.emplace_back(cells, own_cells);
    for (std::size_t n = 0; n < std::min(legs, std::size_t{2}); ++n) {
      decided.emplace_back(cells, profiles);
    }
  }
  // Legs before the last have no target, so they decide in the same cells.
  DecidedCells& decided_by(std::size_t n) {
    return n + 1 == leg.size() ? decided.front() : decided.back();
  }

  std::deque<LegSlot> leg;           // (leg)
  std::deque<DecidedCells> decided;  // decided cells of the last leg, and of all other legs
  DeviceCoefficients coefficients;
  DeviceEvent prepared;
  DeviceEvent solved;
  DeviceEvent copied;
  // Only for a band.
  DeviceEvent preparing;  ///< the preparation of the level begins
  DeviceEvent arrived;    ///< level k + 1 is solved, and its exchange begins
  DeviceEvent received;   ///< level k + 1 has all its values
  DeviceEvent begun;      ///< the solution of the level begins
  TimeLevel level;
  LevelView fields;
};

// add_penalties() on the device.
struct AddPenalties {
  NearnessRule rule;
  const std::int32_t* cells;
  const std::int32_t* cell_count;
  View<float> planes;  ///< (plane, y, x)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    if (n >= static_cast<std::size_t>(*cell_count)) return;
    const float price = rule(CellIndex(cells[n]));
    if (price == 0) return;
    const auto plane = static_cast<std::size_t>(rule.grid.cell_count());
    for (auto at = static_cast<std::size_t>(cells[n]); at < planes.size; at += plane) {
      planes[at] += price;
    }
  }
};

// Copies the next leg's values over the leg's own.
template <class T>
struct TakeOver {
  View<const std::int32_t> cells;
  std::size_t plane;
  View<const T> next;  ///< (plane, y, x)
  View<T> own;         ///< (plane, y, x)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    for (auto at = static_cast<std::size_t>(cells[n]); at < own.size; at += plane) {
      own[at] = next[at];
    }
  }
};

// Counts one profile's actions.
struct ProfileCounter {
  ProfileCounter(const EnvironmentInfo& info, const PositionRule& rule, const ProfileActions& own,
                 std::int32_t kinds)
      : profile(own.profile),
        first_action(own.first),
        actions(own.actions),
        launch(info, rule, actions, kinds),
        preparation(info, rule, actions, [&](std::int32_t c) { return launch.limits(c); }) {}

  std::int32_t profile;
  std::int32_t first_action;
  DeviceActions actions;
  DeviceCountLaunch<DeviceBackup> launch;  // refers to `actions`
  LevelPreparation preparation;
};

constexpr std::size_t slots_in_ring = 5;

// The cells of a band's own rows, in its window.
CellRange own_cells(const EnvironmentInfo& info, const std::optional<SubdomainWork>& subdomain) {
  if (!subdomain) return {0, info.grid.cell_count()};
  const RowWindow& window = subdomain->window;
  return {(window.begin - window.known_begin) * info.grid.nx,
          (window.end - window.known_begin) * info.grid.nx};
}

// One leg of the mission, as a mission.
struct Leg {
  Leg(const EnvironmentInfo& info, const PlanningProblem& problem, std::size_t n, CellRange own)
      : mission(leg_mission(problem.mission, n)),
        tables(info, {problem.actions, mission, problem.rule}) {
    if (n == problem.mission.via.size()) return;
    std::vector<std::int32_t> cells;
    for (const std::int32_t cell : problem.mission.via[n].cells) {
      if (cell >= own.begin && cell < own.end) cells.push_back(cell);
    }
    place = upload(cells);
  }

  Mission mission;
  DeviceMission tables;
  DeviceArray<std::int32_t> place;                // own cells in which the next leg takes over
  std::vector<std::unique_ptr<HeldBackup>> held;  // (profile), if the mission holds actions
};

// Copies part of an array to the whole of another, on `stream`.
template <class T>
void copy_part(PinnedArray<T>& destination, const DeviceArray<T>& source, std::int32_t begin,
               const DeviceStream& stream) {
  copy_bytes(MemorySpace::pinned, destination.data(), MemorySpace::device, source.data() + begin,
             destination.size() * sizeof(T), stream);
}

}  // namespace

class DeviceLevelSolver::Implementation {
 public:
  Implementation(const EnvironmentInfo& info, const PlanningProblem& problem, Engine engine,
                 KeepRows rows, const std::optional<SubdomainWork>& subdomain)
      : info_(info),
        rule_(problem.rule),
        engine_(engine),
        subdomain_(subdomain),
        own_(own_cells(info, subdomain)),
        weight_(upload(counting_weights(info, problem.rule))) {
    for (std::size_t n = 0; n <= problem.mission.via.size(); ++n) {
      legs_.emplace_back(info, problem, n, own_);
    }
    const std::int32_t kinds = legs_.front().tables.kinds();  // equal for all legs
    for (const ProfileActions& own : by_profile(problem.actions)) {
      counters_.push_back(std::make_unique<ProfileCounter>(info, rule_, own, kinds));
      if (!problem.mission.decisions.hold()) continue;
      for (Leg& leg : legs_) {
        leg.held.push_back(
            make_held_backup(info, rule_, counters_.back()->actions, kinds, leg.mission));
      }
    }
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    for (auto& slot : slots_) {
      slot.emplace(cells, own_.size(), info, counters_.size(), legs_.size());
    }
    constexpr std::int32_t blocks_per_row = 16;
    if (rows == KeepRows::yes) {
      rows_ = make_backup_with_rows(info, rule_, counters_.front()->actions, kinds, blocks_per_row);
    }
  }

  void submit(TimeLevel k, const LevelView& fields) {
    Slot& slot = *slots_[submitted_ % slots_in_ring];
    slot.level = k;
    slot.fields = fields;
    prepare(slot);
    if (submitted_ > 0) {
      for (Leg& leg : legs_) {
        for (auto& held : leg.held) held->begin(k);
      }
    }
    if (subdomain_) complete_values(slot);
    slot.prepared.hold_up(solving_);
    if (subdomain_) slot.begun.record(solving_);
    if (submitted_ > 0) {
      const Slot& next = *slots_[(submitted_ - 1) % slots_in_ring];
      for (std::size_t n = legs_.size(); n-- > 0;) solve(slot, next, n);
      for (std::size_t n = legs_.size() - 1; n-- > 0;) take_over(slot, n);
    }
    slot.solved.record(solving_);
    slot.solved.hold_up(copying_);
    for (LegSlot& leg : slot.leg) {
      copy_part(leg.host_value, leg.value, own_.begin, copying_);
      copy_part(leg.host_action, leg.action, own_.begin, copying_);
    }
    for (DecidedCells& decided : slot.decided) {
      copy(decided.host_facts, decided.facts, copying_);
    }
    slot.copied.record(copying_);
    ++submitted_;
  }

  SolvedLevel collect() {
    Slot& slot = *slots_[collected_ % slots_in_ring];
    slot.copied.synchronize();
    ++collected_;
    SolvedLevel solved;
    solved.level = slot.level;
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      const LegSlot& leg = slot.leg[n];
      solved.leg.push_back({leg.host_action.view(), leg.host_value.view()});
      solved.decided += slot.decided_by(n).host_facts[0].non_terminal;
    }
    for (const DecidedCells& decided : slot.decided) look_at(decided, solved);
    if (solved.flow_refused) solved.reach_south = solved.reach_north = 0;
    if (subdomain_ && subdomain_->times == KeepTimes::yes) solved.times = times_of(slot);
    return solved;
  }

  void restart() { submitted_ = collected_ = 0; }
  std::int32_t in_flight() const { return static_cast<std::int32_t>(submitted_ - collected_); }
  std::int64_t row_blocks() const {
    const BackupWithRows::Size size = rows_->size(solving_);
    if (size.left_out > 0)
      throw RunError("some cells have too many landings for rows on the device");
    return static_cast<std::int64_t>(size.blocks);
  }
  const DeviceStream& preparation() const { return preparing_; }
  const DeviceStream& solving() const { return solving_; }

 private:
  void look_at(const DecidedCells& decided, SolvedLevel& solved) const {
    for (std::size_t p = 0; p < counters_.size(); ++p) {
      const DeviceLevelFacts& facts = decided.host_facts[p];
      if (facts.not_finite != 0 || facts.too_far != 0) solved.flow_refused = true;
      // A NaN after some profiles' actions may be replaced by a later profile's value.
      if (p + 1 == counters_.size() && facts.overflow != 0) solved.overflow = true;
      if (decided.host_facts[0].non_terminal == 0) continue;
      const DeviceActions& actions = counters_[p]->actions;
      solved.reach_south =
          std::max(solved.reach_south, -rule_.first_cell_of(facts.y_min + actions.least().y));
      solved.reach_north =
          std::max(solved.reach_north, rule_.last_cell_of(facts.y_max + actions.greatest().y));
    }
  }

  // Prepares what does not depend on values: boundary, lists, coefficients, bounds.
  void prepare(Slot& slot) {
    // The slot's earlier level has been collected, but its value may still be read by the level
    // solved after it, or in a band by the neighbours until they have sent their values of that
    // level.
    if (submitted_ >= slots_in_ring) {
      slots_[(submitted_ + 1) % slots_in_ring]->solved.hold_up(preparing_);
      if (subdomain_) slots_[(submitted_ + 2) % slots_in_ring]->received.hold_up(preparing_);
    }
    if (subdomain_) slot.preparing.record(preparing_);
    const bool last = submitted_ == 0;
    for (std::size_t n = 0; n < legs_.size(); ++n) {
      // Legs that decide in the same cells share the memory of their list.
      DecidedCells& decided = slot.decided_by(n);
      DeviceLevelFacts* facts = decided.facts.data();
      set_to_zero(facts, decided.facts.size(), preparing_);
      set_boundary(slot.fields.masked, legs_[n].tables.target(), own_,
                   boundary_value(info_, legs_[n].mission),
                   last ? BeyondTarget::late : BeyondTarget::non_terminal, slot.leg[n].value.data(),
                   slot.leg[n].action.data(), decided.non_terminal.data(), &facts->non_terminal,
                   preparing_);
    }
    if (!last) {
      slot.coefficients.make(slot.fields, scale_, rule_, preparing_);
      const Slot& next = *slots_[(submitted_ - 1) % slots_in_ring];
      for (DecidedCells& decided : slot.decided) prepare(slot, next, decided);
    }
    slot.prepared.record(preparing_);
  }

  void prepare(Slot& slot, const Slot& next, DecidedCells& decided) {
    DeviceLevelFacts* facts = decided.facts.data();
    for (std::size_t p = 0; p < counters_.size(); ++p) {
      ProfileCounter& counter = *counters_[p];
      decided.profile[p].prepare(counter.preparation, slot.fields.profile(counter.profile),
                                 slot.coefficients.range(), slot.fields.masked, next.fields.masked,
                                 decided.non_terminal.data(), &facts->non_terminal, facts + p,
                                 preparing_);
    }
  }

  // Exchanges values of level k + 1, unless it is L, whose values every band has: v of each leg,
  // then the value of each held action that the step reads.
  void complete_values(Slot& slot) {
    slot.arrived.record(solving_);
    if (submitted_ > 1 && subdomain_->exchange != nullptr) {
      for (std::size_t n = 0; n < legs_.size(); ++n) {
        exchange(slots_[(submitted_ - 1) % slots_in_ring]->leg[n].value.view());
        for (auto& held : legs_[n].held) exchange(held->next());
      }
    }
    slot.received.record(solving_);
  }

  // planes: (plane, y, x).
  void exchange(View<float> planes) {
    const auto plane = static_cast<std::size_t>(info_.grid.cell_count());
    for (std::size_t begin = 0; begin < planes.size; begin += plane) {
      subdomain_->exchange->exchange(planes.part(begin, plane), solving_);
    }
  }

  // Times of a solved level.
  static SubdomainTimes times_of(const Slot& slot) {
    return {slot.prepared.milliseconds_since(slot.preparing),
            slot.received.milliseconds_since(slot.arrived),
            slot.begun.milliseconds_since(slot.received),
            slot.solved.milliseconds_since(slot.begun)};
  }

  // Solves one leg.
  void solve(Slot& slot, const Slot& next, std::size_t n) {
    Leg& leg = legs_[n];
    DecidedCells& decided = slot.decided_by(n);
    const std::int32_t* count = &decided.facts.data()->non_terminal;
    DeviceBackup backup;
    backup.rule = outcome_rule(info_, leg.mission, slot.level, leg.tables.target(),
                               {slot.fields.masked, next.fields.masked, slot.fields.scalar,
                                next.fields.scalar, next.leg[n].value.view()});
    backup.kind = leg.tables.kind();
    backup.inverse_count = inverse_count(row_total(info_, rule_));
    backup.value = slot.leg[n].value.data();
    backup.action = slot.leg[n].action.data();
    for (std::size_t p = 0; p < counters_.size(); ++p) {
      // Counting reorders the lists; the last two legs use lists that have not been reordered.
      if (n + 2 < legs_.size()) sort_again(decided, p);
      back_up(slot, n, p, backup);
    }
    if (!(leg.mission.margin > 0)) return;
    AddPenalties prices{
        {info_.grid, nearness_penalty(leg.mission), slot.fields.masked, next.fields.masked},
        decided.non_terminal.data(),
        count,
        slot.leg[n].value.view()};
    for_each_on_device(decided.non_terminal.size(), prices, solving_);
    for (auto& held : leg.held) {
      if (held->now().empty()) continue;
      prices.planes = held->now();
      for_each_on_device(decided.non_terminal.size(), prices, solving_);
    }
  }

  void sort_again(DecidedCells& decided, std::size_t p) {
    DeviceLevelFacts* facts = decided.facts.data();
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(facts[p].of_class, 0, sizeof facts->of_class, native(solving_)));
    decided.profile[p].sort(counters_[p]->preparation, decided.non_terminal.data(),
                            &facts->non_terminal, solving_);
  }

  // Backs up one profile's actions, and keeps the best of these and the earlier profiles' actions.
  void back_up(Slot& slot, std::size_t n, std::size_t p, DeviceBackup backup) {
    ProfileCounter& counter = *counters_[p];
    DecidedCells& decided = slot.decided_by(n);
    HeldBackup* held = legs_[n].held.empty() ? nullptr : legs_[n].held[p].get();
    backup.kind_of =
        legs_[n].tables.kind_of().part(static_cast<std::size_t>(counter.first_action),
                                       static_cast<std::size_t>(counter.actions.count()));
    backup.near_masked = decided.profile[p].near_masked();
    backup.first_action = counter.first_action;
    backup.joins = p > 0;
    backup.overflow = &decided.facts.data()[p].overflow;
    DeviceCloud cloud = slot.coefficients.cloud(weight_.view());
    cloud.level = decided.profile[p].fields();
    const DeviceCellLists lists = decided.profile[p].lists(counter.preparation);
    const std::int32_t* list = decided.non_terminal.data();
    const std::int32_t* count = &decided.facts.data()->non_terminal;
    if (engine_ == Engine::direct) {
      if (held != nullptr) {
        held->run_direct(cloud, lists, list, count, backup, solving_);
      } else {
        counter.launch.run_direct(cloud, lists, list, count, backup, solving_);
      }
    } else if (held != nullptr) {
      held->run_lattice(cloud, lists, backup, solving_);
    } else if (rows_) {
      rows_->run(cloud, lists, backup, solving_);
    } else {
      counter.launch.run_lattice(cloud, lists, backup, solving_);
    }
  }

  // The n-th leg takes over from the next one, which must already have taken over.
  void take_over(Slot& slot, std::size_t n) {
    Leg& leg = legs_[n];
    take_over<float>(leg, slot.leg[n + 1].value.view(), slot.leg[n].value.view());
    take_over<std::int16_t>(leg, slot.leg[n + 1].action.view(), slot.leg[n].action.view());
    for (std::size_t p = 0; p < leg.held.size(); ++p) {
      take_over<float>(leg, legs_[n + 1].held[p]->now(), leg.held[p]->now());
    }
  }

  template <class T>
  void take_over(const Leg& leg, View<const T> next, View<T> own) {
    for_each_on_device(
        leg.place.size(),
        TakeOver<T>{leg.place.view(), static_cast<std::size_t>(info_.grid.cell_count()), next, own},
        solving_);
  }

  const EnvironmentInfo& info_;
  PositionRule rule_;
  Engine engine_;
  std::optional<SubdomainWork> subdomain_;
  CellRange own_;
  DisplacementScale scale_{info_.grid, info_.time};
  DeviceArray<std::uint32_t> weight_;
  std::deque<Leg> legs_;
  std::vector<std::unique_ptr<ProfileCounter>> counters_;  // (profile)
  std::unique_ptr<BackupWithRows> rows_;                   // used with a single profile
  DeviceStream preparing_;
  DeviceStream solving_;
  DeviceStream copying_;
  std::array<std::optional<Slot>, slots_in_ring> slots_;
  std::size_t submitted_ = 0;
  std::size_t collected_ = 0;
};

DeviceLevelSolver::DeviceLevelSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                                     Engine engine, KeepRows rows,
                                     const std::optional<SubdomainWork>& subdomain)
    : implementation_(std::make_unique<Implementation>(info, problem, engine, rows, subdomain)) {}
DeviceLevelSolver::~DeviceLevelSolver() = default;

const DeviceStream& DeviceLevelSolver::preparation_stream() const {
  return implementation_->preparation();
}
const DeviceStream& DeviceLevelSolver::solving_stream() const { return implementation_->solving(); }
void DeviceLevelSolver::submit(TimeLevel k, const LevelView& fields) {
  implementation_->submit(k, fields);
}
void DeviceLevelSolver::restart() { implementation_->restart(); }
std::int32_t DeviceLevelSolver::in_flight() const { return implementation_->in_flight(); }
std::int32_t DeviceLevelSolver::depth() { return slots_in_ring - 1; }
std::int64_t DeviceLevelSolver::row_blocks() const { return implementation_->row_blocks(); }
SolvedLevel DeviceLevelSolver::collect() { return implementation_->collect(); }

}  // namespace tidewise
