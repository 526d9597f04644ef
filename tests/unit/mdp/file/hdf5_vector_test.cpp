// Variables that are longer than the pieces in which they are read.

#include "mdp/file/hdf5_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "support/temporary_folder.h"

namespace tidewise::mdp {
namespace {

TEST(Hdf5Vector, ReadsInPiecesForAnyStorage) {
  const test::TemporaryFolder folder;
  std::vector<std::int32_t> values(2'500'003);
  std::iota(values.begin(), values.end(), -7);
  const Extents chunks[] = {{1 << 20}, {300'001}, {1'500'000}, {2'500'003}};
  for (const Extents& chunk : chunks) {
    for (const int deflate : {0, 1}) {
      SCOPED_TRACE(testing::Message() << chunk[0] << " a chunk, deflate " << deflate);
      Hdf5File writer = Hdf5File::create(folder / "a.h5");
      writer.define_dimension("entry", values.size());
      writer.define_variable("v", NumberType::int32, {"entry"},
                             {.chunk = chunk, .deflate = deflate});
      writer.write_all("v", values);
      writer.close();
      const Hdf5File file = Hdf5File::open(folder / "a.h5");
      EXPECT_EQ(file.chunk("v"), chunk);
      EXPECT_EQ(read_vector<std::int32_t>(file, "v"), values);
      const auto doubles = read_vector<double>(file, "v");  // another type than in the file
      EXPECT_EQ(doubles, std::vector<double>(values.begin(), values.end()));
    }
  }
}

}  // namespace
}  // namespace tidewise::mdp
