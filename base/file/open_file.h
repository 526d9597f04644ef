#pragma once

#include <filesystem>
#include <system_error>

namespace tidewise {

/// A descriptor of the regular file at `path`, open for reading, which the caller closes. A pipe or
/// a device, which need not end, is refused without waiting for it, as is a folder. Errors:
/// InputError by the system's own reason; RunError where this process, or the machine, has too many
/// files open.
int open_regular_file(const std::filesystem::path& path);

/// Refuses a file that is not regular, or cannot be opened for reading, by the system's own reason:
/// libraries take any such reason for a file of another kind. Errors: InputError; RunError where
/// this process, or the machine, has too many files open.
void require_readable(const std::filesystem::path& path);

/// For a file that a library could not make, without saying why: errors as above where too many
/// are open; nothing where something else was the reason.
void refuse_if_too_many_files(const std::filesystem::path& path);

/// Errors: RunError where `reason` is that too many files are open, which is no fault of `path`.
void refuse_too_many_files(const std::filesystem::path& path, const std::error_code& reason);

}  // namespace tidewise
