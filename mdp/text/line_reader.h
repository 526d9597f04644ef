#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mdp/text/byte_stream.h"

namespace tidewise::mdp {

/// The lines of a text that hold anything: blank ones are passed over, and so is a comment, from a
/// # that begins a line or follows white space to the line's end. Lines end with LF or CR LF.
class LineReader {
 public:
  /// `bytes` must outlive it.
  explicit LineReader(ByteStream& bytes) : bytes_(bytes) {}

  /// Goes on to the next line; false at the end. Errors: InputError for one of more than 16 MiB,
  /// which no such file has.
  bool next();
  /// The line at hand without white space at both ends; valid until next().
  std::string_view text() const { return text_; }
  /// Its number in the file, from 1.
  std::int64_t number() const { return number_; }
  const std::string& name() const { return bytes_.name(); }
  /// InputError "FILE: line N: why".
  [[noreturn]] void refuse(const std::string& why) const { refuse_at(number_, why); }
  [[noreturn]] void refuse_at(std::int64_t number, const std::string& why) const;

 private:
  std::string_view read_line();

  ByteStream& bytes_;
  std::string parts_;  // of a line that a buffer's end cuts
  std::string_view text_;
  std::size_t passed_ = 0;  // bytes to leave before the next line is read
  std::int64_t number_ = 0;
};

}  // namespace tidewise::mdp
