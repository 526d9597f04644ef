// Main program of tests that ctest runs in parts of whole suites, because the tests of a suite
// share files that are made once in a process. TIDEWISE_TEST_PART=2/8 runs the second of eight
// parts.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* text = std::getenv("TIDEWISE_TEST_PART");
  int part = 0;
  int parts = 0;
  if (text != nullptr && std::sscanf(text, "%d/%d", &part, &parts) == 2) {
    std::string filter = "-";
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int n = 0; n < all.total_test_suite_count(); ++n) {
      if (n % parts != part - 1) filter += std::string(all.GetTestSuite(n)->name()) + ".*:";
    }
    GTEST_FLAG_SET(filter, filter);
  }
  return RUN_ALL_TESTS();
}
