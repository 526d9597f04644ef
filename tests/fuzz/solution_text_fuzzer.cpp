#include "mdp/file/solution.h"
#include "tests/fuzz/fuzz_process.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    tidewise::mdp::ByteStream bytes(tidewise::fuzz::as_text(data, size), "input");
    const auto read = tidewise::mdp::read_solution_text(bytes);
    if (read.solution.value.size() != read.solution.action.size()) std::abort();
  } catch (const tidewise::InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
