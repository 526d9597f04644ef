#include "base/byte_size.h"

#include <gtest/gtest.h>

namespace tidewise {
namespace {

TEST(ByteSize, ParsesAllUnits) {
  EXPECT_EQ(parse_byte_size("512MiB"), 512LL << 20);
  EXPECT_EQ(parse_byte_size("8GiB"), 8LL << 30);
  EXPECT_EQ(parse_byte_size("2GB"), 2'000'000'000);
  EXPECT_EQ(parse_byte_size("1.5 gb"), 1'500'000'000);
  EXPECT_EQ(parse_byte_size("0.5TiB"), 1LL << 39);
  EXPECT_EQ(parse_byte_size("64kb"), 64'000);
  EXPECT_EQ(parse_byte_size("64 KiB"), 65'536);
  EXPECT_EQ(parse_byte_size("1048576"), 1'048'576);
  EXPECT_EQ(parse_byte_size("8e9"), 8'000'000'000);
  EXPECT_EQ(parse_byte_size("100B"), 100);
  EXPECT_EQ(parse_byte_size("0"), 0);
}

TEST(ByteSize, RejectsOtherText) {
  for (const char* text : {"", "MiB", "much", "1 2", "512Mb/s", "-1MB", "1e30", "nan", "inf",
                           "9223372036854775808", "4  GB", "0x10", "GB8", "8G", "1,5GB"}) {
    EXPECT_EQ(parse_byte_size(text), std::nullopt) << text;
  }
}

TEST(ByteSize, FormatsWithFewDigits) {
  EXPECT_EQ(describe_bytes(3.96e6), "4 MB");
  EXPECT_EQ(describe_bytes(150'754'000'000.0), "150.8 GB");
  EXPECT_EQ(describe_bytes(12'345), "12 kB");
}

}  // namespace
}  // namespace tidewise
