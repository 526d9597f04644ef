#pragma once

#include <string>
#include <string_view>

namespace tidewise {

/// `text` as a TOML string, quoted and escaped.
std::string quote_toml(std::string_view text);

}  // namespace tidewise
