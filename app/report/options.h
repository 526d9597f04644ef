#pragma once

#include "app/cli/common_options.h"

namespace tidewise {

/// Whether a report has more than its answer.
enum class Details { hidden, shown };

/// What the report of a run has.
struct ReportOptions {
  Details details = Details::hidden;
  Values values = Values::hidden;
};

/// Adds the flag --details, by which a report has all figures.
void add_details_flag(Command command, Details& details);

/// Adds --details and --value, by which a report has all figures, and values of plans among them.
void add_report_flags(Command command, ReportOptions& options);

}  // namespace tidewise
