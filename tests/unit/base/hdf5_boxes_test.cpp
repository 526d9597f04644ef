#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "base/error.h"
#include "base/hdf5/boxes.h"
#include "base/hdf5/file.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

/// Returns the size of the cache of a dataset opened with `access` [B].
std::size_t cache_size(const Hdf5Handle& access) {
  std::size_t slots = 0;
  std::size_t bytes = 0;
  double preemption = 0;
  EXPECT_GE(H5Pget_chunk_cache(access.id(), &slots, &bytes, &preemption), 0);
  return bytes;
}

TEST(Hdf5Boxes, UseNoCacheForWholeChunks) {
  EXPECT_EQ(cache_size(access_for_boxes({1, 6, 8}, {4, 6, 8}, {1, 6, 8}, 4, ChunkCoding::packed)),
            0U);
  EXPECT_EQ(cache_size(access_for_boxes({1, 3, 2}, {4, 6, 8}, {1, 6, 8}, 4, ChunkCoding::packed)),
            0U);
  // The chunks at the edge exceed the variable.
  EXPECT_EQ(
      cache_size(access_for_boxes({1, 512, 512}, {4, 6, 8}, {1, 6, 8}, 4, ChunkCoding::packed)),
      0U);
}

TEST(Hdf5Boxes, CacheChunksThatTheNextBoxNeeds) {
  // Two levels per chunk, 2 × 3 chunks per level (half of the last column is outside).
  EXPECT_EQ(cache_size(access_for_boxes({2, 3, 3}, {4, 6, 8}, {1, 6, 8}, 4, ChunkCoding::packed)),
            2U * 3U * (2 * 3 * 3 * 4));
  const std::size_t default_size = cache_size(Hdf5Handle(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose));
  EXPECT_EQ(cache_size(access_for_boxes({100, 1000, 1000}, {200, 1000, 1000}, {1, 1000, 1000}, 4,
                                        ChunkCoding::packed)),
            default_size);
  EXPECT_EQ(cache_size(access_for_boxes({}, {4, 6, 8}, {1, 6, 8}, 4, ChunkCoding::packed)),
            default_size);
}

TEST(Hdf5Boxes, UseNoCacheForLongRunsOfPlainChunks) {
  const auto plain = ChunkCoding::plain;
  const std::size_t default_size = cache_size(Hdf5Handle(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose));
  // 128 of 512 rows of 16 columns are contiguous, in each of the chunk's planes.
  EXPECT_EQ(
      cache_size(access_for_boxes({1, 3, 512, 16}, {9, 3, 512, 16}, {1, 3, 128, 16}, 4, plain)),
      0U);
  EXPECT_GT(
      cache_size(access_for_boxes({1, 3, 512, 16}, {9, 3, 512, 16}, {1, 3, 128, 8}, 4, plain)), 0U);
  EXPECT_EQ(cache_size(access_for_boxes({}, {4, 6, 8}, {1, 6, 8}, 4, plain)), default_size);
}

TEST(Hdf5Boxes, FillTheirPartOfALargerArray) {
  const test::TemporaryFolder folder;
  Hdf5File writer = Hdf5File::create(folder / "a.h5");
  for (const auto& [name, size] : {std::pair("t", 4U), std::pair("y", 6U), std::pair("x", 8U)}) {
    writer.define_dimension(name, size);
  }
  writer.define_variable("v", NumberType::float32, {"t", "y", "x"}, {.chunk = {2, 6, 8}});
  std::vector<float> values(4 * 6 * 8);
  std::iota(values.begin(), values.end(), 0.5F);
  writer.write_all("v", values);
  writer.close();
  const Hdf5File file = Hdf5File::open(folder / "a.h5");
  const Hdf5Boxes boxes = file.keep_open("v", {2, 3, 8}, {.array = {2, 5, 8}, .begin = {0, 1, 0}});
  std::vector<float> larger_array(2 * 5 * 8, -1);
  file.read(boxes, {1, 2, 0}, larger_array.data());
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t y = 0; y < 5; ++y) {
      const bool inside = y >= 1 && y < 4;
      EXPECT_EQ(larger_array[(t * 5 + y) * 8 + 3],
                inside ? values[((t + 1) * 6 + y - 1 + 2) * 8 + 3] : -1.0F);
    }
  }
}

TEST(Hdf5Boxes, DoNotDependOnTheStorage) {
  const test::TemporaryFolder folder;
  const Extents chunks[] = {{}, {1, 6, 8}, {2, 3, 3}, {4, 4, 8}, {1, 1, 1}};
  std::vector<float> values(4 * 6 * 8);
  std::iota(values.begin(), values.end(), 0.5F);
  for (const Extents& chunk : chunks) {
    for (const int deflate : {0, 4}) {
      if (chunk.empty() && deflate > 0) continue;
      Hdf5File writer = Hdf5File::create(folder / "a.h5");
      for (const auto& [name, size] :
           {std::pair("t", 4U), std::pair("y", 6U), std::pair("x", 8U)}) {
        writer.define_dimension(name, size);
      }
      writer.define_variable("v", NumberType::float32, {"t", "y", "x"},
                             {.chunk = chunk, .deflate = deflate});
      writer.write_all("v", values);
      writer.close();
      const Hdf5File file = Hdf5File::open(folder / "a.h5");
      const Hdf5Boxes boxes = file.keep_open("v", {1, 6, 8});
      std::vector<double> level(6 * 8);  // another type than in the file
      for (const std::uint64_t k : {3, 0, 2, 2, 1}) {
        file.read(boxes, {k, 0, 0}, level.data());
        for (std::size_t n = 0; n < 48; ++n) ASSERT_EQ(level[n], values[k * 48 + n]);
      }
    }
  }
}

TEST(Hdf5Boxes, AreReadByManyThreadsAtOnce) {
  constexpr std::uint64_t levels = 40;
  constexpr std::uint64_t cells = 5000;
  const test::TemporaryFolder folder;
  Hdf5File writer = Hdf5File::create(folder / "a.h5");
  writer.define_dimension("t", levels);
  writer.define_dimension("x", cells);
  std::vector<float> values(levels * cells);
  std::iota(values.begin(), values.end(), 0.5F);
  for (const char* name : {"plain", "packed"}) {
    writer.define_variable(name, NumberType::float32, {"t", "x"},
                           {.chunk = {1, cells}, .deflate = name[1] == 'l' ? 0 : 1});
    writer.write_all(name, values);
  }
  writer.close();
  const Hdf5File file = Hdf5File::open(folder / "a.h5");
  const auto read_all = [&](const std::vector<Hdf5Boxes>& all) {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 6; ++t) {
      threads.emplace_back([&, t] {
        std::vector<float> level(cells);
        for (std::uint64_t k = t; k < levels; ++k) {
          for (const Hdf5Boxes& boxes : all) {
            file.read(boxes, {k, 0}, level.data());
            EXPECT_TRUE(std::equal(level.begin(), level.end(), values.data() + k * cells)) << k;
          }
        }
      });
    }
  };
  const Hdf5Boxes plain = file.keep_open("plain", {1, cells});
  read_all({plain});
  // Reading another dataset first makes no difference.
  read_all({file.keep_open("packed", {1, cells}), plain});
}

TEST(Hdf5Boxes, RefuseAMissingVariable) {
  const test::TemporaryFolder folder;
  Hdf5File::create(folder / "a.h5").close();
  const Hdf5File file = Hdf5File::open(folder / "a.h5");
  EXPECT_THROW(file.keep_open("v", {1}), InputError);
}

}  // namespace
}  // namespace tidewise
