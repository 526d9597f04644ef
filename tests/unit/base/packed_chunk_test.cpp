// Chunks that are packed and written beside HDF5: what HDF5 itself would have written.

#include "base/hdf5/packed_chunk.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/hdf5/file.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

constexpr std::uint64_t rows = 6;
constexpr std::uint64_t columns = 3000;
constexpr int level = 1;

/// Rows of which some repeat, some are alike in their first bytes alone, and some are constant.
std::vector<float> row_of(std::uint64_t row) {
  std::vector<float> values(columns);
  for (std::size_t n = 0; n < columns; ++n) {
    const auto number = static_cast<float>(n);
    const float alike = 1 + number * number * 1.7e-8F * static_cast<float>(row + 1);
    values[n] = row % 3 == 0 ? alike : row % 3 == 1 ? static_cast<float>(n % 7) : 2.5F;
  }
  return values;
}

enum class By { hdf5, matches, runs, plain };

void write(const std::filesystem::path& path, By by) {
  Hdf5File file = Hdf5File::create(path);
  file.define_dimension("y", rows);
  file.define_dimension("x", columns);
  file.define_variable("v", NumberType::float32, {"y", "x"},
                       {.chunk = {1, columns}, .deflate = by == By::plain ? 0 : level});
  ChunkPacker packer(level);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::vector<float> values = row_of(row);
    const View<const float> view(values);
    if (by == By::hdf5) {
      file.write("v", {row, 0}, {1, columns}, values.data());
    } else if (by == By::plain) {
      file.write_plain_chunk("v", {row, 0}, view);
    } else {
      const DeflateSearch search = by == By::runs ? DeflateSearch::runs : DeflateSearch::matches;
      file.write_packed_chunk("v", {row, 0}, packer.pack(view, search));
    }
  }
  file.close();
}

void expect_all_rows(const std::filesystem::path& path) {
  const auto values = Hdf5File::open(path).read_all<float>("v");
  ASSERT_EQ(values.size(), rows * columns);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * columns);
    EXPECT_EQ(std::vector<float>(first, first + columns), row_of(row)) << row;
  }
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PackedChunks, AreByteForByteThoseOfHdf5) {
  const test::TemporaryFolder folder;
  write(folder / "hdf5.h5", By::hdf5);
  write(folder / "packed.h5", By::matches);
  EXPECT_FALSE(bytes_of(folder / "hdf5.h5").empty());
  EXPECT_EQ(bytes_of(folder / "packed.h5"), bytes_of(folder / "hdf5.h5"));
}

TEST(PackedChunks, HoldTheSameHoweverTheyWereSearched) {
  const test::TemporaryFolder folder;
  for (const By by : {By::matches, By::runs, By::plain}) {
    write(folder / "v.h5", by);
    expect_all_rows(folder / "v.h5");
  }
}

TEST(PackedChunks, OfManyFilesAtOnceKeepTheirPlaces) {
  const test::TemporaryFolder folder;
  const auto path = [&](std::size_t n) { return folder / (std::to_string(n) + ".h5"); };
  constexpr std::size_t files = 8;
  {
    std::vector<std::jthread> threads;
    for (std::size_t n = 0; n < files; ++n) {
      threads.emplace_back([&, n] { write(path(n), n % 2 == 0 ? By::runs : By::plain); });
    }
  }
  for (std::size_t n = 0; n < files; ++n) {
    expect_all_rows(path(n));
    EXPECT_EQ(bytes_of(path(n)), bytes_of(path(n % 2)));
  }
}

}  // namespace
}  // namespace tidewise
