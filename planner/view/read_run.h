#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "output/run/policy_file.h"
#include "output/view/run_view.h"

namespace tidewise {

/// A run whose files have been opened for a page.
struct RunToView {
  std::string name;  ///< name that the user typed
  PolicyFile policy;
  std::filesystem::path folder;  ///< folder of its trajectories and its summary
  nlohmann::ordered_json summary;
};

/// Opens a run of 'tidewise plan' or 'tidewise rollout'. A rollout's policy is the one that its
/// summary names, else that of its parent folder. Errors: InputError for a missing or invalid file.
RunToView open_run_to_view(const std::string& name);

/// Refuses to show two runs side by side if their planes or clocks differ, since neither place nor
/// time could be linked. Errors: InputError with advice.
void require_same_plane(const RunToView& first, const RunToView& second);

/// Extent of what is computed in addition to the contents of a run's files.
enum class ViewDetail {
  complete,  ///< arrivals by departure, and the route in all formats that the page offers
  prompt     ///< no departures, and the route in the format that the map draws
};

/// Reads a run for a page. The flow is that of its environment, or of `environment`, a file that
/// the user names. If its own was removed or changed, the page has no flow, and `warnings` gives
/// the reason. Errors: InputError for damaged files, and for an `environment` of other cells or
/// times.
RunView read_run_view(const RunToView& run, const std::optional<std::string>& environment,
                      std::vector<std::string>& warnings, Progress& progress,
                      ViewDetail detail = ViewDetail::complete);

}  // namespace tidewise
