#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mdp/numpy/byte_source.h"

namespace tidewise::mdp {

/// The members of a zip archive as numpy and scipy write them (.npz): stored or deflated, with or
/// without ZIP64's sizes. Source: APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.
/// Errors of all calls: InputError naming the file, and the member where there is one.
class ZipArchive {
 public:
  /// `source` must outlive it.
  explicit ZipArchive(const ByteSource& source);

  const std::string& name() const { return source_.name(); }
  bool has(const std::string& member) const { return members_.contains(member); }
  /// A member's bytes, unpacked and held against its checksum; none is taken for more than it can
  /// be unpacked from.
  std::vector<std::uint8_t> read(const std::string& member) const;

 private:
  struct Member {
    std::uint64_t header = 0;  // byte of its local header
    std::uint64_t packed = 0;  // bytes
    std::uint64_t unpacked = 0;
    std::uint32_t checksum = 0;
    std::uint16_t method = 0;
  };

  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void refuse_member(const std::string& member, const std::string& why) const;

  const ByteSource& source_;
  std::map<std::string, Member> members_;
};

}  // namespace tidewise::mdp
