#include <gtest/gtest.h>

#include "env/tools/statistics.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

TEST(EnvironmentStatistics, MatchAHandCalculation) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::plain_info(2, 2, 2, 1, 4);
  info.realization_weight = {weight_total / 2, weight_total / 4, weight_total / 4, 0};
  test::write_environment(folder / "a.h5", info, [](TimeLevel k, LevelFields<>& fields) {
    fields.u_mean[0] = 3;
    fields.v_mean[0] = 4;
    fields.u_mode[0] = 2;
    fields.masked[3] = k.value == 0 ? 1 : 0;
    // Weighted mean 0, weighted variance 1/2·1 + 1/4·1 + 1/4·1 = 1; the last has no weight.
    fields.coefficient[0] = 1;
    fields.coefficient[1] = -1;
    fields.coefficient[2] = -1;
    fields.coefficient[3] = 0;
    fields.scalar[1] = -2;
    fields.scalar[2] = 5;
    fields.scalar[3] = k.value == 0 ? 99 : 0;
  });
  const EnvironmentReader reader(folder / "a.h5");
  SilentProgress progress;
  const EnvironmentStatistics statistics = measure_environment(reader, progress);
  EXPECT_DOUBLE_EQ(statistics.closed_share, 1.0 / 8);
  EXPECT_DOUBLE_EQ(statistics.mean_flow_average, (5.0 + 5.0) / 7);
  EXPECT_DOUBLE_EQ(statistics.mean_flow_greatest, 5);
  EXPECT_DOUBLE_EQ(statistics.flow_bound, std::hypot(3 + 2, 4));
  EXPECT_EQ(statistics.scalar_least, -2);
  EXPECT_EQ(statistics.scalar_greatest, 5) << "a closed cell holds the greater one";
  EXPECT_NEAR(statistics.mode_variance.at(0), (4.0 + 4.0) / 7, 1e-6);
}

}  // namespace
}  // namespace tidewise
