#include <algorithm>
#include <array>
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
#include "solver/policy/device_next_leg.cuh"
#include "solver/step/device_boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/planning_problem.h"
#include "solver/step/prepared_level.h"

namespace tidewise {
namespace {

/// All that belongs to one level in flight.
struct Slot {
  Slot(std::size_t cells, std::size_t own_cells, const EnvironmentInfo& info, std::size_t profiles)
      : value(cells),
        action(cells),
        non_terminal(cells),
        coefficients(info.mode_count, info.realization_count),
        facts(profiles),
        value_here(own_cells),
        action_here(own_cells),
        facts_here(facts.size()) {
    for (std::size_t p = 0; p < profiles; ++p) profile.emplace_back(cells);
  }

  DeviceArray<float> value;                // (y, x)
  DeviceArray<std::int16_t> action;        // (y, x)
  DeviceArray<std::int32_t> non_terminal;  // cells to decide on
  std::vector<PreparedLevel> profile;
  DeviceCoefficients coefficients;
  DeviceArray<DeviceLevelFacts> facts;    // of each profile; the first counts and judges for all
  PinnedArray<float> value_here;          // (own row, x)
  PinnedArray<std::int16_t> action_here;  // (own row, x)
  PinnedArray<DeviceLevelFacts> facts_here;
  DeviceEvent prepared;
  DeviceEvent solved;
  DeviceEvent copied;
  // Of a band alone.
  DeviceEvent preparing;  ///< its preparation begins
  DeviceEvent arrived;    ///< the level after it is solved, and the exchange begins
  DeviceEvent received;   ///< the level after it has all its values
  DeviceEvent begun;      ///< its solution begins
  TimeLevel level;
  LevelView fields;
};

/// add_prices() on the device.
struct AddPrices {
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

/// Counts one profile's actions.
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
  DeviceCountLaunch<DeviceBackup> launch;  // of `actions`, where they lie
  std::unique_ptr<HeldBackup> held;
  LevelPreparation preparation;
};

constexpr std::size_t slots_in_ring = 5;

/// The cells of a band's own rows, in its window.
CellRange own_cells(const EnvironmentInfo& info, const std::optional<SubdomainWork>& subdomain) {
  if (!subdomain) return {0, info.grid.cell_count()};
  const RowWindow& window = subdomain->window;
  return {(window.begin - window.known_begin) * info.grid.nx,
          (window.end - window.known_begin) * info.grid.nx};
}

/// Part of an array into the whole of another, in the order of `stream`'s work.
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
        mission_(problem.mission),
        rule_(problem.rule),
        engine_(engine),
        subdomain_(subdomain),
        own_(own_cells(info, subdomain)),
        there_(info, problem),
        weight_(upload(counting_weights(info, problem.rule))) {
    for (const ProfileActions& own : by_profile(problem.actions)) {
      counters_.push_back(std::make_unique<ProfileCounter>(info, rule_, own, there_.kinds()));
      if (!mission_.decisions.hold()) continue;
      counters_.back()->held =
          make_held_backup(info, rule_, counters_.back()->actions, there_.kinds(), mission_);
    }
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    for (auto& slot : slots_) slot.emplace(cells, own_.size(), info, counters_.size());
    if (mission_.next) next_leg_.emplace(*mission_.next);
    constexpr std::int32_t blocks_a_row = 16;
    if (rows == KeepRows::yes) {
      rows_ = make_backup_with_rows(info, rule_, counters_.front()->actions, there_.kinds(),
                                    blocks_a_row);
    }
  }

  void submit(TimeLevel k, const LevelView& fields) {
    Slot& slot = *slots_[submitted_ % slots_in_ring];
    slot.level = k;
    slot.fields = fields;
    prepare(slot);
    if (submitted_ > 0) {
      for (const auto& counter : counters_) {
        if (counter->held) counter->held->begin(k);
      }
    }
    if (subdomain_) complete_values(slot);
    slot.prepared.hold_up(solving_);
    if (subdomain_) slot.begun.record(solving_);
    if (submitted_ > 0) {
      solve(slot, *slots_[(submitted_ - 1) % slots_in_ring]);
      if (next_leg_) {
        next_leg_->take_over(k, slot.action.data(), slot.value.data(), 1, solving_);
      }
    }
    slot.solved.record(solving_);
    slot.solved.hold_up(copying_);
    copy_part(slot.value_here, slot.value, own_.begin, copying_);
    copy_part(slot.action_here, slot.action, own_.begin, copying_);
    copy(slot.facts_here, slot.facts, copying_);
    slot.copied.record(copying_);
    ++submitted_;
  }

  SolvedLevel collect() {
    Slot& slot = *slots_[collected_ % slots_in_ring];
    slot.copied.synchronize();
    ++collected_;
    SolvedLevel solved;
    solved.level = slot.level;
    solved.decided = slot.facts_here[0].non_terminal;
    solved.action = std::as_const(slot.action_here).view();
    solved.value = std::as_const(slot.value_here).view();
    for (std::size_t p = 0; p < counters_.size(); ++p) {
      const DeviceLevelFacts& facts = slot.facts_here[p];
      if (facts.not_finite != 0 || facts.too_far != 0) solved.flow_refused = true;
      // What is no number after some profiles' actions may be one after all.
      if (p + 1 == counters_.size() && facts.overflow != 0) solved.overflow = true;
      if (solved.decided == 0) continue;
      const DeviceActions& actions = counters_[p]->actions;
      solved.reach_south =
          std::max(solved.reach_south, -rule_.first_cell_of(facts.y_min + actions.least().y));
      solved.reach_north =
          std::max(solved.reach_north, rule_.last_cell_of(facts.y_max + actions.greatest().y));
    }
    if (solved.flow_refused) solved.reach_south = solved.reach_north = 0;
    if (subdomain_ && subdomain_->times == KeepTimes::yes) solved.times = times_of(slot);
    return solved;
  }

  void restart() { submitted_ = collected_ = 0; }
  std::int32_t in_flight() const { return static_cast<std::int32_t>(submitted_ - collected_); }
  std::int64_t row_blocks() const {
    const BackupWithRows::Size size = rows_->size(solving_);
    if (size.left_out > 0) throw RunError("some clouds are too wide for rows on the device");
    return static_cast<std::int64_t>(size.blocks);
  }
  const DeviceStream& preparation() const { return preparing_; }
  const DeviceStream& solving() const { return solving_; }

 private:
  /// What does not depend on later levels' values: boundary, lists, coefficients, bounds.
  void prepare(Slot& slot) {
    // Who had the slot before is collected, but its value may still be read by the level after, or
    // of a band by the neighbours, until they have given what they found at that level.
    if (submitted_ >= slots_in_ring) {
      slots_[(submitted_ + 1) % slots_in_ring]->solved.hold_up(preparing_);
      if (subdomain_) slots_[(submitted_ + 2) % slots_in_ring]->received.hold_up(preparing_);
    }
    if (subdomain_) slot.preparing.record(preparing_);
    set_to_zero(slot.facts.data(), slot.facts.size(), preparing_);
    const bool last = submitted_ == 0;
    DeviceLevelFacts* facts = slot.facts.data();
    set_boundary(slot.fields.masked, there_.target(), own_, boundary_value(info_, mission_),
                 last ? BeyondTarget::late : BeyondTarget::non_terminal, slot.value.data(),
                 slot.action.data(), slot.non_terminal.data(), &facts->non_terminal, preparing_);
    if (!last) {
      slot.coefficients.make(slot.fields, scale_, rule_, preparing_);
      const Slot& next = *slots_[(submitted_ - 1) % slots_in_ring];
      for (std::size_t p = 0; p < counters_.size(); ++p) {
        ProfileCounter& counter = *counters_[p];
        slot.profile[p].prepare(counter.preparation, slot.fields.profile(counter.profile),
                                slot.coefficients.range(), slot.fields.masked, next.fields.masked,
                                slot.non_terminal.data(), &facts->non_terminal, facts + p,
                                preparing_);
      }
    }
    slot.prepared.record(preparing_);
  }

  /// Brings in what the neighbours have found at the level after, which is known of L in any case:
  /// v, and then the value of each held action that the step reads.
  void complete_values(Slot& slot) {
    slot.arrived.record(solving_);
    if (submitted_ > 1 && subdomain_->exchange != nullptr) {
      exchange(slots_[(submitted_ - 1) % slots_in_ring]->value.view());
      for (const auto& counter : counters_) {
        if (counter->held) exchange(counter->held->next());
      }
    }
    slot.received.record(solving_);
  }

  /// planes: (plane, y, x).
  void exchange(View<float> planes) {
    const auto plane = static_cast<std::size_t>(info_.grid.cell_count());
    for (std::size_t begin = 0; begin < planes.size; begin += plane) {
      subdomain_->exchange->exchange(planes.part(begin, plane), solving_);
    }
  }

  /// Of a level that is solved.
  static SubdomainTimes times_of(const Slot& slot) {
    return {slot.prepared.milliseconds_since(slot.preparing),
            slot.received.milliseconds_since(slot.arrived),
            slot.begun.milliseconds_since(slot.received),
            slot.solved.milliseconds_since(slot.begun)};
  }

  void solve(Slot& slot, const Slot& next) {
    DeviceBackup backup;
    backup.rule = outcome_rule(info_, mission_, slot.level, there_.target(),
                               {slot.fields.masked, next.fields.masked, slot.fields.scalar,
                                next.fields.scalar, next.value.view()});
    backup.kind = there_.kind();
    backup.inverse_count = inverse_count(row_total(info_, rule_));
    backup.value = slot.value.data();
    backup.action = slot.action.data();
    for (std::size_t p = 0; p < counters_.size(); ++p) back_up(slot, p, backup);
    if (!(mission_.margin > 0)) return;
    AddPrices prices{{info_.grid, nearness_price(mission_), slot.fields.masked, next.fields.masked},
                     slot.non_terminal.data(),
                     &slot.facts.data()->non_terminal,
                     slot.value.view()};
    for_each_on_device(slot.non_terminal.size(), prices, solving_);
    for (const auto& counter : counters_) {
      if (!counter->held || counter->held->now().empty()) continue;
      prices.planes = counter->held->now();
      for_each_on_device(slot.non_terminal.size(), prices, solving_);
    }
  }

  /// The best of one profile's actions, on top of those before.
  void back_up(Slot& slot, std::size_t p, DeviceBackup backup) {
    ProfileCounter& counter = *counters_[p];
    backup.kind_of = there_.kind_of().part(static_cast<std::size_t>(counter.first_action),
                                           static_cast<std::size_t>(counter.actions.count()));
    backup.near_masked = slot.profile[p].near_masked();
    backup.first_action = counter.first_action;
    backup.joins = p > 0;
    backup.overflow = &slot.facts.data()[p].overflow;
    DeviceCloud cloud = slot.coefficients.cloud(weight_.view());
    cloud.level = slot.profile[p].fields();
    const DeviceCellLists lists = slot.profile[p].lists(counter.preparation);
    const std::int32_t* list = slot.non_terminal.data();
    const std::int32_t* count = &slot.facts.data()->non_terminal;
    if (engine_ == Engine::direct) {
      if (counter.held) {
        counter.held->run_direct(cloud, lists, list, count, backup, solving_);
      } else {
        counter.launch.run_direct(cloud, lists, list, count, backup, solving_);
      }
    } else if (counter.held) {
      counter.held->run_lattice(cloud, lists, backup, solving_);
    } else if (rows_) {
      rows_->run(cloud, lists, backup, solving_);
    } else {
      counter.launch.run_lattice(cloud, lists, backup, solving_);
    }
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  PositionRule rule_;
  Engine engine_;
  std::optional<SubdomainWork> subdomain_;
  CellRange own_;
  DisplacementScale scale_{info_.grid, info_.time};
  DeviceMission there_;
  DeviceArray<std::uint32_t> weight_;
  std::vector<std::unique_ptr<ProfileCounter>> counters_;  // (profile)
  std::unique_ptr<BackupWithRows> rows_;                   // of one profile alone
  std::optional<DeviceNextLeg> next_leg_;
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
