#include <fmt/core.h>

#include <cmath>

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/cli/number_list.h"
#include "app/commands/commands.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "env/tools/cut.h"
#include "env/units/calendar_time.h"

namespace tidewise {
namespace {

/// What was typed; numbers stay text until they are judged.
struct Arguments {
  std::string file;
  std::string out;
  Overwrite overwrite = Overwrite::refused;
  std::string x;
  std::string y;
  std::string box;
  std::string levels;
  std::string time;
  std::string from;
  std::string to;
  std::vector<std::string> names;
};

CutRequest::Bounds parse_bounds(const std::string& option, const std::string& text,
                                const std::string& example) {
  const auto numbers = parse_number_list(option, text, 2, example);
  return {numbers[0], numbers[1]};
}

std::array<std::int32_t, 2> parse_levels(const std::string& text) {
  const auto [first, last] = parse_bounds("--levels", text, "0,20");
  if (first != std::floor(first) || last != std::floor(last) || std::abs(first) > 1e9 ||
      std::abs(last) > 1e9) {
    throw InputError(
        fmt::format("--levels is \"{}\"; levels are whole numbers, e.g. --levels 0,20", text));
  }
  return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)};
}

CutRequest validated(const Arguments& arguments) {
  CutRequest request;
  if (!arguments.x.empty()) request.x = parse_bounds("--x", arguments.x, "20,60");
  if (!arguments.y.empty()) request.y = parse_bounds("--y", arguments.y, "20,60");
  if (!arguments.box.empty()) request.box = parse_bounding_box("--bbox", arguments.box);
  if (!arguments.levels.empty()) request.levels = parse_levels(arguments.levels);
  if (!arguments.time.empty()) request.time = parse_bounds("--time", arguments.time, "0,86400");
  if (!arguments.from.empty()) request.from = parse_iso_time(arguments.from);
  if (!arguments.to.empty()) request.to = parse_iso_time(arguments.to);
  if (request.x || request.y || request.box || request.levels || request.time || request.from ||
      request.to) {
    return request;
  }
  throw InputError(
      "env split: nothing says what to cut out; give a box (--x, --y, --bbox) or a window of time "
      "(--levels, --time, --from, --to)");
}

void run(const Arguments& arguments, const CommandContext& context) {
  const CutRequest request = validated(arguments);
  validate_environment_output(arguments.out, arguments.overwrite, {arguments.file});
  const EnvironmentReader reader(arguments.file, parse_names(arguments.names));
  const CutWindow window = choose_window(reader, request);
  const auto progress = context.make_progress();
  write_cut(reader, window, {arguments.out, context.command_line}, *progress);
  if (context.verbosity == Verbosity::quiet) return;
  const EnvironmentInfo& info = reader.info();
  const auto& [columns, rows, levels] = window;
  print("{}\n", arguments.out);
  print("  columns {} to {} of {}, rows {} to {} of {}: {} × {} cells\n", columns.first,
        columns.last, info.grid.nx, rows.first, rows.last, info.grid.ny, columns.count(),
        rows.count());
  print("  levels {} to {} of {}: {:.10g} to {:.10g} [{}]\n", levels.first, levels.last,
        info.time.level_count, info.time.at(TimeLevel(levels.first)),
        info.time.at(TimeLevel(levels.last)), info.time_units);
}

}  // namespace

void add_env_split(Command env, const Context& context) {
  Command command = env.add_command(
      "split", "Cut a box or a window of time out of an environment",
      "Examples:\n  tidewise env split double_gyre.h5 --out morning.h5 --levels 0,40\n"
      "  tidewise env split washington.h5 --out strait.h5 --bbox -125.5,48,-124,48.8 --from "
      "2024-10-29T00:00");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("file", arguments.file, "The environment file").required();
  command.add_option("--out", arguments.out, "The environment file to write").required();
  add_overwrite_flag(command, arguments.overwrite);
  command.add_option("--x", arguments.x, "Cells whose centre lies between, in the file's units")
      .type_name("MIN,MAX");
  command.add_option("--y", arguments.y, "The same northwards").type_name("MIN,MAX");
  command
      .add_option("--bbox,--lonlat-box", arguments.box,
                  "West,south,east,north [degrees]: the rectangle of cells that holds every centre "
                  "in it")
      .type_name("W,S,E,N");
  const Option levels =
      command.add_option("--levels", arguments.levels, "First and last time level")
          .type_name("FIRST,LAST");
  const Option time =
      command.add_option("--time", arguments.time, "Times between, in the file's units")
          .type_name("FROM,TO")
          .excludes(levels);
  command.add_option("--from", arguments.from, "First time, e.g. 2024-10-29T00:00 (UTC)")
      .excludes(levels)
      .excludes(time);
  command.add_option("--to", arguments.to, "Last time").excludes(levels).excludes(time);
  add_names_option(command, arguments.names);
}

}  // namespace tidewise
