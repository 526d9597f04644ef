#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "base/atomic_file.h"

namespace tidewise {

/// A text file that is written piece by piece, and appears whole at finish() or not at all.
class TextOutput {
 public:
  /// Errors: InputError as AtomicFile's, RunError when writing fails.
  explicit TextOutput(const std::filesystem::path& path);
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;
  ~TextOutput();

  /// Numbers by {} are the shortest that read back to the same bits.
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    if (text_.size() >= flush_bytes) flush();
  }
  void finish();

 private:
  static constexpr std::size_t flush_bytes = 1 << 20;
  void flush();
  [[noreturn]] void fail() const;

  AtomicFile atomic_;
  std::FILE* file_;
  std::string text_;
};

}  // namespace tidewise
