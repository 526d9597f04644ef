// Chunks packed and written without HDF5 must equal those written by HDF5.

#include "base/hdf5/packed_chunk.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <thread>

#include "base/hdf5/file.h"
#include "base/hdf5/late_chunk.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

constexpr std::uint64_t rows = 6;
constexpr std::uint64_t columns = 3000;
constexpr int level = 1;

/// Returns the values of a row: with similar first bytes (rows 0 and 3), periodic (1 and 4) or
/// constant (2 and 5).
std::vector<float> row_of(std::uint64_t row) {
  std::vector<float> values(columns);
  for (std::size_t n = 0; n < columns; ++n) {
    const float similar = 1 + static_cast<float>(n * n % 1000 * (row + 1)) / 8192;
    values[n] = row % 3 == 0 ? similar : row % 3 == 1 ? static_cast<float>(n % 7) : 2.5F;
  }
  return values;
}

enum class Packing { hdf5, matches, runs, plain };

void write(const std::filesystem::path& path, Packing packing) {
  Hdf5File file = Hdf5File::create(path);
  file.define_dimension("y", rows);
  file.define_dimension("x", columns);
  file.define_variable("v", NumberType::float32, {"y", "x"},
                       {.chunk = {1, columns}, .deflate = packing == Packing::plain ? 0 : level});
  ChunkPacker packer(level);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::vector<float> values = row_of(row);
    const View<const float> view(values);
    if (packing == Packing::hdf5) {
      file.write("v", {row, 0}, {1, columns}, values.data());
    } else if (packing == Packing::plain) {
      file.write_plain_chunk("v", {row, 0}, view);
    } else {
      const DeflateSearch search =
          packing == Packing::runs ? DeflateSearch::runs : DeflateSearch::matches;
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

TEST(PackedChunks, EqualTheBytesOfHdf5) {
  const test::TemporaryFolder folder;
  write(folder / "hdf5.h5", Packing::hdf5);
  write(folder / "packed.h5", Packing::matches);
  EXPECT_FALSE(bytes_of(folder / "hdf5.h5").empty());
  EXPECT_EQ(bytes_of(folder / "packed.h5"), bytes_of(folder / "hdf5.h5"));
}

TEST(PackedChunks, HoldTheSameValuesWithAnySearch) {
  const test::TemporaryFolder folder;
  for (const Packing packing : {Packing::matches, Packing::runs, Packing::plain}) {
    write(folder / "v.h5", packing);
    expect_all_rows(folder / "v.h5");
  }
}

/// Returns numbers whose last bytes are noise, in rows that end early and are padded with NaN,
/// like flights.
std::vector<double> noisy(std::size_t flights, std::size_t points) {
  std::vector<double> values(flights * points, std::numeric_limits<double>::quiet_NaN());
  std::uint64_t state = 1;
  for (std::size_t n = 0; n < flights; ++n) {
    for (std::size_t m = 0; m < (7 * n * n + points / 3) % (points + 1); ++m) {
      state = state * 6364136223846793005 + 1442695040888963407;
      values[n * points + m] = 100 + static_cast<double>(state >> 11) * 0x1p-53;
    }
  }
  return values;
}

std::size_t packed_size(const std::vector<double>& values, DeflateSearch search) {
  const test::TemporaryFolder folder;
  const std::uint64_t count = values.size();
  Hdf5File file = Hdf5File::create(folder / "v.h5");
  file.define_dimension("n", count);
  file.define_variable("v", NumberType::float64, {"n"}, {.chunk = {count}, .deflate = level});
  ChunkPacker packer(level);
  const auto& packed = packer.pack(View<const double>(values), search);
  file.write_packed_chunk("v", {0}, packed);
  const std::size_t size = packed.size();
  file.close();
  const auto read = Hdf5File::open(folder / "v.h5").read_all<double>("v");
  EXPECT_EQ(std::memcmp(read.data(), values.data(), count * sizeof(double)), 0);
  return size;
}

TEST(PackedChunks, DoNotGrowForNoisyNumbers) {
  for (const DeflateSearch search : {DeflateSearch::matches, DeflateSearch::runs}) {
    for (const auto& [flights, points] : {std::pair(1, 1), {3, 7}, {64, 200}, {40, 5000}}) {
      const auto values =
          noisy(static_cast<std::size_t>(flights), static_cast<std::size_t>(points));
      const auto numbers = static_cast<double>(std::count_if(
          values.begin(), values.end(), [](double value) { return !std::isnan(value); }));
      // Six of eight bytes are noise.
      EXPECT_LT(static_cast<double>(packed_size(values, search)),
                6.2 * numbers + 8 * 20 * flights + 100);
    }
  }
  const std::vector<double> constant(100000, 0.25);
  EXPECT_LT(packed_size(constant, DeflateSearch::runs), 2000U);
}

TEST(PackedChunks, AreCorrectInManyFilesWrittenAtOnce) {
  const test::TemporaryFolder folder;
  const auto path = [&](std::size_t n) { return folder / (std::to_string(n) + ".h5"); };
  constexpr std::size_t files = 8;
  {
    std::vector<std::jthread> threads;
    for (std::size_t n = 0; n < files; ++n) {
      threads.emplace_back([&, n] { write(path(n), n % 2 == 0 ? Packing::runs : Packing::plain); });
    }
  }
  for (std::size_t n = 0; n < files; ++n) {
    expect_all_rows(path(n));
    EXPECT_EQ(bytes_of(path(n)), bytes_of(path(n % 2)));
  }
}

/// A file with one variable, whose chunks get a position at once and their bytes later.
struct LateFile {
  explicit LateFile(const std::filesystem::path& path) {
    const auto lock = lock_hdf5();
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    defer_chunk_writes(access);
    file = Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
    const hsize_t count = columns;
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Handle chunks(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(chunks.id(), 1, &count);
    dataset = Hdf5Handle(H5Dcreate2(file.id(), "v", H5T_NATIVE_UINT8, space.id(), H5P_DEFAULT,
                                    chunks.id(), H5P_DEFAULT),
                         H5Dclose);
  }

  LateChunk allocate(const std::string& bytes, std::size_t size) const {
    const auto lock = lock_hdf5();
    return {file, dataset, {0}, bytes.data(), size};
  }

  Hdf5Handle file;
  Hdf5Handle dataset;
};

TEST(LateChunk, IsAllocatedBeforeItsBytesAreWritten) {
  const test::TemporaryFolder folder;
  const std::string bytes(columns, 'x');
  const auto count_of = [](const std::string& all) {
    return std::count(all.begin(), all.end(), 'x');
  };
  {
    const LateFile late(folder / "v.h5");
    const LateChunk chunk = late.allocate(bytes, columns);
    EXPECT_LT(count_of(bytes_of(folder / "v.h5")), 20);  // not written yet
    EXPECT_TRUE(chunk.write());                          // without the lock
    EXPECT_GE(count_of(bytes_of(folder / "v.h5")), static_cast<std::ptrdiff_t>(columns));
  }
  EXPECT_EQ(Hdf5File::open(folder / "v.h5").read_all<std::uint8_t>("v"),
            std::vector<std::uint8_t>(columns, 'x'));
}

TEST(LateChunk, ReportsAFailedWrite) {
  const test::TemporaryFolder folder;
  const std::string bytes(columns, 'x');
  const LateFile late(folder / "v.h5");
  EXPECT_FALSE(late.allocate(bytes, 0).write());  // HDF5 refuses an empty chunk
  const LateChunk chunk = late.allocate(bytes, columns);
  rlimit original{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &original), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit two_bytes{2, original.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &two_bytes), 0);
  const bool written = chunk.write();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &original), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(written);
  EXPECT_TRUE(chunk.write());
}

}  // namespace
}  // namespace tidewise
