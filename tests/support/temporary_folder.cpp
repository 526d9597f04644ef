#include "support/temporary_folder.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "base/file/guarded_process.h"

namespace tidewise::test {
namespace {

// As the program does, before there are threads and devices: copies of a process with a GPU at work
// hang under compute-sanitizer.
[[maybe_unused]] const bool keeper_is_started = (GuardedProcess::start_keeper(), true);

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tidewise-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no temporary folder could be made");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tidewise::test
