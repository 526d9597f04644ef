#include "solver/explicit/device_solver.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "base/memory/device.h"
#include "base/memory/device_transfer.h"
#include "base/memory/stream.h"
#include "base/parallel/strand.h"
#include "solver/explicit/device_backup.h"
#include "solver/induction/value_overflow.h"
#include "solver/legs/legs.h"
#include "solver/step/boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

// Copies the rows of each level to the device while the level after it is solved. Everything is
// double-buffered.
class RowTransfer {
 public:
  RowTransfer(StoredModel model, std::int32_t action_count, std::uint32_t total,
              std::int32_t threads)
      : model_(std::move(model)),
        action_count_(action_count),
        total_(total),
        threads_(threads),
        device_(current_device()) {}

  // Begins to read level k. Requires that level k + 2 has been solved.
  void begin(TimeLevel k) {
    reading_.put([this, k] { copy_rows(k); });
  }
  // Returns the level passed to begin(); later work on `stream` waits until its copy is complete.
  const DeviceCompactLevel& take(TimeLevel k, const DeviceStream& stream) {
    reading_.finish();
    Slot& slot = slot_of(k);
    slot.copied.hold_up(stream);
    return slot.rows;
  }

 private:
  struct Slot {
    PackedLevel<MemorySpace::pinned> packed;
    DeviceCompactLevel rows;
    DeviceEvent copied;
  };

  Slot& slot_of(TimeLevel k) { return slots_[k.value % 2]; }

  void copy_rows(TimeLevel k) {
    use_device(device_);
    Slot& slot = slot_of(k);
    const CompactLevel level = model_.read(k);
    slot.copied.synchronize();  // waits for the copy that last read the pinned memory
    pack(level, model_.subgrid, action_count_, total_, threads_, slot.packed);
    upload(slot.packed, slot.rows, stream_);
    slot.copied.record(stream_);
  }

  StoredModel model_;
  std::int32_t action_count_;
  std::uint32_t total_;
  std::int32_t threads_;
  int device_;
  DeviceStream stream_;
  Slot slots_[2];
  WaitAtEnd wait_{stream_};  // copies may still read the pinned memory
  Strand reading_;           // last member: its work uses the members above
};

// One leg of the mission, as a mission.
struct Leg {
  Leg(const EnvironmentInfo& info, const PlanningProblem& problem, std::size_t n,
      ExplicitMethod method)
      : mission(leg_mission(problem.mission, n)),
        backup(info, {problem.actions, mission, problem.rule}, method),
        value(static_cast<std::size_t>(info.grid.cell_count())),
        action(value.size()),
        device_value(value.size()),
        device_value_next(value.size()),
        device_action(value.size()) {
    if (n < problem.mission.via.size()) via_cells = problem.mission.via[n].cells;
  }

  Mission mission;
  ExplicitDeviceBackup backup;
  PinnedArray<float> value;              // (y, x), of the level solved last
  PinnedArray<std::int16_t> action;      // (y, x)
  DeviceArray<float> device_value;       // `value` on the device
  DeviceArray<float> device_value_next;  // v(k+1, ·)
  DeviceArray<std::int16_t> device_action;
  std::vector<CellIndex> non_terminal;
  std::vector<std::int32_t> via_cells;  // cells in which the next leg takes over
};

class ExplicitDeviceSolver final : public LevelSolver {
 public:
  ExplicitDeviceSolver(const EnvironmentInfo& info, const PlanningProblem& problem,
                       std::int32_t threads, StoredModel model, ExplicitMethod method)
      : info_(info),
        last_(problem.mission.last),
        validation_(model.validate),
        needs_scalar_(
            harvest_factor(problem.mission.objective, problem.mission.energy, info.time.step) != 0),
        transfer_(std::move(model), static_cast<std::int32_t>(problem.actions.size()),
                  row_total(info, problem.rule), threads),
        masked_after_(problem.mission.margin > 0 ? cell_count() : 0) {
    for (std::size_t n = 0; n <= problem.mission.via.size(); ++n) {
      legs_.emplace_back(info, problem, n, method);
    }
  }

  void start(const LevelFields<>& fields) override {
    for (Leg& leg : legs_) {
      const BoundaryValue at_boundary = boundary_value(info_, leg.mission);
      for (std::size_t cell = 0; cell < cell_count(); ++cell) {
        leg.value[cell] =
            at_boundary(fields.masked[cell] != 0, leg.mission.target[cell] != 0, cell);
        leg.action[cell] = no_action;
      }
      copy(leg.device_value, leg.value);
    }
    if (!masked_after_.empty()) copy(masked_after_, fields.masked);
    copy_fields(fields);
    if (last_.value > 0) transfer_.begin(TimeLevel(last_.value - 1));
  }

  void step(TimeLevel k, const LevelFields<>& fields) override {
    std::swap(masked_, masked_next_);
    std::swap(scalar_, scalar_next_);
    copy_fields(fields);
    const DeviceCompactLevel& rows = transfer_.take(k, stream_);
    if (k.value > 0) transfer_.begin(TimeLevel(k.value - 1));
    validation_(k, fields.view(info_));
    for (Leg& leg : legs_) {
      std::swap(leg.device_value, leg.device_value_next);
      const OutcomeFields outcome_fields{masked_, masked_next_, scalar_, scalar_next_,
                                         leg.device_value_next};
      leg.backup.prepare(k, rows, outcome_fields, stream_);
      leg.backup.back_up(k, rows, outcome_fields, leg.device_value, leg.device_action, stream_);
      copy(leg.value, leg.device_value, stream_);
      copy(leg.action, leg.device_action, stream_);
    }
    stream_.synchronize();
    for (std::size_t n = legs_.size(); n-- > 0;) {
      Leg& leg = legs_[n];
      find_non_terminal(leg, fields);
      if (leg.mission.margin > 0) add_nearness(leg, fields);
      refuse_overflow(info_.grid, k, leg.value);
      if (n + 1 < legs_.size()) take_over(leg, legs_[n + 1]);
      if (leg.mission.margin > 0 || !leg.via_cells.empty()) copy(leg.device_value, leg.value);
    }
    if (!masked_after_.empty()) copy(masked_after_, fields.masked);
  }

  std::int64_t decided() const override {
    std::int64_t cells = 0;
    for (const Leg& leg : legs_) cells += static_cast<std::int64_t>(leg.non_terminal.size());
    return cells;
  }
  void hand_over(TimeLevel k, PolicySink& sink) const override {
    for (std::size_t n = legs_.size(); n-- > 0;) {
      sink.accept(n, k, legs_[n].action, legs_[n].value);
    }
  }

 private:
  std::size_t cell_count() const { return static_cast<std::size_t>(info_.grid.cell_count()); }

  void find_non_terminal(Leg& leg, const LevelFields<>& fields) const {
    leg.non_terminal.clear();
    for (std::size_t cell = 0; cell < cell_count(); ++cell) {
      if (is_non_terminal(fields.masked[cell] != 0, leg.mission.target[cell] != 0)) {
        leg.non_terminal.emplace_back(static_cast<std::int32_t>(cell));
      }
    }
  }

  void add_nearness(Leg& leg, const LevelFields<>& fields) const {
    const ObstacleIndex obstacles(info_.grid, fields.masked, masked_after_);
    const NearnessPenalties penalties(
        {info_.grid, nearness_penalty(leg.mission), fields.masked, masked_after_}, obstacles);
    add_penalties(penalties, leg.non_terminal, info_.grid, leg.value);
  }

  static void take_over(Leg& leg, const Leg& next) {
    for (const std::int32_t cell : leg.via_cells) {
      leg.value[static_cast<std::size_t>(cell)] = next.value[static_cast<std::size_t>(cell)];
      leg.action[static_cast<std::size_t>(cell)] = next.action[static_cast<std::size_t>(cell)];
    }
  }

  // No work on the device is pending when this is called, so its arrays may be overwritten.
  void copy_fields(const LevelFields<>& fields) {
    copy(masked_, fields.masked);
    if (needs_scalar_) copy(scalar_, fields.scalar);
  }

  const EnvironmentInfo& info_;
  TimeLevel last_;
  std::function<void(TimeLevel, const LevelView&)> validation_;
  bool needs_scalar_;
  DeviceStream stream_;
  RowTransfer transfer_;
  std::deque<Leg> legs_;
  DeviceArray<std::uint8_t> masked_;  // (y, x)
  DeviceArray<std::uint8_t> masked_next_;
  DeviceArray<float> scalar_;  // (y, x), if the objective counts the field
  DeviceArray<float> scalar_next_;
  Array<std::uint8_t> masked_after_;  // mask of level k+1, on the host; only with a margin
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
