#include "env/import/file/netcdf/unreadable_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/printable.h"

namespace tidewise::ingest {
namespace {

constexpr std::size_t head_size = 256;  // [bytes]
constexpr std::size_t max_head_length = 60;

struct Format {
  std::string_view signature;
  const char* description;
};

constexpr Format formats[]{
    {"\x1f\x8b", "is compressed by gzip; unpack it first: gzip -dc {} > OUT.nc"},
    {"BZh", "is compressed by bzip2; unpack it first: bzip2 -dc {} > OUT.nc"},
    {"\xfd"
     "7zXZ",
     "is compressed by xz; unpack it first: xz -dc {} > OUT.nc"},
    {"\x28\xb5\x2f\xfd", "is compressed by zstd; unpack it first: zstd -dc {} > OUT.nc"},
    {"PK\x03\x04", "is a ZIP archive; unpack it first: unzip {}"},
    {"GRIB", "is GRIB; convert it to NetCDF first: cdo -f nc copy {} OUT.nc"},
};

std::string read_head(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string head(head_size, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return head;
}

bool is_text(const std::string& head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= ' ' || byte == '\n' || byte == '\r' || byte == '\t';
  });
}

}  // namespace

std::string describe_unreadable(const std::filesystem::path& path,
                                const std::filesystem::path& name) {
  const std::string head = read_head(path);
  if (head.empty()) return "is empty; fetch it again";
  for (const Format& format : formats) {
    if (!head.starts_with(format.signature)) continue;
    return fmt::format(fmt::runtime(format.description), name.string());
  }
  if (is_text(head)) {
    const std::string first = head.substr(0, std::min(head.find('\n'), max_head_length));
    return fmt::format(
        "is text, not NetCDF (it begins \"{}\"); name a NetCDF file, or fetch this one again if a "
        "server sent an error page in its place",
        on_one_line(first));
  }
  return "cannot be read as NetCDF: it is damaged, or of another format; fetch it again, or "
         "convert "
         "it to NetCDF first";
}

}  // namespace tidewise::ingest
