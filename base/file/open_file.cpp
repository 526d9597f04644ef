#include "base/file/open_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/error_codes.h"

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
      throw input_error(errors::file_missing, name);
    }
    refuse_too_many_files(path, reason);
    throw input_error(errors::file_not_opened, name, reason.message());
  }
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  ::close(file);
  if (S_ISDIR(status.st_mode)) {
    throw input_error(errors::file_is_folder, name);
  }
  throw input_error(errors::file_not_regular, name);
}

void require_readable(const std::filesystem::path& path) { ::close(open_regular_file(path)); }

}  // namespace tidewise
