#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// An open folder. Names in it are resolved from its descriptor (openat and similar calls), and no
/// symbolic link is followed, so that nothing outside of it is read, moved or removed. Errors of
/// all functions: std::filesystem::filesystem_error, unless stated otherwise.
class OpenFolder {
 public:
  enum class Links { followed, refused };
  /// Opens a folder; `links` applies to the last part of `path`.
  OpenFolder(const std::filesystem::path& path, Links links);
  /// Opens the folder `name` in `parent`; a link is refused.
  OpenFolder(const OpenFolder& parent, const std::string& name);
  OpenFolder(OpenFolder&& other) noexcept;
  OpenFolder& operator=(OpenFolder&&) = delete;
  ~OpenFolder();

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// True if the user of this process owns the folder.
  bool is_owned() const;
  /// True if path() still refers to this folder.
  bool is_in_place() const;

  bool contains(const std::string& name) const;
  bool contains_folder(const std::string& name) const;
  /// The names in the folder, unordered.
  std::vector<std::string> names() const;

  /// Makes a folder; false if the name exists. Permissions are reduced by the umask.
  bool make_folder(const std::string& name, mode_t permissions) const;

  /// Renames a file, a link or a folder; may replace a file. False if `name` does not exist.
  bool move(const std::string& name, const OpenFolder& to, const std::string& new_name) const;
  /// Removes a file or a link; false if there is none. A folder is an error.
  bool remove_file(const std::string& name) const;
  /// Removes `name` with everything in it. Links are removed, not followed.
  void remove_all(const std::string& name) const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace tidewise
