#include "planner/route/export.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/common_options.h"
#include "app/cli/number_list.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/file_set.h"
#include "base/parse_number.h"
#include "env/units/quantity.h"
#include "planner/board/export.h"
#include "planner/mission/read/formats.h"
#include "planner/mission/read/time_values.h"
#include "planner/run/path.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string run;
  std::vector<std::string> formats;
  std::string out;
  std::string route = "median";
  std::optional<std::int32_t> ensemble;
  std::optional<std::int32_t> waypoints;
  std::optional<double> tolerance;
  std::optional<double> capture_radius;
  bool plane = false;
  bool force = false;
  std::string moos_origin;
  std::string moos_geodesy;
  std::optional<std::int32_t> threads;
  // Options of the policy on board; `value` also exports values.
  bool value = false;
  std::string box, from, to;
  Overwrite overwrite = Overwrite::refused;
};

/// Names of all formats and the programs that read them, for --help.
std::string list_formats() {
  std::string text = "Formats:\n";
  for (const RouteFormat& format : route_formats()) {
    text += fmt::format("  {:10} {}\n", format.name, format.readers);
  }
  text += fmt::format("  {:10} {}\n", board_format,
                      "the policy itself, for include/tidewise_policy.h on board of a vehicle");
  return text;
}

void choose_route(const std::string& text, RouteRequest& request) {
  if (text == "median") {
    request.choice = RouteChoice::median;
  } else if (text == "nominal") {
    request.choice = RouteChoice::nominal;
  } else {
    constexpr std::string_view word = "realization ";
    const std::string_view number =
        text.starts_with(word) ? std::string_view(text).substr(word.size()) : text;
    const auto realization = parse_number<std::int32_t>(number);
    if (!realization || *realization < 0) {
      throw input_error(errors::route_invalid, text);
    }
    request.choice = RouteChoice::realization;
    request.realization = *realization;
  }
}

void require_at_least(const char* option, std::optional<std::int32_t> number, std::int32_t min,
                      const char* explanation) {
  if (!number || *number >= min) return;
  throw input_error(errors::count_too_small, option, *number, min,
                    fmt::format(": {}", explanation));
}

void require_length(const char* option, std::optional<double> length, bool allows_zero) {
  if (!length) return;
  const bool valid = std::isfinite(*length) && (allows_zero ? *length >= 0 : *length > 0);
  if (valid) return;
  throw input_error(errors::export_length_invalid, option, *length,
                    allows_zero ? "of 0 or more" : "above 0");
}

MoosGeodesy parse_moos_geodesy(const std::string& text) {
  if (text == "utm") return MoosGeodesy::utm;
  if (text == "grid") return MoosGeodesy::grid;
  throw input_error(errors::moos_geodesy_invalid, text);
}

/// The number N of a file goto_lN.ma; nullopt for other names.
std::optional<std::int32_t> slocum_list(const fs::path& file) {
  constexpr std::string_view before = "goto_l";
  const std::string name = file.filename().string();
  if (!name.starts_with(before) || file.extension() != ".ma") return {};
  return parse_number<std::int32_t>(std::string_view(name).substr(
      before.size(), name.size() - before.size() - std::string_view(".ma").size()));
}

ExportRequest request_of(const Arguments& arguments) {
  require_at_least("--waypoints", arguments.waypoints, 1,
                   "waypoints include the target, but not the start");
  require_at_least("--ensemble", arguments.ensemble, 1,
                   "the number of flights to write with the route");
  require_at_least("--threads", arguments.threads, 1, "the number of CPU threads");
  require_length("--tolerance", arguments.tolerance, true);
  require_length("--capture-radius", arguments.capture_radius, false);
  ExportRequest request;
  request.formats = arguments.formats;
  request.out = arguments.out.empty() ? fs::path() : fs::path(arguments.out);
  request.overwrite = arguments.overwrite;
  choose_route(arguments.route, request.route);
  if (arguments.ensemble) {
    request.route.tracks = RouteTracks::ensemble;
    request.route.max_tracks = *arguments.ensemble;
  }
  request.route.waypoints = arguments.waypoints;
  request.route.tolerance = arguments.tolerance;
  request.route.capture_radius = arguments.capture_radius;
  if (arguments.plane) request.options.frame = RouteFrame::plane;
  if (const auto list = slocum_list(request.out)) request.options.list = *list;
  request.options.any_number = arguments.force;
  if (!arguments.moos_origin.empty()) {
    const auto origin =
        parse_number_list("--moos-origin", arguments.moos_origin, 2, "-124.95,48.45");
    if (std::abs(origin[0]) > 360 || std::abs(origin[1]) > 90) {
      throw input_error(errors::moos_origin_invalid, arguments.moos_origin);
    }
    request.options.moos_origin = {origin[0], origin[1]};
  }
  if (!arguments.moos_geodesy.empty()) {
    request.options.moos_geodesy = parse_moos_geodesy(arguments.moos_geodesy);
  }
  return request;
}

/// Parses a level or a date into `level` or `date`; an empty text changes nothing.
void take_moment(const std::string& option, const std::string& text,
                 std::optional<std::int32_t>& level, std::optional<double>& date) {
  if (text.empty()) return;
  const Moment moment = parse_moment(option, text);
  date = moment.date;
  if (!date) level = static_cast<std::int32_t>(moment.level);
}

CutRequest part_of(const Arguments& arguments) {
  CutRequest part;
  if (!arguments.box.empty() && arguments.plane) {
    const auto sides = parse_number_list("--bbox", arguments.box, 4, "40,20,80,60");
    part.x = {sides[0], sides[2]};
    part.y = {sides[1], sides[3]};
  } else if (!arguments.box.empty()) {
    part.box = parse_bounding_box("--bbox", arguments.box);
  }
  take_moment("--from", arguments.from, part.first, part.from);
  take_moment("--to", arguments.to, part.last, part.to);
  return part;
}

/// RUN/export/, with the '/' that marks a folder.
fs::path default_folder(const std::string& run) {
  return fs::absolute(policy_path(run)).parent_path() / "export" / "";
}

bool has_route_options(const Arguments& arguments) {
  return arguments.route != "median" || arguments.ensemble || arguments.waypoints ||
         arguments.tolerance || arguments.capture_radius ||
         (arguments.plane && arguments.box.empty()) || arguments.force ||
         !arguments.moos_origin.empty() || !arguments.moos_geodesy.empty();
}

/// Report of both kinds of exports.
struct Exported {
  std::vector<std::string> warnings;
  std::vector<std::string> lines;
  std::vector<fs::path> files;

  template <class Report>
  void add(const Report& report) {
    warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
    lines.insert(lines.end(), report.lines.begin(), report.lines.end());
    files.insert(files.end(), report.files.begin(), report.files.end());
  }
};

BoardExportReport export_on_board(const Arguments& arguments, bool into_folder, FileSet& files) {
  BoardExport board;
  board.run = arguments.run;
  board.out = arguments.out.empty() ? default_folder(arguments.run) : fs::path(arguments.out);
  if (into_folder) board.out /= "";
  board.values = arguments.value ? BoardValues::included : BoardValues::left_out;
  board.part = part_of(arguments);
  board.overwrite = arguments.overwrite;
  return export_board_policy(board, files);
}

ExportReport export_routes(const Arguments& arguments, const ExportRequest& requested,
                           FileSet& files, const CommandContext& context) {
  ExportRequest request = requested;
  const auto progress = context.make_progress();
  const FlownRun flown(arguments.run, arguments.threads, *progress);
  for (const auto& warning : flown.warnings()) context.warn(warning);
  if (arguments.out.empty()) request.out = flown.folder() / "export" / "";
  return export_run(flown, request, files, *progress);
}

void run(const Arguments& arguments, const CommandContext& context) {
  Arguments routes = arguments;
  const auto policy_formats = std::erase(routes.formats, std::string(board_format));
  if (policy_formats == 0 && (arguments.value || asks_for_a_part(part_of(arguments)))) {
    throw input_error(errors::policy_options_without_policy);
  }
  if (routes.formats.empty() && has_route_options(arguments)) {
    throw input_error(errors::route_options_without_route);
  }
  if (policy_formats > 1) throw input_error(errors::policy_format_twice);
  for (const std::string& name : routes.formats) (void)route_format(name);
  if (policy_formats > 0 && !routes.formats.empty() && !routes.out.empty()) {
    routes.out = (fs::path(routes.out) / "").string();
  }
  const ExportRequest request = request_of(routes);
  FileSet files;
  Exported exported;
  // Routes come first: they are in memory, so that a refusal or an interruption leaves no files.
  if (!routes.formats.empty()) exported.add(export_routes(routes, request, files, context));
  if (policy_formats > 0) exported.add(export_on_board(arguments, !routes.formats.empty(), files));
  files.commit();
  for (const auto& warning : exported.warnings) context.warn(warning);
  for (const std::string& line : exported.lines) print("{}\n", line);
  for (const fs::path& file : exported.files) print("written {}\n", file.string());
}

}  // namespace

void add_export(Command program, const Context& context) {
  Command command = program.add_command(
      "export",
      "Export a route of a run for vehicles, charts and maps, with its cost compared with the "
      "policy",
      list_formats() +
          "Examples:\n  tidewise export runs/washington --format gpx,kml --ensemble 100\n"
          "  tidewise export runs/washington --format slocum --out goto_l12.ma\n"
          "  tidewise export runs/double_gyre_time --format csv --plane --waypoints 6\n"
          "  tidewise export runs/washington --format policy --value --from 2024-10-29T00:00 --to "
          "2024-10-30T00:00");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run, or of a rollout").required();
  command.add_option("--format", arguments.formats, "One or more of those below")
      .required()
      .comma_separated()
      .type_name("F[,F…]");
  command
      .add_option("--out", arguments.out,
                  "The file (of one format; slocum: goto_lN.ma sets the number of the list, "
                  "default 10), or the folder; default: RUN/export")
      .type_name("PATH");
  command
      .add_option("--route", arguments.route,
                  "The flight of the waypoints: median (by arrival), nominal (through the mean "
                  "flow), or a realization's number")
      .type_name("median|nominal|R")
      .show_default();
  command
      .add_option("--ensemble", arguments.ensemble,
                  "Also write this number of flights, evenly chosen, in formats that hold tracks")
      .type_name("N");
  command
      .add_option("--waypoints", arguments.waypoints,
                  "Maximum number of waypoints, including the target")
      .type_name("N");
  command
      .add_option("--tolerance", arguments.tolerance,
                  "Maximum distance of the flight from the legs, in the environment's unit; "
                  "default: half a cell")
      .type_name("LENGTH");
  command
      .add_option("--capture-radius", arguments.capture_radius,
                  "Distance at which a waypoint counts as reached; default: the best one for the "
                  "flights, from half a cell up")
      .type_name("LENGTH");
  command.add_flag("--plane", arguments.plane,
                   "Use x and y of the environment instead of degrees (csv, geojson, --bbox)");
  command.add_flag("--force", arguments.force,
                   "Allow more waypoints than the vehicle's documented limit");
  command
      .add_option("--moos-origin", arguments.moos_origin,
                  "moos: origin of the community; default: the start")
      .type_name("LON,LAT");
  command
      .add_option("--moos-geodesy", arguments.moos_geodesy,
                  "moos: coordinates in UTM, or on the local grid of a MOOS-IvP built without UTM")
      .type_name("utm|grid")
      .show_default("utm");
  command.add_flag("--value", arguments.value,
                   "policy: include values, with which a vehicle can monitor its progress");
  command
      .add_option("--bbox", arguments.box,
                  "policy: include only the cells whose centres lie in this box, in degrees or "
                  "with --plane in x and y")
      .type_name("W,S,E,N");
  command
      .add_option("--from", arguments.from,
                  "policy: first time, a level or a date, e.g. 2024-10-29T00:00 (UTC)")
      .type_name("K|DATE");
  command.add_option("--to", arguments.to, "policy: last time").type_name("K|DATE");
  command.add_option("--threads", arguments.threads, "CPU threads; default: all cores")
      .type_name("N");
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise
