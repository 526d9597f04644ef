#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "env/level_fields.h"
#include "env/row_window.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "solver/induction/device_halo_exchange.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Where a device's time for a level of a band went [ms]. Preparing runs beside the rest.
struct SubdomainTimes {
  double prepare = 0;
  double exchange = 0;  ///< of the level after, waiting for the neighbours included
  double wait = 0;      ///< for what was prepared
  double solve = 0;
};

/// What came of one level for a leg. Of a band, the rows are its own.
struct SolvedLeg {
  View<const std::int16_t> action;  ///< (y, x), pinned
  View<const float> value;          ///< (y, x), pinned
};

/// What came of one level.
struct SolvedLevel {
  TimeLevel level;
  std::int64_t decided = 0;    ///< cells, of all legs
  bool flow_refused = false;   ///< no finite number, or 1024 cells and more in a step
  bool overflow = false;       ///< some value is no finite number
  std::vector<SolvedLeg> leg;  ///< (leg)
  /// Rows that a step may lead to the south and to the north; not where the flow is refused.
  std::int32_t reach_south = 0;
  std::int32_t reach_north = 0;
  SubdomainTimes times;  ///< where they were asked for
};

enum class KeepTimes { no, yes };

/// Which rows of a larger grid a solver has in hand, and who brings those that it does not.
struct SubdomainWork {
  RowWindow window;
  DeviceHaloExchange* exchange = nullptr;  ///< outlives the solver; null: nothing is brought
  KeepTimes times = KeepTimes::no;
};

/// Whether each level's explicit model is left on the device too, until the next level is solved.
enum class KeepRows { no, yes };

/// For .cu files: solves one level after the other on the device, from L down to 0, for all legs of
/// a mission, each with counts of its own. Work is put on streams of its own and comes back some
/// levels later.
class DeviceLevelSolver {
 public:
  /// `info` and the problem must outlive the solver.
  /// KeepRows::yes is for the lattice engine and a single leg; see BackupWithRows for what it
  /// requires. With a band, `info` and the problem are those of its window, whose values outside
  /// the band come by exchange.
  DeviceLevelSolver(const EnvironmentInfo& info, const PlanningProblem& problem, Engine engine,
                    KeepRows rows = KeepRows::no,
                    const std::optional<SubdomainWork>& subdomain = {});
  ~DeviceLevelSolver();

  /// What the level's fields must be ready for, and what reads them.
  const DeviceStream& preparation_stream() const;
  const DeviceStream& solving_stream() const;

  /// Level L, then each level before the one that came last. `fields` are the device's; they are
  /// read until the level after this one (k−1) has been submitted and solved.
  void submit(TimeLevel k, const LevelView& fields);
  /// Begins anew, at level L. Requires that nothing is in flight.
  void restart();
  /// Levels that were submitted and not yet collected; at most depth() can be.
  std::int32_t in_flight() const;
  static std::int32_t depth();
  /// Waits for the oldest level in flight; valid until the next submit().
  SolvedLevel collect();
  /// Entries of the explicit model of the level that was submitted last, in blocks of four; waits
  /// for it. Requires KeepRows::yes. Errors: RunError where some cell's rows are lacking.
  std::int64_t row_blocks() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise
