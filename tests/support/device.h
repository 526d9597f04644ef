#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/memory/device.h"

/// Continues with a GPU. Without one the test is skipped, or fails if the build requires one
/// (TIDEWISE_REQUIRE_GPU, the preset cuda-gpu).
#ifdef TIDEWISE_REQUIRE_GPU
#define TIDEWISE_REQUIRE_DEVICE() ASSERT_GT(::tidewise::device_count(), 0) << "no GPU can be used"
#else
#define TIDEWISE_REQUIRE_DEVICE() \
  if (::tidewise::device_count() == 0) GTEST_SKIP() << "no GPU can be used"
#endif

/// Continues if the backend is available, as TIDEWISE_REQUIRE_DEVICE() does.
#define TIDEWISE_REQUIRE_BACKEND(backend)             \
  if ((backend) == ::tidewise::test::Backend::cuda) { \
    TIDEWISE_REQUIRE_DEVICE();                        \
  }

namespace tidewise::test {

enum class Backend { cpu, cuda };

inline constexpr Backend all_backends[] = {Backend::cpu, Backend::cuda};

/// Names a test by its backend, for INSTANTIATE_TEST_SUITE_P.
inline std::string name_of_backend(const testing::TestParamInfo<Backend>& backend) {
  return backend.param == Backend::cpu ? "cpu" : "cuda";
}

}  // namespace tidewise::test
