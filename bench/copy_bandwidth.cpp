#include "bench/copy_bandwidth.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/memory/array.h"
#include "base/stopwatch.h"
#include "bench/report.h"

namespace tidewise {
namespace {

constexpr int copies = 9;

double bandwidth(std::size_t bytes, const std::vector<double>& seconds) {
  return 2 * static_cast<double>(bytes) / median(seconds);
}

}  // namespace

double host_copy_bandwidth(std::size_t bytes, std::int32_t threads) {
  Array<unsigned char> from(bytes);
  Array<unsigned char> to(bytes);
  const std::size_t share = (bytes + std::size_t(threads) - 1) / std::size_t(threads);
  const auto for_each_share = [&](auto work) {
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (std::int32_t thread = 0; thread < threads; ++thread) {
      const std::size_t begin = std::min(bytes, std::size_t(thread) * share);
      work(begin, std::min(bytes, begin + share) - begin);
    }
  };
  // Each thread first touches the pages that it will copy, so that they are in its memory node.
  for_each_share([&](std::size_t begin, std::size_t size) {
    std::memset(from.data() + begin, 1, size);
    std::memset(to.data() + begin, 2, size);
  });
  std::vector<double> seconds;
  for (int n = 0; n < copies; ++n) {
    const Stopwatch watch;
    for_each_share([&](std::size_t begin, std::size_t size) {
      std::memcpy(to.data() + begin, from.data() + begin, size);
    });
    seconds.push_back(watch.seconds());
  }
  return bandwidth(bytes, seconds);
}

double device_copy_bandwidth(std::size_t bytes) {
  const Array<unsigned char> ones(bytes, 1);
  DeviceArray<unsigned char> from;
  copy(from, ones);
  DeviceArray<unsigned char> to(bytes);
  const DeviceStream stream;
  std::vector<double> seconds;
  for (int n = 0; n <= copies; ++n) {
    DeviceEvent begin;
    DeviceEvent end;
    begin.record(stream);
    copy(to, from, stream);
    end.record(stream);
    end.synchronize();
    if (n > 0) seconds.push_back(1e-3 * end.milliseconds_since(begin));  // the first copy warms up
  }
  return bandwidth(bytes, seconds);
}

}  // namespace tidewise
