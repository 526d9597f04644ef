#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "env/gyre/environment.h"
#include "support/error_code.h"

namespace tidewise::gyre {
namespace {

using testing::ThrowsMessage;

TEST(GyreAbsent, ReportsThatTheBuildHasNoGyre) {
  SilentProgress progress;
  EXPECT_THAT([&] { make_environment("ocean.h5", {}, Restart::go_on, progress); },
              ThrowsMessage<InputError>(test::has_code("gyre_not_built")));
  EXPECT_THAT([&] { describe_restart("ocean.h5", {}); },
              ThrowsMessage<InputError>(test::has_code("gyre_not_built")));
}

}  // namespace
}  // namespace tidewise::gyre
