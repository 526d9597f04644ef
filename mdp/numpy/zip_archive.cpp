#include "mdp/numpy/zip_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "base/error.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Little-endian. Requires that it is there.
template <class T>
T number_at(Bytes bytes, std::size_t at) {
  T number = 0;
  for (std::size_t n = 0; n < sizeof(T); ++n) {
    number |= static_cast<T>(static_cast<T>(bytes[at + n]) << (8 * n));
  }
  return number;
}

constexpr std::uint32_t local_mark = 0x04034b50;
constexpr std::uint32_t member_mark = 0x02014b50;
constexpr std::uint32_t end_mark = 0x06054b50;
constexpr std::uint32_t wide_end_mark = 0x06064b50;
constexpr std::uint32_t wide_place_mark = 0x07064b50;
constexpr std::size_t local_bytes = 30;
constexpr std::size_t member_bytes = 46;
constexpr std::size_t end_bytes = 22;
constexpr std::size_t wide_end_bytes = 56;
constexpr std::size_t wide_place_bytes = 20;
constexpr std::uint64_t longest_comment = 0xFFFF;
constexpr std::uint32_t is_wide = 0xFFFFFFFF;
constexpr std::uint16_t wide_field = 1;
constexpr std::uint64_t most_of_a_byte = 1040;  // that deflate makes of one: 1032, and its end

/// Where the list of members is.
struct Directory {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  bool found = false;
};

Directory find_directory(const ByteSource& source) {
  const std::uint64_t tail_bytes = std::min(source.size(), end_bytes + longest_comment);
  const auto tail = source.read(source.size() - tail_bytes, tail_bytes);
  for (std::size_t at = tail.size() < end_bytes ? 0 : tail.size() - end_bytes + 1; at-- > 0;) {
    if (number_at<std::uint32_t>(tail, at) != end_mark) continue;
    const Directory directory{number_at<std::uint32_t>(tail, at + 16),
                              number_at<std::uint32_t>(tail, at + 12), true};
    const bool may_be_wide = directory.begin == is_wide || directory.bytes == is_wide ||
                             number_at<std::uint16_t>(tail, at + 10) == 0xFFFF;
    if (!may_be_wide || at < wide_place_bytes) return directory;
    const std::size_t place = at - wide_place_bytes;
    if (number_at<std::uint32_t>(tail, place) != wide_place_mark) return directory;
    const auto wide = source.read(number_at<std::uint64_t>(tail, place + 8), wide_end_bytes);
    if (number_at<std::uint32_t>(wide, 0) != wide_end_mark) return {};
    return {number_at<std::uint64_t>(wide, 48), number_at<std::uint64_t>(wide, 40), true};
  }
  return {};
}

/// Puts the next 64-bit number of ZIP64's field in the place of one that says it is there.
void widen(std::uint64_t& number, Bytes& field) {
  if (number != is_wide || field.size() < 8) return;
  number = number_at<std::uint64_t>(field, 0);
  field = field.subspan(8);
}

Bytes wide_numbers(Bytes extra) {
  while (extra.size() >= 4) {
    const std::size_t size = number_at<std::uint16_t>(extra, 2);
    if (size > extra.size() - 4) return {};
    if (number_at<std::uint16_t>(extra, 0) == wide_field) return extra.subspan(4, size);
    extra = extra.subspan(4 + size);
  }
  return {};
}

/// False where they do not unpack to just as many bytes as `out` has.
bool inflate_all(const std::vector<std::uint8_t>& packed, std::vector<std::uint8_t>& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  std::size_t taken = 0;
  std::size_t made = 0;
  int status = Z_OK;
  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  while (status == Z_OK) {
    const std::size_t in = std::min(packed.size() - taken, most);
    const std::size_t room = std::min(out.size() - made, most);
    stream.next_in = const_cast<Bytef*>(packed.data()) + taken;  // zlib reads it alone
    stream.avail_in = static_cast<uInt>(in);
    std::uint8_t none = 0;
    stream.next_out = out.empty() ? &none : out.data() + made;
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    made += room - stream.avail_out;
    if (status == Z_OK && in == stream.avail_in && room == stream.avail_out) break;
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END && made == out.size();
}

std::uint32_t checksum_of(const std::vector<std::uint8_t>& bytes) {
  uLong sum = crc32(0, nullptr, 0);
  constexpr std::size_t most = 1u << 30;
  for (std::size_t at = 0; at < bytes.size(); at += most) {
    sum = crc32(sum, bytes.data() + at, static_cast<uInt>(std::min(most, bytes.size() - at)));
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

void ZipArchive::refuse(const std::string& why) const {
  throw InputError(fmt::format("{}: {}", name(), why));
}

void ZipArchive::refuse_member(const std::string& member, const std::string& why) const {
  refuse(fmt::format("member {}: {}", in_quotes(member), why));
}

ZipArchive::ZipArchive(const ByteSource& source) : source_(source) {
  const Directory directory = find_directory(source);
  if (!directory.found) refuse("is no .npz (its list of members is not there), or is cut off");
  const auto held = source.read(directory.begin, directory.bytes);
  Bytes rest = held;
  while (rest.size() >= member_bytes && number_at<std::uint32_t>(rest, 0) == member_mark) {
    Member member;
    const auto flags = number_at<std::uint16_t>(rest, 8);
    member.method = number_at<std::uint16_t>(rest, 10);
    member.checksum = number_at<std::uint32_t>(rest, 16);
    member.packed = number_at<std::uint32_t>(rest, 20);
    member.unpacked = number_at<std::uint32_t>(rest, 24);
    member.header = number_at<std::uint32_t>(rest, 42);
    const std::size_t name_bytes = number_at<std::uint16_t>(rest, 28);
    const std::size_t extra_bytes = number_at<std::uint16_t>(rest, 30);
    const std::size_t comment_bytes = number_at<std::uint16_t>(rest, 32);
    const std::size_t all = member_bytes + name_bytes + extra_bytes + comment_bytes;
    if (all > rest.size()) break;
    const auto* const letters = reinterpret_cast<const char*>(rest.data()) + member_bytes;
    Bytes wide = wide_numbers(rest.subspan(member_bytes + name_bytes, extra_bytes));
    widen(member.unpacked, wide);
    widen(member.packed, wide);
    widen(member.header, wide);
    const std::string called(letters, name_bytes);
    constexpr std::uint16_t is_encrypted = 1;
    if ((flags & is_encrypted) != 0) refuse_member(called, "is encrypted; save it without");
    members_[called] = member;
    rest = rest.subspan(all);
  }
  if (members_.empty()) refuse("is no .npz: it has no members");
}

std::vector<std::uint8_t> ZipArchive::read(const std::string& member) const {
  const auto found = members_.find(member);
  if (found == members_.end()) refuse(fmt::format("has no member {}", in_quotes(member)));
  const Member& one = found->second;
  constexpr std::uint16_t stored = 0;
  constexpr std::uint16_t deflated = 8;
  if (one.method != stored && one.method != deflated) {
    refuse_member(member, fmt::format("is packed by method {}; numpy's are 0 and 8", one.method));
  }
  const auto local = source_.read(one.header, local_bytes);
  if (number_at<std::uint32_t>(local, 0) != local_mark) {
    refuse_member(member, "does not begin where it should; the file is damaged");
  }
  const std::uint64_t begin = one.header + local_bytes + number_at<std::uint16_t>(local, 26) +
                              number_at<std::uint16_t>(local, 28);
  const bool is_possible = one.method == stored ? one.unpacked == one.packed
                                                : one.unpacked / most_of_a_byte <= one.packed;
  if (!is_possible) {
    refuse_member(member, fmt::format("claims {} bytes, more than {} can be unpacked to",
                                      one.unpacked, one.packed));
  }
  auto bytes = source_.read(begin, one.packed);
  if (one.method == deflated) {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(one.unpacked));
    if (!inflate_all(bytes, out)) refuse_member(member, "cannot be unpacked; it is damaged");
    bytes = std::move(out);
  }
  if (checksum_of(bytes) != one.checksum) {
    refuse_member(member, "does not have its checksum; it is damaged");
  }
  return bytes;
}

}  // namespace tidewise::mdp
