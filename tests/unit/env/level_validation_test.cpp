#include "env/file/level_validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "env/levels/level_block.h"
#include "env/mask.h"
#include "support/ocean/environment_builder.h"

namespace tidewise {
namespace {

constexpr float nan_float = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite_float = std::numeric_limits<float>::infinity();

TEST(MissingMarks, MatchValuesThatAreNotFiniteOrMarked) {
  const MissingMarks none{nan_float, nan_float};
  for (const float value : {nan_float, -nan_float, infinite_float, -infinite_float})
    EXPECT_TRUE(none(value));
  for (const float value : {0.0F, -1e38F, 1e-45F}) EXPECT_FALSE(none(value));
  const MissingMarks both{-999, 1e20F};
  for (const float value : {nan_float, infinite_float, -999.0F, 1e20F}) EXPECT_TRUE(both(value));
  EXPECT_FALSE(both(999));
}

/// A valid level of 3 × 2 cells, 2 modes and 4 realizations whose cell 4 is closed, in one block.
class LevelValidationTest : public testing::Test {
 protected:
  LevelValidationTest() {
    for (auto* field : {&fields_.u_mean, &fields_.v_mean, &fields_.u_mode, &fields_.v_mode,
                        &fields_.coefficient, &fields_.scalar}) {
      std::fill(field->begin(), field->end(), 0.5F);
    }
    std::fill(fields_.masked.begin(), fields_.masked.end(), std::uint8_t{0});
    std::fill(fields_.dry.begin(), fields_.dry.end(), std::uint8_t{7});
    fields_.masked[land] = 1;
  }

  /// Returns the indices of the refused pieces, in descending order.
  std::vector<std::size_t> validate() const {
    const LevelValidation validate{fields_, {mark_, mark_, mark_, mark_, mark_, mark_}};
    std::vector<std::size_t> refused;
    for (std::size_t piece = validate.piece_count(); piece-- > 0;) {  // in descending order
      if (!validate(piece)) refused.push_back(piece);
    }
    return refused;
  }

  static constexpr std::size_t land = 4;
  const EnvironmentInfo info_ = test::plain_info(3, 2, 1, 2, 4);
  const LevelBlock block_{info_};
  Array<std::byte> memory_{block_.size()};
  const LevelFieldViews fields_ = block_.fields(memory_.data());
  const MissingMarks mark_{-999, nan_float};
};

TEST_F(LevelValidationTest, KeepsAValidLevel) {
  EXPECT_TRUE(validate().empty());
  for (const auto flag : fields_.dry) EXPECT_EQ(flag, 0);
  for (const float value : fields_.u_mode) EXPECT_EQ(value, 0.5F);
  EXPECT_EQ(fields_.scalar[land], 0.5F);
}

TEST_F(LevelValidationTest, MakesAClosedCellWithoutVelocityDry) {
  fields_.v_mode[6 + land] = -999;
  EXPECT_TRUE(validate().empty());
  for (std::size_t cell = 0; cell < 6; ++cell) {
    EXPECT_EQ(fields_.dry[cell], cell == land ? 1 : 0);
    const float expected = cell == land ? 0.0F : 0.5F;
    for (const auto& field : {fields_.u_mean, fields_.v_mean, fields_.u_mode, fields_.v_mode}) {
      for (std::size_t n = cell; n < field.size; n += 6) EXPECT_EQ(field[n], expected);
    }
  }
  EXPECT_EQ(fields_.scalar[land], 0.5F);
}

TEST_F(LevelValidationTest, SetsAScalarMissingOnLandToZero) {
  fields_.scalar[land] = nan_float;
  EXPECT_TRUE(validate().empty());
  EXPECT_EQ(fields_.scalar[land], 0.0F);
  EXPECT_EQ(fields_.dry[land], 0);
  EXPECT_EQ(fields_.u_mean[land], 0.5F);
}

TEST_F(LevelValidationTest, RefusesValuesMissingInTheWater) {
  fields_.u_mean[0] = nan_float;
  fields_.v_mean[1] = infinite_float;
  fields_.u_mode[6 + 2] = -999;
  fields_.scalar[3] = nan_float;
  EXPECT_EQ(validate(), (std::vector<std::size_t>{3, 2, 1, 0}));
  EXPECT_EQ(fields_.dry[0], 0);
  EXPECT_EQ(fields_.v_mean[0], 0.5F);
}

TEST_F(LevelValidationTest, RefusesAMaskOfOtherNumbersAndMissingCoefficients) {
  fields_.masked[3] = beyond_forecast;  // closed, and valid
  fields_.u_mean[3] = nan_float;
  fields_.masked[5] = beyond_forecast + 1;
  fields_.coefficient[0] = -999;
  fields_.coefficient[7] = nan_float;
  EXPECT_EQ(validate(), (std::vector<std::size_t>{6 + 7, 6, 5}));
  EXPECT_EQ(fields_.dry[3], 1);
}

TEST(LevelBlock, SeparatesAndAlignsFields) {
  auto info = test::plain_info(5, 3, 1, 2, 7);
  for (const bool has_scalar : {true, false}) {
    info.has_scalar = has_scalar;
    const LevelBlock block(info);
    Array<std::byte> memory(block.size(), std::byte{0});
    const LevelFieldViews fields = block.fields(memory.data());
    const LevelFields<> expected(info);
    EXPECT_EQ(fields.u_mode.size, expected.u_mode.size());
    EXPECT_EQ(fields.coefficient.size, expected.coefficient.size());
    EXPECT_EQ(fields.scalar.size, expected.scalar.size());
    float number = 1;
    for (const auto& field : {fields.u_mean, fields.v_mean, fields.u_mode, fields.v_mode,
                              fields.coefficient, fields.scalar}) {
      EXPECT_EQ((reinterpret_cast<std::byte*>(field.data) - memory.data()) % 256, 0);
      for (const float value : field) EXPECT_EQ(value, 0);
      std::fill(field.begin(), field.end(), number++);
    }
    for (const auto& field : {fields.masked, fields.dry}) {
      for (const auto flag : field) EXPECT_EQ(flag, 0);
      std::fill(field.begin(), field.end(), std::uint8_t{255});
    }
    number = 1;
    for (const auto& field : {fields.u_mean, fields.v_mean, fields.u_mode, fields.v_mode,
                              fields.coefficient, fields.scalar}) {
      for (const float value : field) EXPECT_EQ(value, number);
      ++number;
    }
    const auto* dry = reinterpret_cast<std::byte*>(fields.dry.data);
    EXPECT_EQ(dry - memory.data(), static_cast<std::ptrdiff_t>(block.read_size()));
    EXPECT_LE(dry + fields.dry.size, memory.end());
  }
}

}  // namespace
}  // namespace tidewise
