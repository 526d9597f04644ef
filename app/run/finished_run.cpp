#include "app/run/finished_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "planner/folder/exports.h"
#include "planner/route/export.h"
#include "planner/run/run_mission.h"

namespace tidewise {

void export_routes(const MissionProblem& run, const RunFolder& folder, RunSummary& summary,
                   Progress& progress) {
  for (const std::string& warning :
       export_finished_run(folder.staging(), folder.path(), run.request.output.formats,
                           run.rollout.threads, progress)) {
    summary.warnings.push_back(warning);
  }
}

void finish_run_folder(const MissionProblem& run, RunFolder& folder, RunSummary& summary,
                       const CommandContext& context) {
  complete(run, summary);
  write_summary(folder.staging() / "summary.json", summary);
  const auto foreign = find_exports(folder.path()).others;
  folder.commit();
  for (const std::string& warning : summary.warnings) context.warn(warning);
  if (foreign.empty()) return;
  constexpr std::size_t max = 4;
  std::string names;
  for (std::size_t n = 0; n < std::min(max, foreign.size()); ++n) {
    names += (n == 0 ? "" : ", ") + foreign[n].string();
  }
  if (foreign.size() > max) names += ", …";
  context.warn(
      fmt::format("{}: files that Tidewise did not write stay: {}; delete those of an "
                  "earlier plan",
                  folder.path().string(), names));
}

}  // namespace tidewise
