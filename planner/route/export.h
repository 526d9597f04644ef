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

/// What is to be written of a run.
struct ExportRequest {
  std::vector<std::string> formats;  ///< names of route_formats(), one at least
  /// The file, where that is one format and no folder; else the folder, made where it is missing.
  std::filesystem::path out;
  RouteRequest route;
  FormatOptions options;
  Overwrite overwrite = Overwrite::refused;
};

/// What there is to write.
struct ExportReport {
  std::vector<std::string> lines;     ///< of the routes, and what they come to
  std::vector<std::string> warnings;  ///< a line each
  std::vector<std::filesystem::path> files;
};

/// Makes the routes that the formats take, and adds their files to `files` once all of them are
/// ready. Where the user says nothing of waypoints, a format has no more than is
/// usual with its vehicles. Errors: InputError for a format that is not there or cannot hold the
/// route, and of RouteMaker::make() and AtomicFile.
ExportReport export_run(const FlownRun& run, const ExportRequest& request, FileSet& files,
                        Progress& progress);

/// A file of a route.
struct RouteFile {
  std::filesystem::path path;
  std::string content;
};

/// Those of the formats that can hold a route in an environment.
std::vector<std::string> possible_formats(const EnvironmentInfo& info,
                                          const std::vector<std::string>& formats);

/// What export_run() writes with nothing but defaults, in those of the formats that can hold the
/// run's route. `lines` and `warnings` as in an ExportReport. Errors: of RouteMaker::make().
struct RouteFiles {
  std::vector<RouteFile> files;
  std::vector<std::string> lines, warnings;
};
RouteFiles make_route_files(const FlownRun& run, const std::vector<std::string>& formats,
                            Progress& progress);

/// The same of a run that has just been made, with nothing but defaults: `formats` (of
/// output.formats, the policy on board among them) into the folder `export` of `staging`, where its
/// files are until all of them enter `folder`. What cannot be exported is a warning: the run itself
/// is none the worse.
std::vector<std::string> export_finished_run(const std::filesystem::path& staging,
                                             const std::filesystem::path& folder,
                                             const std::vector<std::string>& formats,
                                             std::int32_t threads, Progress& progress);

}  // namespace tidewise
