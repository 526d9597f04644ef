#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "base/file/atomic_file.h"
#include "base/progress.h"

namespace tidewise::mdp {

/// A text file that is written in pieces; it appears complete at finish() or not at all.
class TextOutput {
 public:
  /// `progress` counts the bytes written, and may abort by throwing; null: none. Errors: InputError
  /// of AtomicFile, RunError when writing fails.
  explicit TextOutput(const std::filesystem::path& path, Progress* progress = nullptr);
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;
  ~TextOutput();

  /// Appends formatted text. Numbers formatted by {} are the shortest that restore the same bits.
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    if (text_.size() >= flush_bytes) flush();
  }
  /// Writes the rest and renames the file. Errors: RunError.
  void finish();

 private:
  static constexpr std::size_t flush_bytes = 1 << 20;
  void flush();
  [[noreturn]] void fail() const;

  AtomicFile atomic_;
  Progress* progress_;
  std::FILE* file_ = nullptr;
  std::int64_t bytes_written_ = 0;
  std::string text_;
};

}  // namespace tidewise::mdp
