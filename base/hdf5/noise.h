#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"

namespace tidewise {

/// Whether bytes, runs of one byte aside, are as good as drawn at random, by how often each occurs:
/// a Huffman code would leave more than `share` of them.
bool is_noise(View<const std::uint8_t> bytes, double share);

/// Appends `bytes` to a deflate stream (RFC 1951) that has come to the end of a block and of a
/// byte, and does again afterwards. Long runs of one byte are stored as runs, and what is between
/// them as it is: some twenty times as fast as a search that finds nothing.
void store_noise(View<const std::uint8_t> bytes, std::vector<std::uint8_t>& stream);

}  // namespace tidewise
