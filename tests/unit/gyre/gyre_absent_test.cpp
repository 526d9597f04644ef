#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "env/gyre/environment.h"

namespace tidewise::gyre {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(GyreAbsent, SaysThatThisBuildCannotMakeIt) {
  SilentProgress progress;
  EXPECT_THAT([&] { make_environment("ocean.h5", {}, Restart::go_on, progress); },
              ThrowsMessage<InputError>(HasSubstr("build with -DTIDEWISE_GYRE=ON")));
  EXPECT_THAT([&] { describe_restart("ocean.h5", {}); },
              ThrowsMessage<InputError>(HasSubstr("build with -DTIDEWISE_GYRE=ON")));
}

}  // namespace
}  // namespace tidewise::gyre
