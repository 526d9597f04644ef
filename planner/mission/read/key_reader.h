#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// Numbers that a key may take: those between `min` and `max`, `min` included or left out, `max`
/// included.
struct NumberRange {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  enum class Limit { included, left_out } min_is = Limit::included;
};

/// Reads typed values from the entries of a mission; nullopt for absent keys. Errors: InputError in
/// one line with the place, the key, its value and the allowed values.
class KeyReader {
 public:
  explicit KeyReader(const std::vector<TomlEntry>& entries, std::string name)
      : entries_(entries), name_(std::move(name)) {}

  /// Returns the entry of a key; null if it is absent.
  const TomlEntry* find(std::string_view key) const;
  /// Name of the mission in errors about the whole mission.
  const std::string& name() const { return name_; }
  /// Refuses the mission for lacking a key. `example`: a valid entry, for the message.
  [[noreturn]] void refuse_missing(std::string_view key, std::string_view example) const;
  /// Refuses the value of an entry: "PLACE: KEY is FOUND; it must be ALLOWED".
  [[noreturn]] static void refuse(const TomlEntry& entry, std::string_view allowed);

  /// Returns a finite number in `range`.
  std::optional<double> number(std::string_view key, const NumberRange& range = {}) const;
  /// Returns a whole number from `min` to `max`.
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t min,
                                      std::int64_t max) const;
  /// A size: a whole number of bytes, or text with a unit (base/byte_size.h); more than 0.
  std::optional<std::int64_t> bytes(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  /// The index of the value among `words`.
  std::optional<std::size_t> choice(std::string_view key,
                                    const std::vector<std::string_view>& words) const;
  /// A list of numbers, `count` of them where that is not 0.
  std::optional<std::vector<double>> numbers(std::string_view key, std::size_t count,
                                             const NumberRange& range = {}) const;
  std::optional<std::vector<std::string>> texts(std::string_view key) const;

 private:
  const std::vector<TomlEntry>& entries_;
  std::string name_;
};

}  // namespace tidewise
