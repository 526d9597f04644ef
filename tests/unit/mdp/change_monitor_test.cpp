#include "mdp/stop/change_monitor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"

namespace tidewise::mdp {
namespace {

TEST(ChangeRecord, FindsLeastAndMostInAnyOrder) {
  const double numbers[] = {-1e300, -2, -1e-310, -0.0, 0.0, 3e-320, 1, 7e200};
  for (const double least : numbers) {
    for (const double most : numbers) {
      if (most < least) continue;
      ChangeRecord one;
      one.include(most);
      ChangeRecord other;
      other.include(least);
      one.include(other);
      EXPECT_EQ(one.change().least, least);
      EXPECT_EQ(one.change().most, most);
    }
  }
}

TEST(ChangeRecord, LosesNoNumberThatIsNone) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), -std::nan(""), infinity, -infinity}) {
    ChangeRecord record;
    record.include(1);
    record.include(bad);
    record.include(-1);
    EXPECT_THROW(finite_change(record, "a method", 3), RunError);
  }
}

TEST(ChangeMonitor, ForetellsFromTwoLooks) {
  SolveOptions options;
  ChangeMonitor monitor(.9, options);
  EXPECT_EQ(monitor.sweeps_until(1), 1);
  monitor.see(100, 1 << 20);
  EXPECT_EQ(monitor.sweeps_until(1), 1);  // one look tells nothing
  monitor.see(110, 1 << 10);              // half a sweep: 10 more to go
  EXPECT_EQ(monitor.sweeps_until(1), 9);
  EXPECT_EQ(monitor.sweeps_until(1e-9), 110 / 8);  // few beside what has been done
  EXPECT_EQ(monitor.sweeps_until(1 << 11), 1);
  monitor.see(111, 1 << 12);
  EXPECT_EQ(monitor.sweeps_until(1), 1);  // it grew
}

TEST(ChangeMonitor, LosesHopeWhereNothingFallsForLong) {
  ChangeMonitor monitor(.9, {});
  monitor.see(10, 5);
  monitor.see(1010, 5);
  EXPECT_FALSE(monitor.is_hopeless());
  monitor.see(1011, 6);
  EXPECT_TRUE(monitor.is_hopeless());
  monitor.see(1012, 4);
  EXPECT_FALSE(monitor.is_hopeless());
  ChangeMonitor undiscounted(1, {});
  undiscounted.see(1, 5);
  undiscounted.see(1'000'000, 5);
  EXPECT_FALSE(undiscounted.is_hopeless());
}

}  // namespace
}  // namespace tidewise::mdp
