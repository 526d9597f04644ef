#pragma once

#include <string>
#include <vector>

#include "output/view/run_view.h"

namespace tidewise {

/// Maximum size of a page [B], so that it can be mailed and opens quickly.
inline constexpr std::size_t max_page_bytes = 10'000'000;

/// An HTML page that shows one run, or two side by side. It needs no network: it contains script,
/// style and data, and its Content-Security-Policy allows nothing else. Data are thinned to
/// `max_bytes`, and the page states so. Errors: RunError without memory.
std::string make_view_page(std::vector<RunView> runs, std::size_t max_bytes = max_page_bytes);

/// The same page without runs, which its script requests from the server. Its
/// Content-Security-Policy adds connect-src 'self' to that of make_view_page().
std::string make_served_page();

/// The runs for that page, as JSON: {"facts": {…}, "data": ["base64 of a run", …]}. Errors:
/// RunError without memory.
std::string make_view_data(std::vector<RunView> runs, std::size_t max_bytes = max_page_bytes);

}  // namespace tidewise
