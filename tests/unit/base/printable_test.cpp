#include "base/printable.h"

#include <gtest/gtest.h>

namespace tidewise {
namespace {

TEST(Printable, KeepsText) {
  const std::string text = "Größe 10 µm, 海流, 🌊\n\tnext line";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(on_one_line("a\nb\tc"), "a b c");
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("a\x1b[2Jb\rc\x07"), "a\\u001b[2Jb\\u000dc\\u0007");
  EXPECT_EQ(printable("\x7f\xc2\x9b"), "\\u007f\\u009b");  // DEL, and the C1 form of ESC [
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "exe"),
            "\\u202eexe");  // right-to-left override
}

TEST(Printable, EscapesInvalidUtf8) {
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\\xffb");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                    // cut short
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_FALSE(is_utf8("a\xff"));
  EXPECT_TRUE(is_utf8("海流"));
}

TEST(Shortened, KeepsBothEndsAndWholeCharacters) {
  EXPECT_EQ(shortened("short", 5), "short");
  const std::string text = "begin" + std::string(1'000'000, 'x') + "end";
  const std::string shorter = shortened(text, 300);
  EXPECT_LE(shorter.size(), 310u);
  EXPECT_EQ(shorter.substr(0, 5), "begin");
  EXPECT_EQ(shorter.substr(shorter.size() - 3), "end");
  std::string waves;
  for (int n = 0; n < 100; ++n) waves += "海";
  for (std::size_t max = 20; max < 40; ++max) EXPECT_TRUE(is_utf8(shortened(waves, max)));
}

}  // namespace
}  // namespace tidewise
