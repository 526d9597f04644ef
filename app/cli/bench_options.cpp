#include "app/cli/bench_options.h"

#include <fmt/core.h>

#include "app/error/codes.h"
#include "base/error.h"

namespace tidewise {

void require_within(const std::string& option, std::int32_t value, Bounds bounds) {
  if (value < bounds.least || (bounds.most != Bounds::none && value > bounds.most)) {
    throw input_error(errors::option_value_invalid, option, value,
                      bounds.most == Bounds::none
                          ? fmt::format("be {} or more", bounds.least)
                          : fmt::format("lie between {} and {}", bounds.least, bounds.most));
  }
}

void validate_figures_output(const std::string& json, Overwrite overwrite) {
  Outputs outputs(overwrite);
  outputs.write("--json", json,
                text_kind("benchmark's JSON", {"\"title\":", "\"comparison\":", "\"along\":"}));
  outputs.validate();
}

}  // namespace tidewise
