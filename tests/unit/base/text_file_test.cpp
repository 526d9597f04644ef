// Text files are read whole, up to the limit of their format.

#include "base/file/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/error.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

class TextFile : public testing::Test {
 protected:
  std::string refusal(const TextFormat& format) const {
    try {
      (void)read_text_file(path_, format);
    } catch (const InputError& error) {
      return error.what();
    }
    return "not refused";
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "notes.txt";
};

TEST_F(TextFile, IsReadWhole) {
  std::string text;
  for (int n = 0; n < 100'000; ++n) text += std::to_string(n) + '\n';
  text += '\0';
  std::ofstream(path_, std::ios::binary) << text;
  EXPECT_EQ(read_text_file(path_, text_format::toml) == text, true);
  EXPECT_EQ(read_beginning(path_, 5), "0\n1\n2");
  std::ofstream(path_, std::ios::binary) << "ab";
  EXPECT_EQ(read_beginning(path_, 5), "ab");
  std::ofstream(path_, std::ios::binary) << "";
  EXPECT_EQ(read_text_file(path_, text_format::toml), "");
}

TEST_F(TextFile, RefusesOneByteOverTheLimit) {
  constexpr TextFormat format{"a list of notes", 300'000};
  std::ofstream(path_, std::ios::binary) << std::string(300'000, 'n');
  EXPECT_EQ(read_text_file(path_, format).size(), 300'000U);
  std::filesystem::resize_file(path_, 300'001);
  EXPECT_THAT(refusal(format), test::has_code("file_too_large", "a list of notes"));
}

/// A sparse file takes no space on the disk, but would fill the memory.
TEST_F(TextFile, RefusesFiftyGigabytesAtOnce) {
  std::ofstream(path_) << "{}";
  std::filesystem::resize_file(path_, 50'000'000'000);
  for (const TextFormat& format : {text_format::toml, text_format::profile, text_format::polygons,
                                   text_format::track, text_format::summary, text_format::failures,
                                   text_format::options, text_format::rehearsal}) {
    EXPECT_THAT(refusal(format), test::has_code("file_too_large")) << format.name;
  }
}

/// The system reports size 0 for a pipe, and reading it would not end.
TEST_F(TextFile, RefusesAPipe) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(refusal(text_format::toml), test::has_code("file_not_regular"));
  EXPECT_THROW((void)read_beginning(path_, 4), InputError);
}

}  // namespace
}  // namespace tidewise
