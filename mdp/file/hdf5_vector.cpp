#include "mdp/file/hdf5_vector.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {

std::uint64_t validated_length(const Hdf5File& file, const std::string& variable,
                               std::initializer_list<std::uint64_t> lengths) {
  const auto fail = [&](const std::string& why) {
    throw InputError(fmt::format("{}: variable {}: {}", file.path().string(), variable, why));
  };
  if (!file.has(variable)) fail(error_text(errors::vector_missing));
  const Extents shape = file.shape(variable);
  if (shape.size() != 1) fail(error_text(errors::vector_shape, shape.size()));
  if (lengths.size() > 0 && std::find(lengths.begin(), lengths.end(), shape[0]) == lengths.end()) {
    fail(error_text(errors::array_length, shape[0], *lengths.begin()));
  }
  constexpr std::uint64_t max_per_byte = 1100;  // largest compression ratio of deflate
  constexpr std::uint64_t always_allowed = 1 << 20;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file.path(), error);
  if (shape[0] > always_allowed && (error || shape[0] / max_per_byte > bytes)) {
    fail(error_text(errors::vector_size_claimed, shape[0]));
  }
  return shape[0];
}

void write_names(Hdf5File& file, const std::string& variable, const std::string& dimension,
                 const std::vector<std::string>& names, const char* long_name) {
  if (names.empty()) return;
  file.write_texts(variable, dimension, names);
  file.set_attribute(variable, "long_name", long_name);
}

}  // namespace tidewise::mdp
