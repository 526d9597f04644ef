#include "planner/route/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/file/file_kind.h"
#include "planner/board/export.h"
#include "planner/error/codes.h"
#include "planner/mission/read/formats.h"
#include "planner/outputs/outputs.h"
#include "planner/route/route_cost.h"
#include "planner/run/path.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// The routes of a run, each made once.
class RoutesOfRun {
 public:
  RoutesOfRun(const FlownRun& run, const RouteRequest& request, Progress& progress)
      : maker_(run),
        chooses_dives_(run.info().velocities > 1),
        request_(request),
        progress_(progress) {}

  const Route& route_for(const RouteFormat& format) {
    RouteRequest request = request_;
    request.min_common_radius = format.min_common_radius;
    request.usual_waypoints = format.usual_waypoints;
    request.keeps_dives = chooses_dives_ && format.holds_dive_depths;
    return find_or_make(request);
  }

 private:
  /// Returns the route of an equal request, or makes it. Requests differ only in the three
  /// properties of a format that route_for() sets.
  const Route& find_or_make(const RouteRequest& request) {
    for (std::size_t n = 0; n < routes_.size(); ++n) {
      const RouteRequest& earlier = requests_[n];
      if (earlier.min_common_radius == request.min_common_radius &&
          earlier.usual_waypoints == request.usual_waypoints &&
          earlier.keeps_dives == request.keeps_dives) {
        return routes_[n];
      }
    }
    routes_.push_back(maker_.make(request, progress_));
    requests_.push_back(request);
    return routes_.back();
  }

  RouteMaker maker_;
  bool chooses_dives_;  // true if the vehicle chooses among several dives
  RouteRequest request_;
  Progress& progress_;
  std::deque<Route> routes_;
  std::vector<RouteRequest> requests_;  // requests of the routes
};

/// Remarks on the routes. A remark that all formats share is printed once; otherwise each line
/// names its formats.
class RouteReport {
 public:
  void add(const RouteFormat& format, const Route& route) {
    RouteRemarks remarks{{}, {route.description}, route_cost_warning(route)};
    for (std::string& line : describe_route_cost(route)) remarks.lines.push_back(line);
    auto existing = std::find_if(all_.begin(), all_.end(), [&](const RouteRemarks& other) {
      return other.lines == remarks.lines && other.warning == remarks.warning;
    });
    if (existing == all_.end()) existing = all_.insert(all_.end(), std::move(remarks));
    existing->formats.emplace_back(format.name);
  }

  void add_to(RouteFiles& report) const {
    for (const RouteRemarks& remarks : all_) {
      const std::string prefix =
          all_.size() > 1 ? fmt::format("{}: ", fmt::join(remarks.formats, ", ")) : "";
      for (const std::string& line : remarks.lines) report.lines.push_back(prefix + line);
      if (!remarks.warning.empty()) report.warnings.push_back(prefix + remarks.warning);
    }
  }

 private:
  struct RouteRemarks {
    std::vector<std::string> formats;
    std::vector<std::string> lines;
    std::string warning;
  };
  std::vector<RouteRemarks> all_;
};

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// True if `out` is a folder, in which files have their default names.
bool writes_into_folder(const ExportRequest& request) {
  return request.formats.size() > 1 || !request.out.has_filename() || is_folder(request.out);
}

/// Finds the formats of a request. Errors: InputError for an unknown format, or one that is given
/// twice.
std::vector<const RouteFormat*> find_route_formats(const ExportRequest& request) {
  std::vector<const RouteFormat*> formats;
  for (const std::string& name : request.formats) {
    const RouteFormat& format = route_format(name);
    if (std::find(formats.begin(), formats.end(), &format) != formats.end()) {
      throw input_error(errors::route_format_twice, name);
    }
    formats.push_back(&format);
  }
  return formats;
}

/// Refuses formats of which none can hold the tracks of several flights.
void require_ensemble_format(const std::vector<const RouteFormat*>& formats) {
  for (const RouteFormat* format : formats) {
    if (format->holds_ensemble) return;
  }
  std::string names;
  for (const RouteFormat& format : route_formats()) {
    if (format.holds_ensemble) names += (names.empty() ? "" : ", ") + std::string(format.name);
  }
  throw input_error(errors::format_without_flights, formats.front()->name, names);
}

/// Paths of the formats' files, in the same order.
std::vector<fs::path> paths_of(const std::vector<const RouteFormat*>& formats,
                               const ExportRequest& request) {
  if (!writes_into_folder(request)) return {request.out};
  std::vector<fs::path> paths;
  for (const RouteFormat* format : formats) {
    paths.push_back(request.out / default_file_name(*format, request.route.name, request.options));
  }
  return paths;
}

/// The file of parameters that goes with a route's file, for formats that need one.
fs::path parameters_of(const fs::path& route) {
  fs::path path = route;
  path += ".param";
  return path;
}

/// Refuses output files that must not be replaced. A folder that does not exist yet contains none.
void validate_paths(const FlownRun& run, const ExportRequest& request,
                    const std::vector<const RouteFormat*>& formats,
                    const std::vector<fs::path>& paths) {
  if (writes_into_folder(request) && !is_folder(request.out)) return;
  Outputs outputs(request.overwrite);
  outputs.add_run_inputs(run.folder() / "policy.h5", run.run().request);
  outputs.add_input(run.policy_file());
  for (std::size_t n = 0; n < formats.size(); ++n) {
    outputs.add_output("--out", paths[n],
                       text_kind(fmt::format("route ({})", formats[n]->name), formats[n]->marks));
    if (formats[n]->parameters == nullptr) continue;
    outputs.add_output("--out", parameters_of(paths[n]),
                       text_kind("parameter file", {"WP_RADIUS"}));
  }
  outputs.validate();
}

/// Makes the files of the formats, which must be able to hold the routes.
RouteFiles make_files(const FlownRun& run, const ExportRequest& request,
                      const std::vector<const RouteFormat*>& formats,
                      const std::vector<fs::path>& paths, Progress& progress) {
  RoutesOfRun routes(run, request.route, progress);
  RouteReport remarks;
  RouteFiles made_files;
  for (std::size_t n = 0; n < formats.size(); ++n) {
    const RouteFormat* format = formats[n];
    const Route& route = routes.route_for(*format);
    remarks.add(*format, route);
    FormatOptions options = request.options;
    options.file_name = paths[n].stem().string();
    made_files.files.push_back({paths[n], write_route(*format, route, options)});
    if (format->parameters != nullptr) {
      made_files.files.push_back({parameters_of(paths[n]), format->parameters(route)});
    }
    for (const std::string& warning : format_warnings(*format, route, options)) {
      made_files.warnings.push_back(warning);
    }
  }
  remarks.add_to(made_files);
  return made_files;
}

}  // namespace

std::vector<std::string> possible_formats(const EnvironmentInfo& info,
                                          const std::vector<std::string>& formats) {
  std::vector<std::string> possible;
  for (const std::string& name : formats) {
    const bool is_possible =
        format_obstacle(route_format(name), info, frame_of_formats(info)).empty();
    if (is_possible) possible.push_back(name);
  }
  return possible;
}

RouteFiles make_route_files(const FlownRun& run, const std::vector<std::string>& formats,
                            Progress& progress) {
  ExportRequest request;
  request.route.name = name_of_folder(run.folder());
  request.options.frame = frame_of_formats(run.info());
  std::vector<const RouteFormat*> possible;
  std::vector<fs::path> paths;
  for (const std::string& name : possible_formats(run.info(), formats)) {
    const RouteFormat& format = route_format(name);
    possible.push_back(&format);
    paths.emplace_back(default_file_name(format, request.route.name, request.options));
  }
  return make_files(run, request, possible, paths, progress);
}

ExportReport export_run(const FlownRun& run, const ExportRequest& original, FileSet& files,
                        Progress& progress) {
  ExportRequest request = original;
  if (request.route.name.empty()) request.route.name = name_of_folder(run.folder());
  const auto formats = find_route_formats(request);
  for (const RouteFormat* format : formats) {
    const std::string obstacle = format_obstacle(*format, run.info(), request.options.frame);
    if (!obstacle.empty())
      throw input_error(errors::route_format_not_possible, format->name, obstacle);
  }
  if (request.route.tracks == RouteTracks::ensemble) require_ensemble_format(formats);
  const std::vector<fs::path> paths = paths_of(formats, request);
  validate_paths(run, request, formats, paths);
  const RouteFiles route_files = make_files(run, request, formats, paths, progress);
  if (writes_into_folder(request)) files.make_folder(request.out);
  ExportReport report{route_files.lines, route_files.warnings, {}};
  for (const RouteFile& file : route_files.files) {
    files.add_text(file.path, file.content);
    report.files.push_back(file.path);
  }
  return report;
}

std::vector<std::string> export_finished_run(const fs::path& staging, const fs::path& folder,
                                             const std::vector<std::string>& formats,
                                             std::int32_t threads, Progress& progress) {
  ExportRequest request;
  bool on_board = false;
  for (const std::string& format : formats) {
    if (format == board_format) {
      on_board = true;
    } else if (format != run_format) {
      request.formats.push_back(format);
    }
  }
  if (!on_board && request.formats.empty()) return {};
  std::string_view consequence = "nothing was exported";
  const fs::path export_folder = staging / "export" / "";
  try {
    std::error_code ignored;
    if (fs::exists(folder / "export", ignored)) FileSet().make_folder(folder / "export");
    if (on_board) {
      BoardExport board;
      board.run = staging.string();
      board.out = export_folder;
      FileSet files;
      export_board_policy(board, files);
      files.commit();
      consequence = "no route was exported";
    }
    if (request.formats.empty()) return {};
    const FlownRun run(staging.string(), threads, progress);
    request.out = export_folder;
    request.route.name = folder.filename().string();
    request.options.frame = frame_of_formats(run.info());
    FileSet files;
    std::vector<std::string> warnings = export_run(run, request, files, progress).warnings;
    files.commit();
    for (std::string& warning : warnings) warning.insert(0, "export: ");
    return warnings;
  } catch (const InputError& error) {
    return {fmt::format("{}: {}", consequence, error.text())};
  }
}

}  // namespace tidewise
