#include "app/batch/file/part.h"

#include <fmt/core.h>

#include <cstdlib>
#include <optional>

#include "app/batch/file/batch_mission.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "base/parse_number.h"

namespace tidewise {
namespace {

std::optional<std::size_t> number_of(const char* variable) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  if (text == nullptr) return std::nullopt;
  const auto number = parse_number<std::int64_t>(text);
  return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

/// The part of this process, a task of a Slurm array. Task numbers can have any range and interval:
/// 0-7, 1-8, 0-70:10.
BatchPart part_by_slurm() {
  const auto task = number_of("SLURM_ARRAY_TASK_ID");
  const auto count = number_of("SLURM_ARRAY_TASK_COUNT");
  if (!task || !count) {
    throw input_error(errors::not_slurm_array);
  }
  const std::size_t first = number_of("SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::size_t last = number_of("SLURM_ARRAY_TASK_MAX").value_or(0);
  const std::size_t step = number_of("SLURM_ARRAY_TASK_STEP").value_or(1);
  const bool even = step > 0 && first <= *task && *task <= last && (*task - first) % step == 0 &&
                    (last - first) / step + 1 == *count;
  if (!even) {
    throw input_error(errors::slurm_array_uneven);
  }
  if (*count == 1 && *task > 1) {
    throw input_error(errors::slurm_array_single_task, *task, *task);
  }
  return {(*task - first) / step + 1, *count};
}

}  // namespace

BatchPart parse_part(const std::string& text) {
  if (text == "slurm") return part_by_slurm();
  const auto slash = text.find('/');
  const std::string after = slash == std::string::npos ? "" : text.substr(slash + 1);
  const auto number = parse_number<std::int64_t>(text.substr(0, slash)).value_or(0);
  const auto count = parse_number<std::int64_t>(after).value_or(0);
  const auto max = static_cast<std::int64_t>(max_missions);
  if (number < 1 || number > count || count > max) {
    throw input_error(errors::array_part_invalid, text);
  }
  return {static_cast<std::size_t>(number), static_cast<std::size_t>(count)};
}

std::string describe(const BatchPart& part) {
  return fmt::format("{} of {}", part.number, part.count);
}

}  // namespace tidewise
