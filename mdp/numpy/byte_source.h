#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tidewise::mdp {

/// Bytes at any place of a file, or of memory, which is not trusted to be what it was: what is no
/// longer there is an error.
class ByteSource {
 public:
  /// `bytes` must outlive it. `name`: how errors call it.
  ByteSource(std::string_view bytes, std::string name);
  /// Errors: InputError when there is no such file, or it cannot be read.
  explicit ByteSource(const std::filesystem::path& path);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  /// `count` bytes from `offset` on. Errors: InputError where they are not all there, before any
  /// memory is taken for them.
  std::vector<std::uint8_t> read(std::uint64_t offset, std::uint64_t count) const;

 private:
  std::string name_;
  std::string_view bytes_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace tidewise::mdp
