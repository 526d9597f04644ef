#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "output/run/policy_file.h"
#include "output/view/run_view.h"

namespace tidewise {

/// A run whose files have been opened, to be made a page of.
struct RunToView {
  std::string name;  ///< as the user typed it
  PolicyFile policy;
  std::filesystem::path folder;  ///< folder of its trajectories and its summary
  nlohmann::ordered_json summary;
};

/// Opens what 'tidewise plan' or 'tidewise rollout' left. A rollout's policy is the one that its
/// summary names, else that of the folder around it. Errors: InputError where a file is missing or
/// is not what it should be.
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
