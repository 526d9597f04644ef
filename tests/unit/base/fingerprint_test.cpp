#include "base/file/fingerprint.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

class FileFingerprint : public testing::Test {
 protected:
  std::string fingerprint_of(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    return file_fingerprint(path());
  }
  fs::path path() const { return folder_ / "file"; }

  test::TemporaryFolder folder_;
};

TEST_F(FileFingerprint, DiffersForEveryBitOfSmallFiles) {
  const std::string whole(3001, 'a');
  const std::string original = fingerprint_of(whole);
  EXPECT_EQ(fingerprint_of(whole), original);
  for (std::size_t n = 0; n < whole.size(); n += 97) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = whole;
      other[n] = static_cast<char>(other[n] ^ (1 << bit));
      EXPECT_NE(fingerprint_of(other), original) << n << " " << bit;
    }
  }
  std::string flipped = whole;  // the sign bits of two 8-byte numbers
  flipped[7] = static_cast<char>(flipped[7] ^ 0x80);
  flipped[2407] = static_cast<char>(flipped[2407] ^ 0x80);
  EXPECT_NE(fingerprint_of(flipped), original);
  EXPECT_NE(fingerprint_of(whole + '\0'), original);
  EXPECT_NE(fingerprint_of(""), original);
  EXPECT_THROW(file_fingerprint(folder_ / "none"), InputError);
}

TEST_F(FileFingerprint, SamplesLargeFilesEverywhere) {
  const std::uint64_t size = 200u << 20;
  { std::ofstream(path()).put('x'); }
  fs::resize_file(path(), size);  // a sparse file
  const std::string original = file_fingerprint(path());
  const auto change = [&](std::uint64_t offset, std::size_t count) {
    std::fstream stream(path(), std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream << std::string(count, '!');
    stream.close();
    const std::string fingerprint = file_fingerprint(path());
    stream.open(path(), std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream << std::string(count, '\0');
    return fingerprint;
  };
  // Changes as long as the distance between two samples, at several places.
  for (const std::uint64_t offset : {20u << 20, 77'777'777u, (200u << 20) - 13'000u}) {
    EXPECT_NE(change(offset, 13'000), original) << offset;
  }
  EXPECT_NE(change(512'000, 1), original) << "the beginning is read whole";
  EXPECT_EQ(file_fingerprint(path()), original);
}

}  // namespace
}  // namespace tidewise
