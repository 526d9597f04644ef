#include "mdp/file/json.h"
#include "tests/fuzz/fuzz_process.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tidewise::fuzz::require_process_or_refusal([&] {
    tidewise::mdp::ByteStream bytes(tidewise::fuzz::as_text(data, size), "input");
    return tidewise::mdp::read_json_process<float>(bytes, {});
  });
}
