#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "env/import/import_forecast.h"
#include "planner/rehearsal/rehearsal.h"
#include "support/error_code.h"

namespace tidewise::ingest {
namespace {

TEST(ImportAbsent, ReportsThatThisBuildCannotImport) {
  SilentProgress progress;
  EXPECT_THAT([&] { import_forecast({}, progress); },
              ::testing::ThrowsMessage<InputError>(tidewise::test::has_code("import_not_built")));
}

TEST(ImportAbsent, ReportsThatThisBuildCannotRehearse) {
  SilentProgress progress;
  EXPECT_THAT(
      [&] { rehearse({}, progress); },
      ::testing::ThrowsMessage<InputError>(tidewise::test::has_code("rehearsal_not_built")));
}

}  // namespace
}  // namespace tidewise::ingest
