#include "output/run/followed.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace tidewise {

const char* followed_kind(const RunFollowed& followed) {
  return followed.moves ? "moving target" : "line";
}

std::string describe_followed(const RunFollowed& followed) {
  if (!followed.moves) return fmt::format("line: {} points, no times", followed.fixes);
  const std::string fixes =
      followed.fixes == 1 ? "one fix" : fmt::format("{} fixes", followed.fixes);
  return fmt::format("moving target: {} from {} to {}, times in column {}", fixes, followed.first,
                     followed.last, on_one_line(followed.column));
}

}  // namespace tidewise
