#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidewise::test {

// .npy and .npz as numpy and scipy write them, a member at a time.

inline std::string npy_with_header(const std::string& dictionary, const std::string& elements) {
  std::string header = dictionary + "\n";
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + elements;
}

inline std::string npy_of(const std::string& type, const std::string& shape,
                          const std::string& elements, bool fortran = false) {
  return npy_with_header("{'descr': '" + type + "', 'fortran_order': " +
                             (fortran ? "True" : "False") + ", 'shape': " + shape + ", }",
                         elements);
}

template <class T>
std::string elements_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A line of numbers.
template <class T>
std::string npy(const std::vector<T>& values, std::string shape = "") {
  if (shape.empty()) shape = "(" + std::to_string(values.size()) + ",)";
  const char* kind = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u";
  return npy_of("<" + std::string(kind) + std::to_string(sizeof(T)), shape, elements_of(values));
}

inline std::string npy_text(const std::string& text) {
  return npy_of("|S" + std::to_string(text.size()), "()", text);
}

using ZipMembers = std::vector<std::pair<std::string, std::string>>;

enum class Packing { stored, deflated };

inline void append_number(std::string& bytes, std::uint64_t number, int width) {
  for (int n = 0; n < width; ++n, number >>= 8) bytes += static_cast<char>(number & 0xFF);
}

inline std::string deflated(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// numpy gives local headers ZIP64's sizes; `is_wide` does so in the list of members too.
inline std::string zip(const ZipMembers& members, Packing packing, bool is_wide = false) {
  std::string bytes;
  std::string list;
  for (const auto& member : members) {
    const std::string& name = member.first;
    const std::string& content = member.second;
    const std::string held = packing == Packing::deflated ? deflated(content) : content;
    const auto sum = crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(content.data()),
                           static_cast<uInt>(content.size()));
    const std::uint64_t begin = bytes.size();
    const auto append_common = [&](std::string& to, bool wide) {
      append_number(to, 45, 2);
      append_number(to, 0, 2);
      append_number(to, packing == Packing::deflated ? 8 : 0, 2);
      append_number(to, 0, 4);
      append_number(to, sum, 4);
      append_number(to, wide ? 0xFFFFFFFF : held.size(), 4);
      append_number(to, wide ? 0xFFFFFFFF : content.size(), 4);
      append_number(to, name.size(), 2);
    };
    const auto append_wide = [&](std::string& to, bool with_place) {
      append_number(to, 1, 2);
      append_number(to, with_place ? 24 : 16, 2);
      append_number(to, content.size(), 8);
      append_number(to, held.size(), 8);
      if (with_place) append_number(to, begin, 8);
    };
    append_number(bytes, 0x04034b50, 4);
    append_common(bytes, true);
    append_number(bytes, 20, 2);
    bytes += name;
    append_wide(bytes, false);
    bytes += held;
    append_number(list, 0x02014b50, 4);
    append_number(list, 45, 2);
    append_common(list, is_wide);
    append_number(list, is_wide ? 28 : 0, 2);
    append_number(list, 0, 2 + 2 + 2 + 4);
    append_number(list, is_wide ? 0xFFFFFFFF : begin, 4);
    list += name;
    if (is_wide) append_wide(list, true);
  }
  const std::uint64_t list_begin = bytes.size();
  bytes += list;
  if (is_wide) {
    const std::uint64_t wide_end = bytes.size();
    append_number(bytes, 0x06064b50, 4);
    append_number(bytes, 44, 8);
    append_number(bytes, 45, 2);
    append_number(bytes, 45, 2);
    append_number(bytes, 0, 8);
    append_number(bytes, members.size(), 8);
    append_number(bytes, members.size(), 8);
    append_number(bytes, list.size(), 8);
    append_number(bytes, list_begin, 8);
    append_number(bytes, 0x07064b50, 4);
    append_number(bytes, 0, 4);
    append_number(bytes, wide_end, 8);
    append_number(bytes, 1, 4);
  }
  append_number(bytes, 0x06054b50, 4);
  append_number(bytes, 0, 4);
  append_number(bytes, members.size(), 2);
  append_number(bytes, members.size(), 2);
  append_number(bytes, is_wide ? 0xFFFFFFFF : list.size(), 4);
  append_number(bytes, is_wide ? 0xFFFFFFFF : list_begin, 4);
  append_number(bytes, 0, 2);
  return bytes;
}

}  // namespace tidewise::test
