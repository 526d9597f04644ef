#include "mdp/text/byte_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/file/open_file.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {
namespace {

constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Calls read(2), again after an interruption.
ssize_t read_some(int descriptor, char* out, std::size_t max) {
  for (;;) {
    const ssize_t count = ::read(descriptor, out, max);
    if (count >= 0 || errno != EINTR) return count;
  }
}

}  // namespace

ByteStream::ByteStream(std::string_view bytes, std::string name) : name_(std::move(name)) {
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  next_ = bytes.data();
  end_ = next_ + bytes.size();
}

ByteStream::ByteStream(const std::filesystem::path& path, Progress& progress)
    : name_(path.string()), buffer_(buffer_bytes), progress_(&progress) {
  descriptor_ = open_regular_file(path);
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  progress.begin("reading " + path.filename().string(), known ? status.st_size >> 20 : 0, "MiB");
  next_ = end_ = buffer_.data();
  // A read may return fewer bytes than the mark has.
  while (end_ - next_ < std::ptrdiff_t(byte_order_mark.size())) {
    const auto buffered = static_cast<std::size_t>(end_ - next_);
    const ssize_t count =
        read_some(descriptor_, buffer_.data() + buffered, buffer_.size() - buffered);
    if (count <= 0) break;
    end_ += count;
    bytes_read_ += count;
  }
  if (at_hand().starts_with(byte_order_mark)) skip(byte_order_mark.size());
}

ByteStream::~ByteStream() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ByteStream::refill() {
  if (descriptor_ < 0) return false;
  const ssize_t count = read_some(descriptor_, buffer_.data(), buffer_.size());
  if (count < 0) {
    throw input_error(errors::stream_unreadable, name_, std::strerror(errno));
  }
  next_ = buffer_.data();
  end_ = next_ + count;
  bytes_read_ += count;
  if (count == 0) {
    progress_->end();
  } else {
    progress_->advance_to(bytes_read_ >> 20);
  }
  return count > 0;
}

}  // namespace tidewise::mdp
