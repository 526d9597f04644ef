// Text and JSON of a benchmark of bands.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/subdomains/benchmark.h"

namespace tidewise {
namespace {

nlohmann::ordered_json to_json(const SubdomainLosses& losses) {
  return {{"even_share", losses.even_share},   {"more_work", losses.more_work},
          {"imbalance", losses.imbalance},     {"exchange", losses.exchange},
          {"preparation", losses.preparation}, {"rest", losses.rest}};
}

std::string describe(const SubdomainLosses& losses, double seconds) {
  std::string text;
  const auto line = [&](const char* what, double part) {
    text += fmt::format("  {:<52} {:>9.4f} s {:>6.1f} %\n", what, part, 100 * part / seconds);
  };
  line("an even share of one device's solving", losses.even_share);
  line("more work: halos, waves that are not full", losses.more_work);
  line("imbalance: the slowest band of each level", losses.imbalance);
  line("exchange, without waiting for other bands", losses.exchange);
  line("preparation that was not hidden", losses.preparation);
  line("rest", losses.rest);
  return text;
}

std::string describe(const SubdomainShare& subdomain) {
  return fmt::format(
      "  {:>5} rows: solve {:.4f}, exchange and waiting {:.4f}, waiting for its own "
      "preparation {:.4f}; preparation in parallel {:.4f} s\n",
      subdomain.rows, subdomain.solve, subdomain.exchange, subdomain.wait, subdomain.prepare);
}

}  // namespace

std::string SubdomainsBenchmarkReport::to_text() const {
  std::string text = times.to_text();
  for (const SubdomainsSide& side : sides) {
    const auto& samples =
        std::find_if(times.sides.begin(), times.sides.end(), [&](const BenchmarkSide& s) {
          return s.name == side.name;
        })->samples;
    text += fmt::format("\n{}\n", side.name);
    if (side.devices > 1) {
      const double ratio = times.median_ratio(times.sides.front().name, side.name);
      text += fmt::format("  efficiency {:.3f}; where the time goes:\n", ratio / side.devices);
      text += describe(side.losses, median(samples));
    }
    for (const SubdomainShare& subdomain : side.subdomains) text += describe(subdomain);
  }
  for (const std::int32_t count : left_out) {
    text += fmt::format("\nNot measured: {} devices, which are not here.\n", count);
  }
  return text;
}

nlohmann::ordered_json SubdomainsBenchmarkReport::to_json() const {
  nlohmann::ordered_json json = times.to_json();
  json["halo_rows"] = halo;
  for (const SubdomainsSide& side : sides) {
    nlohmann::ordered_json entry{{"name", side.name}, {"devices", side.devices}};
    if (side.devices > 1) {
      entry["efficiency"] = times.median_ratio(times.sides.front().name, side.name) / side.devices;
      entry["losses_s"] = tidewise::to_json(side.losses);
    }
    for (const SubdomainShare& subdomain : side.subdomains) {
      entry["bands"].push_back({{"rows", subdomain.rows},
                                {"solve_s", subdomain.solve},
                                {"exchange_s", subdomain.exchange},
                                {"wait_s", subdomain.wait},
                                {"prepare_s", subdomain.prepare}});
    }
    json["bands"].push_back(std::move(entry));
  }
  json["left_out"] = left_out;
  return json;
}

}  // namespace tidewise
