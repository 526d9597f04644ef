#include "env/device/device_environment.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "base/error.h"
#include "base/hdf5/file.h"
#include "base/memory/array.h"
#include "env/device/device_level_pair.h"
#include "env/levels/level_block.h"
#include "env/levels/level_stream.h"
#include "support/device.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/raw_environment.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

constexpr std::size_t large_budget = std::size_t{1} << 30;  // [B]

/// Copies a field from the device to the host, in the order of `stream`.
template <class T>
std::vector<T> copy_to_host(View<const T> field, const DeviceStream& stream) {
  Array<T> values(field.size);
  copy_bytes(MemorySpace::host, values.data(), MemorySpace::device, field.data,
             field.size * sizeof(T), stream);
  stream.synchronize();
  return {values.begin(), values.end()};
}

template <class T>
void expect_same_bits(View<const T> field, std::type_identity_t<View<const T>> expected,
                      const DeviceStream& stream) {
  const auto values = copy_to_host(field, stream);
  ASSERT_EQ(values.size(), expected.size);
  if (values.empty()) return;
  EXPECT_EQ(std::memcmp(values.data(), expected.data, values.size() * sizeof(T)), 0);
}

/// Compares every field of a level with what the CPU reads.
void expect_level(const LevelView& level, const EnvironmentReader& reader, TimeLevel k,
                  const DeviceStream& stream) {
  SCOPED_TRACE(k.value);
  LevelFields<> expected(reader.info());
  reader.read_level(k, expected);
  EXPECT_EQ(level.grid.nx, reader.info().grid.nx);
  EXPECT_EQ(level.mode_count, reader.info().mode_count);
  EXPECT_EQ(level.realization_count, reader.info().realization_count);
  expect_same_bits(level.u_mean, expected.u_mean, stream);
  expect_same_bits(level.v_mean, expected.v_mean, stream);
  expect_same_bits(level.u_mode, expected.u_modes(), stream);
  expect_same_bits(level.v_mode, expected.v_modes(), stream);
  expect_same_bits(level.coefficient, expected.coefficient, stream);
  expect_same_bits(level.scalar, expected.scalar, stream);
  expect_same_bits(level.masked, expected.masked, stream);
  expect_same_bits(level.dry, expected.dry, stream);
}

/// Reads the levels in `order`, holding two at a time, and compares each of them.
void expect_pass(DeviceEnvironment& environment, const std::vector<TimeLevel>& order,
                 const DeviceStream& stream) {
  environment.begin(order);
  for (std::size_t n = 0; n < order.size(); ++n) {
    const LevelView level = environment.next(stream);
    if (n > 0) environment.release(stream);
    expect_level(level, environment.reader(), order[n], stream);
  }
  environment.release(stream);
  environment.finish();
}

struct Layout {
  Obstacles obstacles;
  bool has_scalar;
  bool fixed_modes = false;
};

/// Writes noise on 17 × 13 cells, with 3 modes, 40 realizations and 12 levels. With a mask, some
/// closed cells lack velocities and some lack scalars.
std::filesystem::path write_noise(const std::filesystem::path& path, const Layout& layout) {
  auto info = test::plain_info(17, 13, 12, 3, 40);
  info.obstacles = layout.obstacles;
  info.has_scalar = layout.has_scalar;
  info.has_fixed_modes = layout.fixed_modes;
  std::mt19937 random(7);
  test::write_environment(path, info, [&](TimeLevel k, LevelFields<>& fields) {
    for (auto* field : {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode,
                        &fields.coefficient, &fields.scalar}) {
      std::uniform_real_distribution<float> value(-1, 1);
      for (float& v : *field) v = value(random);
    }
    if (layout.obstacles == Obstacles::none) return;
    const auto shift = layout.obstacles == Obstacles::moving ? k.value : 0;
    for (std::size_t n = 0; n < 6; ++n) {
      const std::size_t cell = 20 + 17 * n + static_cast<std::size_t>(shift);
      fields.masked[cell] = 1;
      if (n % 2 == 0) fields.dry[cell] = 1;
      const bool may_lack_mode = !layout.fixed_modes || layout.obstacles == Obstacles::fixed;
      if (n == 1 && may_lack_mode) fields.v_mode[cell] = -std::numeric_limits<float>::infinity();
      if (n == 3 && layout.has_scalar) fields.scalar[cell] = std::numeric_limits<float>::infinity();
    }
  });
  return path;
}

class DeviceEnvironmentOfLayout : public testing::TestWithParam<Layout> {};

TEST_P(DeviceEnvironmentOfLayout, MatchesTheCpuToTheLastBit) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::TemporaryFolder folder;
  const EnvironmentReader reader(write_noise(folder / "a.h5", GetParam()));
  const DeviceStream stream;
  for (const std::size_t slots : {3, 5, 7, 100}) {
    SCOPED_TRACE(slots);
    DeviceEnvironment environment(
        reader, slots * LevelBlock(reader.info()).size() + SharedModes<>::size(reader.info()));
    expect_pass(environment, levels_between(TimeLevel(11), TimeLevel(0)), stream);
    expect_pass(environment, levels_between(TimeLevel(0), TimeLevel(11)), stream);
    expect_pass(environment, {TimeLevel(4), TimeLevel(4), TimeLevel(9), TimeLevel(4)}, stream);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, DeviceEnvironmentOfLayout,
    testing::Values(Layout{Obstacles::none, false}, Layout{Obstacles::fixed, true},
                    Layout{Obstacles::moving, true}, Layout{Obstacles::moving, false},
                    Layout{Obstacles::none, false, true}, Layout{Obstacles::fixed, true, true},
                    Layout{Obstacles::moving, true, true}));

TEST(DeviceEnvironment, ReadsFillValuesAsTheCpuDoes) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::TemporaryFolder folder;
  test::RawEnvironment raw;
  constexpr std::size_t land = 3 * 8 + 5;
  raw.variables["scalar_mean"] = raw.variables["u_mean"];
  raw.variables["scalar_mean"].values[2 * 48 + land] = -999;
  raw.variables["u_mode"].values[(1 * 2 + 1) * 48 + land] = -999;
  raw.variables["v_mean"].values[3 * 48 + land] = std::numeric_limits<double>::quiet_NaN();
  raw.write(folder / "a.h5");
  {
    const Hdf5Handle file(H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    for (const char* name : {"u_mode", "scalar_mean"}) {
      const Hdf5Handle dataset(H5Dopen2(file.id(), name, H5P_DEFAULT), H5Dclose);
      const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
      const Hdf5Handle attribute(H5Acreate2(dataset.id(), "missing_value", H5T_NATIVE_FLOAT,
                                            space.id(), H5P_DEFAULT, H5P_DEFAULT),
                                 H5Aclose);
      const double value = -999;
      ASSERT_GE(H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, &value), 0);
    }
  }
  const EnvironmentReader reader(folder / "a.h5");
  const DeviceStream stream;
  DeviceEnvironment environment(reader, large_budget);
  expect_pass(environment, levels_between(TimeLevel(0), TimeLevel(3)), stream);
}

TEST(DeviceEnvironment, ReadsEachLevelOnceIfTheBudgetAllows) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::TemporaryFolder folder;
  const EnvironmentReader reader(write_noise(folder / "a.h5", {Obstacles::moving, true}));
  const DeviceStream stream;
  const auto backward = levels_between(TimeLevel(11), TimeLevel(0));
  const auto forward = levels_between(TimeLevel(0), TimeLevel(11));
  {
    DeviceEnvironment whole_budget(reader, large_budget);
    EXPECT_FALSE(whole_budget.holds_all());
    expect_pass(whole_budget, backward, stream);
    EXPECT_EQ(whole_budget.levels_read(), 12U);
    EXPECT_TRUE(whole_budget.holds_all());
    DeviceLevelPair pair(whole_budget, stream, TimeLevel(3), TimeLevel(11));
    DeviceLevelPair other(whole_budget, stream, TimeLevel(0), TimeLevel(11));
    for (TimeLevel k(3); k.value < 11; ++k.value) {
      pair.advance();
      other.advance();
      expect_level(pair.now(), reader, k, stream);
      expect_level(pair.next(), reader, TimeLevel(k.value + 1), stream);
      expect_level(other.now(), reader, TimeLevel(k.value - 3), stream);
      pair.leave();
      other.leave();
    }
    pair.finish();
    expect_pass(whole_budget, forward, stream);
    expect_pass(whole_budget, backward, stream);
    EXPECT_EQ(whole_budget.levels_read(), 12U);
  }
  DeviceEnvironment half_budget(reader, 6 * LevelBlock(reader.info()).size());
  expect_pass(half_budget, backward, stream);
  EXPECT_EQ(half_budget.levels_read(), 12U);
  expect_pass(half_budget, forward, stream);
  EXPECT_EQ(half_budget.levels_read(), 18U);
  EXPECT_FALSE(half_budget.holds_all());
}

/// A level's memory may be overwritten only after the work that reads it, however late that runs.
TEST(DeviceEnvironment, ReusesMemoryOnlyAfterItsReadersEnd) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::TemporaryFolder folder;
  const auto info = test::plain_info(256, 256, 40, 4, 8);
  test::write_environment(folder / "a.h5", info, [](TimeLevel k, LevelFields<>& fields) {
    std::fill(fields.v_mode.begin(), fields.v_mode.end(), static_cast<float>(k.value));
  });
  const EnvironmentReader reader(folder / "a.h5");
  DeviceEnvironment environment(reader, 3 * LevelBlock(reader.info()).size());
  const DeviceStream streams[2];
  const std::size_t size = LevelFields<>(reader.info()).v_mode.size();
  std::vector<PinnedArray<float>> copies;
  const auto order = levels_between(TimeLevel(0), TimeLevel(39));
  for (std::size_t n = 0; n < order.size(); ++n) copies.emplace_back(size);
  // Earlier copies keep both streams busy, so that the copies to the host are late.
  DeviceArray<float> source;
  copy(source, Array<float>(std::size_t{1} << 24, 0.0F));
  DeviceArray<float> targets[2];
  for (std::size_t s = 0; s < 2; ++s) {
    targets[s] = DeviceArray<float>(source.size());
    for (int n = 0; n < 200; ++n) copy(targets[s], source, streams[s]);
  }
  environment.begin(order);
  for (std::size_t n = 0; n < order.size(); ++n) {
    const DeviceStream& stream = streams[n % 2];
    const LevelView level = environment.next(stream);
    copy_bytes(MemorySpace::pinned, copies[n].data(), MemorySpace::device, level.v_mode.data,
               size * sizeof(float), stream);
    environment.release(stream);
  }
  environment.finish();
  for (const auto& stream : streams) stream.synchronize();
  for (std::size_t n = 0; n < order.size(); ++n) {
    const auto expected = static_cast<float>(n);
    EXPECT_TRUE(std::all_of(copies[n].begin(), copies[n].end(), [&](float value) {
      return value == expected;
    })) << n;
  }
}

std::string refusal_of_cpu(const EnvironmentReader& reader) {
  try {
    LevelFields<> fields(reader.info());
    for (TimeLevel k(0); k.value < reader.info().time.level_count; ++k.value) {
      reader.read_level(k, fields);
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of_device(const EnvironmentReader& reader, std::size_t budget) {
  const DeviceStream stream;
  DeviceEnvironment environment(reader, budget);
  try {
    environment.begin(levels_between(TimeLevel(0), TimeLevel(reader.info().time.level_count - 1)));
    for (std::int32_t k = 0; k < reader.info().time.level_count; ++k) {
      environment.next(stream);
      environment.release(stream);
    }
    environment.finish();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceEnvironment, ReportsTheCpusErrors) {
  TIDEWISE_REQUIRE_DEVICE();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  struct Fault {
    const char* variable;
    std::size_t position;
    double value;
  };
  for (const Fault& fault : {Fault{"u_mean", 2 * 48 + 7, nan}, Fault{"v_mode", 3 * 96 + 50, nan},
                             Fault{"scalar_mean", 48, std::numeric_limits<double>::infinity()},
                             Fault{"coefficient", 1 * 6 + 4, nan}, Fault{"obstacle_mask", 11, 2}}) {
    const test::TemporaryFolder folder;
    test::RawEnvironment raw;
    raw.variables["scalar_mean"] = raw.variables["u_mean"];
    raw.variables[fault.variable].values[fault.position] = fault.value;
    raw.variables["v_mean"].values[3 * 48] = nan;  // a second fault, on the last level
    raw.write(folder / "a.h5");
    const EnvironmentReader reader(folder / "a.h5");
    const std::string expected = refusal_of_cpu(reader);
    EXPECT_THAT(expected, testing::HasSubstr(fault.value == 2 || fault.position != 3 * 96 + 50
                                                 ? fault.variable
                                                 : "v_mean"));
    EXPECT_EQ(refusal_of_device(reader, large_budget), expected);
    EXPECT_EQ(refusal_of_device(reader, 3 * LevelBlock(reader.info()).size()), expected);
  }
}

TEST(DeviceEnvironment, ValidatesOnlyLevelsThatItReturns) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::TemporaryFolder folder;
  test::RawEnvironment raw;
  raw.variables["u_mean"].values[2 * 48] = std::numeric_limits<double>::quiet_NaN();
  raw.write(folder / "a.h5");
  const EnvironmentReader reader(folder / "a.h5");
  const DeviceStream stream;
  DeviceEnvironment environment(reader, large_budget);
  environment.begin(levels_between(TimeLevel(0), TimeLevel(3)));
  environment.next(stream);
  environment.next(stream);  // the third is being read
  environment.finish();
  environment.release(stream);
  environment.next(stream);
  EXPECT_THROW(environment.finish(), InputError);
  expect_pass(environment, {TimeLevel(3), TimeLevel(1)}, stream);
}

TEST(DeviceEnvironment, ReportsALevelThatChangedWhileItWasRead) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::TemporaryFolder folder;
  test::write_environment(folder / "a.h5", test::plain_info(8, 6, 3),
                          [](TimeLevel, LevelFields<>& fields) {
                            fields.u_mean[0] = std::numeric_limits<float>::quiet_NaN();
                          });
  const EnvironmentReader reader(folder / "a.h5");
  const DeviceStream stream;
  DeviceEnvironment environment(reader, large_budget);
  environment.begin({TimeLevel(0)});
  environment.next(stream);
  {
    Hdf5File file = Hdf5File::open_to_change(folder / "a.h5");
    const float corrected = 0.25F;
    file.write("u_mean", {0, 0, 0}, {1, 1, 1}, &corrected);
    file.close();
  }
  try {
    environment.finish();
    ADD_FAILURE();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("time level 0 changed while it was read"));
  }
}

TEST(DeviceEnvironment, RethrowsErrorsOfItsReadingThread) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::TemporaryFolder folder;
  test::RawEnvironment().write(folder / "a.h5");
  {
    // Text in place of numbers is detected only when it is read.
    const Hdf5Handle file(H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(file.id(), "v_mode", H5P_DEFAULT), 0);
    const hsize_t shape[4] = {4, 2, 6, 8};
    const Hdf5Handle space(H5Screate_simple(4, shape, nullptr), H5Sclose);
    const Hdf5Handle dataset(H5Dcreate2(file.id(), "v_mode", H5T_C_S1, space.id(), H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT),
                             H5Dclose);
    ASSERT_TRUE(dataset.valid());
  }
  const EnvironmentReader reader(folder / "a.h5");
  const std::string expected = refusal_of_cpu(reader);
  EXPECT_THAT(expected, testing::HasSubstr("does not hold numbers"));
  EXPECT_EQ(refusal_of_device(reader, large_budget), expected);
}

TEST(DeviceEnvironment, CanBeginAnotherPassMidway) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::TemporaryFolder folder;
  const EnvironmentReader reader(write_noise(folder / "a.h5", {Obstacles::moving, true}));
  const DeviceStream stream;
  const auto backward = levels_between(TimeLevel(11), TimeLevel(0));
  for (std::size_t levels_taken = 0; levels_taken < 6; ++levels_taken) {
    for (const std::size_t slots : {3, 8}) {
      DeviceEnvironment environment(reader, slots * LevelBlock(reader.info()).size());
      environment.begin(backward);
      for (std::size_t n = 0; n < levels_taken; ++n) {
        environment.next(stream);
        if (n + 1 < levels_taken) environment.release(stream);  // the last level is still held
      }
      if (levels_taken % 2 == 0) continue;  // destroyed during the pass
      expect_pass(environment, levels_between(TimeLevel(2), TimeLevel(9)), stream);
      EXPECT_GE(environment.waited_seconds(), 0);
    }
  }
}

TEST(DeviceEnvironment, RefusesABudgetBelowThreeLevels) {
  const test::TemporaryFolder folder;
  const EnvironmentReader reader(write_noise(folder / "a.h5", {Obstacles::none, false}));
  const std::size_t budget = 3 * LevelBlock(reader.info()).size() - 1;
  EXPECT_THROW(DeviceEnvironment(reader, budget), RunError);
}

TEST(DeviceEnvironment, ThrowsInABuildWithoutCuda) {
  if (cuda_support() != CudaSupport::absent) GTEST_SKIP();
  const test::TemporaryFolder folder;
  const EnvironmentReader reader(write_noise(folder / "a.h5", {Obstacles::none, false}));
  EXPECT_THROW(DeviceEnvironment(reader, large_budget), RunError);
}

}  // namespace
}  // namespace tidewise
