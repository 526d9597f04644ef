#include "app/cli/process_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <string_view>

namespace tidewise {
namespace {

/// [bytes] All commands work with this much; tests/cli/surroundings_test.cpp tries them.
constexpr rlim_t min_stack = 256 * 1024;

}  // namespace

void raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);  // else it stays as it is
}

bool has_enough_stack() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= min_stack) return true;
  constexpr std::string_view text =
      "tidewise: error: the stack is limited to less than 256 KiB, which are needed; raise the "
      "limit "
      "(ulimit -s 8192)\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  return false;
}

}  // namespace tidewise
