#pragma once

#include <string>
#include <vector>

#include "output/view/run_view.h"

namespace tidewise {

/// Maximum size of a page [B], so that it can be mailed and opens quickly.
inline constexpr std::size_t max_page_bytes = 10'000'000;

/// An HTML page that shows one run, or two side by side, and asks nothing of a network: script,
/// style and data are in it, and its Content-Security-Policy lets nothing else in. What would make
/// it larger than `max_bytes` is thinned, which the page says. Errors: RunError without memory.
std::string make_view_page(std::vector<RunView> runs, std::size_t max_bytes = max_page_bytes);

/// The same page without runs, which asks the server that it comes from for them. Its
/// Content-Security-Policy adds connect-src 'self' to that of make_view_page().
std::string make_served_page();

/// The runs for that page, as JSON: {"facts": {…}, "data": ["base64 of a run", …]}. Errors:
/// RunError without memory.
std::string make_view_data(std::vector<RunView> runs, std::size_t max_bytes = max_page_bytes);

}  // namespace tidewise
