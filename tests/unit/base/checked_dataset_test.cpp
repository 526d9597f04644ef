// Datasets are checked against a rule before their values are used.

#include "base/hdf5/checked_dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "base/error.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class CheckedDataset : public testing::Test {
 protected:
  /// Writes a file with the floating-point variable speed (row, column) and the integer variable
  /// count (row).
  CheckedFile write_file(const std::vector<double>& speed) const {
    Hdf5File file = Hdf5File::create(path_);
    file.define_dimension("row", 3);
    file.define_dimension("column", 2);
    file.define_variable("speed", NumberType::float64, {"row", "column"});
    file.define_variable("count", NumberType::int16, {"row"});
    file.write_texts("name", "row", {"a", "b", "c"});
    file.write_all("speed", speed);
    file.write_all("count", std::vector<std::int16_t>{3, 0, 9});
    file.close();
    return {Hdf5File::open(path_), "make it again"};
  }

  std::string refusal(const std::function<void()>& read) const {
    try {
      read();
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.find(path_.string() + ": "), 0U) << text;
      return text.substr(path_.string().size() + 2);
    }
    return "not refused";
  }

  const DatasetRule speed_{"speed", NumberKind::floating, {3, 2}, "(row, column)", 0, 5};
  const DatasetRule count_{"count", NumberKind::whole, {3}, "(row)", 0, 9};
  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
};

TEST_F(CheckedDataset, ReadsADatasetThatFollowsItsRule) {
  const CheckedFile file = write_file({0, 1, 2, 3, 4, 5});
  EXPECT_EQ(file.read<float>(speed_), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(file.read<std::int16_t>(count_), (std::vector<std::int16_t>{3, 0, 9}));
  std::vector<float> row(2);
  file.read_slice<float>(speed_, 1, row);
  EXPECT_EQ(row, (std::vector<float>{2, 3}));
  EXPECT_EQ(file.length_of("count", 1, 3), 3U);
}

TEST_F(CheckedDataset, RefusesAnotherShapeOrType) {
  const CheckedFile file = write_file({0, 1, 2, 3, 4, 5});
  DatasetRule other = speed_;
  other.shape = {2, 3};
  EXPECT_THAT(refusal([&] { (void)file.read<double>(other); }),
              test::has_code("variable_shape_differs", "speed"));
  other.shape = {6};
  EXPECT_THAT(refusal([&] { file.require(other); }), test::has_code("variable_shape_differs", "6"));
  other = speed_;
  other.kind = NumberKind::whole;
  EXPECT_THAT(refusal([&] { file.require(other); }),
              test::has_code("variable_kind_differs",
                             "holds floating point numbers and needs whole numbers"));
  other = count_;
  other.kind = NumberKind::floating;
  EXPECT_THAT(refusal([&] { file.require(other); }),
              test::has_code("variable_kind_differs", "holds no floating point numbers"));
  other.name = "name";
  other.kind = NumberKind::whole;
  EXPECT_THAT(refusal([&] { file.require(other); }),
              test::has_code("hdf5_variable_unreadable", "does not hold numbers"));
  EXPECT_THAT(refusal([&] { (void)file.length_of("speed", 1, 9); }),
              test::has_code("vector_length_outside"));
  EXPECT_THAT(refusal([&] { (void)file.length_of("count", 4, 9); }),
              test::has_code("vector_length_outside"));
}

TEST_F(CheckedDataset, RefusesAValueOutOfRangeAndNamesItsIndex) {
  for (const double wrong : {1e300, 1e12, 5.5, -1e-3, std::numeric_limits<double>::infinity()}) {
    const CheckedFile file = write_file({0, 1, 2, wrong, 4, 5});
    EXPECT_THAT(refusal([&] { (void)file.read<double>(speed_); }),
                testing::AllOf(test::has_code("variable_value_outside", "speed"),
                               testing::HasSubstr("(1, 1)"), testing::HasSubstr("(row, column)")));
    std::vector<double> row(2);
    EXPECT_THAT(refusal([&] { file.read_slice<double>(speed_, 1, row); }),
                testing::AllOf(test::has_code("variable_value_outside", "(row, column)"),
                               testing::HasSubstr("(1, 1)")));
    file.read_slice<double>(speed_, 2, row);
    EXPECT_EQ(row[0], 4);
  }
}

TEST_F(CheckedDataset, AcceptsNanIfGapsAreAllowed) {
  const CheckedFile file = write_file({0, 1, nan, 3, 4, 5});
  EXPECT_THAT(refusal([&] { (void)file.read<double>(speed_); }),
              test::has_code("variable_value_outside", "(1, 0)"));
  DatasetRule with_gaps = speed_;
  with_gaps.gaps = Gaps::allowed;
  EXPECT_EQ(file.read<double>(with_gaps)[3], 3);
}

}  // namespace
}  // namespace tidewise
