#include "base/hdf5/noise.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>

namespace tidewise {
namespace {

/// Eight bytes that lie side by side.
std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

bool is_one_byte(std::uint64_t word) { return word == std::rotl(word, 8); }

constexpr std::size_t word_size = sizeof(std::uint64_t);

/// Bits of a deflate stream, the least significant of each number first.
class BitWriter {
 public:
  explicit BitWriter(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  void put(std::uint32_t bits, int count) {
    waiting_ |= std::uint64_t{bits} << count_;
    for (count_ += count; count_ >= 8; count_ -= 8, waiting_ >>= 8) {
      bytes_.push_back(static_cast<std::uint8_t>(waiting_));
    }
  }
  /// A Huffman code, whose most significant bit comes first.
  void put_code(std::uint32_t code, int count) {
    for (int n = count - 1; n >= 0; --n) put(code >> n & 1, 1);
  }
  void fill_byte() {
    if (count_ > 0) put(0, 8 - count_);
  }

 private:
  std::vector<std::uint8_t>& bytes_;
  std::uint64_t waiting_ = 0;
  int count_ = 0;
};

// Kinds of blocks, none of them the last, in three bits.
constexpr std::uint32_t stored_block = 0;
constexpr std::uint32_t fixed_codes_block = 2;

/// Blocks of bytes as they are; one at least, which ends at the end of a byte.
void put_stored(View<const std::uint8_t> bytes, BitWriter& bits,
                std::vector<std::uint8_t>& stream) {
  constexpr std::size_t most = 0xffff;
  std::size_t done = 0;
  do {
    const std::size_t size = std::min(most, bytes.size - done);
    bits.put(stored_block, 3);
    bits.fill_byte();
    bits.put(static_cast<std::uint32_t>(size), 16);
    bits.put(static_cast<std::uint32_t>(size) ^ 0xffff, 16);
    stream.insert(stream.end(), bytes.data + done, bytes.data + done + size);
    done += size;
  } while (done < bytes.size);
}

/// A block of one byte, again and again: it is said once, and then how often it is copied.
void put_run(std::uint8_t byte, std::size_t count, BitWriter& bits) {
  constexpr std::size_t longest = 258;  // of a copy; the shortest is of 3
  bits.put(fixed_codes_block, 3);
  if (byte < 144) {
    bits.put_code(0x30U + byte, 8);
  } else {
    bits.put_code(0x190U + byte - 144, 9);
  }
  // Codes of lengths: by eights from 11 to 18 on ever coarser, with so many bits for the rest.
  struct Lengths {
    std::size_t first;
    std::uint32_t symbol;
    int rest_bits;
  };
  static constexpr std::array<Lengths, 7> all{{{3, 257, 0},
                                               {11, 265, 1},
                                               {19, 269, 2},
                                               {35, 273, 3},
                                               {67, 277, 4},
                                               {131, 281, 5},
                                               {longest, 285, 0}}};
  for (std::size_t left = count - 1; left > 0;) {
    std::size_t length = std::min(left, longest);
    if (left - length == 1 || left - length == 2) length -= 3;
    const auto* lengths = std::prev(std::find_if(
        all.begin(), all.end(), [&](const Lengths& one) { return one.first > length; }));
    const std::size_t beyond = length - lengths->first;
    const auto symbol = lengths->symbol + static_cast<std::uint32_t>(beyond >> lengths->rest_bits);
    if (symbol < 280) {
      bits.put_code(symbol - 256, 7);
    } else {
      bits.put_code(0xc0 + symbol - 280, 8);
    }
    bits.put(static_cast<std::uint32_t>(beyond) & ((1U << lengths->rest_bits) - 1),
             lengths->rest_bits);
    bits.put_code(0, 5);  // a distance of one
    left -= length;
  }
  bits.put_code(0, 7);  // the block's end
}

}  // namespace

bool is_noise(View<const std::uint8_t> bytes, double share) {
  // Of many bytes a quarter tells as much.
  constexpr std::size_t many = 4096;
  const std::size_t step = bytes.size < many ? word_size : 4 * word_size;
  std::array<std::uint32_t, 256> times{};
  double all = 0;
  for (std::size_t n = 0; n + word_size <= bytes.size; n += step) {
    if (is_one_byte(word_at(bytes.data + n))) continue;
    for (std::size_t b = 0; b < word_size; ++b) ++times[bytes[n + b]];
    all += word_size;
  }
  if (all == 0) return false;
  double code_bits = 0;
  for (const std::uint32_t count : times) {
    if (count > 0) code_bits += count * std::log2(all / count);
  }
  const double by_chance = 255 / (2 * std::log(2.0));  // bits that few bytes look more even by
  return code_bits + by_chance > share * 8 * all;
}

void store_noise(View<const std::uint8_t> bytes, std::vector<std::uint8_t>& stream) {
  constexpr std::size_t shortest = 24;  // a run that takes less room than it saves
  BitWriter bits(stream);
  std::size_t done = 0;
  for (std::size_t n = 0; n + word_size <= bytes.size;) {
    const std::uint64_t word = word_at(bytes.data + n);
    if (!is_one_byte(word)) {
      n += word_size;
      continue;
    }
    const std::uint8_t byte = bytes[n];
    std::size_t begin = n;
    while (begin > done && bytes[begin - 1] == byte) --begin;
    n += word_size;
    while (n + word_size <= bytes.size && word_at(bytes.data + n) == word) n += word_size;
    while (n < bytes.size && bytes[n] == byte) ++n;
    if (n - begin < shortest) continue;
    if (begin > done) put_stored(bytes.part(done, begin - done), bits, stream);
    put_run(byte, n - begin, bits);
    done = n;
  }
  put_stored(bytes.part(done, bytes.size - done), bits, stream);
}

}  // namespace tidewise
