#include "base/file/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "base/error_codes.h"
#include "base/file/open_file.h"
#include "base/file/temporary_name.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Gives a new file the permissions of the file that it replaces.
void copy_permissions(const fs::path& from, const fs::path& to) {
  struct stat replaced = {};
  if (::lstat(from.c_str(), &replaced) != 0 || !S_ISREG(replaced.st_mode)) return;
  (void)::chmod(to.c_str(), replaced.st_mode & 0777);
}

/// Renames a file unless the new name exists. Returns 0 or errno.
int rename_new(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // Fallback for file systems without RENAME_NOREPLACE, such as NFS.
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  return ::unlink(from.c_str()) == 0 ? 0 : errno;
}

}  // namespace

void remove_left_temporaries(const fs::path& folder, const std::string& name) {
  for (const auto& temporary : find_temporaries(folder, name)) {
    try {
      (void)LockedFolder::take(temporary);
    } catch (const fs::filesystem_error&) {  // it cannot be opened
    } catch (const InputError&) {            // this program did not make it
    }
  }
}

void flush_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw RunError(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  const int status = ::fsync(descriptor);
  const int reason = errno;
  ::close(descriptor);
  // EINVAL: this kind of file cannot be flushed, such as folders on some file systems.
  if (status != 0 && reason != EINVAL) {
    throw RunError(fmt::format("{}: not flushed to disk ({}); free some space and run again",
                               path.string(), std::strerror(reason)));
  }
}

AtomicFile::AtomicFile(fs::path final_path) : final_(std::move(final_path)) {
  const fs::path folder = nearest_existing(folder_of(final_));
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw input_error(errors::output_folder_not_folder, final_.string(), folder.string());
  }
  if (fs::is_directory(final_, ignored)) {
    throw input_error(errors::output_is_folder, final_.string());
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    throw input_error(errors::output_not_permitted, final_.string(), folder.string());
  }
  if (!final_.has_filename() ||
      (fs::exists(final_, ignored) && !fs::is_regular_file(final_, ignored))) {
    throw input_error(errors::output_not_regular, final_.string());
  }
  remove_left_temporaries(folder_of(final_), final_.filename().string());
}

const fs::path& AtomicFile::temporary_path() {
  const std::string name = final_.filename().string();
  if (!folder_) make_folder(name);
  if (temporary_.empty()) temporary_ = folder_->path() / name;
  return temporary_;
}

void AtomicFile::make_folder(const std::string& name) {
  folders_.make(folder_of(final_));
  std::error_code reason = std::make_error_code(std::errc::file_exists);
  try {
    // A name of 64 random bits is practically never taken, except in an attack.
    for (int attempt = 0; attempt < 10 && !folder_; ++attempt) {
      auto folder = LockedFolder::make(folder_of(final_) / temporary_name(name));
      if (folder) folder_.emplace(std::move(*folder));
    }
  } catch (const fs::filesystem_error& error) {
    reason = error.code();
  }
  if (folder_) return;
  refuse_too_many_files(final_, reason);
  throw RunError(fmt::format("{}: cannot be written ({}); check the folder and run again",
                             final_.string(), reason.message()));
}

void AtomicFile::begin_flushing() const {
  const int descriptor = ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
  ::close(descriptor);
}

void AtomicFile::commit() {
  copy_permissions(final_, temporary_);
  flush_to_disk(temporary_);
  std::error_code error;
  fs::rename(temporary_, final_, error);
  finish(error);
}

void AtomicFile::commit_new() {
  flush_to_disk(temporary_);
  const std::error_code error(rename_new(temporary_, final_), std::generic_category());
  if (error == std::errc::file_exists) {
    throw input_error(errors::output_exists, final_.string());
  }
  finish(error);
}

void AtomicFile::finish(const std::error_code& error) {
  if (error) {
    throw RunError(fmt::format("{}: could not be given its final name ({})", final_.string(),
                               error.message()));
  }
  folder_.reset();
  folders_.keep();
  flush_to_disk(folder_of(final_));
}

void write_text(AtomicFile& file, const std::string& text) {
  std::ofstream stream(file.temporary_path(), std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    throw RunError(fmt::format("{}: writing failed ({}); free some space and run again",
                               file.final_path().string(), std::strerror(errno)));
  }
}

void write_text_file(const fs::path& path, const std::string& text) {
  AtomicFile file(path);
  write_text(file, text);
  file.commit();
}

}  // namespace tidewise
