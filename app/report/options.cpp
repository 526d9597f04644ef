#include "app/report/options.h"

namespace tidewise {

void add_details_flag(Command command, Details& details) {
  command.add_flag(
      "--details", [&details] { details = Details::shown; },
      "Print all figures, not only the answer");
}

void add_report_flags(Command command, ReportOptions& options) {
  add_details_flag(command, options.details);
  command.add_flag(
      "--value",
      [&options] {
        options = {Details::shown, Values::shown};
      },
      "Print all figures, and the expected total reward in the unit of the objective");
}

}  // namespace tidewise
