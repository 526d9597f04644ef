#include "base/file/open_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
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

int open_regular_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    const std::error_code reason(errno, std::generic_category());
    if (reason == std::errc::no_such_file_or_directory || reason == std::errc::not_a_directory) {
      throw InputError(fmt::format("{}: there is no such file; check the path", name));
    }
    refuse_too_many_files(path, reason);
    throw InputError(
        fmt::format("{}: cannot be opened for reading ({}); check the path and its permissions",
                    name, reason.message()));
  }
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  ::close(file);
  if (S_ISDIR(status.st_mode)) {
    throw InputError(fmt::format("{}: is a folder, not a file; name the file in it", name));
  }
  throw InputError(fmt::format("{}: is no regular file; name one", name));
}

void require_readable(const std::filesystem::path& path) { ::close(open_regular_file(path)); }

}  // namespace tidewise
