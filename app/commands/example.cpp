#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/example/files.h"
#include "app/report/environment.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/file_set.h"
#include "env/tools/double_gyre.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string name;
  std::string out;
};

struct Example {
  std::string_view name;
  std::string_view about;
  std::string_view next;  ///< commands to run in its folder, one per line
};

constexpr std::array examples{
    Example{"washington",
            "a real coast: NOAA's currents off Washington, missions, and synthetic tracks",
            "tidewise env import rtofs_washington_2024.nc --spacing 3km --step 3h "
            "--forecast-error default --out washington.h5\n"
            "tidewise plan washington.toml\n"
            "tidewise view runs/washington\n"
            "tidewise replan runs/washington --track track.csv\n"},
    Example{"norway",
            "currents down to 1000 m off Norway, and a glider that chooses how deep to dive",
            "tidewise env import --u norway_U.nc:uo --v norway_V.nc:vo --step 6h --lagged 1 "
            "--profile surface=at:0 --profile shallow=0:200 --profile deep=0:1000 --out norway.h5\n"
            "tidewise plan norway.toml\n"
            "tidewise view runs/norway\n"
            "tidewise rehearse runs/norway --source norway_U.nc norway_V.nc\n"},
    Example{"double-gyre", "a synthetic forecast without units: two gyres, faster than the vehicle",
            "tidewise plan double_gyre.toml\n"
            "tidewise view runs/double_gyre\n"},
    Example{"ensemble", "a small synthetic ensemble of currents with a wind speed",
            "tidewise env import ensemble.nc --out ensemble.h5\n"
            "tidewise plan ensemble.toml\n"},
    Example{"wind-driven-gyre", "the three published missions in a synthetic ocean",
            "tidewise env wind-driven-gyre --out wind_driven_gyre.h5  # 100 s, 0.8 GB\n"
            "tidewise plan time.toml\n"},
    Example{"onboard",
            "readers of policies in C and Python, and a daemon that answers with actions",
            "cc -std=c11 -O2 policy_daemon.c -o policy_daemon -lm\n"},
};

constexpr std::string_view gyre = "double-gyre";

void list() {
  for (const Example& example : examples) print("{}", report_line(example.name, example.about));
  print("\nlay one down:\n  tidewise example {}\n", examples.front().name);
}

const Example& find(const std::string& name) {
  const auto* match = std::find_if(examples.begin(), examples.end(),
                                   [&](const Example& example) { return example.name == name; });
  if (match != examples.end()) return *match;
  std::string names;
  for (const Example& example : examples) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", example.name);
  }
  throw input_error(errors::example_unknown, name, names);
}

/// A file of an example and its path in the user's folder.
struct PlacedFile {
  fs::path path;
  std::string_view bytes;
};

bool path_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool has_content(const fs::path& path, std::string_view bytes) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) != bytes.size()) {
    return false;
  }
  std::ifstream stream(path, std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(stream), {});
  return content == bytes;
}

[[noreturn]] void refuse_existing(const fs::path& path) {
  throw input_error(errors::example_exists, path.string());
}

/// The files that are missing in `folder`. An earlier call that was killed may have left some of
/// them, unchanged. Errors: InputError if a file has other content, and if none is missing.
std::vector<PlacedFile> missing_files(const Example& example, const fs::path& folder,
                                      const fs::path& environment) {
  const std::string prefix = std::string(example.name) + "/";
  std::vector<PlacedFile> missing;
  fs::path first;
  for (const ExampleFile& file : example_files()) {
    if (!file.name.starts_with(prefix)) continue;
    const fs::path path = folder / file.name.substr(prefix.size());
    if (first.empty()) first = path;
    if (!path_exists(path)) {
      missing.push_back({path, file.bytes});
    } else if (!has_content(path, file.bytes)) {
      refuse_existing(path);
    }
  }
  // The environment gets its name last, so that an example with one is complete.
  if (!environment.empty() && path_exists(environment)) refuse_existing(environment);
  if (environment.empty() && missing.empty()) refuse_existing(first);
  return missing;
}

void write_environment(const fs::path& path, const CommandContext& context) {
  DoubleGyreOptions options;
  options.nx = options.ny = 50;
  options.level_count = 60;
  options.mode_count = 3;
  options.realization_count = 100;
  const auto progress = context.make_progress();
  write_double_gyre(path, options, *progress);
}

void write(const Example& example, const fs::path& folder, const CommandContext& context) {
  const fs::path environment = example.name == gyre ? folder / "double_gyre.h5" : fs::path();
  const std::vector<PlacedFile> missing = missing_files(example, folder, environment);
  FileSet files;
  files.make_folder(folder);
  for (const PlacedFile& file : missing) files.add_text(file.path, std::string(file.bytes));
  if (!environment.empty()) write_environment(files.add(environment).temporary_path(), context);
  files.commit_new();
  for (const PlacedFile& file : missing) print("written {}\n", file.path.string());
  if (!environment.empty()) print("written {}\n", environment.string());
}

void run(const Arguments& arguments, const CommandContext& context) {
  if (arguments.name.empty()) {
    if (!arguments.out.empty()) {
      throw input_error(errors::example_name_missing);
    }
    list();
    return;
  }
  const Example& example = find(arguments.name);
  const fs::path folder = arguments.out.empty() ? fs::path(example.name) : fs::path(arguments.out);
  write(example, folder, context);
  print("\nnext:\n  cd {}\n", shell_word(folder.string()));
  for (std::string_view rest = example.next; !rest.empty();) {
    const auto end = rest.find('\n');
    print("  {}\n", rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

void add_example(Command program, const Context& context) {
  Command command = program.add_command(
      "example", "Copy a sample forecast and mission, and print the next commands",
      "Examples:\n  tidewise example\n  tidewise example washington");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("name", arguments.name, "Name of the example; without it all are listed");
  command.add_option("--out", arguments.out, "The folder; default: the example's name")
      .type_name("DIR");
}

}  // namespace tidewise
