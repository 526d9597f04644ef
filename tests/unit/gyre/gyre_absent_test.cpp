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
  EXPECT_THAT([&] { make_gyre_environment("ocean.h5", {}, GyreRestart::go_on, progress); },
              ThrowsMessage<InputError>(HasSubstr("build with -DTIDEWISE_GYRE=ON")));
  EXPECT_THAT([&] { describe_gyre_restart("ocean.h5", {}); },
              ThrowsMessage<InputError>(HasSubstr("build with -DTIDEWISE_GYRE=ON")));
}

}  // namespace
}  // namespace tidewise::gyre
