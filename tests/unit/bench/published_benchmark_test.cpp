// Results of `bench published` at small sizes.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/memory/device.h"
#include "bench/published/benchmark.h"

namespace tidewise {
namespace {

TEST(PublishedBenchmark, ScalesTheTimeOfASample) {
  SilentProgress progress;
  const auto report = benchmark_published({.quick = true, .sample = 50}, progress);
  ASSERT_EQ(report.points.size(), 6u);
  for (const PublishedPoint& point : report.points) {
    EXPECT_NEAR(point.sampled, point.states / 50, 1) << point.sweep;
    EXPECT_GT(point.sampled_seconds, 0);
    EXPECT_DOUBLE_EQ(point.sequential(), point.sampled_seconds * point.states / point.sampled);
    EXPECT_EQ(point.gpu.has_value(), device_count() > 0);
  }
  const auto json = report.to_json();
  EXPECT_EQ(json["points"].size(), 6u);
  EXPECT_EQ(json["points"][0].contains("speedup"), device_count() > 0);
}

}  // namespace
}  // namespace tidewise
