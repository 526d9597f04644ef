#include "app/batch/resumption.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/batch/file/mission_identity.h"
#include "base/error.h"
#include "output/run/summary.h"
#include "planner/folder/run_folder.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

/// A finished run of a batch.
struct FoundRun {
  std::string directory;
  Json summary;
};

/// Runs by the identity of their missions, as text. A mission that ran again in another folder has
/// several.
using FoundRuns = std::multimap<std::string, FoundRun>;

/// The summary of a folder that a batch made; null if there is none that can be read.
Json summary_in(const fs::path& folder) try {
  Json summary = read_summary(folder);
  const bool whole = summary.is_object() && summary.contains("batch") &&
                     summary["batch"].is_object() && summary["batch"].contains("identity") &&
                     summary["batch"].contains("environment");
  return whole ? summary : Json(nullptr);
} catch (const InputError&) {
  return nullptr;
}

/// The file that a run lacks; empty if it has all of them.
std::string missing_file(const fs::path& folder, const Json& summary, PolicyFiles policies) {
  const bool flown = summary.contains("rollout") && !summary["rollout"].is_null();
  for (const auto& [name, needed] : {std::pair("policy.h5", policies == PolicyFiles::all),
                                     std::pair("trajectories.nc", flown)}) {
    std::error_code ignored;
    if (needed && !fs::exists(folder / name, ignored)) return name;
  }
  return "";
}

/// True if a run used the mission's environment as it is now.
bool used_this_environment(const Json& summary, const BatchMission& mission) {
  const Json environment = environment_identity(mission.request.environment);
  return environment.is_null() || environment == summary["batch"]["environment"];
}

/// True if a run used the mission's environment and has its files.
bool is_valid(const fs::path& folder, const Json& summary, const BatchMission& mission,
              PolicyFiles policies) {
  return used_this_environment(summary, mission) && missing_file(folder, summary, policies).empty();
}

/// The valid run of the mission; null if there is none.
const FoundRun* find_run(const FoundRuns& runs, const BatchMission& mission, const fs::path& folder,
                         PolicyFiles policies) {
  const auto [begin, end] = runs.equal_range(identity_of(mission.request).dump());
  for (auto known = begin; known != end; ++known) {
    const auto& [directory, summary] = known->second;
    if (is_valid(folder / directory, summary, mission, policies)) return &known->second;
  }
  return nullptr;
}

/// A missing file of an unfinished mission.
struct LostFile {
  std::size_t mission;  ///< its number
  std::string file;
};

/// The missing files of runs of these missions, by the run's folder. The missions run again.
std::map<std::string, LostFile> find_lost_files(const FoundRuns& runs,
                                                const std::vector<BatchMission*>& unfinished,
                                                const fs::path& folder, PolicyFiles policies) {
  std::map<std::string, LostFile> lost;
  for (const BatchMission* mission : unfinished) {
    const auto [begin, end] = runs.equal_range(identity_of(mission->request).dump());
    for (auto known = begin; known != end; ++known) {
      const auto& [directory, summary] = known->second;
      if (!used_this_environment(summary, *mission)) continue;
      lost[directory] = {mission->index, missing_file(folder / directory, summary, policies)};
    }
  }
  return lost;
}

void move_to(BatchMission& mission, const fs::path& folder, const std::string& directory) {
  mission.directory = directory;
  mission.request.output.directory = folder / directory;
}

}  // namespace

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->is_directory(error)) folders.push_back(entry->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::optional<BatchRow> finished_row(const fs::path& folder, PolicyFiles policies,
                                     const BatchMission& mission) {
  std::error_code ignored;
  const fs::path run = folder / mission.directory;
  if (!fs::exists(run / "summary.json", ignored))
    return std::nullopt;  // most missions of a new batch have none
  Json summary = summary_in(run);
  if (summary.is_null() || summary["batch"]["identity"] != identity_of(mission.request) ||
      !is_valid(run, summary, mission, policies)) {
    return std::nullopt;
  }
  return BatchRow{mission.index, MissionStatus::done, "", std::move(summary)};
}

void clear_half_written(const std::vector<fs::path>& folders) {
  for (const auto& path : folders) {
    RunFolder::clear_stale(path);
    std::error_code ignored;
    if (fs::is_empty(path, ignored)) fs::remove(path, ignored);
  }
}

FinishedMissions find_finished(const fs::path& folder, PolicyFiles policies,
                               const std::vector<std::size_t>& reported,
                               std::vector<BatchMission>& missions) {
  FoundRuns runs;
  std::set<std::string> unused;
  for (const auto& path : folders_in(folder)) {
    Json summary = summary_in(path);
    if (summary.is_null()) continue;
    const std::string identity = summary["batch"]["identity"].dump();
    unused.insert(path.filename().string());
    runs.emplace(identity, FoundRun{path.filename().string(), std::move(summary)});
  }
  if (runs.empty()) return {};  // every mission has its original folder
  FinishedMissions finished;
  std::set<std::string> used_folders;
  std::vector<BatchMission*> unfinished;
  for (auto& mission : missions) {
    if (const FoundRun* run = find_run(runs, mission, folder, policies)) {
      finished.rows.push_back({mission.index, MissionStatus::done, "", run->summary});
      move_to(mission, folder, run->directory);
      used_folders.insert(run->directory);
      unused.erase(run->directory);
      continue;
    }
    unfinished.push_back(&mission);
  }
  const std::map<std::string, LostFile> lost = find_lost_files(runs, unfinished, folder, policies);
  const auto first_foreign =
      std::find_if(unused.begin(), unused.end(),
                   [&](const std::string& directory) { return !lost.contains(directory); });
  // If this batch has finished missions here, stale folders are its own, from before it was
  // resumed.
  if (finished.rows.empty() && first_foreign != unused.end()) {
    finished.another = *first_foreign;
  }
  const std::set<std::size_t> may_mention(reported.begin(), reported.end());
  for (BatchMission* mission : unfinished) {
    std::string directory = mission->directory;
    for (int n = 2; used_folders.count(directory) > 0; ++n) {
      directory = fmt::format("{}-{}", mission->directory, n);
    }
    used_folders.insert(directory);
    move_to(*mission, folder, directory);
    if (unused.erase(directory) == 0) continue;
    const auto loss = lost.find(directory);
    if (loss == lost.end()) finished.another = directory;
    if (!may_mention.contains(mission->index)) continue;
    finished.notes.push_back(
        loss != lost.end() && loss->second.mission == mission->index
            ? fmt::format("{}: {} is missing; it runs again", directory, loss->second.file)
            : fmt::format("{}: the mission, its environment or what is asked of it has changed; it "
                          "runs again",
                          directory));
  }
  for (const auto& directory : unused) {
    const auto loss = lost.find(directory);
    if (loss == lost.end()) {
      finished.notes.push_back(
          fmt::format("{}: is stale, no mission of the batch belongs to it", directory));
    } else if (may_mention.contains(loss->second.mission)) {
      finished.notes.push_back(fmt::format("{}: {} is missing; its mission runs again in {}",
                                           directory, loss->second.file,
                                           missions[loss->second.mission].directory));
    }
  }
  return finished;
}

}  // namespace tidewise
