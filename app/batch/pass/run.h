#pragma once

#include <stdexcept>

#include "app/batch/pass/order.h"
#include "app/batch/pass/progress.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// The GPU of this worker answers no more; what it worked on is for another one.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs the missions of a pass: one counting pass for all solves, one for all evaluations
/// where the backend can share it, then each mission flown and committed to its folder. Gives a row
/// for each, done or failed with its reason: one that fails stops no other. Errors: DeviceLost,
/// where missions without a row can be run elsewhere; RunError when the user interrupts.
void run_pass(const PassOrder& order, PassProgress& progress, RowSink& rows);

}  // namespace tidewise
