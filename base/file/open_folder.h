#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// An open folder. Names below it are resolved from its descriptor (openat and its kin) and no
/// symbolic link is followed, so that nothing outside of it is read, moved or removed. Errors of
/// all functions: std::filesystem::filesystem_error, unless stated otherwise.
class OpenFolder {
 public:
  enum class Links { followed, refused };
  /// `links` is for the last part of `path`.
  OpenFolder(const std::filesystem::path& path, Links links);
  /// The folder `name` in `parent`, which is no link.
  OpenFolder(const OpenFolder& parent, const std::string& name);
  OpenFolder(OpenFolder&& other) noexcept;
  OpenFolder& operator=(OpenFolder&&) = delete;
  ~OpenFolder();

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// True where the user of this process owns the folder.
  bool is_owned() const;
  /// True while path() leads to this folder and to no other.
  bool is_in_place() const;

  bool contains(const std::string& name) const;
  bool contains_folder(const std::string& name) const;
  /// The names in the folder, in no order.
  std::vector<std::string> names() const;

  /// Makes a folder; false where the name is taken. Permissions are reduced by the umask.
  bool make_folder(const std::string& name, mode_t permissions) const;
  /// Renames a file, a link or a folder, and replaces a file. False where there is no `name`.
  bool move(const std::string& name, const OpenFolder& to, const std::string& new_name) const;
  /// Removes a file or a link; false where there is none. A folder is an error.
  bool remove_file(const std::string& name) const;
  /// Removes `name` with everything in it. Links are removed, not followed.
  void remove_all(const std::string& name) const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace tidewise
