#include <gmock/gmock.h>
#include <hdf5.h>

#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::ElementsAre;

/// Returns the number of dimensions of a root attribute, or −1 if it cannot be opened.
int dimensions_of(const std::filesystem::path& path, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  const hid_t space = H5Aget_space(attribute);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  H5Sclose(space);
  H5Aclose(attribute);
  H5Fclose(file);
  return dimensions;
}

TEST(Hdf5Attributes, WritesASingleNumberAsScalar) {
  const test::TemporaryFolder folder;
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.set_attribute("/", "discount", 0.9);
    file.set_attribute("/", "count", std::int32_t{3});
    file.set_attribute("/", "one", std::vector<double>{5});
    file.set_attribute("/", "two", std::vector<double>{5, 6});
    file.close();
  }
  for (const char* name : {"discount", "count", "one"}) {
    EXPECT_EQ(dimensions_of(folder / "a.h5", name), 0) << name;
  }
  EXPECT_EQ(dimensions_of(folder / "a.h5", "two"), 1);
  const Hdf5File file = Hdf5File::open(folder / "a.h5");
  EXPECT_EQ(file.number_attribute("/", "discount"), 0.9);
  EXPECT_EQ(file.number_attribute("/", "count"), 3);
  EXPECT_THAT(file.number_attributes("/", "one"), ElementsAre(5));
  EXPECT_THAT(file.number_attributes("/", "two"), ElementsAre(5, 6));
}

TEST(Hdf5Attributes, ReadsAListOfOneNumber) {
  const test::TemporaryFolder folder;
  const hid_t file =
      H5Fcreate((folder / "old.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t length = 1;
  const hid_t space = H5Screate_simple(1, &length, nullptr);
  const hid_t attribute =
      H5Acreate2(file, "discount", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  const double value = 0.9;
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Fclose(file);
  EXPECT_EQ(Hdf5File::open(folder / "old.h5").number_attribute("/", "discount"), 0.9);
}

}  // namespace
}  // namespace tidewise
