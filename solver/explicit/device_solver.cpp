#include "solver/explicit/device_solver.h"

#include <algorithm>
#include <utility>

#include "base/memory/device.h"
#include "base/memory/device_transfer.h"
#include "base/memory/stream.h"
#include "base/parallel/strand.h"
#include "solver/explicit/device_backup.h"
#include "solver/induction/value_overflow.h"
#include "solver/policy/next_leg.h"
#include "solver/step/boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// Brings the rows of one level after the other to the device, each while its predecessor is at
/// work: two of everything.
class RowTransfer {
 public:
  RowTransfer(StoredModel model, std::int32_t action_count, std::uint32_t total,
              std::int32_t threads)
      : model_(std::move(model)),
        action_count_(action_count),
        total_(total),
        threads_(threads),
        device_(current_device()) {}

  /// Begins to read level k. Requires that the level two before it has been solved.
  void begin(TimeLevel k) {
    coming_.put([this, k] { bring(k); });
  }
  /// The level that was begun: work that is put on `stream` from now on finds it complete.
  const DeviceCompactLevel& take(TimeLevel k, const DeviceStream& stream) {
    coming_.finish();
    Slot& slot = slot_of(k);
    slot.there.hold_up(stream);
    return slot.rows;
  }

 private:
  struct Slot {
    PackedLevel<MemorySpace::pinned> packed;
    DeviceCompactLevel rows;
    DeviceEvent there;
  };

  Slot& slot_of(TimeLevel k) { return slots_[k.value % 2]; }

  void bring(TimeLevel k) {
    use_device(device_);
    Slot& slot = slot_of(k);
    const CompactLevel level = model_.read(k);
    slot.there.synchronize();  // the copy that last read the pinned memory
    pack(level, model_.subgrid, action_count_, total_, threads_, slot.packed);
    upload(slot.packed, slot.rows, stream_);
    slot.there.record(stream_);
  }

  StoredModel model_;
  std::int32_t action_count_;
  std::uint32_t total_;
  std::int32_t threads_;
  int device_;
  DeviceStream stream_;
  Slot slots_[2];
  WaitAtEnd wait_{stream_};  // copies still read the pinned memory
  Strand coming_;            // last: its work uses the rest
};

class ExplicitDeviceSolver final : public LevelSolver {
 public:
  ExplicitDeviceSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                       std::int32_t threads, StoredModel model, ExplicitMethod method)
      : info_(info),
        mission_(problem.mission),
        validation_(model.validate),
        needs_scalar_(
            harvest_factor(problem.mission.objective, problem.mission.energy, info.time.step) != 0),
        backup_(info, problem, method),
        transfer_(std::move(model), static_cast<std::int32_t>(problem.actions.size()),
                  row_total(info, problem.rule), threads),
        value_(cell_count()),
        action_(cell_count()),
        device_value_(cell_count()),
        device_value_next_(cell_count()),
        device_action_(cell_count()),
        masked_after_(problem.mission.margin > 0 ? cell_count() : 0) {}

  void start(const LevelFields<>& fields) override {
    const BoundaryValue at_boundary = boundary_value(info_, mission_);
    for (std::size_t cell = 0; cell < cell_count(); ++cell) {
      value_[cell] = at_boundary(fields.masked[cell] != 0, mission_.target[cell] != 0, cell);
      action_[cell] = no_action;
    }
    copy(device_value_, value_);
    if (mission_.margin > 0) copy(masked_after_, fields.masked);
    bring_fields(fields);
    if (mission_.last.value > 0) transfer_.begin(TimeLevel(mission_.last.value - 1));
  }

  void step(TimeLevel k, const LevelFields<>& fields) override {
    std::swap(device_value_, device_value_next_);
    std::swap(masked_, masked_next_);
    std::swap(scalar_, scalar_next_);
    bring_fields(fields);
    const DeviceCompactLevel& rows = transfer_.take(k, stream_);
    if (k.value > 0) transfer_.begin(TimeLevel(k.value - 1));
    validation_(k, fields.view(info_));
    const OutcomeFields seen{masked_, masked_next_, scalar_, scalar_next_, device_value_next_};
    backup_.prepare(k, rows, seen, stream_);
    backup_.back_up(k, rows, seen, device_value_, device_action_, stream_);
    copy(value_, device_value_, stream_);
    copy(action_, device_action_, stream_);
    stream_.synchronize();
    find_non_terminal(fields);
    if (mission_.margin > 0) add_nearness(fields);
    refuse_overflow(info_.grid, k, value_);
    if (mission_.next) mission_.next->take_over(k, action_, value_);
    if (mission_.margin > 0 || mission_.next) copy(device_value_, value_);
    if (mission_.margin > 0) copy(masked_after_, fields.masked);
  }

  std::int64_t decided() const override { return static_cast<std::int64_t>(non_terminal_.size()); }
  void hand_over(TimeLevel k, PolicySink& sink) const override {
    sink.accept(0, k, action_, value_);
  }

 private:
  std::size_t cell_count() const { return static_cast<std::size_t>(info_.grid.cell_count()); }

  void find_non_terminal(const LevelFields<>& fields) {
    non_terminal_.clear();
    for (std::size_t cell = 0; cell < cell_count(); ++cell) {
      if (is_non_terminal(fields.masked[cell] != 0, mission_.target[cell] != 0)) {
        non_terminal_.emplace_back(static_cast<std::int32_t>(cell));
      }
    }
  }

  void add_nearness(const LevelFields<>& fields) {
    const ObstacleIndex obstacles(info_.grid, fields.masked, masked_after_);
    const NearnessPrices prices(
        {info_.grid, nearness_price(mission_), fields.masked, masked_after_}, obstacles);
    add_prices(prices, non_terminal_, info_.grid, value_);
  }

  /// All work on the device is done when this is called, so the arrays are free.
  void bring_fields(const LevelFields<>& fields) {
    copy(masked_, fields.masked);
    if (needs_scalar_) copy(scalar_, fields.scalar);
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::function<void(TimeLevel, const LevelView&)> validation_;
  bool needs_scalar_;
  DeviceStream stream_;
  ExplicitDeviceBackup backup_;
  RowTransfer transfer_;
  PinnedArray<float> value_;              // (y, x), of the level that was solved last
  PinnedArray<std::int16_t> action_;      // (y, x)
  DeviceArray<float> device_value_;       // the same on the device
  DeviceArray<float> device_value_next_;  // v(k+1, ·)
  DeviceArray<std::int16_t> device_action_;
  DeviceArray<std::uint8_t> masked_;  // (y, x)
  DeviceArray<std::uint8_t> masked_next_;
  DeviceArray<float> scalar_;  // (y, x), where harvesting counts
  DeviceArray<float> scalar_next_;
  std::vector<CellIndex> non_terminal_;
  Array<std::uint8_t> masked_after_;  // of the level after, on the host; of a mission with a margin
};

}  // namespace

SolveReport solve_explicit_on_device(const EnvironmentReader& environment,
                                     const PlanningProblem& problem, std::int32_t threads,
                                     const StoredModel& model, PolicySink& sink, Progress& progress,
                                     ExplicitMethod method) {
  ExplicitDeviceSolver solver(environment.info(), problem, threads, model, method);
  return solve_levels(environment, problem.mission, problem.actions.size(), solver, sink, progress);
}

}  // namespace tidewise
