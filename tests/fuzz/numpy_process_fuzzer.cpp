#include <string>

#include "mdp/numpy/process.h"
#include "support/mdp/npz_files.h"
#include "tests/fuzz/fuzz_process.h"

// The first byte says how the rest is meant: whole archives, with rewards behind them, or members
// for which an archive is made, since no fuzzer guesses a checksum. Parts end at the four bytes
// "\0PK\0".
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tidewise;
  if (size == 0) return 0;
  std::string_view rest = fuzz::as_text(data + 1, size - 1);
  const auto next_part = [&] {
    constexpr std::string_view end("\0PK\0", 4);
    const auto at = rest.find(end);
    const std::string part(rest.substr(0, at));
    rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + end.size());
    return part;
  };
  const auto next_file = [&]() -> std::string {
    if ((data[0] & 1) == 0) return next_part();
    test::ZipMembers members;
    for (const char* name : {"format.npy", "shape.npy", "data.npy", "indices.npy", "indptr.npy",
                             "row.npy", "col.npy"}) {
      members.emplace_back(name, next_part());
    }
    return test::zip(members, (data[0] & 2) == 0 ? test::Packing::stored : test::Packing::deflated,
                     (data[0] & 4) != 0);
  };
  const std::string first = next_file();
  const std::string second = (data[0] & 8) != 0 ? next_file() : "";
  const std::string reward = (data[0] & 16) != 0 ? next_file() : next_part();
  mdp::NumpyFiles files;
  const auto add = [](auto& to, const std::string& bytes, const char* name) {
    if (!bytes.empty()) to.push_back(std::make_unique<mdp::ByteSource>(bytes, name));
  };
  add(files.probabilities, first, "P0");
  add(files.probabilities, second, "P1");
  add(files.rewards, reward, "R");
  if (files.probabilities.empty()) return 0;
  return fuzz::require_process_or_refusal(
      [&] { return mdp::read_numpy_process<double>(files, (data[0] & 32) != 0); });
}
