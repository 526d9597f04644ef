#pragma once

#include <string_view>

namespace tidewise {

// The files of output/view/page as they were when this was built, and the SHA-256 of what goes
// between the tags, in hexadecimal digits (cmake/EmbedPage.cmake).
extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_css_sha256;
/// All scripts, one after the other, in a function of their own, without lines of comments.
extern const std::string_view page_script;
extern const std::string_view page_script_sha256;
/// Bytes of the files of output/view/natural_earth.
extern const std::string_view page_coastline;
extern const std::string_view page_depth_200;
extern const std::string_view page_depth_1000;
extern const std::string_view page_names;

}  // namespace tidewise
