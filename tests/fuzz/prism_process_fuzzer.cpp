#include <array>
#include <memory>

#include "mdp/file/prism.h"
#include "tests/fuzz/fuzz_process.h"

// The input is .tra, .srew, .trew and .lab with a form feed between, then what to read them for: a
// target, and a ! in front of it where a probability is asked for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tidewise;
  std::string_view rest = fuzz::as_text(data, size);
  std::array<std::unique_ptr<mdp::ByteStream>, 4> parts;
  for (auto& part : parts) {
    const auto end = rest.find('\f');
    part = std::make_unique<mdp::ByteStream>(rest.substr(0, end), "part");
    if (end == std::string_view::npos) {
      rest = {};
      break;
    }
    rest.remove_prefix(end + 1);
  }
  mdp::ReadOptions options;
  if (rest.starts_with('!')) {
    options.objective = mdp::ReadObjective::probability;
    rest.remove_prefix(1);
  }
  options.target = std::string(rest);
  const mdp::PrismFiles files{parts[0].get(), parts[1].get(), parts[2].get(), parts[3].get()};
  return fuzz::require_process_or_refusal(
      [&] { return read_prism_process<double>(files, options); });
}
