#pragma once

#include <string_view>
#include <vector>

namespace tidewise {

/// A file of the folder `examples` as it was when this was built (cmake/EmbedFiles.cmake).
struct ExampleFile {
  std::string_view name;  ///< "washington/washington.toml"
  std::string_view bytes;
};

const std::vector<ExampleFile>& example_files();

}  // namespace tidewise
