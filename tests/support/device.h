#pragma once

#include <gtest/gtest.h>

#include "base/memory/device.h"

/// Goes on with a GPU. Without one the test is skipped, or fails where the build was told that
/// there is one (TIDEWISE_REQUIRE_GPU, the preset cuda-gpu).
#ifdef TIDEWISE_REQUIRE_GPU
#define TIDEWISE_REQUIRE_DEVICE() ASSERT_GT(::tidewise::device_count(), 0) << "no GPU can be used"
#else
#define TIDEWISE_REQUIRE_DEVICE() \
  if (::tidewise::device_count() == 0) GTEST_SKIP() << "no GPU can be used"
#endif
