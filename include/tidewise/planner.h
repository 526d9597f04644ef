#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tidewise/backend.h"
#include "tidewise/environment.h"
#include "tidewise/mission.h"
#include "tidewise/policy.h"
#include "tidewise/progress.h"
#include "tidewise/rollout.h"

/// Plans of vehicles through uncertain currents. Link Tidewise::planner. Example:
/// examples/library/plan.cpp.
namespace tidewise {

/// Options of planning, including the hardware. The results are the same bits on any hardware.
struct PlanOptions : BackendRequest {
  Engine engine = Engine::lattice;      ///< implementation of the transition counts
  LandingBy landing = LandingBy::area;  ///< assignment of positions to cells
  std::int32_t subgrid_radius = 0;      ///< [cells], of a step; 0: as large as needed
  std::int32_t block_size = 64;         ///< threads per block of the paper engine on a GPU
  /// Distance from obstacles and from the border of the grid within which cells have a proximity
  /// penalty in the plan [m or 1]; 0: no penalty, as published. Flights ignore it.
  double margin = 0;
  /// With an action hold (`decide_every`): the policy decides at every level from which a mission
  /// may depart, not only at the levels of its own departure. This takes as many passes as steps
  /// are held.
  bool all_departures = false;
};

/// Treatment of a temporary environment when a run is saved: `with_run` copies it into the run's
/// folder, `where_it_is` stores only its path, which is valid while the environment exists.
enum class SavedEnvironment { with_run, where_it_is };

/// A solved mission: the action in every cell at every level, and its expected result. Copies share
/// the data; the policy lies in a temporary file that is deleted with the last copy. Several
/// threads may read the policy at once; only one at a time may fly or save the plan.
class Plan {
 public:
  /// The policy.
  Policy policy() const;
  /// The model estimate from the mission's start at its departure; exact on the model, without
  /// sampling.
  const ExpectedOutcome& expected() const;
  /// Warnings about the mission, a line each, such as a vehicle that is too slow for its grid.
  const std::vector<std::string>& warnings() const;
  /// Writes the files that 'tidewise plan' writes: policy.h5 and summary.json, trajectories.nc if
  /// there are flights of this plan, and environment.h5 for a temporary environment. The folder is
  /// complete or unchanged. Errors: InputError for a path that cannot be written, RunError.
  void save(const std::filesystem::path& folder,
            SavedEnvironment environment = SavedEnvironment::with_run) const;
  /// Also writes these flights.
  void save(const std::filesystem::path& folder, const Flights& flights,
            SavedEnvironment environment = SavedEnvironment::with_run) const;

  struct Content;  ///< internal
  explicit Plan(std::shared_ptr<const Content> content);
  const Content& content() const { return *content_; }

 private:
  std::shared_ptr<const Content> content_;
};

/// Finds the best policy of a mission and its expected result. `progress` may be null. Errors:
/// InputError in one line for a start or target outside the grid or on land, times beyond the last
/// level, a vehicle too fast for the grid, or a missing GPU; RunError when the disk is full or a
/// GPU fails; exceptions of `progress`.
Plan plan(const Environment& environment, const MissionRequest& mission,
          const PlanOptions& options = {}, Progress* progress = nullptr);

}  // namespace tidewise
