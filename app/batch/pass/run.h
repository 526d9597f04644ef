#pragma once

#include <stdexcept>

#include "app/batch/pass/progress.h"
#include "app/batch/pass/request.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// The worker's GPU no longer responds; another worker can run its missions.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs the missions of a pass: counts transitions once for all solves, evaluates all missions
/// together if the backend can, then flies each mission and commits its folder. Adds a row for each
/// mission, done or failed with its reason; a failure does not affect the others. Errors:
/// DeviceLost if missions without a row can be run elsewhere; RunError when the user interrupts.
void run_pass(const PassRequest& request, PassProgress& progress, RowSink& rows);

}  // namespace tidewise
