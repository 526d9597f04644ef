#include "base/file/guarded/guarded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

/// A reader that misbehaves like a library with a damaged file.
class MisbehavingReader {
 public:
  static std::shared_ptr<MisbehavingReader> open_unguarded(const std::filesystem::path& path,
                                                           const std::filesystem::path& name) {
    auto reader = std::make_shared<MisbehavingReader>();
    reader->name = name;
    std::ifstream(path) >> reader->content;
    return reader;
  }
  std::int32_t process() const { return ::getpid(); }
  std::string first_word() const { return content; }
  std::string echo(const std::string& text) const { return text + text; }
  double crash(const std::string&) const {
    volatile int* nowhere = nullptr;
    return *nowhere;
  }
  void abort_process() const { std::abort(); }
  void loop() const {
    volatile std::uint64_t count = 0;
    while (true) count = count + 1;
  }
  std::uint64_t take_all_memory() const {
    std::vector<std::vector<char>> all;
    for (;;) all.emplace_back(std::size_t{1} << 28, 'x');
  }
  void refuse_file() const { throw InputError(name.string() + ": is of no use"); }
  void fail() const { throw RunError("the device is lost"); }

  std::filesystem::path name;
  std::string content;
};

class GuardedReader : public testing::Test {
 protected:
  void SetUp() override { write_text_file(path_, "anything"); }

  template <auto method, class... Args>
  std::string error_message(const Args&... args) {
    Guarded<MisbehavingReader> reader(path_);
    EXPECT_EQ(reader.call<&MisbehavingReader::echo>(std::string("ab")), "abab");
    try {
      reader.call<method>(args...);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "file.h5";
};

TEST_F(GuardedReader, RefusesAFileThatCrashesTheReader) {
  EXPECT_THAT(error_message<&MisbehavingReader::crash>(std::string("x")),
              test::has_code("file_damaged", "file.h5"));
  EXPECT_THAT(error_message<&MisbehavingReader::abort_process>(),
              test::has_code("file_damaged", "file.h5"));
}

TEST_F(GuardedReader, RefusesAFileThatMakesTheReaderLoop) {
  EXPECT_THAT(error_message<&MisbehavingReader::loop>(), test::has_code("file_damaged"));
}

TEST_F(GuardedReader, RefusesAFileThatTakesAllMemory) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr const char* code = "file_damaged";  // unless the sanitizer ends the process itself
#else
  constexpr const char* code = "file_claims_too_much";
#endif
  EXPECT_THAT(error_message<&MisbehavingReader::take_all_memory>(),
              test::has_code(code, "file.h5"));
}

TEST_F(GuardedReader, PassesErrorsOn) {
  EXPECT_EQ(error_message<&MisbehavingReader::refuse_file>(), path_.string() + ": is of no use");
  Guarded<MisbehavingReader> reader(path_);
  EXPECT_THROW(reader.call<&MisbehavingReader::fail>(), RunError);
  EXPECT_EQ(reader.call<&MisbehavingReader::echo>(std::string("ab")), "abab");
}

TEST_F(GuardedReader, ServesManyThreads) {
  Guarded<MisbehavingReader> reader(path_);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::string text(static_cast<std::size_t>(t) * 1000 + 1, 'a');
      for (int n = 0; n < 200; ++n)
        EXPECT_EQ(reader.call<&MisbehavingReader::echo>(text), text + text);
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST_F(GuardedReader, StartsAFurtherProcessForConcurrentThreads) {
  Guarded<MisbehavingReader> reader(path_);
  std::int32_t first = 0;
  const auto in_a_thread = [](const std::function<void()>& work) { std::thread(work).join(); };
  {
    const auto free = reader.take_free();
    first = free.process.call<&MisbehavingReader::process>();
    EXPECT_EQ(free.process.number_of(7, [] { return std::uint64_t{8}; }), 7U);
    write_text_file(path_, "other");  // replaces the file
    in_a_thread([&] {
      const auto other = reader.take_free();
      EXPECT_NE(other.process.call<&MisbehavingReader::process>(), first);
      EXPECT_EQ(other.process.call<&MisbehavingReader::first_word>(), "anything");
      EXPECT_EQ(other.process.number_of(7, [] { return std::uint64_t{8}; }), 8U);
      EXPECT_EQ(other.process.number_of(7, [] { return std::uint64_t{9}; }), 8U);
    });
    in_a_thread([&] {
      const auto other = reader.take_free();
      EXPECT_NE(other.process.call<&MisbehavingReader::process>(), first);
      EXPECT_EQ(other.process.number_of(7, [] { return std::uint64_t{9}; }), 8U)
          << "the one before";
    });
  }
  in_a_thread(
      [&] { EXPECT_EQ(reader.take_free().process.call<&MisbehavingReader::process>(), first); });
}

TEST_F(GuardedReader, SharesOneProcessIfNoMoreCanBeStarted) {
  Guarded<MisbehavingReader> reader(path_);
  std::atomic<int> correct_results = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 20; ++t) {
      threads.emplace_back([&] {
        for (int n = 0; n < 20; ++n) {
          const auto free = reader.take_free();
          if (free.process.call<&MisbehavingReader::echo>(std::string("ab")) == "abab")
            ++correct_results;
        }
      });
    }
  }
  EXPECT_EQ(correct_results, 400);
}

TEST_F(GuardedReader, ReportsWhyAFileCannotBeOpened) {
  const auto error_message = [](const std::filesystem::path& path) -> std::string {
    try {
      Hdf5File::open(path);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was refused";
  };
  EXPECT_THAT(error_message(folder_ / "none.h5"), test::has_code("file_missing"));
  EXPECT_THAT(error_message(folder_.path()), test::has_code("file_is_folder"));
  EXPECT_THAT(error_message(path_), test::has_code("not_hdf5"));
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_message(folder_ / "pipe"), test::has_code("file_not_regular"));
#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer opens pipes to read memory
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none{0, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const std::string message = error_message(path_);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_THAT(message, HasSubstr("too many open files"));
#endif
}

// A tool that inspects processes, such as a debugger, may end every reader. The program forks a
// keeper, which forks the readers, so a process of copy depth 2 is a reader.
int copy_depth = 0;
void end_readers() {
  if (++copy_depth >= 2) ::_exit(1);
}

class UnderATool : public testing::Test {
 protected:
  void SetUp() override {
    // Starts a new process, whose keeper starts after the tool.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Hdf5File file = Hdf5File::create(path_);
    file.define_coordinate("x", std::vector<double>{1, 2, 3});
    file.close();
  }
  /// Reads the file, prints the result and exits.
  [[noreturn]] void read() const {
    copy_depth = 0;
    ::pthread_atfork(nullptr, nullptr, &end_readers);
    try {
      const Hdf5File file = Hdf5File::open(path_);
      const bool equal = file.read_all<double>("x") == std::vector<double>{1, 2, 3};
      std::fprintf(stderr, equal ? "read right" : "read wrong");
    } catch (const GuardFailure& error) {
      std::fprintf(stderr, "guard: %s", error.what());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "file: %s", error.what());
    }
    std::_Exit(0);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.h5";
};

using UnderAToolDeathTest = UnderATool;

TEST_F(UnderAToolDeathTest, ReadsOwnFilesWithoutAReader) {
  EXPECT_EXIT(read(), testing::ExitedWithCode(0), "read right");
}

TEST_F(UnderAToolDeathTest, DoesNotReportOtherUsersFilesAsDamaged) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  EXPECT_EXIT(
      {
        if (::chown(path_.c_str(), 100'001, 100'001) != 0) std::_Exit(2);
        read();
      },
      testing::ExitedWithCode(0), "guard: .*the process that reads files ends by itself here");
}

class ForeignHdf5 : public testing::Test {
 protected:
  /// Creates the file "a.h5" and fills it by `fill`, which calls HDF5 directly.
  void make(const std::function<void(hid_t)>& fill) {
    const auto lock = lock_hdf5();
    const Hdf5Handle file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose);
    fill(file.id());
  }
  std::string error_message() const {
    try {
      Hdf5File::open(path_).read_all<double>("v");
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.h5";
};

TEST_F(ForeignHdf5, ReadsTextsOfVariableLength) {
  make([](hid_t file) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), H5T_VARIABLE);
    const hsize_t size = 3;
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Hdf5Handle data(
        H5Dcreate2(file, "names", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    const char* texts[] = {"a", "", "a longer one"};
    EXPECT_GE(H5Dwrite(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts), 0);
  });
  EXPECT_THAT(Hdf5File::open(path_).read_texts("names"),
              testing::ElementsAre("a", "", "a longer one"));
}

TEST_F(ForeignHdf5, RefusesLinksToOtherFiles) {
  make([](hid_t file) {
    EXPECT_GE(H5Lcreate_external("b.h5", "/v", file, "v", H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  EXPECT_THAT(error_message(),
              test::has_code("hdf5_variable_unreadable", "is a link to another file"));
  const hsize_t size = 4;
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle external_data(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_external(external_data.id(), "/etc/hostname", 0, 32);
  const Hdf5Handle virtual_dataset(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_virtual(virtual_dataset.id(), space.id(), "b.h5", "/v", space.id());
  for (const Hdf5Handle* properties : {&external_data, &virtual_dataset}) {
    make([&](hid_t file) {
      const Hdf5Handle data(H5Dcreate2(file, "v", H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT,
                                       properties->id(), H5P_DEFAULT),
                            H5Dclose);
      EXPECT_TRUE(data.valid());
    });
    EXPECT_THAT(error_message(),
                test::has_code("hdf5_variable_unreadable", "has its values in other files"));
  }
}

TEST_F(ForeignHdf5, RefusesDeclaredSizesBeyondTheFile) {
  make([](hid_t file) {
    const hsize_t size = hsize_t{1} << 40;
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const hsize_t chunk = 1024;
    H5Pset_chunk(properties.id(), 1, &chunk);
    const Hdf5Handle data(H5Dcreate2(file, "v", H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT,
                                     properties.id(), H5P_DEFAULT),
                          H5Dclose);
    EXPECT_TRUE(data.valid());
  });
  EXPECT_THAT(error_message(),
              test::has_code("hdf5_variable_unreadable", "declares 1099511627776 elements"));
}

TEST(Hdf5Checksums, DetectOneWrongBitInAnyChunk) {
  const test::TemporaryFolder folder;
  const std::vector<double> values{1, 2, 3, 1234.5678, 5, 6};
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.define_coordinate("x", values);
    file.close();
  }
  std::string bytes;
  {
    std::ifstream stream(folder / "a.h5", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
  }
  const double value = 1234.5678;
  const std::string value_bytes(reinterpret_cast<const char*>(&value), sizeof(value));
  const std::size_t at = bytes.find(value_bytes);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 2] = static_cast<char>(bytes[at + 2] ^ 1);
  write_text_file(folder / "b.h5", bytes);
  EXPECT_EQ(Hdf5File::open(folder / "a.h5").read_all<double>("x"), values);
  EXPECT_THROW(Hdf5File::open(folder / "b.h5").read_all<double>("x"), InputError);
}

}  // namespace
}  // namespace tidewise
