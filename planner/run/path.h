#pragma once

#include <filesystem>
#include <string>

namespace tidewise {

/// The policy of a run, named by its folder or by the policy file itself. Errors: InputError where
/// there is none.
std::filesystem::path policy_path(const std::string& run);

}  // namespace tidewise
