#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file/file_set.h"
#include "base/progress.h"
#include "output/route/format.h"
#include "planner/outputs/outputs.h"
#include "planner/route/flown_run.h"
#include "planner/route/route_maker.h"

namespace tidewise {

/// The route files to write for a run.
struct ExportRequest {
  std::vector<std::string> formats;  ///< names of route_formats(), one at least
  /// The file of a single format, or else the folder, which is made if it is missing.
  std::filesystem::path out;
  RouteRequest route;
  FormatOptions options;
  Overwrite overwrite = Overwrite::refused;
};

/// Result of an export.
struct ExportReport {
  std::vector<std::string>
      lines;  ///< descriptions of the routes, with their cost compared with the policy
  std::vector<std::string> warnings;  ///< one line each
  std::vector<std::filesystem::path> files;
};

/// Makes the routes of the formats and adds their files to `files` once all of them are ready. By
/// default a route has at most as many waypoints as vehicles that read the format usually take
/// (RouteFormat::usual_waypoints). Errors: InputError for an unknown format or one that cannot hold
/// the route, and those of RouteMaker::make() and AtomicFile.
ExportReport export_run(const FlownRun& run, const ExportRequest& request, FileSet& files,
                        Progress& progress);

/// A file of a route.
struct RouteFile {
  std::filesystem::path path;
  std::string content;
};

/// Returns the formats among `formats` that can hold a route in an environment.
std::vector<std::string> possible_formats(const EnvironmentInfo& info,
                                          const std::vector<std::string>& formats);

/// Files of routes; `lines` and `warnings` as in ExportReport.
struct RouteFiles {
  std::vector<RouteFile> files;
  std::vector<std::string> lines, warnings;
};
/// Makes the files of export_run() with all defaults, in the formats that can hold the run's route.
/// Errors: those of RouteMaker::make().
RouteFiles make_route_files(const FlownRun& run, const std::vector<std::string>& formats,
                            Progress& progress);

/// Exports a new run with all defaults. Writes the formats named in output.formats, including the
/// policy for on-board use, to staging/export. `staging` later becomes `folder`. Returns failed
/// exports as warnings, since the run itself is complete.
std::vector<std::string> export_finished_run(const std::filesystem::path& staging,
                                             const std::filesystem::path& folder,
                                             const std::vector<std::string>& formats,
                                             std::int32_t threads, Progress& progress);

}  // namespace tidewise
