#include "output/view/base64.h"

#include <string_view>

namespace tidewise {

std::string to_base64(View<const std::uint8_t> bytes) {
  constexpr std::string_view signs =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size + 2) / 3 * 4);
  for (std::size_t n = 0; n < bytes.size; n += 3) {
    const std::size_t left = bytes.size - n;
    const std::uint32_t three = std::uint32_t{bytes[n]} << 16 |
                                (left > 1 ? std::uint32_t{bytes[n + 1]} << 8 : 0) |
                                (left > 2 ? std::uint32_t{bytes[n + 2]} : 0);
    text += signs[three >> 18];
    text += signs[three >> 12 & 63];
    text += left > 1 ? signs[three >> 6 & 63] : '=';
    text += left > 2 ? signs[three & 63] : '=';
  }
  return text;
}

}  // namespace tidewise
