#include "base/file/open_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"

namespace tidewise {

void refuse_too_many_files(const std::filesystem::path& path, const std::error_code& reason) {
  if (reason != std::errc::too_many_files_open &&
      reason != std::errc::too_many_files_open_in_system) {
    return;
  }
  throw RunError(
      fmt::format("{}: cannot be opened (too many open files); raise the limit (ulimit -n), or do "
                  "fewer things at once",
                  path.string()));
}

void refuse_if_too_many_files(const std::filesystem::path& path) {
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    ::close(descriptor);
  } else {
    refuse_too_many_files(path, std::error_code(errno, std::generic_category()));
  }
}

void require_readable(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0) {
    ::close(descriptor);
    return;
  }
  const std::error_code reason(errno, std::generic_category());
  refuse_too_many_files(path, reason);
  throw InputError(fmt::format("{}: cannot be opened ({}); check the path and its permissions",
                               path.string(), reason.message()));
}

}  // namespace tidewise
