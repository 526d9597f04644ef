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

/// Time of a device for a level of a band [ms]. Preparation overlaps with the rest.
struct SubdomainTimes {
  double prepare = 0;
  double exchange = 0;  ///< exchange of level k+1, including the wait for neighbours
  double wait = 0;      ///< waiting for the prepared level
  double solve = 0;
};

/// Results of one level for a leg. A band's results have only its own rows.
struct SolvedLeg {
  View<const std::int16_t> action;  ///< (y, x), pinned
  View<const float> value;          ///< (y, x), pinned
};

/// Results of one level.
struct SolvedLevel {
  TimeLevel level;
  std::int64_t decided = 0;  ///< number of cells decided, of all legs
  /// True if the flow is not finite or moves 1024 cells or more in a step.
  bool flow_refused = false;
  bool overflow = false;       ///< true if some value is not finite
  std::vector<SolvedLeg> leg;  ///< (leg)
  /// Rows that a step may move to the south and to the north; not set if the flow is refused.
  std::int32_t reach_south = 0;
  std::int32_t reach_north = 0;
  SubdomainTimes times;  ///< set if KeepTimes::yes
};

/// yes: measure SubdomainTimes.
enum class KeepTimes { no, yes };

/// The rows of a larger grid that a solver solves, and the exchange that fills its halo.
struct SubdomainWork {
  RowWindow window;
  DeviceHaloExchange* exchange = nullptr;  ///< must outlive the solver; null: no exchange
  KeepTimes times = KeepTimes::no;
};

/// yes: keep each level's explicit model on the device until the next level is solved.
enum class KeepRows { no, yes };

/// For .cu files: solves level after level on the device, from L down to 0, for all legs of a
/// mission. Each leg has its own counts. Work runs on the solver's own streams; results come back
/// some levels later.
class DeviceLevelSolver {
 public:
  /// `info` and the problem must outlive the solver. KeepRows::yes requires the lattice engine, a
  /// single leg and the conditions of BackupWithRows. With a band, `info` and the problem are those
  /// of its window; values outside the band come by exchange.
  DeviceLevelSolver(const EnvironmentInfo& info, const PlanningProblem& problem, Engine engine,
                    KeepRows rows = KeepRows::no,
                    const std::optional<SubdomainWork>& subdomain = {});
  ~DeviceLevelSolver();

  /// Streams that read the level's fields: preparation and solving. The fields must be ready for
  /// the preparation stream.
  const DeviceStream& preparation_stream() const;
  /// See preparation_stream().
  const DeviceStream& solving_stream() const;

  /// Submits level L, then each level before the last one submitted. `fields` are in device memory;
  /// they are read until the next level (k−1) has been submitted and solved.
  void submit(TimeLevel k, const LevelView& fields);
  /// Restarts at level L. Requires that no level is in flight.
  void restart();
  /// Number of levels submitted and not yet collected, at most depth().
  std::int32_t in_flight() const;
  /// Maximum number of levels in flight.
  static std::int32_t depth();
  /// Waits for the oldest level in flight. The result is valid until the next submit().
  SolvedLevel collect();
  /// Size of the explicit model of the level submitted last, in blocks of four entries; waits for
  /// it. Requires KeepRows::yes. Errors: RunError if the rows of a cell are missing.
  std::int64_t row_blocks() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise
