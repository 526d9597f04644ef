#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// True where both paths name one file, or would if it existed: they share folder and name once
/// symlinks to the folder are resolved, or they are links to the same content.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Refuses to write over a file that is read, under any name; `option` names the output, such as
/// "--out". Errors: InputError.
void refuse_overwriting(const std::string& option, const std::filesystem::path& out,
                        const std::vector<std::filesystem::path>& inputs);

}  // namespace tidewise
