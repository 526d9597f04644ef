#pragma once

#include <filesystem>
#include <string>

namespace tidewise {

/// A file that appears whole or not at all: it is written at temporary_path(), beside its final
/// name, and commit() renames it. Without commit() the destructor removes the temporary file.
/// Errors: InputError when the folder does not exist or cannot be written to.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path final_path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  const std::filesystem::path& temporary_path() const { return temporary_; }
  const std::filesystem::path& final_path() const { return final_; }
  /// Flushes the file to disk and gives it its final name. Errors: RunError.
  void commit();

 private:
  std::filesystem::path final_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

/// Writes a whole text file by way of AtomicFile.
void write_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace tidewise
