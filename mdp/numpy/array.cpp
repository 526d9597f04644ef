#include "mdp/numpy/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// What stands behind 'key': in the header's dictionary, up to the end of the line.
std::optional<std::string_view> behind_key(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string word = fmt::format("{}{}{}", quote, key, quote);
    const auto at = header.find(word);
    if (at == std::string_view::npos) continue;
    std::string_view rest = trimmed(header.substr(at + word.size()));
    if (!rest.starts_with(':')) continue;
    rest.remove_prefix(1);
    return trimmed(rest);
  }
  return std::nullopt;
}

}  // namespace

NumpyArray::NumpyArray(std::vector<std::uint8_t> bytes, std::string name)
    : name_(std::move(name)), bytes_(std::move(bytes)) {
  read_header();
  const std::uint64_t held = bytes_.size() - begin_;
  constexpr std::uint64_t most = std::uint64_t{1} << 48;
  for (const std::uint64_t extent : shape_) {
    size_ = extent != 0 && size_ > most / extent ? most + 1 : size_ * extent;
    if (size_ > most) refuse("claims more elements than a file can hold");
  }
  if (element_bytes_ == 0 || size_ > held / element_bytes_ || size_ * element_bytes_ != held) {
    refuse(fmt::format("its shape is of {} elements of {} bytes, and {} bytes are there", size_,
                       element_bytes_, held));
  }
}

void NumpyArray::refuse(const std::string& why) const {
  throw InputError(fmt::format("{}: {}", name_, why));
}

void NumpyArray::read_header() {
  const std::string_view all(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  if (!all.starts_with(magic) || all.size() < 10) refuse("is no array of numpy's (.npy)");
  const bool is_first_version = bytes_[6] == 1;
  if (bytes_[6] < 1 || bytes_[6] > 3) {
    refuse(fmt::format("is of version {} of .npy; there are 1 to 3", bytes_[6]));
  }
  const std::size_t header_begin = is_first_version ? 10 : 12;
  if (all.size() < header_begin) refuse("is cut off");
  std::size_t header_bytes = 0;
  for (std::size_t n = header_begin; n-- > 8;) header_bytes = header_bytes << 8 | bytes_[n];
  if (header_bytes > all.size() - header_begin) refuse("is cut off");
  const std::string_view header = all.substr(header_begin, header_bytes);
  begin_ = header_begin + header_bytes;

  const auto type = behind_key(header, "descr");
  const auto order = behind_key(header, "fortran_order");
  const auto shape = behind_key(header, "shape");
  if (!type || !order || !shape) refuse("its header lacks descr, fortran_order or shape");
  // '<f8', '|b1', '|S3'
  const std::string_view word = type->empty() ? *type : type->substr(1, 20);
  const bool is_word = (type->starts_with('\'') || type->starts_with('"')) && word.size() > 3;
  const std::string_view digits =
      is_word ? word.substr(2, word.find_first_not_of("0123456789", 2) - 2) : std::string_view{};
  const auto width = to_integer(digits);
  kind_ = is_word ? word[1] : 'O';
  if (!width || *width < 1 || std::string_view("fiubSU").find(kind_) == std::string_view::npos) {
    refuse(fmt::format("is an array of {}, which is none of numbers; save one of float64",
                       in_quotes(type->substr(0, 20))));
  }
  const bool is_text = kind_ == 'S' || kind_ == 'U';
  element_bytes_ = static_cast<std::uint64_t>(*width) * (kind_ == 'U' ? 4 : 1);
  if (!is_text && *width != 1 && *width != 2 && *width != 4 && *width != 8) {
    refuse(fmt::format("has numbers of {} bytes; save them as float64", *width));
  }
  is_swapped_ = word[0] == '>';
  is_fortran_ = order->starts_with("True");

  std::string_view rest = *shape;
  if (!rest.starts_with('(')) refuse("its shape is no tuple");
  rest.remove_prefix(1);
  for (rest = trimmed(rest); !rest.starts_with(')'); rest = trimmed(rest)) {
    const auto end = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const auto extent = to_integer(rest.substr(0, end));
    if (!extent || shape_.size() == 32) refuse("its shape is no tuple of whole numbers");
    shape_.push_back(static_cast<std::uint64_t>(*extent));
    rest = trimmed(rest.substr(end));
    if (rest.starts_with(',')) rest.remove_prefix(1);
  }
}

std::uint64_t NumpyArray::place_of(std::uint64_t n) const {
  if (!is_fortran_ || shape_.size() < 2) return n;
  std::uint64_t place = 0;
  std::uint64_t stride = size_;
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    stride /= shape_[axis];
    place += n % shape_[axis] * stride;
    n /= shape_[axis];
  }
  return place;
}

template <class T, class Stored>
std::vector<T> NumpyArray::converted_from() const {
  std::vector<T> values(static_cast<std::size_t>(size_));
  for (std::uint64_t n = 0; n < size_; ++n) {
    std::uint8_t raw[sizeof(Stored)];
    std::memcpy(raw, bytes_.data() + begin_ + place_of(n) * sizeof(Stored), sizeof raw);
    if (is_swapped_) std::reverse(std::begin(raw), std::end(raw));
    Stored stored;
    std::memcpy(&stored, raw, sizeof stored);
    if constexpr (std::is_same_v<T, std::int64_t> && std::is_same_v<Stored, std::uint64_t>) {
      if (stored > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        refuse(fmt::format("has the number {}, which is too large", stored));
      }
    }
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): of one byte too it is a number
    values[static_cast<std::size_t>(n)] = static_cast<T>(stored);
  }
  return values;
}

template <class T>
std::vector<T> NumpyArray::converted() const {
  const auto of_width = [&]<class One, class Two, class Four, class Eight>() {
    switch (element_bytes_) {
      case 1:
        return converted_from<T, One>();
      case 2:
        return converted_from<T, Two>();
      case 4:
        return converted_from<T, Four>();
      default:
        return converted_from<T, Eight>();
    }
  };
  switch (kind_) {
    case 'i':
      return of_width.template operator()<std::int8_t, std::int16_t, std::int32_t, std::int64_t>();
    case 'u':
    case 'b':
      return of_width
          .template operator()<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
    case 'f':
      if constexpr (std::is_same_v<T, double>) {
        if (element_bytes_ == 8) return converted_from<T, double>();
        if (element_bytes_ == 4) return converted_from<T, float>();
      }
      break;
    default:
      break;
  }
  refuse(std::is_same_v<T, double> ? "is no array of numbers of 1, 2, 4 or 8 bytes (floating ones "
                                     "of 4 or 8); save one of float64"
                                   : "is no array of whole numbers");
}

std::vector<double> NumpyArray::numbers() const { return converted<double>(); }
std::vector<std::int64_t> NumpyArray::integers() const { return converted<std::int64_t>(); }

std::string NumpyArray::text() const {
  if ((kind_ != 'S' && kind_ != 'U') || size_ != 1) refuse("is no text");
  std::string text;
  const std::size_t step = kind_ == 'U' ? 4 : 1;
  const std::size_t lowest = kind_ == 'U' && is_swapped_ ? 3 : 0;
  for (std::size_t at = begin_; at < bytes_.size(); at += step) {
    const char letter = static_cast<char>(bytes_[at + lowest]);
    if (letter != '\0') text += letter;
  }
  return text;
}

}  // namespace tidewise::mdp
