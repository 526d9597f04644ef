#pragma once

#include "app/cli/common_options.h"

namespace tidewise {

/// Length of a report: the answer only, or all figures.
enum class Details { hidden, shown };

/// Contents of a run's report.
struct ReportOptions {
  Details details = Details::hidden;
  Values values = Values::hidden;
};

/// Adds the flag --details, by which a report has all figures.
void add_details_flag(Command command, Details& details);

/// Adds --details and --value, by which a report has all figures, and values of plans among them.
void add_report_flags(Command command, ReportOptions& options);

}  // namespace tidewise
