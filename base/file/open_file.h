#pragma once

#include <filesystem>
#include <system_error>

namespace tidewise {

/// Opens a regular file for reading and returns the descriptor, which the caller closes. A folder,
/// a pipe or a device, which may never end, is refused without waiting. Errors: InputError with the
/// system's reason; RunError if this process or the machine has too many open files.
int open_regular_file(const std::filesystem::path& path);

/// Refuses a file that is not regular or cannot be opened for reading, with the system's reason.
/// Libraries would report any such file as one of another format. Errors: InputError; RunError if
/// this process or the machine has too many open files.
void require_readable(const std::filesystem::path& path);

/// Call it when a library failed to create a file without giving a reason. Errors: RunError if too
/// many files are open; otherwise it returns.
void refuse_if_too_many_files(const std::filesystem::path& path);

/// Does nothing for another `reason` than too many open files, which is no fault of `path`. Errors:
/// RunError for that reason.
void refuse_too_many_files(const std::filesystem::path& path, const std::error_code& reason);

}  // namespace tidewise
