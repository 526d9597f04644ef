#include "mdp/backup/ordered_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tidewise::mdp {
namespace {

template <class Real>
class OrderedCodes : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(OrderedCodes, Precisions);

TYPED_TEST(OrderedCodes, HaveTheOrderOfNumbers) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::vector<TypeParam> ascending{-Limits::infinity(),   -Limits::max(), TypeParam(-1.5),
                                         -Limits::denorm_min(), TypeParam(-0.), TypeParam(0),
                                         Limits::min(),         TypeParam(1.5), Limits::max(),
                                         Limits::infinity()};
  for (std::size_t n = 0; n < ascending.size(); ++n) {
    const TypeParam decoded = number_of<TypeParam>(code_of(ascending[n]));
    EXPECT_EQ(decoded, ascending[n]);
    EXPECT_EQ(std::signbit(decoded), std::signbit(ascending[n]));
    if (n == 0) continue;
    EXPECT_LT(code_of(ascending[n - 1]), code_of(ascending[n]));
  }
}

TYPED_TEST(OrderedCodes, PlaceNanOutside) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_GT(code_of(Limits::quiet_NaN()), code_of(Limits::infinity()));
  EXPECT_LT(code_of(-Limits::quiet_NaN()), code_of(-Limits::infinity()));
}

TYPED_TEST(OrderedCodes, CombineChanges) {
  using Slot = ChangeSlot<TypeParam>;
  EXPECT_TRUE(Slot{}.is(Slot::not_run()));
  Slot slot;
  slot.include(TypeParam(3));
  Slot other;
  other.include(TypeParam(-2));
  other.include(TypeParam(1));
  slot.include(other);
  slot.include(Slot{});  // without states
  EXPECT_EQ(slot.change().min, -2);
  EXPECT_EQ(slot.change().max, 3);
}

}  // namespace
}  // namespace tidewise::mdp
