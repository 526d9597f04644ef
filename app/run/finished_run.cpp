#include "app/run/finished_run.h"

#include <string>

#include "planner/route/export.h"

namespace tidewise {

void export_routes(const MissionRun& run, const RunFolder& folder, RunSummary& summary,
                   Progress& progress) {
  for (const std::string& warning :
       export_finished_run(folder.staging(), folder.path(), run.request().output.formats,
                           run.backend().threads, progress)) {
    summary.warnings.push_back(warning);
  }
}

void enter_folder(const MissionRun& run, RunFolder& folder, RunSummary& summary,
                  const CommandContext& context) {
  run.write_summary_into(folder.staging(), summary);
  folder.commit();
  for (const std::string& warning : summary.warnings) context.warn(warning);
}

}  // namespace tidewise
