#include "planner/folder/temporary_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "base/error.h"

namespace tidewise {

TemporaryFolder::TemporaryFolder() {
  std::error_code failure;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(failure);
  std::string name = (parent / "tidewise-XXXXXX").string();
  if (failure || ::mkdtemp(name.data()) == nullptr) {
    throw RunError(fmt::format(
        "{}: no temporary folder can be made there; name a place that can be written to by TMPDIR",
        parent.empty() ? "the temporary folders" : parent.string()));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tidewise
