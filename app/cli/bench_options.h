#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "app/cli/terminal.h"
#include "base/file/atomic_file.h"

namespace tidewise {

/// Refuses a size of a benchmark that cannot be. Errors: InputError that names the option and what
/// it may be.
void require_between(const char* option, std::int32_t value, std::int32_t least, std::int32_t most);

/// Prints what a benchmark found, and writes the figures to the file `json` where one is named.
template <class Report>
void give_report(const Report& report, const std::string& json) {
  print("{}", report.to_text());
  if (!json.empty()) write_text_file(json, report.to_json().dump(2) + "\n");
}

}  // namespace tidewise
