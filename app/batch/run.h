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

/// Runs the missions of a batch file, or those of a part, and prints what became of them. Errors:
/// InputError before anything is done; RunError when missions failed, with how many and where to
/// read why, and when the user interrupts.
void run_batch(const BatchRequest& request, const CommandContext& context);

/// Prints what run_batch() would do, and does none of it. Errors: InputError as there.
void preview_batch(const BatchRequest& request);

}  // namespace tidewise
