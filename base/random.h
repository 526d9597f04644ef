#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// Philox4x32-10, a counter-based random generator: the same key and counter give the same four
/// words on every machine, in any order of calls.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
struct Philox {
  std::uint32_t key[2];

  TIDEWISE_HOST_DEVICE explicit Philox(std::uint64_t seed)
      : key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

  struct Words {
    std::uint32_t word[4];
  };

  TIDEWISE_HOST_DEVICE Words operator()(std::uint32_t c0, std::uint32_t c1, std::uint32_t c2 = 0,
                                        std::uint32_t c3 = 0) const {
    std::uint32_t k0 = key[0];
    std::uint32_t k1 = key[1];
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0;
      const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c2;
      c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
      c1 = static_cast<std::uint32_t>(p1);
      c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c3 = static_cast<std::uint32_t>(p0);
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
  }
};

/// A word as a double in [0, 1) with 32 bits.
TIDEWISE_HOST_DEVICE inline double to_unit(std::uint32_t word) { return word * 0x1p-32; }

/// An integer in [0, bound) from 64 random bits; the bias is under bound / 2^64.
TIDEWISE_HOST_DEVICE inline std::uint32_t to_range(std::uint32_t high, std::uint32_t low,
                                                   std::uint32_t bound) {
  // (high·2^32 + low)·bound >> 64, in 64-bit pieces
  const std::uint64_t upper = std::uint64_t{high} * bound;
  const std::uint64_t lower = std::uint64_t{low} * bound;
  return static_cast<std::uint32_t>((upper + (lower >> 32)) >> 32);
}

}  // namespace tidewise
