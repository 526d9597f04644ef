// Values of an environment are validated as stored, before they are converted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "env/file/reader.h"
#include "support/error_code.h"
#include "support/ocean/raw_environment.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

class EnvironmentValues : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_ / "a.h5"; }
  std::filesystem::path write() const {
    raw_.write(path());
    return path();
  }
  /// Stores a mask as `type` that is 0 except for `value` in row 2, column 3 (of level 1 if it
  /// moves).
  void write_mask(hid_t type, double value, Obstacles kind) {
    const bool is_moving = kind == Obstacles::moving;
    auto& mask = raw_.variables["obstacle_mask"];
    mask.dimensions =
        is_moving ? std::vector<std::string>{"time", "y", "x"} : std::vector<std::string>{"y", "x"};
    mask.values.assign(is_moving ? 4 * 48 : 48, 0);
    mask.values[(is_moving ? 48 : 0) + 2 * 8 + 3] = value;
    write();
    test::store_as(path(), "obstacle_mask", type, mask.values);
  }
  static std::string refusal(const EnvironmentReader& reader, TimeLevel level) {
    return refusal_of([&] {
      LevelFields<> fields(reader.info());
      reader.read_level(level, fields);
    });
  }
  std::string refusal() const {
    return refusal_of([&] { const EnvironmentReader reader(path()); });
  }

  const test::TemporaryFolder folder_;
  test::RawEnvironment raw_;
};

TEST_F(EnvironmentValues, OnlyZeroOpensACell) {
  const struct {
    hid_t type;
    double value;
    const char* message;
  } cases[] = {{H5T_STD_I8LE, -1, " -1 "},
               {H5T_STD_I16BE, 256, " 256 "},
               {H5T_STD_I32LE, -256, " -256 "},
               {H5T_STD_I64LE, 4294967296, " 4294967296 "},
               {H5T_STD_U8LE, 255, " 255 "},
               {H5T_IEEE_F32LE, nan, " nan "},
               {H5T_IEEE_F32LE, 0.9, " 0.8999999762 "},
               {H5T_IEEE_F32BE, 0.5, " 0.5 "},
               {H5T_IEEE_F64LE, infinity, " inf "},
               {H5T_IEEE_F64BE, 1e-300, " 1e-300 "},
               {H5T_IEEE_F64LE, 1 + 1e-9, " 1.000000001 "},
               {H5T_IEEE_F32LE, -0.25, " -0.25 "}};
  for (const auto& [type, value, message] : cases) {
    for (const Obstacles kind : {Obstacles::fixed, Obstacles::moving}) {
      write_mask(type, value, kind);
      const EnvironmentReader reader(path());
      EXPECT_THAT(refusal(reader, TimeLevel(1)),
                  AllOf(HasSubstr("obstacle_mask"), HasSubstr(message),
                        test::has_code("mask_value_invalid", "time 1, row 2, column 3")));
      EXPECT_THAT(refusal_of([&] { reader.read_masked(TimeLevel(1)); }),
                  test::has_code("mask_value_invalid", message));
      if (kind == Obstacles::moving) {
        EXPECT_EQ(refusal(reader, TimeLevel(0)), "nothing was refused");
      }
    }
  }
}

TEST_F(EnvironmentValues, AMaskIsReadFromAnyTypeOfNumber) {
  for (const hid_t type : {H5T_STD_I8LE, H5T_STD_U64BE, H5T_IEEE_F32LE, H5T_IEEE_F64BE}) {
    write_mask(type, 1, Obstacles::moving);
    const auto masked = EnvironmentReader(path()).read_masked(TimeLevel(1));
    EXPECT_EQ(std::count(masked.begin(), masked.end(), 1), 1);
    EXPECT_EQ(masked[2 * 8 + 3], 1);
  }
}

TEST_F(EnvironmentValues, ErrorsInAWindowNameTheRowOfTheFile) {
  write_mask(H5T_STD_I8LE, -1, Obstacles::fixed);
  const EnvironmentReader reader(path(), {}, RowWindow{2, 4, 1, 5});
  EXPECT_THAT(refusal(reader, TimeLevel(0)),
              test::has_code("mask_value_invalid", "row 2, column 3"));
  const EnvironmentReader outside(path(), {}, RowWindow{4, 6, 3, 6});
  EXPECT_EQ(refusal(outside, TimeLevel(0)), "nothing was refused");
}

TEST_F(EnvironmentValues, AMaskThatMarksZeroAsMissingIsRefused) {
  for (const char* attribute : {"_FillValue", "missing_value"}) {
    write();
    test::add_numbers(path(), "obstacle_mask", attribute, {0});
    EXPECT_THAT(refusal(), AllOf(HasSubstr("obstacle_mask"), HasSubstr(attribute),
                                 test::has_code("mask_fill_value_zero")));
    write();  // values in closed cells may be missing
    test::add_numbers(path(), "obstacle_mask", attribute, {1});
    EXPECT_EQ(refusal(), "nothing was refused");
  }
}

TEST_F(EnvironmentValues, ANamedMaskMustExist) {
  write();
  EnvironmentNames names;
  const auto refusal_with_names = [&] {
    return refusal_of([&] { const EnvironmentReader reader(path(), names); });
  };
  names.obstacle_mask = "land";
  EXPECT_THAT(refusal_with_names(), AllOf(test::has_code("named_variable_missing", "land"),
                                          testing::HasSubstr("obstacle_mask"), HasSubstr("none")));
  names.obstacle_mask = "none";
  EXPECT_EQ(EnvironmentReader(path(), names).info().obstacles, Obstacles::none);
  {
    const Hdf5Handle file(H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    H5Ldelete(file.id(), "obstacle_mask", H5P_DEFAULT);
    H5Lcreate_soft("/gone", file.id(), "obstacle_mask", H5P_DEFAULT, H5P_DEFAULT);
  }
  names = {};
  EXPECT_THAT(refusal_with_names(), test::has_code("variable_is_group", "obstacle_mask"));
}

TEST_F(EnvironmentValues, ValuesBeyondFloat32AreReported) {
  for (const char* variable : {"u_mean", "v_mode", "coefficient"}) {
    raw_ = {};
    write();
    auto values = raw_.variables[variable].values;
    values[values.size() - 1] = -1e39;
    test::store_as(path(), variable, H5T_IEEE_F64LE, values);
    const bool is_field = std::string(variable) != "coefficient";
    EXPECT_THAT(refusal(EnvironmentReader(path()), TimeLevel(3)),
                AllOf(HasSubstr(variable),
                      test::has_code(is_field ? "field_not_finite" : "coefficient_not_finite",
                                     "-1e+39, which is beyond float32")));
  }
}

TEST_F(EnvironmentValues, UnwrittenNetcdfValuesAreMissing) {
  raw_.variables["u_mean"].values[5] = 9.9692099683868690e+36;
  EXPECT_THAT(refusal(EnvironmentReader(write()), TimeLevel(0)),
              test::has_code("field_not_finite", "its fill value 9.96921e+36"));
  raw_ = {};
  raw_.axes["time"] = {0, 9.9692099683868690e+36};
  for (auto& [name, variable] : raw_.variables) {
    if (variable.dimensions.front() == "time") variable.values.resize(variable.values.size() / 2);
  }
  write();
  EXPECT_THAT(refusal(), AllOf(HasSubstr("variable time"), test::has_code("axis_not_finite")));
}

TEST_F(EnvironmentValues, AMissingMarkIsOneNumber) {
  write();
  test::add_numbers(path(), "u_mean", "missing_value", {-999, 999});
  EXPECT_THAT(refusal(), AllOf(test::has_code("missing_marks_several", "u_mean"),
                               testing::HasSubstr("missing_value")));
  test::add_numbers(path(), "u_mean", "missing_value", {-999, -999});
  EXPECT_EQ(refusal(), "nothing was refused");
  Hdf5File file = Hdf5File::open_to_change(path());
  file.set_attribute("v_mode", "missing_value", "-999");
  file.close();
  EXPECT_THAT(refusal(),
              AllOf(test::has_code("missing_mark_is_text", "v_mode"), testing::HasSubstr("-999")));
}

TEST_F(EnvironmentValues, PositionsAreDegreesOrMissing) {
  for (const char* variable : {"lon", "lat"}) {
    raw_.variables[variable] = {{"y", "x"}, std::vector<double>(48, 10)};
  }
  raw_.variables["lat"].values[8] = -999;
  write();
  test::add_numbers(path(), "lat", "_FillValue", {-999});
  const auto latitude = EnvironmentReader(path()).read_latitude();
  EXPECT_TRUE(std::isnan(latitude[8]));
  EXPECT_EQ(latitude[9], 10);
  for (const double wrong : {90.5, infinity, 1e20}) {
    raw_.variables["lat"].values[8] = wrong;
    const EnvironmentReader reader(write());
    EXPECT_THAT(
        refusal_of([&] { reader.read_latitude(); }),
        AllOf(testing::HasSubstr("lat"), test::has_code("degrees_outside_range", "row 1, column 0"),
              testing::HasSubstr("-90"), testing::HasSubstr("90")));
    EXPECT_EQ(reader.read_longitude()[8], 10);
  }
}

TEST_F(EnvironmentValues, WeightsThatCannotBeAddedAreRefused) {
  const auto refusal_of_weights = [&](const std::vector<double>& weights) {
    raw_.variables["realization_weight"] = {{"realization"}, std::vector<double>(3, 1)};
    write();
    test::store_as(path(), "realization_weight", H5T_IEEE_F64LE, weights);
    test::add_numbers(path(), "realization_weight", "_FillValue", {-999});
    return refusal();
  };
  EXPECT_THAT(refusal_of_weights({1e308, 1e308, 1}),
              AllOf(testing::HasSubstr("realization_weight"), test::has_code("weights_too_large")));
  EXPECT_EQ(refusal_of_weights({8e307, 8e307, 1}), "nothing was refused");
  EXPECT_THAT(refusal_of_weights({1, infinity, 1}), test::has_code("weight_invalid", "inf"));
  EXPECT_THAT(refusal_of_weights({1, 1, -999}), test::has_code("weight_invalid", "nan"));
  EXPECT_THAT(refusal_of_weights({-0.5, 1, 1}), test::has_code("weight_invalid"));
}

}  // namespace
}  // namespace tidewise
