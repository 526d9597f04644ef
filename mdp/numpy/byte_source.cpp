#include "mdp/numpy/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/file/open_file.h"

namespace tidewise::mdp {

ByteSource::ByteSource(std::string_view bytes, std::string name)
    : name_(std::move(name)), bytes_(bytes), size_(bytes.size()) {}

ByteSource::ByteSource(const std::filesystem::path& path) : name_(path.string()) {
  descriptor_ = open_regular_file(path);
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    ::close(descriptor_);
    throw InputError(fmt::format("{}: its size is not known; name another file", name_));
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::vector<std::uint8_t> ByteSource::read(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size_ || count > size_ - offset) {
    throw InputError(
        fmt::format("{}: ends at byte {}, and {} bytes from {} on should be there; it is cut off "
                    "or damaged",
                    name_, size_, count, offset));
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
  if (descriptor_ < 0) {
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes_.data()) + offset;
    std::copy_n(begin, bytes.size(), bytes.begin());
    return bytes;
  }
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw InputError(fmt::format("{}: cannot be read ({})", name_,
                                   got < 0 ? std::strerror(errno) : "it became shorter meanwhile"));
    }
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace tidewise::mdp
