#include "env/import/source/field_sampler.h"

#include <algorithm>

namespace tidewise::ingest {
namespace {

/// The index of the last of `times` at or before `seconds`.
std::size_t last_before(const std::vector<double>& times, double seconds) {
  const auto after = std::upper_bound(times.begin(), times.end(), seconds) - times.begin();
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0));
}

}  // namespace

const std::vector<double>& FieldSampler::fields_at(std::size_t time) {
  const auto found = fields_.find(time);
  return found != fields_.end() ? found->second
                                : fields_.emplace(time, source_.read(time)).first->second;
}

void FieldSampler::sample(double seconds, std::vector<double>& result) {
  const auto& times = source_.times();
  const std::size_t before = last_before(times, seconds);
  result = fields_at(before);
  // The first and the last field are held beyond their times.
  if (times[before] >= seconds || before + 1 == times.size()) return;
  const double weight = (seconds - times[before]) / (times[before + 1] - times[before]);
  const auto& next = fields_at(before + 1);
  for (std::size_t n = 0; n < result.size(); ++n) result[n] += weight * (next[n] - result[n]);
}

void FieldSampler::forget_before(double seconds) {
  fields_.erase(fields_.begin(), fields_.lower_bound(last_before(source_.times(), seconds)));
}

}  // namespace tidewise::ingest
