#include "base/file/fingerprint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/error_codes.h"
#include "base/file/open_file.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr std::uint64_t max_whole_file = 64 * mebibyte;
constexpr std::uint64_t sample_size = 4096;
constexpr std::uint64_t sample_count = 16384;

constexpr std::uint64_t basis = 0xcbf29ce484222325;  // basis and prime of FNV-1a
constexpr std::uint64_t prime = 0x100000001b3;

/// FNV-1a over words. Each product is folded, because multiplication never moves a high bit down,
/// and the signs of two numbers would cancel.
std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * prime;
  return hash ^ (hash >> 32);
}

std::uint64_t mix(std::uint64_t hash, const char* bytes, std::size_t size) {
  for (; size >= 8; bytes += 8, size -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    hash = mix(hash, word);
  }
  std::uint64_t rest = size;  // so that trailing zeros count
  for (std::size_t n = 0; n < size; ++n) {
    rest = rest << 8 | static_cast<unsigned char>(bytes[n]);
  }
  return mix(hash, rest);
}

/// A file that is read in pieces.
class OpenFile {
 public:
  explicit OpenFile(const fs::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status = {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
      const int reason = errno;
      if (descriptor_ >= 0) ::close(descriptor_);
      refuse_too_many_files(path_, std::error_code(reason, std::generic_category()));
      refuse(std::strerror(reason));
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { ::close(descriptor_); }

  std::uint64_t size() const { return size_; }

  void read(std::uint64_t start, std::size_t count, char* out) const {
    while (count > 0) {
      const ssize_t bytes_read = ::pread(descriptor_, out, count, static_cast<off_t>(start));
      if (bytes_read < 0 && errno == EINTR) continue;
      if (bytes_read <= 0) refuse(bytes_read < 0 ? std::strerror(errno) : "it became shorter");
      start += static_cast<std::uint64_t>(bytes_read);
      out += bytes_read;
      count -= static_cast<std::size_t>(bytes_read);
    }
  }

  /// Hashes [start, start + count); the result does not depend on the size of the pieces.
  std::uint64_t hash(std::uint64_t hash, std::uint64_t start, std::uint64_t count) const {
    std::vector<char> piece(std::min(count, mebibyte));
    for (std::uint64_t done = 0; done < count; done += piece.size()) {
      const std::uint64_t piece_size = std::min<std::uint64_t>(piece.size(), count - done);
      read(start + done, piece_size, piece.data());
      hash = mix(hash, piece.data(), piece_size);
    }
    return hash;
  }

 private:
  [[noreturn]] void refuse(const char* why) const {
    throw input_error(errors::file_unreadable, path_.string(), why);
  }

  fs::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

constexpr std::string_view seal_word = "tidewise seal 1\n";
constexpr std::size_t seal_size = 32;  // the word and two fingerprints of eight bytes
using Seal = std::array<char, seal_size>;

Seal make_seal(std::uint64_t content_hash, std::string_view purpose) {
  Seal seal{};
  const std::uint64_t purpose_hash = fingerprint(purpose);
  std::copy(seal_word.begin(), seal_word.end(), seal.begin());
  std::memcpy(seal.data() + seal_word.size(), &content_hash, 8);
  std::memcpy(seal.data() + seal_word.size() + 8, &purpose_hash, 8);
  return seal;
}

}  // namespace

std::uint64_t fingerprint(std::string_view text) { return mix(basis, text.data(), text.size()); }

std::string file_fingerprint(const fs::path& path) {
  const OpenFile file(path);
  const std::uint64_t size = file.size();
  std::uint64_t hash = basis;
  if (size <= max_whole_file) {
    hash = file.hash(hash, 0, size);
  } else {
    hash = file.hash(hash, 0, mebibyte);
    for (std::uint64_t n = 0; n < sample_count; ++n) {
      hash = file.hash(hash, n * (size - sample_size) / (sample_count - 1), sample_size);
    }
  }
  return fmt::format("{:016x}-{}", hash, size);
}

void seal_file(const fs::path& path, std::string_view purpose) {
  std::uint64_t content_hash = 0;
  {
    const OpenFile file(path);
    content_hash = file.hash(basis, 0, file.size());
  }
  const Seal seal = make_seal(content_hash, purpose);
  std::ofstream stream(path, std::ios::binary | std::ios::app);
  stream.write(seal.data(), seal.size());
  stream.close();
  if (!stream) {
    throw RunError(
        fmt::format("{}: cannot be written; check the space left on the disk", path.string()));
  }
}

bool holds_seal(const fs::path& path, std::string_view purpose) {
  const OpenFile file(path);
  if (file.size() < seal_size) return false;
  const std::uint64_t content_size = file.size() - seal_size;
  Seal stored{};
  file.read(content_size, seal_size, stored.data());
  return stored == make_seal(file.hash(basis, 0, content_size), purpose);
}

}  // namespace tidewise
