#include "base/file/text_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/byte_size.h"
#include "base/error.h"
#include "base/error_codes.h"
#include "base/file/open_file.h"

namespace tidewise {
namespace {

/// A regular file that is open for reading.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : path_(path), descriptor_(open_regular_file(path)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { ::close(descriptor_); }

  std::uint64_t size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail();
    return static_cast<std::uint64_t>(status.st_size);
  }

  /// Reads up to `count` bytes. Returns their number, 0 at the end of the file.
  std::size_t read(char* to, std::size_t count) const {
    while (true) {
      const ssize_t bytes_read = ::read(descriptor_, to, count);
      if (bytes_read >= 0) return static_cast<std::size_t>(bytes_read);
      if (errno != EINTR) fail();
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw input_error(errors::file_read_failed, path_.string(),
                      std::error_code(errno, std::generic_category()).message());
  }

  const std::filesystem::path& path_;
  int descriptor_;
};

[[noreturn]] void refuse_size(const std::filesystem::path& path, const TextFormat& format,
                              std::uint64_t size) {
  throw input_error(errors::file_too_large, path.string(), size, format.name,
                    describe_bytes(static_cast<double>(format.limit)));
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, const TextFormat& format) {
  constexpr std::size_t piece = 1 << 16;  // [B]
  const OpenFile file(path);
  const std::uint64_t size = file.size();
  if (size > format.limit) refuse_size(path, format, size);
  std::string text(size, '\0');
  std::size_t length = 0;
  while (true) {
    if (text.size() - length < piece) text.resize(text.size() + piece);
    const std::size_t bytes_read = file.read(text.data() + length, text.size() - length);
    if (bytes_read == 0) break;
    length += bytes_read;
    if (length > format.limit) refuse_size(path, format, length);
  }
  text.resize(length);
  return text;
}

std::string read_beginning(const std::filesystem::path& path, std::size_t count) {
  const OpenFile file(path);
  std::string bytes(count, '\0');
  std::size_t length = 0;
  while (length < count) {
    const std::size_t bytes_read = file.read(bytes.data() + length, count - length);
    if (bytes_read == 0) break;
    length += bytes_read;
  }
  bytes.resize(length);
  return bytes;
}

}  // namespace tidewise
