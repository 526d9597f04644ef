#include "app/cli/bench_options.h"

#include "base/error.h"

namespace tidewise {

void require_between(const char* option, std::int32_t value, std::int32_t least,
                     std::int32_t most) {
  if (value >= least && value <= most) return;
  throw InputError(
      fmt::format("{} is {}; it must lie between {} and {}", option, value, least, most));
}

}  // namespace tidewise
