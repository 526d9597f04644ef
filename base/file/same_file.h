#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// True if both paths refer to one file, or would if it existed: same folder and name after
/// symlinks of the folder are resolved, or links to the same content.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Refuses to overwrite an input file, under any of its names. `option` is the name of the output,
/// such as "--out". Errors: InputError.
void refuse_overwriting(const std::string& option, const std::filesystem::path& out,
                        const std::vector<std::filesystem::path>& inputs);

}  // namespace tidewise
