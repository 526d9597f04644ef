#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/batch/table/folder.h"
#include "app/cli/context.h"
#include "planner/mission/read/toml_document.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// The options of a batch.
struct BatchRequest {
  std::string file;
  std::string out;     ///< folder in place of the file's; empty: the file's
  std::string part;    ///< "3/8" of --array, or "slurm"; empty: all of it
  std::string memory;  ///< value of --memory, which replaces the file's; empty: the file's
  std::optional<Setting> devices;  ///< value of --devices; absent: one worker
  std::vector<Setting> settings;
  Resumption resumption = Resumption::refused;
  Overwrite overwrite = Overwrite::refused;
};

/// Runs the missions of a batch file, or those of a part, and prints the results. Errors:
/// InputError before anything is done; RunError when missions failed, with their number and the
/// file that has the reasons, and when the user interrupts.
void run_batch(const BatchRequest& request, const CommandContext& context);

/// Prints the work of run_batch() without doing it. Errors: InputError like run_batch().
void preview_batch(const BatchRequest& request);

}  // namespace tidewise
