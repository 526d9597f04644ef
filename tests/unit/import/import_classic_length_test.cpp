// The length of a classic file according to its header, compared with files of the netCDF library.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netcdf.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/hdf5/handle.h"
#include "env/import/file/netcdf/classic_length.h"
#include "env/import/file/netcdf/netcdf_file.h"
#include "support/error_code.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using ::testing::HasSubstr;

void check(int status) {
  if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
}

std::optional<std::uint64_t> length_needed(const std::string& bytes) {
  std::istringstream stream(bytes);
  return classic_length_needed(stream);
}

enum class Kind { fixed, one_short_record, two_records };

/// Writes short values at three points, so that 6 of 8 bytes are used wherever there is padding.
void write_classic(const std::filesystem::path& path, int format, Kind kind,
                   std::size_t records = 3) {
  const auto lock = lock_hdf5();
  int file = -1;
  int time = -1;
  int point = -1;
  check(nc_create(path.c_str(), NC_CLOBBER | format, &file));
  check(nc_def_dim(file, "time", NC_UNLIMITED, &time));
  check(nc_def_dim(file, "x", 3, &point));
  check(nc_put_att_text(file, NC_GLOBAL, "title", 5, "three"));
  const std::vector<int> dimensions{time, point};
  const bool fixed = kind == Kind::fixed;
  std::vector<int> variables;
  for (const char* name : {"a", "b"}) {
    if (kind == Kind::one_short_record && *name == 'b') break;
    variables.push_back(-1);
    check(nc_def_var(file, name, NC_SHORT, fixed ? 1 : 2, dimensions.data() + (fixed ? 1 : 0),
                     &variables.back()));
    check(nc_put_att_text(file, variables.back(), "units", 1, "m"));
  }
  check(nc_enddef(file));
  const std::vector<short> values(3 * records, 7);
  for (const int variable : variables) {
    const std::vector<std::size_t> start(2, 0);
    const std::vector<std::size_t> record_box{records, 3};
    const std::vector<std::size_t> fixed_box{3};
    check(nc_put_vara_short(file, variable, start.data(),
                            fixed ? fixed_box.data() : record_box.data(), values.data()));
  }
  check(nc_close(file));
}

TEST(ClassicLength, MatchesTheLibrarysFilesExceptPadding) {
  const test::TemporaryFolder folder;
  for (const int format : {0, NC_64BIT_OFFSET, NC_64BIT_DATA}) {
    for (const Kind kind : {Kind::fixed, Kind::one_short_record, Kind::two_records}) {
      write_classic(folder / "a.nc", format, kind);
      const std::string bytes = test::bytes_of(folder / "a.nc");
      const auto needed = length_needed(bytes);
      ASSERT_TRUE(needed.has_value());
      EXPECT_LE(*needed, bytes.size());
      EXPECT_LT(bytes.size() - *needed, 4u);
      // Padding may be missing, a value may not.
      write_text_file(folder / "b.nc", bytes.substr(0, *needed));
      EXPECT_NO_THROW(NetcdfFile(folder / "b.nc").read_all("a"));
      write_text_file(folder / "b.nc", bytes.substr(0, *needed - 1));
      EXPECT_THAT(
          [&] { NetcdfFile(folder / "b.nc"); },
          ::testing::ThrowsMessage<InputError>(::testing::AllOf(
              test::has_code("netcdf_cut_short", "b.nc: has " + std::to_string(*needed - 1)),
              HasSubstr(std::to_string(*needed)))));
    }
  }
}

TEST(ClassicLength, CountsRecordsOfOneVariableWithoutPadding) {
  const test::TemporaryFolder folder;
  std::vector<std::uint64_t> needed;
  for (const std::size_t records : {2, 3}) {
    write_classic(folder / "a.nc", 0, Kind::one_short_record, records);
    needed.push_back(length_needed(test::bytes_of(folder / "a.nc")).value());
    write_classic(folder / "a.nc", 0, Kind::two_records, records);
    needed.push_back(length_needed(test::bytes_of(folder / "a.nc")).value());
  }
  EXPECT_EQ(needed[2] - needed[0], 6u);   // three shorts
  EXPECT_EQ(needed[3] - needed[1], 16u);  // twice three shorts and two bytes of padding
}

TEST(ClassicLength, ExceedsFourGibibytesAndSaturates) {
  const test::TemporaryFolder folder;
  write_classic(folder / "a.nc", NC_64BIT_OFFSET, Kind::fixed);
  std::string bytes = test::bytes_of(folder / "a.nc");
  const auto begin_of_b = length_needed(bytes).value() - 6;
  const auto x = bytes.find(std::string("\0\0\0\1x\0\0\0\0\0\0\3", 12));
  ASSERT_NE(x, std::string::npos);
  bytes.replace(x + 8, 4, std::string("\xC0\0\0\0", 4));
  EXPECT_EQ(length_needed(bytes), begin_of_b + std::uint64_t{2} * 0xC0000000);
  write_classic(folder / "a.nc", NC_64BIT_DATA, Kind::fixed);
  bytes = test::bytes_of(folder / "a.nc");
  const auto position = bytes.find(std::string("\0\0\0\1x\0\0\0\0\0\0\0\0\0\0\3", 16));
  ASSERT_NE(position, std::string::npos);
  bytes.replace(position + 8, 8, 8, '\xFF');
  EXPECT_EQ(length_needed(bytes), std::numeric_limits<std::uint64_t>::max());
}

TEST(ClassicLength, CountsNoRecordsOfAStreamedFile) {
  const test::TemporaryFolder folder;
  write_classic(folder / "a.nc", 0, Kind::two_records);
  std::string bytes = test::bytes_of(folder / "a.nc");
  bytes.replace(4, 4, 4, '\xFF');
  EXPECT_EQ(length_needed(bytes), 0u);
}

TEST(ClassicLength, ReadsOnlyClassicHeaders) {
  const test::TemporaryFolder folder;
  write_classic(folder / "a.nc", 0, Kind::fixed);
  const std::string bytes = test::bytes_of(folder / "a.nc");
  for (const std::size_t length : {5, 20, 60, 100}) {
    write_text_file(folder / "b.nc", bytes.substr(0, length));
    EXPECT_THAT([&] { NetcdfFile(folder / "b.nc"); },
                ::testing::ThrowsMessage<InputError>(test::has_code("netcdf_header_cut_short")));
  }
  EXPECT_FALSE(length_needed("").has_value());
  EXPECT_FALSE(length_needed("\x89HDF\r\n\x1a\n").has_value());
  EXPECT_FALSE(length_needed("CDF\x07rest").has_value());
  EXPECT_FALSE(length_needed(std::string("CDF\1\0\0\0\0\0\0\0\7\0\0\0\1", 16)).has_value());
}

}  // namespace
}  // namespace tidewise::ingest
