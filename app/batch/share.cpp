#include "app/batch/share.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <system_error>

#include "app/batch/file/mission_identity.h"
#include "app/batch/pass/plan.h"
#include "app/batch/resumption.h"
#include "app/batch/table/folder.h"
#include "base/file/atomic_file.h"
#include "base/file/text_file.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = ".batch.table.lock";
constexpr const char* failures_name = ".batch.failed.json";

/// The backend that all parts assume, whatever they compute on, so that their estimates agree.
const Backend& common_backend() {
  static const Backend backend{BackendKind::cpu, "cpu", "", 1, ""};
  return backend;
}

}  // namespace

BatchShare find_share(const BatchPart& part, const BatchFile& file,
                      const std::vector<BatchMission>& missions) {
  std::vector<std::size_t> all(missions.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  // Each part divides its passes further by the memory that it finds.
  PassLimits limits{std::numeric_limits<std::size_t>::max(), part.count};
  if (file.memory) limits.memory = static_cast<std::size_t>(*file.memory);
  BatchPlan plan = plan_batch(missions, all, limits, common_backend(), PolicyFiles::none);
  std::stable_sort(plan.passes.begin(), plan.passes.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  BatchShare share{part, {}, plan.passes.size()};
  std::vector<double> busy(part.count, 0.0);
  for (const CountingPass& pass : plan.passes) {
    const auto next = std::min_element(busy.begin(), busy.end());
    *next += pass.seconds;
    if (next - busy.begin() + 1 != static_cast<std::ptrdiff_t>(part.number)) continue;
    for (const auto& solve : pass.solves) {
      share.missions.insert(share.missions.end(), solve.begin(), solve.end());
    }
  }
  // Missions that cannot be run are dealt to the parts in turn.
  for (std::size_t n = part.number - 1; n < plan.failures.size(); n += part.count) {
    share.missions.push_back(plan.failures[n].mission);
  }
  std::sort(share.missions.begin(), share.missions.end());
  return share;
}

SharedRows::SharedRows(const fs::path& folder, PolicyFiles policies,
                       const std::vector<BatchMission>& missions, const BatchShare& share)
    : folder_(folder), policies_(policies), missions_(missions), is_own_(missions.size(), 0) {
  for (const std::size_t mission : share.missions) is_own_[mission] = 1;
  const FileLock file_lock = lock();
  Failures failures = read_failures();
  if (failures.empty()) return;
  for (const std::size_t mission : share.missions) failures.erase(identity(mission));
  write_failures(failures);
}

FileLock SharedRows::lock() const {
  return *wait_for_lock(folder_ / lock_name, std::chrono::milliseconds::max());
}

std::string SharedRows::identity(std::size_t mission) const {
  return identity_of(missions_[mission].request).dump();
}

SharedRows::Failures SharedRows::read_failures() const {
  const fs::path path = folder_ / failures_name;
  Failures failures;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return failures;
  const auto json =
      nlohmann::json::parse(read_text_file(path, text_format::failures), nullptr, false);
  if (!json.is_object()) return failures;
  for (const auto& [mission, reason] : json.items()) {
    if (reason.is_string()) failures.emplace(mission, reason.get<std::string>());
  }
  return failures;
}

void SharedRows::write_failures(const Failures& failures) const {
  write_text_file(folder_ / failures_name, nlohmann::json(failures).dump());
}

FileLock SharedRows::join(std::vector<BatchRow>& rows) {
  FileLock file_lock = lock();
  const Failures recorded = read_failures();
  Failures failures = recorded;
  for (BatchRow& row : rows) {
    if (row.status == MissionStatus::done) continue;
    if (auto done = finished_row(folder_, policies_, missions_[row.mission])) {
      row = std::move(*done);
    } else if (is_own_[row.mission] != 0) {
      if (row.status == MissionStatus::failed) failures[identity(row.mission)] = row.message;
    } else {
      const auto failure = recorded.empty() ? recorded.end() : recorded.find(identity(row.mission));
      const bool failed = failure != recorded.end();
      row.status = failed ? MissionStatus::failed : MissionStatus::not_run;
      row.message = failed ? failure->second : "";
    }
  }
  if (failures != recorded) write_failures(failures);
  return file_lock;
}

}  // namespace tidewise
