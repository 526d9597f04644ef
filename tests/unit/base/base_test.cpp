#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/error_codes.h"
#include "base/file/atomic_file.h"
#include "base/file/file_set.h"
#include "base/hdf5/file.h"
#include "base/memory/array.h"
#include "base/memory/device.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

TEST(InputError, ReturnsTheCodeAtTheEndOfItsText) {
  const std::string path = "a.h5";
  const InputError error = input_error(errors::file_missing, path);
  EXPECT_EQ(error.code(), "file_missing");
  EXPECT_EQ(error.text(), "a.h5: there is no such file; check the path");
  EXPECT_EQ(InputError(std::string("place: ") + error.what()).code(), "file_missing");
  EXPECT_EQ(InputError(add_words(error.what(), "; or not")).text(),
            "a.h5: there is no such file; check the path; or not");
  for (const char* text : {"", "in [km]", "in [m_s", "[]"}) {
    EXPECT_EQ(InputError(text).code(), "");
    EXPECT_EQ(InputError(text).text(), text);
  }
}

TEST(Array, OwnsItsElementsAndCopiesThem) {
  Array<int> a(3, 7);
  Array<int> b;
  copy(b, a);
  EXPECT_EQ(b.size(), 3u);
  EXPECT_EQ(b[2], 7);
  const Array<int> c = std::move(a);
  EXPECT_EQ(c[0], 7);
  EXPECT_TRUE(a.empty());
}

TEST(Stopwatch, MeasuresSeconds) {
  const Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(watch.seconds(), 0.02);
  EXPECT_LT(watch.seconds(), 10);
}

TEST(Array, RefusesASizeThatOverflows) {
  // 8 · (2^61 + 1) bytes are 8 modulo 2^64.
  EXPECT_THROW(Array<double>((std::size_t{1} << 61) + 1), RunError);
  EXPECT_THROW(allocate(MemorySpace::host, ~std::size_t{0}), RunError);
}

TEST(Philox, MatchesPublishedTestVectors) {
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

TEST(AtomicFile, CreatesMissingFolders) {
  const test::TemporaryFolder folder;
  const auto path = folder / "a" / "b" / "file.txt";
  {
    AtomicFile file(path);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing is made before it is needed";
    write_text(file, "lost");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "folders go with a file without commit";
  write_text_file(path, "whole");
  EXPECT_TRUE(std::filesystem::is_regular_file(path));
  EXPECT_THROW(AtomicFile(path / "below.txt"), InputError) << "a file is in the place of a folder";
  std::filesystem::create_directory_symlink(folder / "elsewhere", folder / "link");
  EXPECT_THROW(AtomicFile(folder / "link" / "file.txt"), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "elsewhere")) << "made through a link";
}

TEST(AtomicFile, RefusesPathsThatAreNotRegularFiles) {
  const test::TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(AtomicFile{pipe}, InputError);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_THROW(AtomicFile(""), InputError);
}

TEST(FileSet, AppearsTogetherOrNotAtAll) {
  const test::TemporaryFolder folder;
  const auto deep = folder / "a" / "b";
  {
    FileSet files;
    files.make_folder(deep);
    files.add_text(deep / "one", "1");
    files.add_text(deep / "two", "2");
    EXPECT_FALSE(std::filesystem::exists(deep / "one"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "the folders are gone as well";
  FileSet files;
  files.make_folder(deep);
  files.add_text(deep / "one", "1");
  files.add_text(deep / "two", "2");
  std::filesystem::create_directory(deep / "two");  // blocks the rename
  EXPECT_THROW(files.commit(), RunError);
  EXPECT_FALSE(std::filesystem::exists(deep / "one"));
  std::filesystem::remove(deep / "two");
}

TEST(FileSet, KeepsExistingFolders) {
  const test::TemporaryFolder folder;
  { FileSet().make_folder(folder / "x" / ""); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  FileSet files;
  files.make_folder(folder / "x" / "");
  files.add_text(folder / "x" / "one", "1");
  files.commit();
  EXPECT_TRUE(std::filesystem::exists(folder / "x" / "one"));
  { FileSet().make_folder(folder / "x" / "y"); }
  EXPECT_TRUE(std::filesystem::exists(folder / "x"));
  EXPECT_THROW(FileSet().make_folder(folder / "x" / "one"), InputError);
}

TEST(Hdf5File, ReadsBackWhatItWrote) {
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
    const std::vector<std::int64_t> numbers{7, 8};
    file.append("list", numbers.data(), 2);
    file.append("list", numbers.data(), 2);
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

/// Writes a file whose attribute "title" is an array of `count` strings of the given type.
void write_title(const std::filesystem::path& path, hid_t type, hsize_t count, const void* texts) {
  Hdf5File::create(path).close();
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(file.id(), "title", type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (count > 0) {
    ASSERT_GE(H5Awrite(attribute.id(), type, texts), 0);
  }
}

TEST(Hdf5File, JoinsArraysOfStrings) {
  const test::TemporaryFolder folder;
  const Hdf5Handle variable(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(variable.id(), H5T_VARIABLE);
  const std::vector<const char*> variable_texts(4000, "word");
  write_title(folder / "free.h5", variable.id(), variable_texts.size(), variable_texts.data());
  const Hdf5Handle fixed(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(fixed.id(), 4);
  H5Tset_strpad(fixed.id(), H5T_STR_NULLPAD);
  const std::string fixed_texts(4 * 4000, 'w');
  write_title(folder / "fixed.h5", fixed.id(), 4000, fixed_texts.data());
  write_title(folder / "short.h5", fixed.id(), 2, "ab\0\0cdef");
  write_title(folder / "empty.h5", variable.id(), 0, nullptr);

  const auto title = [&](const char* name) {
    return Hdf5File::open(folder / name).text_attribute("/", "title");
  };
  EXPECT_EQ(title("free.h5")->size(), 4000u * 6 - 2);
  EXPECT_EQ(title("free.h5")->substr(0, 10), "word, word");
  EXPECT_EQ(title("fixed.h5")->size(), 4000u * 6 - 2);
  EXPECT_EQ(title("short.h5"), "ab, cdef");
  EXPECT_FALSE(title("empty.h5"));
}

TEST(Hdf5File, RefusesABoxOfAnotherRank) {
  const test::TemporaryFolder folder;
  Hdf5File file = Hdf5File::create(folder / "a.h5");
  file.define_coordinate("x", {1, 2, 3});
  double values[3];
  EXPECT_THROW(file.read("x", {0, 0}, {1, 3}, values), InputError);
  EXPECT_THROW(file.read("x", {}, {}, values), InputError);
}

TEST(Hdf5File, ReportsHowNumbersAreStored) {
  const test::TemporaryFolder folder;
  Hdf5File file = Hdf5File::create(folder / "a.h5");
  file.define_coordinate("x", {1, 2});
  file.define_coordinate("y", {1, 2}, NumberType::float32);
  file.define_coordinate("z", {1, 2}, NumberType::int32);
  EXPECT_FALSE(file.is_single_precision("x"));
  EXPECT_TRUE(file.is_single_precision("y"));
  EXPECT_FALSE(file.is_single_precision("z"));
}

TEST(Hdf5Handle, ReportsAFailedClose) {
  Hdf5Handle handle(7, [](hid_t) -> herr_t { return -1; });
  EXPECT_LT(handle.close_now(), 0);
  EXPECT_FALSE(handle.valid());
}

TEST(Hdf5File, RefusesFilesThatAreNotHdf5) {
  const test::TemporaryFolder folder;
  write_text_file(folder / "a.h5", "no HDF5 at all");
  EXPECT_THROW(Hdf5File::open(folder / "a.h5"), InputError);
  EXPECT_THROW(Hdf5File::open(folder / "b.h5"), InputError);
  EXPECT_THROW(Hdf5File::open(folder.path()), InputError);
}

}  // namespace
}  // namespace tidewise
