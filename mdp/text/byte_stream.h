#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"

namespace tidewise::mdp {

/// Reads a file, a buffer at a time, or bytes in memory, from first to last; skips an initial UTF-8
/// byte order mark. Thus a reader needs memory only for its results.
class ByteStream {
 public:
  /// `bytes` must outlive this object. `name`: the file in messages.
  ByteStream(std::string_view bytes, std::string name);
  /// Opens a file. Errors: InputError if it is missing or cannot be read, also in the calls below.
  ByteStream(const std::filesystem::path& path, Progress& progress);
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  ~ByteStream();

  const std::string& name() const { return name_; }
  bool at_end() { return next_ == end_ && !refill(); }
  /// The next byte. Requires !at_end().
  char peek() const { return *next_; }
  void skip(std::size_t count = 1) { next_ += count; }
  /// The buffered bytes from the next one on; empty at the end.
  std::string_view at_hand() {
    if (at_end()) return {};
    return {next_, static_cast<std::size_t>(end_ - next_)};
  }

 private:
  bool refill();

  std::string name_;
  std::vector<char> buffer_;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  int descriptor_ = -1;
  Progress* progress_ = nullptr;
  std::int64_t bytes_read_ = 0;
};

/// A ByteStream as an input iterator, for parsers that take iterators.
class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  ByteIterator() = default;  ///< the end
  explicit ByteIterator(ByteStream& stream) : stream_(&stream) {}
  char operator*() const { return stream_->peek(); }
  ByteIterator& operator++() {
    stream_->skip();
    return *this;
  }
  void operator++(int) { ++*this; }
  bool operator==(const ByteIterator& other) const {
    const ByteIterator& that = stream_ != nullptr ? *this : other;
    return that.stream_ == nullptr || that.stream_->at_end();
  }

 private:
  ByteStream* stream_ = nullptr;
};

}  // namespace tidewise::mdp
