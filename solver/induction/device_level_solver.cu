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
#include "model_builder/device/level_preparation.h"
#include "solver/backup/backup_with_rows.h"
#include "solver/backup/device_backup.cuh"
#include "solver/backup/expectation.h"
#include "solver/backup/held_backup.h"
#include "solver/flight/device_mission.h"
#include "solver/induction/device_level_solver.h"
#include "solver/policy/device_next_leg.cuh"
#include "solver/step/device_boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// All that belongs to one level in flight.
struct Slot {
  Slot(std::size_t cells, std::size_t own_cells, const EnvironmentInfo& info)
      : value(cells),
        action(cells),
        near_masked(cells),
        near_scratch(cells),
        non_terminal(cells),
        of_class(cells * (frame_classes + 1)),
        coefficients(info.mode_count, info.realization_count),
        facts(1),
        value_here(own_cells),
        action_here(own_cells),
        facts_here(1) {}

  DeviceArray<float> value;                // (y, x)
  DeviceArray<std::int16_t> action;        // (y, x)
  DeviceArray<std::uint8_t> near_masked;   // (y, x)
  DeviceArray<std::uint8_t> near_scratch;  // (y, x)
  DeviceArray<std::int32_t> non_terminal;  // cells to decide on
  DeviceArray<std::int32_t> of_class;      // (class): cells to decide on
  DeviceCoefficients coefficients;
  DeviceArray<DeviceLevelFacts> facts;
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
  float* value;  ///< (y, x)

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    if (n < static_cast<std::size_t>(*cell_count)) value[cells[n]] += rule(CellIndex(cells[n]));
  }
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
        actions_(problem.actions),
        there_(info, problem),
        weight_(upload(counting_weights(info, problem.rule))),
        launch_(info, rule_, actions_, there_.kinds()),
        class_of_(upload(
            std::vector<std::uint8_t>(static_cast<std::size_t>(info.grid.cell_count()), 0))) {
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    for (auto& slot : slots_) slot.emplace(cells, own_.size(), info);
    if (mission_.next) next_leg_.emplace(*mission_.next);
    if (mission_.decisions.hold()) {
      held_.emplace(info, rule_, actions_, there_.kinds(), mission_);
    }
    constexpr std::int32_t blocks_a_row = 16;
    if (rows == KeepRows::yes) {
      rows_.emplace(info, rule_, actions_, there_.kinds(), blocks_a_row);
    }
  }

  void submit(TimeLevel k, const LevelView& fields) {
    Slot& slot = *slots_[submitted_ % slots_in_ring];
    slot.level = k;
    slot.fields = fields;
    prepare(slot);
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
    const DeviceLevelFacts& facts = slot.facts_here[0];
    SolvedLevel solved;
    solved.level = slot.level;
    solved.decided = facts.non_terminal;
    solved.flow_refused = facts.not_finite != 0 || facts.too_far != 0;
    solved.overflow = facts.overflow != 0;
    solved.action = std::as_const(slot.action_here).view();
    solved.value = std::as_const(slot.value_here).view();
    if (facts.non_terminal > 0 && !solved.flow_refused) {
      solved.reach_south = std::max(-rule_.first_cell_of(facts.y_min + actions_.least().y), 0);
      solved.reach_north = std::max(rule_.last_cell_of(facts.y_max + actions_.greatest().y), 0);
    }
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
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(slot.facts.data(), 0, sizeof(DeviceLevelFacts), native(preparing_)));
    const bool last = submitted_ == 0;
    DeviceLevelFacts* facts = slot.facts.data();
    set_boundary(slot.fields.masked, there_.target(), own_, boundary_value(info_, mission_),
                 last ? BeyondTarget::late : BeyondTarget::non_terminal, slot.value.data(),
                 slot.action.data(), slot.non_terminal.data(), &facts->non_terminal, preparing_);
    if (!last) {
      slot.coefficients.make(slot.fields, scale_, rule_, preparing_);
      bound_level(slot.fields, scale_, rule_, slot.coefficients.range(), slot.non_terminal.data(),
                  &facts->non_terminal, actions_.reach(), facts, preparing_);
      sort_by_class(slot.non_terminal.data(), &facts->non_terminal, info_.grid.cell_count(),
                    lists(slot), preparing_);
      const Slot& next = *slots_[(submitted_ - 1) % slots_in_ring];
      find_near_masked(info_.grid, slot.fields.masked, next.fields.masked, actions_.least(),
                       actions_.greatest(), rule_, facts, slot.near_scratch.data(),
                       slot.near_masked.data(), preparing_);
    }
    slot.prepared.record(preparing_);
  }

  /// Brings in what the neighbours have found at the level after, which is known of L in any case.
  void complete_values(Slot& slot) {
    slot.arrived.record(solving_);
    if (submitted_ > 1 && subdomain_->exchange != nullptr) {
      subdomain_->exchange->exchange(slots_[(submitted_ - 1) % slots_in_ring]->value.view(),
                                     solving_);
    }
    slot.received.record(solving_);
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
    backup.kind_of = there_.kind_of();
    backup.near_masked = slot.near_masked.view();
    backup.inverse_count = inverse_count(row_total(info_, rule_));
    backup.value = slot.value.data();
    backup.action = slot.action.data();
    backup.overflow = &slot.facts.data()->overflow;
    const DeviceCloud cloud = slot.coefficients.cloud(weight_.view());
    const std::int32_t* list = slot.non_terminal.data();
    const std::int32_t* count = &slot.facts.data()->non_terminal;
    if (engine_ == Engine::direct) {
      if (held_) {
        held_->run_direct(slot.level, cloud, lists(slot), list, count, backup, solving_);
      } else {
        launch_.run_direct(cloud, lists(slot), list, count, backup, solving_);
      }
    } else if (held_) {
      held_->run_lattice(slot.level, cloud, lists(slot), backup, solving_);
    } else if (rows_) {
      rows_->run(cloud, lists(slot), backup, solving_);
    } else {
      launch_.run_lattice(cloud, lists(slot), backup, solving_);
    }
    if (mission_.margin > 0) {
      const NearnessRule rule{info_.grid, nearness_price(mission_), slot.fields.masked,
                              next.fields.masked};
      for_each_on_device(slot.non_terminal.size(), AddPrices{rule, list, count, slot.value.data()},
                         solving_);
    }
  }

  DeviceCellLists lists(Slot& slot) {
    DeviceCellLists lists{};
    for (std::int32_t c = 0; c <= frame_classes; ++c) {
      lists.cell[c] = slot.of_class.data() + static_cast<std::size_t>(c) *
                                                 static_cast<std::size_t>(info_.grid.cell_count());
    }
    lists.count = slot.facts.data()->of_class;
    lists.class_of = class_of_.data();
    lists.fits = &slot.facts.data()->fits;
    for (std::int32_t c = 0; c < frame_classes; ++c) lists.limits[c] = launch_.limits(c);
    return lists;
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  PositionRule rule_;
  Engine engine_;
  std::optional<SubdomainWork> subdomain_;
  CellRange own_;
  DisplacementScale scale_{info_.grid, info_.time};
  DeviceActions actions_;
  DeviceMission there_;
  DeviceArray<std::uint32_t> weight_;
  DeviceCountLaunch<DeviceBackup> launch_;
  std::optional<BackupWithRows> rows_;
  std::optional<HeldBackup> held_;
  std::optional<DeviceNextLeg> next_leg_;
  DeviceArray<std::uint8_t> class_of_;  // (y, x): as DeviceCellLists
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
