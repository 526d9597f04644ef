#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/context.h"
#include "app/forecast/mission_answers.h"
#include "base/file/made_folders.h"
#include "env/import/import_forecast.h"
#include "planner/mission/read/toml_document.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// A folder, and files in it, that are removed again unless keep() is called; files that they
/// replaced then come back.
class FilesOfRun {
 public:
  FilesOfRun() = default;
  FilesOfRun(const FilesOfRun&) = delete;
  FilesOfRun& operator=(const FilesOfRun&) = delete;
  ~FilesOfRun();

  /// Makes it, and those above it, where it is missing. Errors: InputError.
  void make_folder(const std::filesystem::path& folder) { folders_.make(folder); }
  /// Puts an earlier file aside.
  void make_room(const std::filesystem::path& file);
  void keep();

 private:
  struct Written {
    std::filesystem::path path;
    std::filesystem::path earlier;  // empty: there was none
  };

  MadeFolders folders_;  // removed after the files
  std::vector<Written> written_;
};

/// A run in a folder that holds its mission.toml and, for a forecast, the converted environment.
/// Unless finish() is called, files that the constructor wrote are removed, and files that it
/// replaced are restored.
class ForecastRun {
 public:
  /// Converts the forecast of `answers`, prints one line on that to standard error, and writes the
  /// mission with `settings`. The folder is that of output.directory among them, else
  /// runs/VEHICLE_TIME. Errors: InputError for answers, files and folders.
  ForecastRun(const MissionAnswers& answers, const std::vector<Setting>& settings,
              Overwrite overwrite, const CommandContext& context);
  ForecastRun(const ForecastRun&) = delete;
  ForecastRun& operator=(const ForecastRun&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path mission() const { return folder_ / "mission.toml"; }

  /// Keeps the files of a run that was planned, simulates it through the forecast's own files where
  /// these are not too large (rehearsal.geojson), and writes the page (view.html). `import`: that
  /// of history().
  void finish(const std::optional<ingest::ImportOptions>& import, const CommandContext& context);
  /// History of the environment; empty if it was not converted here.
  const std::string& history() const { return history_; }

 private:
  /// A sentence on what came of it; empty with a warning where it cannot be done.
  std::string simulate(const std::optional<ingest::ImportOptions>& import,
                       const CommandContext& context) const;
  void write_page(const CommandContext& context) const;

  std::filesystem::path folder_;
  FilesOfRun files_;
  std::vector<std::filesystem::path> sources_;  // files of a forecast
  std::string history_;
};

}  // namespace tidewise
