#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/array.h"
#include "base/atomic_file.h"
#include "base/device.h"
#include "base/error.h"
#include "base/hdf5_file.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

TEST(Array, CopiesAndOwns) {
  Array<int> a(3, 7);
  Array<int> b;
  copy(b, a);
  EXPECT_EQ(b.size(), 3u);
  EXPECT_EQ(b[2], 7);
  const Array<int> c = std::move(a);
  EXPECT_EQ(c[0], 7);
  EXPECT_TRUE(a.empty());
}

TEST(Stopwatch, CountsSeconds) {
  const Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(watch.seconds(), 0.02);
  EXPECT_LT(watch.seconds(), 10);
}

TEST(Philox, GivesThePublishedVectors) {
  // Known answers of Random123 1.14 (kat_vectors, philox4x32-10).
  const auto zero = Philox(0)(0, 0, 0, 0);
  EXPECT_EQ(zero.word[0], 0x6627e8d5u);
  EXPECT_EQ(zero.word[1], 0xe169c58du);
  EXPECT_EQ(zero.word[2], 0xbc57ac4cu);
  EXPECT_EQ(zero.word[3], 0x9b00dbd8u);
  const auto ones = Philox(0xffffffffffffffffu)(0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu);
  EXPECT_EQ(ones.word[0], 0x408f276du);
  EXPECT_EQ(ones.word[1], 0x41c83b0eu);
  EXPECT_EQ(ones.word[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.word[3], 0x6d5451fdu);
}

TEST(Philox, RangeStaysInRange) {
  EXPECT_EQ(to_range(0, 0, 10), 0u);
  EXPECT_EQ(to_range(0xffffffffu, 0xffffffffu, 10), 9u);
  EXPECT_EQ(to_range(0x80000000u, 0, 10), 5u);
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const test::TemporaryFolder folder;
  const auto path = folder / "a.txt";
  {
    AtomicFile file(path);
    std::ofstream(file.temporary_path()) << "half";
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  write_text_file(path, "whole");
  std::string text;
  std::getline(std::ifstream(path), text);
  EXPECT_EQ(text, "whole");
}

TEST(AtomicFile, RefusesAMissingFolder) {
  EXPECT_THROW(AtomicFile("/nowhere/at/all.txt"), InputError);
}

TEST(Hdf5File, GivesBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.define_coordinate("x", {1, 2, 3});
    file.define_dimension("mode", 2);
    file.define_variable("field", NumberType::float32, {"mode", "x"}, {.fill = -1});
    const std::vector<float> row{4, 5, 6};
    file.write("field", {1, 0}, {1, 3}, row.data());
    file.set_attribute("field", "units", "m");
    file.define_growing("list", NumberType::int64, 4);
    const std::vector<std::int64_t> few{7, 8};
    file.append("list", few.data(), 2);
    file.append("list", few.data(), 2);
    file.close();
  }
  const Hdf5File file = Hdf5File::open(folder / "a.h5");
  EXPECT_EQ(file.shape("field"), (Extents{2, 3}));
  EXPECT_EQ(file.read_all<double>("field"), (std::vector<double>{-1, -1, -1, 4, 5, 6}));
  EXPECT_EQ(file.text_attribute("field", "units"), "m");
  EXPECT_EQ(file.number_attribute("field", "_FillValue"), -1);
  EXPECT_EQ(file.read_all<int>("list"), (std::vector<int>{7, 8, 7, 8}));
  EXPECT_FALSE(file.has("nothing"));
  EXPECT_THROW(file.shape("nothing"), InputError);
}

TEST(Hdf5File, RefusesWhatIsNotHdf5) {
  const test::TemporaryFolder folder;
  write_text_file(folder / "a.h5", "no HDF5 at all");
  EXPECT_THROW(Hdf5File::open(folder / "a.h5"), InputError);
  EXPECT_THROW(Hdf5File::open(folder / "b.h5"), InputError);
  EXPECT_THROW(Hdf5File::open(folder.path()), InputError);
}

}  // namespace
}  // namespace tidewise
