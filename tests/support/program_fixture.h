#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise::test {

/// Runs the program in a folder that is empty when a test begins. Its path is the same for all
/// tests of a process, so that they can share files with absolute paths.
class ProgramFixture : public testing::Test {
  static const TemporaryFolder& only_folder() {
    static const TemporaryFolder folder;
    return folder;
  }

 protected:
  ProgramFixture() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::filesystem::remove_all(entry);
    }
  }
  /// Runs the program and expects success.
  ProgramResult run(const std::vector<std::string>& arguments) const {
    auto result = run_tidewise(arguments, folder_.path());
    EXPECT_EQ(result.status, 0) << result.errors;
    return result;
  }
  /// Runs the program and expects exit status 2 and no written file. Returns its one error line,
  /// without the warnings before it.
  std::string refused(const std::vector<std::string>& arguments) const {
    const std::string before = listing(folder_.path());
    const auto result = run_tidewise(arguments, folder_.path());
    EXPECT_EQ(result.status, 2) << result.errors;
    std::string line = result.errors;
    while (line.starts_with("tidewise: warning: ")) line.erase(0, line.find('\n') + 1);
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << result.errors;
    EXPECT_EQ(listing(folder_.path()), before);
    return line;
  }
  /// Calls `make` once in a process and copies the resulting files into the folders of later tests
  /// that request `name`. The folder must have the same contents at each call.
  void make_once(const std::string& name, const std::function<void()>& make) const {
    constexpr auto options = std::filesystem::copy_options::recursive |
                             std::filesystem::copy_options::copy_symlinks |
                             std::filesystem::copy_options::overwrite_existing;
    static std::map<std::string, TemporaryFolder> folders;
    const auto [entry, is_new] = folders.try_emplace(name);
    if (is_new) {
      make();
      std::filesystem::copy(folder_.path(), entry->second.path(), options);
    } else {
      std::filesystem::copy(entry->second.path(), folder_.path(), options);
    }
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  nlohmann::json summary(const std::filesystem::path& run) const {
    return nlohmann::json::parse(std::ifstream(folder_ / run / "summary.json"));
  }

  const TemporaryFolder& folder_ = only_folder();
};

/// A fixture on a small double gyre with two obstacles.
class SmallGyreFixture : public ProgramFixture {
 protected:
  /// Writes a gyre of 30 × 30 cells, 45 levels and 60 realizations.
  void make_gyre(const std::string& name) const {
    static const TemporaryFolder cache;
    if (!std::filesystem::exists(cache / name)) {
      run({"env", "double-gyre", "--out", name, "--nx", "30", "--ny", "30", "--nt", "45", "--modes",
           "3", "--realizations", "60", "-q"});
      std::filesystem::copy_file(folder_ / name, cache / name);
    }
    std::filesystem::copy_file(cache / name, folder_ / name,
                               std::filesystem::copy_options::overwrite_existing);
  }
  /// Writes m.toml, a mission northwards through the gyre.
  void write_mission(const std::string& environment, const std::string& run_directory,
                     int departure) const {
    std::ofstream(folder_ / "m.toml") << "[environment]\nfile = \"" << environment << R"("
[vehicle]
speeds = [0.8, 1.6]
headings = 12
energy = { c_f = 1.0, c_t = 0.05 }
[mission]
start = [15.5, 6.5]
target = [15.5, 24.5]
target_radius = 1.5
departure = )" << departure << "\n[output]\ndirectory = \""
                                      << run_directory << "\"\n";
  }
};

}  // namespace tidewise::test
