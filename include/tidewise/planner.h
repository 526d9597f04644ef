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

/// What plans a mission, and on what. The results are the same bits whatever it is computed on.
struct PlanOptions : BackendRequest {
  Engine engine = Engine::lattice;
  LandingBy landing = LandingBy::area;
  std::int32_t subgrid_radius = 0;  ///< [cells]; 0: as large as needed
  std::int32_t block_size = 64;     ///< threads a block of the paper engine on a GPU
  /// Distance from obstacles and from the border of the grid within which a place has a cost in the
  /// plan [m or 1]; 0: no place has one, as published. Flights use the obstacles as they are.
  double margin = 0;
  /// Where actions are held (`decide_every`): the policy decides at every level from which a
  /// mission departs, by as many passes as steps are held, and not at those of its own departure
  /// alone.
  bool all_departures = false;
};

/// Whether a temporary environment goes along with a run that is saved, or the run names it where
/// it is, for as long as that lasts.
enum class SavedEnvironment { with_run, where_it_is };

/// A solved mission: what to do in every cell at every level, and what comes of it. Copies share
/// what they hold; the policy lies in a temporary file that goes with the last of them.
/// Its policy may be asked by several threads at once; flying and saving is for one at a time.
class Plan {
 public:
  Policy policy() const;
  /// From the mission's start at its departure, exactly, on the model.
  const ExpectedOutcome& expected() const;
  /// What the mission can do but hardly should, a line each, such as a vehicle too slow for its
  /// grid.
  const std::vector<std::string>& warnings() const;
  /// Leaves what 'tidewise plan' leaves: policy.h5 and summary.json, and trajectories.nc where
  /// there are flights of this plan; a temporary environment goes along as environment.h5. The
  /// folder is complete or as it was. Errors: InputError for a place that cannot be written to,
  /// RunError.
  void save(const std::filesystem::path& folder,
            SavedEnvironment environment = SavedEnvironment::with_run) const;
  void save(const std::filesystem::path& folder, const Flights& flights,
            SavedEnvironment environment = SavedEnvironment::with_run) const;

  struct Content;  ///< the library's own
  explicit Plan(std::shared_ptr<const Content> content);
  const Content& content() const { return *content_; }

 private:
  std::shared_ptr<const Content> content_;
};

/// Finds the best policy of a mission and what it leads to. Errors: InputError in one line for what
/// cannot be: a start or target outside the grid or on land, times beyond the last level, a vehicle
/// too fast for the grid, a GPU that there is none of; RunError when the disk is full or a GPU
/// fails; what `progress`, which may be null, throws.
Plan plan(const Environment& environment, const MissionRequest& mission,
          const PlanOptions& options = {}, Progress* progress = nullptr);

}  // namespace tidewise
