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

/// Adds the flag --details, which adds all figures to a report.
void add_details_flag(Command command, Details& details);

/// Adds --details and --value, which add all figures, and also values of plans, to a report.
void add_report_flags(Command command, ReportOptions& options);

}  // namespace tidewise
