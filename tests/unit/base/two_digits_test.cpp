#include "base/two_digits.h"

#include <gtest/gtest.h>

namespace tidewise {
namespace {

TEST(TwoDigits, RoundToTheNearest) {
  EXPECT_DOUBLE_EQ(two_digits(1273), 1300);
  EXPECT_DOUBLE_EQ(two_digits(1249), 1200);
  EXPECT_DOUBLE_EQ(two_digits(42), 42);
  EXPECT_DOUBLE_EQ(two_digits(0.0273), 0.027);
}

TEST(TwoDigits, RoundUpToTheNextPowerOfTen) {
  EXPECT_DOUBLE_EQ(two_digits(996), 1000);
  EXPECT_DOUBLE_EQ(two_digits(100), 100);
}

}  // namespace
}  // namespace tidewise
