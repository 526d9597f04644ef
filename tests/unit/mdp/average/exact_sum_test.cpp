#include "mdp/average/exact_sum.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tidewise::mdp {
namespace {

TEST(ExactSum, KeepsSmallTermsNextToLargeOnes) {
  ExactSum sum;
  for (const double term : {1e300, 1.0, 1e-200, -1e300, -1.0}) sum.add(term);
  EXPECT_EQ(sum.sign(), 1);
  sum.add(-1e-200);
  EXPECT_EQ(sum.sign(), 0);
}

TEST(ExactSum, IncludesTheRoundingOfProducts) {
  // (1 + u)(1 − u) = 1 − u², which rounds to 1.
  const double unit = std::ldexp(1, -40);
  ExactSum sum;
  sum.add_product(1 + unit, 1 - unit);
  sum.add(-1);
  EXPECT_EQ(sum.sign(), -1);
  sum.add(unit * unit);
  EXPECT_EQ(sum.sign(), 0);
}

TEST(ExactSum, UsesDecimalsAsStored) {
  ExactSum sum;
  for (const double term : {.1, .2, -.3}) sum.add_product(1, 3, term);
  EXPECT_EQ(sum.sign(), 1);
}

TEST(ExactSum, IsUnknownForProductsBelowTheRange) {
  ExactSum sum;
  sum.add_product(1e-200, 1e-200);
  EXPECT_EQ(sum.sign(), std::nullopt);
}

}  // namespace
}  // namespace tidewise::mdp
