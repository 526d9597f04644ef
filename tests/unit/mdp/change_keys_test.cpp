#include "solver/mdp/change_keys.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tidewise {
namespace {

TEST(ChangeKeys, HaveTheNumbersOrder) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> ascending{-infinity, -1e300, -1.5, -1e-310, -0.0,
                                      0.0,       1e-310, 1.5,  1e300,   infinity};
  for (std::size_t n = 0; n < ascending.size(); ++n) {
    EXPECT_EQ(number_of(ordered_key(ascending[n])), ascending[n]);
    EXPECT_EQ(std::signbit(number_of(ordered_key(ascending[n]))), std::signbit(ascending[n]));
    if (n == 0) continue;
    EXPECT_LT(ordered_key(ascending[n - 1]), ordered_key(ascending[n]));
  }
  const ValueChange change = change_of(keys_of({-2, 3}));
  EXPECT_EQ(change.least, -2);
  EXPECT_EQ(change.most, 3);
}

}  // namespace
}  // namespace tidewise
