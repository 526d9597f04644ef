#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Asks the system to bring `path` to disk, so that a rename never outlives its content.
void flush_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw RunError(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  const int status = ::fsync(descriptor);
  const int reason = errno;
  ::close(descriptor);
  if (status != 0 && reason != EINVAL) {
    throw RunError(fmt::format("{}: not flushed to disk ({}); free some space and run again",
                               path.string(), std::strerror(reason)));
  }
}

/// Quoted where a shell would not take it as one word.
std::string word_for_shell(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 || std::strchr("/._-+,:@%=", c) != nullptr;
  };
  if (std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

AtomicFile::AtomicFile(fs::path final_path) : final_(std::move(final_path)) {
  const fs::path folder = final_.has_parent_path() ? final_.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) {
    throw InputError(
        fmt::format("{}: cannot be written (the folder {} does not exist); make it first: mkdir -p "
                    "{}",
                    final_.string(), folder.string(), word_for_shell(folder.string())));
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
  temporary_ = folder / fmt::format(".{}.{}.tmp", final_.filename().string(), ::getpid());
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
