#include "app/forecast/forecast_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>
#include <variant>

#include "app/cli/environment_options.h"
#include "app/error/codes.h"
#include "app/forecast/conversion.h"
#include "app/forecast/mission_text.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/parallel/thread_count.h"
#include "base/printable.h"
#include "env/levels/level_dates.h"
#include "output/view/page.h"
#include "planner/rehearsal/rehearsal.h"
#include "planner/view/read_run.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// output.directory of the command line; nullopt if it is not set.
std::optional<fs::path> folder_of(const std::vector<Setting>& settings) {
  std::optional<fs::path> folder;
  for (const Setting& setting : settings) {
    for (const TomlEntry& entry : parse_setting(setting)) {
      const auto* text = std::get_if<std::string>(&entry.value.content);
      if (entry.key == "output.directory" && text != nullptr) folder = fs::absolute(*text);
    }
  }
  return folder;
}

/// Name of a run's folder, such as "slocum-g3_2024-10-29T0600".
std::string run_name(const MissionAnswers& answers) {
  const bool is_now = answers.depart == "now";
  const std::string depart = is_now ? format_date(current_minute()) : answers.depart;
  std::string name = answers.vehicle + "_" + depart.substr(0, 16);
  std::erase_if(name, [](char letter) { return letter == ':'; });
  for (char& letter : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
                          letter == '_' || letter == '.';
    if (!is_plain) letter = letter == ' ' ? 'T' : '-';
  }
  return name;
}

/// The settings without output.directory, since a run's folder is that of its mission file.
std::vector<Setting> without_folder(std::vector<Setting> settings) {
  std::erase_if(settings, [](const Setting& setting) {
    return setting.assignment.starts_with("output.directory=");
  });
  return settings;
}

}  // namespace

UncommittedFiles::~UncommittedFiles() {
  std::error_code ignored;
  for (const Written& written : written_) {
    fs::remove(written.path, ignored);
    if (!written.earlier.empty()) fs::rename(written.earlier, written.path, ignored);
  }
}

void UncommittedFiles::make_room(const fs::path& file) {
  Written written{file, {}};
  if (fs::exists(file)) {
    written.earlier = file.parent_path() / ("." + file.filename().string() + ".earlier");
    fs::rename(file, written.earlier);
  }
  written_.push_back(std::move(written));
}

void UncommittedFiles::keep() {
  for (const Written& written : written_) {
    if (!written.earlier.empty()) fs::remove(written.earlier);
  }
  written_.clear();
  folders_.keep();
}

ForecastRun::ForecastRun(const MissionAnswers& answers, const std::vector<Setting>& settings,
                         Overwrite overwrite, const CommandContext& context) {
  take_default_threads();
  const bool is_environment = environment_kind().fits(answers.files.front());
  if (const auto other =
          std::find_if_not(answers.files.begin(), answers.files.end(), holds_currents);
      other != answers.files.end()) {
    throw input_error(errors::plan_files_mixed, *other);
  }
  require_answers(answers);
  (void)parse_vehicle(answers.vehicle);  // before the forecast is read
  folder_ = folder_of(settings).value_or(fs::absolute(fs::path("runs") / run_name(answers)));
  const fs::path environment = is_environment
                                   ? fs::absolute(answers.files.front()).lexically_normal()
                                   : folder_ / "environment.h5";
  require_no_run(folder_, overwrite);
  for (const fs::path& file : {mission(), environment}) {
    const bool is_written = file != environment || !is_environment;
    if (overwrite == Overwrite::refused && is_written && fs::exists(file)) {
      throw input_error(errors::init_output_exists, file.string());
    }
  }
  files_.make_folder(folder_);
  Outputs outputs(overwrite);
  outputs.add_inputs({answers.files.begin(), answers.files.end()});
  outputs.add_run_output(folder_);
  if (!is_environment) outputs.add_output("--out", environment, environment_kind());
  outputs.add_output("--out", mission(), text_kind("mission (TOML)", {"[mission]"}));
  outputs.validate();
  MissionAnswers file_answers = answers;
  if (!is_environment) {
    files_.make_room(environment);
    const auto progress = context.make_progress();
    ConvertedForecast converted = convert_forecast(answers, environment, *progress);
    file_answers = std::move(converted.answers);
    history_ = std::move(converted.history);
    sources_.assign(answers.files.begin(), answers.files.end());
    if (context.verbosity != Verbosity::quiet)
      fmt::print(stderr, "converted: {}\n", converted.line);
    if (!converted.caveat.empty()) context.warn(converted.caveat);
  }
  const EnvironmentReader reader(environment);
  files_.make_room(mission());
  const std::string environment_name = is_environment ? environment.string() : "environment.h5";
  write_text_file(mission(), with_settings(mission_text(file_answers, reader, environment_name),
                                           without_folder(settings)));
}

void ForecastRun::finish(const std::optional<ingest::ImportOptions>& import,
                         const CommandContext& context) {
  files_.keep();
  const std::string simulated = sources_.empty() ? "" : simulate(import, context);
  write_page(context);
  const fs::path page = (folder_ / "view.html").lexically_proximate(fs::current_path());
  print("{}Page: {}.\n", simulated, page.string());
}

std::string ForecastRun::simulate(const std::optional<ingest::ImportOptions>& import,
                                  const CommandContext& context) const {
  RehearsalRequest request;
  request.run = folder_.string();
  request.source = sources_;
  request.import = import;
  const auto progress = context.make_progress();
  Rehearsal rehearsal;
  try {
    rehearsal = rehearse(request, *progress);
  } catch (const InputError& error) {
    context.warn(fmt::format("not simulated through the forecast's own files: {}", error.text()));
    return "";
  }
  write_text_file(folder_ / "rehearsal.geojson", rehearsal_map(rehearsal));
  for (const std::string& warning : rehearsal.warnings) context.warn(on_one_line(warning));
  const auto arrived = std::ranges::count_if(rehearsal.members, arrives);
  const std::size_t count = rehearsal.members.size();
  const std::string outcome =
      count == 1 ? (arrived == 1 ? "the vehicle arrives" : "the vehicle does not arrive")
                 : fmt::format("{} of {} arrive", arrived, count);
  return fmt::format("In the forecast's own files {}{}. ", outcome,
                     arrived > 0 ? fmt::format(" after {:.0f} h", rehearsal.rehearsed.time / 3600)
                                 : std::string());
}

void ForecastRun::write_page(const CommandContext& context) const {
  std::vector<std::string> warnings;
  const auto progress = context.make_progress();
  std::vector<RunView> views;
  views.push_back(
      read_run_view(open_run_to_view(folder_.string()), std::nullopt, warnings, *progress));
  write_text_file(folder_ / "view.html", make_view_page(std::move(views)));
  for (const std::string& line : warnings) context.warn(line);
}

}  // namespace tidewise
