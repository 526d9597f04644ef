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

/// New files and their folders. Unless keep() is called, the destructor removes them and restores
/// the files that they replaced.
class UncommittedFiles {
 public:
  UncommittedFiles() = default;
  UncommittedFiles(const UncommittedFiles&) = delete;
  UncommittedFiles& operator=(const UncommittedFiles&) = delete;
  ~UncommittedFiles();

  /// Creates the missing folders of a path. Errors: InputError.
  void make_folder(const std::filesystem::path& folder) { folders_.make(folder); }
  /// Registers a new file and moves an earlier one aside.
  void make_room(const std::filesystem::path& file);
  /// Keeps the new files and deletes those that they replaced.
  void keep();

 private:
  struct Written {
    std::filesystem::path path;
    std::filesystem::path earlier;  // empty: no earlier file
  };

  MadeFolders folders_;  // removed after the files
  std::vector<Written> written_;
};

/// A run in a folder that holds its mission.toml and, for a forecast, the converted environment.
/// Unless finish() is called, files that the constructor wrote are removed, and files that it
/// replaced are restored.
class ForecastRun {
 public:
  /// Converts the forecast of `answers`, prints one line about it to standard error, and writes the
  /// mission with `settings`. The folder is their output.directory, else runs/VEHICLE_TIME. Errors:
  /// InputError for invalid answers, files and folders.
  ForecastRun(const MissionAnswers& answers, const std::vector<Setting>& settings,
              Overwrite overwrite, const CommandContext& context);
  ForecastRun(const ForecastRun&) = delete;
  ForecastRun& operator=(const ForecastRun&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path mission() const { return folder_ / "mission.toml"; }

  /// Keeps the files of a run that was planned, simulates it through the forecast's own files if
  /// these are not too large (rehearsal.geojson), and writes the page (view.html). `import`: the
  /// options that history() records.
  void finish(const std::optional<ingest::ImportOptions>& import, const CommandContext& context);
  /// History of the environment; empty if it was not converted here.
  const std::string& history() const { return history_; }

 private:
  /// Simulates the run through the forecast's own files. Returns a sentence on the result, or warns
  /// and returns "" if that is impossible.
  std::string simulate(const std::optional<ingest::ImportOptions>& import,
                       const CommandContext& context) const;
  void write_page(const CommandContext& context) const;

  std::filesystem::path folder_;
  UncommittedFiles files_;
  std::vector<std::filesystem::path> sources_;  // files of a forecast
  std::string history_;
};

}  // namespace tidewise
