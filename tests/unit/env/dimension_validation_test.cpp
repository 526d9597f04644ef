// Identification of the dimensions of an environment's variables: by names, otherwise by
// lengths.

#include "env/file/dimension_validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "base/error.h"
#include "env/file/reader.h"
#include "support/error_code.h"
#include "support/ocean/raw_environment.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* not_refused = "nothing was refused";

class DimensionNames : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_ / "a.h5"; }
  /// Makes the numbers of columns and rows equal, and those of realizations and modes.
  void make_square() {
    raw_.axes["x"] = raw_.axes["y"];
    raw_.dimensions["realization"] = 2;
    for (auto& [name, variable] : raw_.variables) variable.values.resize(size_of(variable));
  }
  std::size_t size_of(const test::RawEnvironment::Variable& variable) const {
    std::size_t size = 1;
    for (const auto& name : variable.dimensions) {
      size *= raw_.axes.contains(name) ? raw_.axes.at(name).size() : raw_.dimensions.at(name);
    }
    return size;
  }
  std::string refusal(const EnvironmentNames& names = {}) const {
    try {
      const EnvironmentReader reader(path(), names);
    } catch (const InputError& error) {
      return error.what();
    }
    return not_refused;
  }
  std::string refusal_with(const std::string& variable,
                           const std::vector<std::string>& dimensions) const {
    test::RawEnvironment raw = raw_;
    auto& changed = raw.variables[variable];
    changed.dimensions = dimensions;
    changed.values.resize(size_of(changed), 1);
    raw.write(path());
    return refusal();
  }

  const test::TemporaryFolder folder_;
  test::RawEnvironment raw_;
};

TEST_F(DimensionNames, RevealATransposedVariableOnASquareGrid) {
  make_square();
  raw_.write(path());
  ASSERT_EQ(refusal(), not_refused);
  EXPECT_THAT(refusal_with("u_mean", {"time", "x", "y"}),
              AllOf(testing::HasSubstr("variable u_mean"), testing::HasSubstr("time, x, y"),
                    testing::HasSubstr("time, y, x"),
                    test::has_code("dimensions_out_of_order",
                                   "time\", \"mode\", \"realization\", \"y\", \"x")));
  EXPECT_THAT(refusal_with("v_mode", {"time", "mode", "x", "y"}),
              test::has_code("dimensions_out_of_order", "time, mode, y, x"));
  EXPECT_THAT(refusal_with("u_mode", {"mode", "time", "y", "x"}),
              test::has_code("dimensions_out_of_order", "time, mode, y, x"));
  EXPECT_THAT(refusal_with("coefficient", {"time", "realization", "mode"}),
              test::has_code("dimensions_out_of_order", "time, mode, realization"));
  EXPECT_THAT(refusal_with("obstacle_mask", {"x", "y"}),
              test::has_code("dimensions_out_of_order", "y, x"));
  EXPECT_THAT(refusal_with("obstacle_mask", {"time", "x", "y"}),
              test::has_code("dimensions_out_of_order", "time, y, x"));
  EXPECT_THAT(refusal_with("scalar_mean", {"time", "x", "y"}),
              test::has_code("dimensions_out_of_order", "time, y, x"));
  raw_.variables["lat"] = {{"y", "x"}, std::vector<double>(36, 1)};
  EXPECT_THAT(refusal_with("lon", {"x", "y"}), test::has_code("dimensions_out_of_order", "y, x"));
}

TEST_F(DimensionNames, DistinguishWeightsOfModesFromThoseOfRealizations) {
  make_square();
  EXPECT_THAT(refusal_with("realization_weight", {"mode"}),
              test::has_code("dimension_foreign", "mode"));
  EXPECT_EQ(refusal_with("realization_weight", {"realization"}), not_refused);
}

TEST_F(DimensionNames, MatchThoseOfTheAxes) {
  make_square();
  // Dimensions have the names of a regional model; the axes are variables with other names.
  raw_.dimensions.insert({{"eta", 6}, {"xi", 6}, {"ocean_time", 4}, {"eof", 2}, {"member", 2}});
  const std::map<std::string, std::string> model_names{{"y", "eta"},
                                                       {"x", "xi"},
                                                       {"time", "ocean_time"},
                                                       {"mode", "eof"},
                                                       {"realization", "member"}};
  for (auto& [name, variable] : raw_.variables) {
    for (auto& dimension : variable.dimensions) dimension = model_names.at(dimension);
  }
  for (const char* axis : {"x", "y", "time"}) {
    raw_.variables[std::string("own_") + axis] = {{model_names.at(axis)}, raw_.axes.at(axis)};
    raw_.units[std::string("own_") + axis] = "1";
  }
  raw_.write(path());
  EnvironmentNames names;
  names.x = "own_x";
  names.y = "own_y";
  names.time = "own_time";
  EXPECT_EQ(refusal(names), not_refused);
  for (const auto& [variable, order, needed] :
       {std::tuple("u_mean", std::vector<std::string>{"ocean_time", "xi", "eta"},
                   "(ocean_time, eta, xi)"),
        std::tuple("coefficient", std::vector<std::string>{"ocean_time", "member", "eof"},
                   "(ocean_time, eof, member)")}) {
    auto transposed = raw_;
    transposed.variables[variable].dimensions = order;
    transposed.write(path());
    EXPECT_THAT(refusal(names), test::has_code("dimensions_out_of_order", needed));
  }
  // The axes with standard names lie along other dimensions.
  raw_.write(path());
  EXPECT_THAT(refusal(), test::has_code("dimension_foreign", "ocean_time"));
}

TEST_F(DimensionNames, DistinguishDimensionsOfEqualLength) {
  raw_.axes["x_u"] = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_THAT(refusal_with("u_mean", {"time", "y", "x_u"}),
              AllOf(test::has_code("dimension_foreign", "variable u_mean")));
  raw_.dimensions["another"] = 2;
  EXPECT_THAT(refusal_with("v_mode", {"time", "another", "y", "x"}),
              test::has_code("dimension_foreign", "another"));
}

TEST_F(DimensionNames, AreRefusedIfTwoAxesShareADimension) {
  make_square();
  raw_.variables["own_x"] = {{"y"}, raw_.axes["x"]};
  raw_.write(path());
  EnvironmentNames names;
  names.x = "own_x";
  EXPECT_THAT(refusal(names), AllOf(test::has_code("axes_share_dimension", "own_x"),
                                    test::has_code("axes_share_dimension")));
}

TEST_F(DimensionNames, AreOptionalIfLengthsDiffer) {
  for (const bool square : {false, true}) {
    if (square) make_square();
    raw_.write(path());
    for (const auto& [name, variable] : raw_.variables) test::forget_dimensions(path(), name);
    if (square) {
      EXPECT_THAT(refusal(),
                  AllOf(HasSubstr("u_mean"), test::has_code("dimensions_unnamed", "u_mean")));
    } else {
      EXPECT_EQ(refusal(), not_refused);
    }
  }
  raw_.write(path());
  test::forget_dimensions(path(), "coefficient");
  EXPECT_THAT(refusal(), test::has_code("dimensions_unnamed", "realization"));
}

}  // namespace
}  // namespace tidewise
