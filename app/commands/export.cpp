#include "planner/route/export.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/number_list.h"
#include "app/cli/terminal.h"
#include "app/commands/commands.h"
#include "base/error.h"
#include "base/parse_number.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string run;
  std::vector<std::string> formats;
  std::string out;
  std::string route = "median";
  bool ensemble = false;
  std::optional<std::int32_t> most;
  std::optional<std::int32_t> waypoints;
  std::optional<double> tolerance;
  std::optional<double> capture_radius;
  bool plane = false;
  std::optional<std::int32_t> list;
  bool force = false;
  std::string moos_origin;
  std::optional<std::int32_t> threads;
};

/// Names of all formats and who reads them, for --help.
std::string list_formats() {
  std::string text = "Formats:\n";
  for (const RouteFormat& format : route_formats()) {
    text += fmt::format("  {:10} {}\n", format.name, format.readers);
  }
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
      throw InputError(fmt::format(
          "--route is \"{}\"; it must be median, nominal, or a realization's number, e.g. 17",
          text));
    }
    request.choice = RouteChoice::realization;
    request.realization = *realization;
  }
}

void require_least(const char* option, std::optional<std::int32_t> number, std::int32_t least,
                   const char* what) {
  if (!number || *number >= least) return;
  throw InputError(
      fmt::format("{} is {}; it must be {} or more: {}", option, *number, least, what));
}

void require_length(const char* option, std::optional<double> length, bool zero_is_one) {
  if (!length) return;
  const bool right = std::isfinite(*length) && (zero_is_one ? *length >= 0 : *length > 0);
  if (right) return;
  throw InputError(fmt::format("{} is {}; it must be a length {}, in the environment's unit",
                               option, *length, zero_is_one ? "of 0 or more" : "above 0"));
}

ExportRequest request_of(const Arguments& arguments) {
  require_least("--waypoints", arguments.waypoints, 1, "the target is one, the start is none");
  require_least("--most", arguments.most, 1, "flights to write beside the route");
  require_least("--threads", arguments.threads, 1, "threads of the processor");
  require_length("--tolerance", arguments.tolerance, true);
  require_length("--capture-radius", arguments.capture_radius, false);
  if (arguments.most && !arguments.ensemble) {
    throw InputError(
        "--most: says how many flights of an ensemble; add --ensemble, or leave it out");
  }
  ExportRequest request;
  request.formats = arguments.formats;
  request.out = arguments.out.empty() ? fs::path() : fs::path(arguments.out);
  choose_route(arguments.route, request.route);
  if (arguments.ensemble) request.route.tracks = RouteTracks::ensemble;
  if (arguments.most) request.route.most_tracks = *arguments.most;
  request.route.waypoints = arguments.waypoints;
  request.route.tolerance = arguments.tolerance;
  request.route.capture_radius = arguments.capture_radius;
  if (arguments.plane) request.options.frame = RouteFrame::plane;
  if (arguments.list) request.options.list = *arguments.list;
  request.options.any_number = arguments.force;
  if (!arguments.moos_origin.empty()) {
    const auto origin =
        parse_number_list("--moos-origin", arguments.moos_origin, 2, "-124.95,48.45");
    if (std::abs(origin[0]) > 360 || std::abs(origin[1]) > 90) {
      throw InputError(
          fmt::format("--moos-origin is {}; it must be LON,LAT in degrees east and north",
                      arguments.moos_origin));
    }
    request.options.moos_origin = {origin[0], origin[1]};
  }
  return request;
}

void run(const Arguments& arguments, const CommandContext& context) {
  ExportRequest request = request_of(arguments);
  for (const std::string& name : request.formats) (void)route_format(name);
  const auto progress = context.make_progress();
  const FlownRun flown(arguments.run, arguments.threads, *progress);
  for (const auto& warning : flown.warnings()) context.warn(warning);
  if (arguments.out.empty()) request.out = flown.folder() / "export" / "";
  const ExportReport report = export_run(flown, request, *progress);
  for (const auto& warning : report.warnings) context.warn(warning);
  for (const std::string& line : report.lines) print("{}\n", line);
  for (const fs::path& file : report.files) print("written {}\n", file.string());
}

}  // namespace

void add_export(Command program, const Context& context) {
  Command command = program.add_command(
      "export",
      "Write a route of a run for vehicles, charts and maps, and say what following it costs "
      "beside "
      "the policy",
      list_formats() +
          "Examples:\n  tidewise export runs/washington --format gpx,kml --ensemble\n"
          "  tidewise export runs/washington --format slocum --list 12\n"
          "  tidewise export runs/double_gyre_time --format csv --plane --waypoints 6");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run, or of a rollout").required();
  command.add_option("--format", arguments.formats, "One or more of those below")
      .required()
      .comma_separated()
      .type_name("F[,F…]");
  command
      .add_option("--out", arguments.out,
                  "The file (of one format), or the folder; RUN/export if not given")
      .type_name("PATH");
  command
      .add_option("--route", arguments.route,
                  "The flight that the waypoints are of: median (by arrival), nominal (through the "
                  "mean flow), or a realization's number")
      .type_name("median|nominal|R")
      .show_default();
  command.add_flag("--ensemble", arguments.ensemble,
                   "Also write the flights through all realizations, in formats that can");
  command.add_option("--most", arguments.most, "Flights of --ensemble at most, evenly chosen")
      .type_name("N")
      .show_default("400");
  command
      .add_option("--waypoints", arguments.waypoints,
                  "Waypoints to go to at most, the target one of them")
      .type_name("N");
  command
      .add_option("--tolerance", arguments.tolerance,
                  "How far the flight may lie off the legs, in the environment's unit; half a cell "
                  "if nothing is said")
      .type_name("LENGTH");
  command
      .add_option("--capture-radius", arguments.capture_radius,
                  "How near a waypoint counts as reached; if not given, what the flights do best "
                  "with, from half a cell up")
      .type_name("LENGTH");
  command.add_flag("--plane", arguments.plane,
                   "x and y of the environment in place of degrees (csv, geojson)");
  command.add_option("--list", arguments.list, "slocum: the N of goto_l<N>.ma")
      .type_name("N")
      .show_default("10");
  command.add_flag("--force", arguments.force,
                   "More waypoints than the vehicle's list is said to take");
  command
      .add_option("--moos-origin", arguments.moos_origin,
                  "moos: the origin of the community; the start if not given")
      .type_name("LON,LAT");
  command.add_option("--threads", arguments.threads, "Threads of the processor; all if not given")
      .type_name("N");
}

}  // namespace tidewise
