#pragma once

#include <string_view>

namespace tidewise {

// The files of output/view/page, embedded at the build, and the SHA-256 of the text between the
// tags, in hexadecimal digits (cmake/EmbedPage.cmake).
extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_css_sha256;
/// All scripts, one after the other, in a single function, without comment lines.
extern const std::string_view page_script;
extern const std::string_view page_script_sha256;
/// Bytes of the files of output/view/natural_earth.
extern const std::string_view page_coastline;
extern const std::string_view page_depth_200;
extern const std::string_view page_depth_1000;
extern const std::string_view page_names;

}  // namespace tidewise
