#pragma once

#include <cstddef>
#include <vector>

#include "app/batch/pass/order.h"
#include "app/batch/table/row.h"

namespace tidewise {

// What processes that share a batch tell each other, as bytes (JSON in UTF-8). Reading gives back
// what was written; a mission's places are forgotten on the way.
std::vector<std::byte> to_bytes(const PassOrder& order);
PassOrder read_order(const std::vector<std::byte>& bytes);
std::vector<std::byte> to_bytes(const BatchRow& row);
BatchRow read_row(const std::vector<std::byte>& bytes);
std::vector<std::byte> to_bytes(const std::string& text);
std::string read_text(const std::vector<std::byte>& bytes);
std::vector<std::byte> to_bytes(std::int64_t number);
std::int64_t read_number(const std::vector<std::byte>& bytes);

}  // namespace tidewise
