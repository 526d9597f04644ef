#include "app/batch/pass/message.h"

#include <cstring>
#include <string>
#include <utility>

#include "planner/mission/read/echo.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

/// `foreign`: of bytes that are not UTF-8, as what messages quote may hold.
std::vector<std::byte> as_bytes(const Json& json,
                                Json::error_handler_t foreign = Json::error_handler_t::strict) {
  const std::string text = json.dump(-1, ' ', false, foreign);
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// The text with what is not UTF-8 replaced; paths are never changed like that.
std::string as_utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json as_json(const std::vector<std::byte>& bytes) {
  return Json::parse(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace

std::vector<std::byte> to_bytes(const PassOrder& order) {
  Json json{{"levels", order.levels},
            {"policies", static_cast<int>(order.policies)},
            {"waiting", order.waiting},
            {"last_error", as_utf8(order.last_error)},
            {"solves", Json::array()}};
  for (const auto& solve : order.solves) {
    Json missions = Json::array();
    for (const auto& mission : solve) {
      missions.push_back({{"index", mission.index},
                          {"name", mission.request.name},
                          {"mission", to_toml(mission.request)}});
    }
    json["solves"].push_back(std::move(missions));
  }
  return as_bytes(json);
}

PassOrder read_order(const std::vector<std::byte>& bytes) {
  const Json json = as_json(bytes);
  PassOrder order{{},
                  json.at("levels").get<std::int64_t>(),
                  static_cast<PolicyFiles>(json.at("policies").get<int>()),
                  json.at("waiting").get<std::size_t>(),
                  json.at("last_error").get<std::string>()};
  for (const auto& solve : json.at("solves")) {
    order.solves.emplace_back();
    for (const auto& mission : solve) {
      order.solves.back().push_back({mission.at("index").get<std::size_t>(),
                                     parse_mission(mission.at("mission").get<std::string>(),
                                                   mission.at("name").get<std::string>())});
    }
  }
  return order;
}

std::vector<std::byte> to_bytes(const BatchRow& row) {
  return as_bytes({{"mission", row.mission},
                   {"status", static_cast<int>(row.status)},
                   {"message", row.message},
                   {"summary", row.summary}},
                  Json::error_handler_t::replace);
}

BatchRow read_row(const std::vector<std::byte>& bytes) {
  const Json json = as_json(bytes);
  return {json.at("mission").get<std::size_t>(),
          static_cast<MissionStatus>(json.at("status").get<int>()),
          json.at("message").get<std::string>(), json.at("summary")};
}

std::vector<std::byte> to_bytes(const std::string& text) {
  return as_bytes(text, Json::error_handler_t::replace);
}

std::string read_text(const std::vector<std::byte>& bytes) {
  return as_json(bytes).get<std::string>();
}

std::vector<std::byte> to_bytes(std::int64_t number) { return as_bytes(number); }

std::int64_t read_number(const std::vector<std::byte>& bytes) {
  return as_json(bytes).get<std::int64_t>();
}

}  // namespace tidewise
