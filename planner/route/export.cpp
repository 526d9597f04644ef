#include "planner/route/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "planner/board/export.h"
#include "planner/mission/read/formats.h"
#include "planner/route/route_worth.h"
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

  const Route& of(const RouteFormat& format) {
    RouteRequest request = request_;
    request.least_one_radius = format.least_one_radius;
    request.usual_waypoints = format.usual_waypoints;
    request.keeps_dives = chooses_dives_ && format.says_dives;
    return with(request);
  }

 private:
  /// Requests differ by what the formats' vehicles take alone.
  const Route& with(const RouteRequest& request) {
    for (std::size_t n = 0; n < routes_.size(); ++n) {
      const RouteRequest& known = requests_[n];
      if (known.least_one_radius == request.least_one_radius &&
          known.usual_waypoints == request.usual_waypoints &&
          known.keeps_dives == request.keeps_dives) {
        return routes_[n];
      }
    }
    routes_.push_back(maker_.make(request, progress_));
    requests_.push_back(request);
    return routes_.back();
  }

  RouteMaker maker_;
  bool chooses_dives_;  // the vehicle, among several
  RouteRequest request_;
  Progress& progress_;
  std::deque<Route> routes_;
  std::vector<RouteRequest> requests_;  // of the routes
};

/// What there is to say of the routes. Formats whose routes come to the same say it once; where
/// they do not, each line names those that it is of.
class RouteWords {
 public:
  void add(const RouteFormat& format, const Route& route) {
    Said said{{}, {route.description}, warn_of_worth(route)};
    for (std::string& line : describe_figures_of_worth(route)) said.lines.push_back(line);
    auto same = std::find_if(all_.begin(), all_.end(), [&](const Said& other) {
      return other.lines == said.lines && other.warning == said.warning;
    });
    if (same == all_.end()) same = all_.insert(all_.end(), std::move(said));
    same->formats.emplace_back(format.name);
  }

  void tell(ExportReport& report) const {
    for (const Said& said : all_) {
      const std::string of =
          all_.size() > 1 ? fmt::format("{}: ", fmt::join(said.formats, ", ")) : "";
      for (const std::string& line : said.lines) report.lines.push_back(of + line);
      if (!said.warning.empty()) report.warnings.push_back(of + said.warning);
    }
  }

 private:
  struct Said {
    std::vector<std::string> formats;
    std::vector<std::string> lines;
    std::string warning;
  };
  std::vector<Said> all_;
};

/// A file that is ready.
struct ReadyFile {
  fs::path path;
  std::string content;
};

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Whether files go into it under names of their own.
bool takes_names(const ExportRequest& request) {
  return request.formats.size() > 1 || !request.out.has_filename() || is_folder(request.out);
}

/// Formats are judged before anything is flown.
std::vector<const RouteFormat*> find_route_formats(const ExportRequest& request) {
  std::vector<const RouteFormat*> formats;
  for (const std::string& name : request.formats) {
    const RouteFormat& format = route_format(name);
    if (std::find(formats.begin(), formats.end(), &format) != formats.end()) {
      throw InputError(fmt::format("--format: {} is named twice; name each once", name));
    }
    formats.push_back(&format);
  }
  return formats;
}

void require_room_for_ensemble(const std::vector<const RouteFormat*>& formats) {
  for (const RouteFormat* format : formats) {
    if (format->holds_ensemble) return;
  }
  std::string names;
  for (const RouteFormat& format : route_formats()) {
    if (format.holds_ensemble) names += (names.empty() ? "" : ", ") + std::string(format.name);
  }
  throw InputError(
      fmt::format("--ensemble: {} has no room for flights beside the route; leave it "
                  "out, or add one of {}",
                  formats.front()->name, names));
}

}  // namespace

ExportReport export_run(const FlownRun& run, const ExportRequest& request, FileSet& files,
                        Progress& progress) {
  const auto formats = find_route_formats(request);
  for (const RouteFormat* format : formats) {
    const std::string obstacle = format_obstacle(*format, run.info(), request.options.frame);
    if (!obstacle.empty()) throw InputError(fmt::format("--format {}: {}", format->name, obstacle));
  }
  if (request.route.tracks == RouteTracks::ensemble) require_room_for_ensemble(formats);
  const bool names = takes_names(request);
  if (!names) (void)AtomicFile(request.out);  // refuses what cannot be written
  RoutesOfRun routes(run, request.route, progress);
  ExportReport report;
  RouteWords words;
  std::vector<ReadyFile> ready;
  for (const RouteFormat* format : formats) {
    const Route& route = routes.of(*format);
    words.add(*format, route);
    FormatOptions options = request.options;
    ReadyFile& file = ready.emplace_back();
    file.path = names ? request.out / default_file_name(*format, route, options) : request.out;
    options.file_name = file.path.stem().string();
    file.content = write_route(*format, route, options);
    if (format->parameters != nullptr) {
      fs::path beside = file.path;
      beside += ".param";
      ready.push_back({std::move(beside), format->parameters(route)});
    }
    for (const std::string& warning : format_warnings(*format, route, options)) {
      report.warnings.push_back(warning);
    }
  }
  for (const ReadyFile& file : ready) {
    auto read = files_of_run(run.folder() / "policy.h5", run.run().environment().path());
    read.push_back(run.policy_file());
    refuse_overwriting("--out", file.path, read);
  }
  if (names) files.make_folder(request.out);
  for (const ReadyFile& file : ready) {
    files.add_text(file.path, file.content);
    report.files.push_back(file.path);
  }
  words.tell(report);
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
  std::string_view lost = "nothing was exported";
  const fs::path made = staging / "export" / "";
  try {
    std::error_code ignored;
    if (fs::exists(folder / "export", ignored)) FileSet().make_folder(folder / "export");
    if (on_board) {
      BoardExport board;
      board.run = staging.string();
      board.out = made;
      FileSet files;
      export_board_policy(board, files);
      files.commit();
      lost = "no route was exported";
    }
    if (request.formats.empty()) return {};
    const FlownRun run(staging.string(), threads, progress);
    request.out = made;
    request.route.name = folder.filename().string();
    request.options.frame = frame_of_formats(run.info());
    FileSet files;
    std::vector<std::string> warnings = export_run(run, request, files, progress).warnings;
    files.commit();
    for (std::string& warning : warnings) warning.insert(0, "export: ");
    return warnings;
  } catch (const InputError& error) {
    return {fmt::format("{}: {}", lost, error.what())};
  }
}

}  // namespace tidewise
