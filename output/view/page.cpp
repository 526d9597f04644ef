#include "output/view/page.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/printable.h"
#include "output/version.h"
#include "output/view/base64.h"
#include "output/view/packed_run.h"
#include "output/view/page_parts.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

/// The name of an inline script or style in a Content-Security-Policy.
std::string hash_source(std::string_view sha256) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t n = 0; n + 1 < sha256.size(); n += 2) {
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoi(std::string(sha256.substr(n, 2)), nullptr, 16)));
  }
  return fmt::format("'sha256-{}'", to_base64({bytes.data(), bytes.size()}));
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// Escapes a text within an element, which would end at the first "</".
std::string escaped_for_element(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char sign : text) {
    if (sign == '<') {
      escaped += "\\u003c";
    } else {
      escaped += sign;
    }
  }
  return escaped;
}

/// The template with each "{{name}}" replaced; inserted text is not searched.
std::string fill(std::string_view page,
                 const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string filled;
  for (;;) {
    const std::size_t open = page.find("{{");
    filled += page.substr(0, open);
    if (open == std::string_view::npos) return filled;
    const std::size_t close = page.find("}}", open);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    for (const auto& [known, value] : values) {
      if (known == name) filled += value;
    }
    page.remove_prefix(close + 2);
  }
}

/// Runs as a page holds them.
struct PackedRuns {
  Json facts;
  std::vector<std::string> data;  ///< data of each run, in base64
};

/// `max_base64`: limit of all data together [B].
PackedRuns pack_runs(std::vector<RunView> runs, std::size_t max_base64) {
  const std::size_t max_bytes_each = max_base64 / 4 * 3 / runs.size();
  PackedRuns packed{{{"version", std::string(version())}, {"runs", Json::array()}}, {}};
  for (RunView& run : runs) {
    PackedRun packed_run = pack_run(std::move(run), max_bytes_each);
    packed.facts["runs"].push_back(std::move(packed_run.facts));
    packed.data.push_back(to_base64({packed_run.bytes.data(), packed_run.bytes.size()}));
  }
  return packed;
}

std::string title_of(const Json& runs) {
  std::string title;
  for (const Json& run : runs) {
    if (!title.empty()) title += " and ";
    title += run.value("name", "run");
  }
  return title + " · Tidewise";
}

/// `connections`: part of the Content-Security-Policy that permits connections of the script.
std::string fill_page(const std::string& title, const std::string& connections, const Json& facts,
                      const std::string& data) {
  return fill(page_html, {{"script-hash", hash_source(page_script_sha256)},
                          {"style-hash", hash_source(page_css_sha256)},
                          {"connections", connections},
                          {"title", xml_escaped(title)},
                          {"style", std::string(page_css)},
                          {"facts", escaped_for_element(dump(facts))},
                          {"data", data},
                          {"script", std::string(page_script)}});
}

}  // namespace

std::string make_view_page(std::vector<RunView> runs, std::size_t max_bytes) {
  constexpr std::size_t other_facts = 60'000;  // size of the facts that pack_run() adds
  std::size_t parts = page_html.size() + page_css.size() + page_script.size();
  for (const RunView& run : runs) parts += dump(run.facts).size() + other_facts;
  const PackedRuns packed = pack_runs(std::move(runs), max_bytes > parts ? max_bytes - parts : 0);
  std::string data;
  for (std::size_t n = 0; n < packed.data.size(); ++n) {
    data += fmt::format("<script type=\"application/octet-stream\" id=\"data-{}\">{}</script>\n", n,
                        packed.data[n]);
  }
  return fill_page(title_of(packed.facts["runs"]), "", packed.facts, data);
}

std::string make_served_page() {
  return fill_page("Tidewise", "connect-src 'self'; ",
                   {{"version", std::string(version())}, {"served", true}}, "");
}

std::string make_view_data(std::vector<RunView> runs, std::size_t max_bytes) {
  const PackedRuns packed = pack_runs(std::move(runs), max_bytes);
  std::string json = fmt::format("{{\"facts\":{},\"data\":[", dump(packed.facts));
  for (std::size_t n = 0; n < packed.data.size(); ++n) {
    json += fmt::format("{}\"{}\"", n > 0 ? "," : "", packed.data[n]);
  }
  return json + "]}";
}

}  // namespace tidewise
