#include "env/import/file/netcdf/classic_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/file/open_file.h"
#include "env/error/codes.h"

namespace tidewise::ingest {
namespace {

constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();

// Sums and products saturate, so that a damaged header requires more bytes than any file has.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > max - b ? max : a + b; }
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > max / b ? max : a * b;
}
std::uint64_t padded(std::uint64_t size) { return sum(size, 3) / 4 * 4; }

enum class Tag : std::uint64_t { absent = 0, dimension = 10, variable = 11, attribute = 12 };

/// Thrown for a header with invalid syntax.
struct InvalidHeader {};

struct Variable {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;  ///< [bytes] of all values, or of those of one record
  bool has_records = false;
};

/// Reads a header from front to back.
class Header {
 public:
  Header(std::istream& file, int version)
      : file_(file), count_width_(version == 5 ? 8 : 4), offset_width_(version == 1 ? 4 : 8) {}

  std::uint64_t needed() {
    const std::uint64_t record_count = count();
    const bool streaming = record_count == (count_width_ == 4 ? 0xFFFFFFFF : max);
    for (std::uint64_t n = list(Tag::dimension); n > 0; --n) {
      skip_text();
      lengths_.push_back(count());
    }
    skip_attributes();
    std::vector<Variable> variables;
    for (std::uint64_t n = list(Tag::variable); n > 0; --n) variables.push_back(variable());
    return end_of(variables, streaming ? 0 : record_count);
  }

 private:
  static std::uint64_t end_of(const std::vector<Variable>& variables, std::uint64_t record_count) {
    std::uint64_t record = 0;
    for (const Variable& variable : variables) {
      if (variable.has_records) record = sum(record, padded(variable.size));
    }
    const auto has_records = [](const Variable& variable) { return variable.has_records; };
    if (std::count_if(variables.begin(), variables.end(), has_records) == 1) {
      // The only record variable is stored without padding between records.
      record = std::find_if(variables.begin(), variables.end(), has_records)->size;
    }
    std::uint64_t end = 0;
    for (const Variable& variable : variables) {
      if (variable.has_records && record_count == 0) continue;
      const std::uint64_t offset = variable.has_records ? product(record_count - 1, record) : 0;
      end = std::max(end, sum(sum(variable.begin, offset), variable.size));
    }
    return end;
  }

  Variable variable() {
    skip_text();
    Variable variable;
    std::uint64_t values = 1;
    const std::uint64_t rank = count();
    for (std::uint64_t position = 0; position < rank; ++position) {
      const std::uint64_t dimension = count();
      if (dimension >= lengths_.size()) throw InvalidHeader{};
      const std::uint64_t length = lengths_[dimension];
      if (length == 0 && position == 0) {
        variable.has_records = true;
      } else {
        values = product(values, length);
      }
    }
    skip_attributes();
    variable.size = product(values, type_size());
    count();  // vsize
    variable.begin = number(offset_width_);
    return variable;
  }

  void skip_attributes() {
    for (std::uint64_t n = list(Tag::attribute); n > 0; --n) {
      skip_text();
      const std::uint64_t size = type_size();
      skip(padded(product(count(), size)));
    }
  }

  std::uint64_t list(Tag expected) {
    const auto tag = static_cast<Tag>(number(4));
    const std::uint64_t length = count();
    if (tag != expected && (tag != Tag::absent || length != 0)) throw InvalidHeader{};
    return length;
  }

  std::uint64_t type_size() {
    // byte, char, short, int, float, double, then CDF-5's ubyte, ushort, uint, int64, uint64
    constexpr std::array<std::uint64_t, 11> sizes{1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    const std::uint64_t type = number(4);
    if (type < 1 || type > sizes.size()) throw InvalidHeader{};
    return sizes[type - 1];
  }

  std::uint64_t count() { return number(count_width_); }
  void skip_text() { skip(padded(count())); }

  void skip(std::uint64_t size) {
    constexpr auto max_skip = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    const auto length = static_cast<std::streamsize>(std::min(size, max_skip));
    file_.ignore(length);
    if (size > max_skip || file_.gcount() != length) throw_cut_short();
  }

  std::uint64_t number(int width) {  // big-endian
    std::array<char, 8> bytes{};
    if (!file_.read(bytes.data(), width)) throw_cut_short();
    std::uint64_t value = 0;
    for (int n = 0; n < width; ++n) value = value << 8 | static_cast<unsigned char>(bytes[n]);
    return value;
  }

  [[noreturn]] static void throw_cut_short() { throw input_error(errors::netcdf_header_cut_short); }

  std::istream& file_;
  int count_width_;                     // [bytes]
  int offset_width_;                    // [bytes]
  std::vector<std::uint64_t> lengths_;  // (dimension), 0 for the record dimension
};

}  // namespace

std::optional<std::uint64_t> classic_length_needed(std::istream& file) {
  std::array<char, 4> magic{};
  if (!file.read(magic.data(), magic.size())) return {};
  const int version = magic[3];
  if (magic[0] != 'C' || magic[1] != 'D' || magic[2] != 'F') return {};
  if (version != 1 && version != 2 && version != 5) return {};
  try {
    return Header(file, version).needed();
  } catch (const InvalidHeader&) {
    return {};
  }
}

void require_whole_classic_file(const std::filesystem::path& path) {
  require_readable(path);
  std::ifstream file(path, std::ios::binary);
  std::optional<std::uint64_t> needed;
  try {
    needed = classic_length_needed(file);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path.string(), error.what()));
  }
  if (!needed) return;
  const std::uint64_t size = std::filesystem::file_size(path);
  if (size >= *needed) return;
  throw input_error(errors::netcdf_cut_short, path.string(), size, *needed);
}

}  // namespace tidewise::ingest
