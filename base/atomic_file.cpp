#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "base/temporary_name.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

}  // namespace

void flush_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw RunError(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  const int status = ::fsync(descriptor);
  const int reason = errno;
  ::close(descriptor);
  // EINVAL: there is nothing to flush in what this is, as for folders of some file systems.
  if (status != 0 && reason != EINVAL) {
    throw RunError(fmt::format("{}: not flushed to disk ({}); free some space and run again",
                               path.string(), std::strerror(reason)));
  }
}

AtomicFile::AtomicFile(fs::path final_path) : final_(std::move(final_path)) {
  const fs::path folder = folder_of(final_);
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) {
    throw InputError(
        fmt::format("{}: cannot be written (the folder {} does not exist); make it first: mkdir -p "
                    "{}",
                    final_.string(), folder.string(), folder.string()));
  }
  if (!fs::is_directory(folder, ignored)) {
    throw InputError(fmt::format("{}: cannot be written ({} is no folder); choose another place",
                                 final_.string(), folder.string()));
  }
  if (fs::is_directory(final_, ignored)) {
    throw InputError(
        fmt::format("{}: cannot be written (it is a folder); name a file", final_.string()));
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    throw InputError(
        fmt::format("{}: cannot be written (no permission in {}); choose another place",
                    final_.string(), folder.string()));
  }
  if (!final_.has_filename() ||
      (fs::exists(final_, ignored) && !fs::is_regular_file(final_, ignored))) {
    throw InputError(
        fmt::format("{}: cannot be written (it is no regular file, or has no name); name a file",
                    final_.string()));
  }
  const std::string name = final_.filename().string();
  for (const auto& stale : stale_temporaries(folder, name)) fs::remove(stale, ignored);
  temporary_ = folder / temporary_name(name);
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  flush_to_disk(temporary_);
  std::error_code error;
  fs::rename(temporary_, final_, error);
  if (error) {
    throw RunError(fmt::format("{}: could not be given its final name ({})", final_.string(),
                               error.message()));
  }
  committed_ = true;
  flush_to_disk(folder_of(final_));
}

void write_text_file(const fs::path& path, const std::string& text) {
  AtomicFile file(path);
  std::ofstream stream(file.temporary_path(), std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    throw RunError(fmt::format("{}: writing failed ({}); free some space and run again",
                               path.string(), std::strerror(errno)));
  }
  file.commit();
}

}  // namespace tidewise
