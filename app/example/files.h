#pragma once

#include <string_view>
#include <vector>

namespace tidewise {

/// A file of the folder `examples`, embedded in the program (cmake/EmbedFiles.cmake).
struct ExampleFile {
  std::string_view name;  ///< "washington/washington.toml"
  std::string_view bytes;
};

const std::vector<ExampleFile>& example_files();  ///< all of them

}  // namespace tidewise
