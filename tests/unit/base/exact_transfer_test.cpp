// Integers are read exactly as stored, or refused.

#include "base/hdf5/exact_transfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/error.h"
#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::ElementsAre;

class ExactTransferTest : public testing::Test {
 protected:
  /// Writes a file whose variable v holds `values` as `type`.
  Hdf5File write_file(hid_t type, const std::vector<double>& values) const {
    {
      const Hdf5Handle file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                            H5Fclose);
      const hsize_t size = values.size();
      const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
      const Hdf5Handle dataset(
          H5Dcreate2(file.id(), "v", type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
          H5Dclose);
      EXPECT_GE(
          H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          0);
    }
    return Hdf5File::open(path_);
  }
  template <class T>
  std::string refusal(hid_t type, double value) const {
    const Hdf5File file = write_file(type, {0, value, 1});
    try {
      file.read_all<T>("v");
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "a.h5";
};

TEST_F(ExactTransferTest, RefusesValuesThatAreNotIntegersInRange) {
  EXPECT_THAT(refusal<std::int16_t>(H5T_IEEE_F64LE, 1.5),
              test::has_code("hdf5_variable_unreadable",
                             "holds 1.5 where a whole number from -32768 to 32767 is due"));
  EXPECT_THAT(refusal<std::int16_t>(H5T_STD_I32BE, 70000),
              test::has_code("hdf5_variable_unreadable", "holds 70000 where"));
  EXPECT_THAT(
      refusal<std::uint8_t>(H5T_STD_I8LE, -1),
      test::has_code("hdf5_variable_unreadable", "holds -1 where a whole number from 0 to 255"));
  EXPECT_THAT(refusal<std::int32_t>(H5T_STD_I64LE, 4294967296),
              test::has_code("hdf5_variable_unreadable", "holds 4294967296"));
  EXPECT_THAT(refusal<std::uint32_t>(H5T_IEEE_F32BE, -2),
              test::has_code("hdf5_variable_unreadable", "holds -2"));
  EXPECT_THAT(refusal<std::int64_t>(H5T_STD_U64LE, 1e19),
              test::has_code("hdf5_variable_unreadable", "holds 1e+19"));
  EXPECT_THAT(refusal<std::int32_t>(H5T_IEEE_F32LE, std::nan("")),
              test::has_code("hdf5_variable_unreadable", "holds nan"));
  EXPECT_THAT(refusal<std::int64_t>(H5T_IEEE_F64LE, INFINITY),
              test::has_code("hdf5_variable_unreadable", "holds inf"));
}

TEST_F(ExactTransferTest, AcceptsValuesThatFit) {
  for (const hid_t type : {H5T_STD_I8LE, H5T_STD_U64BE, H5T_IEEE_F32LE, H5T_IEEE_F64BE}) {
    EXPECT_THAT(write_file(type, {0, 1, 127}).read_all<std::uint8_t>("v"), ElementsAre(0, 1, 127));
    EXPECT_THAT(write_file(type, {0, 1, 127}).read_all<std::int64_t>("v"), ElementsAre(0, 1, 127));
  }
  // Floating-point types accept all values.
  const auto values = write_file(H5T_IEEE_F64LE, {1e300, NAN, 0.1}).read_all<float>("v");
  EXPECT_EQ(values[0], INFINITY);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 0.1F);
}

TEST_F(ExactTransferTest, ReadsBooleansAsNumbers) {
  // The format in which h5py stores booleans.
  const Hdf5Handle boolean(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
  for (const auto& [name, value] : {std::pair("FALSE", 0), std::pair("TRUE", 1)}) {
    const auto byte = static_cast<std::int8_t>(value);
    H5Tenum_insert(boolean.id(), name, &byte);
  }
  {
    const Hdf5Handle file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose);
    const hsize_t size = 2;
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Hdf5Handle dataset(
        H5Dcreate2(file.id(), "v", boolean.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    const std::int8_t values[] = {1, 0};
    EXPECT_GE(H5Dwrite(dataset.id(), boolean.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  }
  EXPECT_THAT(Hdf5File::open(path_).read_all<std::uint8_t>("v"), ElementsAre(1, 0));
}

TEST_F(ExactTransferTest, ChecksFillValuesToo) {
  {
    const Hdf5Handle file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose);
    const hsize_t size = 2;
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const std::int8_t fill = -1;
    H5Pset_fill_value(creation.id(), H5T_NATIVE_INT8, &fill);
    const Hdf5Handle dataset(H5Dcreate2(file.id(), "v", H5T_STD_I8LE, space.id(), H5P_DEFAULT,
                                        creation.id(), H5P_DEFAULT),
                             H5Dclose);
  }
  EXPECT_THROW(Hdf5File::open(path_).read_all<std::uint8_t>("v"), InputError);
}

TEST(Hdf5File, RefusesToWriteAWrongNumberOfValues) {
  const test::TemporaryFolder folder;
  Hdf5File file = Hdf5File::create(folder / "a.h5");
  file.define_dimension("n", 4);
  file.define_variable("v", NumberType::float64, {"n"});
  EXPECT_THROW(file.write_all("v", std::vector<double>(3)), std::logic_error);
  EXPECT_THROW(file.write_all("v", std::vector<double>(5)), std::logic_error);
  EXPECT_NO_THROW(file.write_all("v", std::vector<double>(4)));
}

}  // namespace
}  // namespace tidewise
