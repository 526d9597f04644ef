#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/memory/view.h"

namespace tidewise::test {

/// 64-bit FNV-1a over bytes.
/// Source: Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
class Checksum {
 public:
  template <class T>
  void add(const T* first, std::size_t count) {
    static_assert(std::is_arithmetic_v<T>);
    const auto* bytes = reinterpret_cast<const unsigned char*>(first);
    for (std::size_t n = 0; n < count * sizeof(T); ++n) hash_ = (hash_ ^ bytes[n]) * prime;
  }
  template <class T>
  void add(View<const T> values) {
    add(values.data, values.size);
  }
  std::uint64_t value() const { return hash_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3u;
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace tidewise::test
