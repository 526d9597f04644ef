#include "mdp/fused/slice_tasks.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/parallel/team.h"

namespace tidewise::mdp {
namespace {

/// Makes tasks of consecutive slices.
class TaskWriter {
 public:
  TaskWriter(std::size_t all_units, int max_slices)
      : all_units_(all_units), max_slices_(max_slices) {
    open_.fill(no_task);
  }

  void add(std::uint32_t begin, std::int32_t slice) {
    // A hash collision replaces an open task before it is full, which is rare and harmless.
    std::size_t& open = open_[begin * 0x9e3779b1u >> 22u];
    if (open != no_task) {
      SliceTask& task = tasks_[open];
      if (task.begin == begin && task.count < max_slices_) {
        task.slice[task.count++] = slice;
        return;
      }
    }
    open = tasks_.size();
    const auto near_units = std::min<std::size_t>(all_units_ - begin, 2 * slice_states);
    tasks_.push_back(
        {begin, 1, static_cast<std::int32_t>(near_units), 0, {slice, slice, slice, slice}});
  }
  const std::vector<SliceTask>& tasks() const { return tasks_; }

 private:
  static constexpr std::size_t no_task = ~std::size_t{0};
  std::size_t all_units_;
  int max_slices_;
  std::vector<SliceTask> tasks_;
  std::array<std::size_t, 1024> open_;  // (hash of the program's begin), a task
};

}  // namespace

template <class Real>
std::vector<SliceTask> make_slice_tasks(const PackedProcess<Real>& process, std::int32_t threads) {
  const Array<std::uint32_t>& begin = process.begin();
  const auto slices = static_cast<std::int64_t>(begin.size());
  const std::int64_t chunks = std::min<std::int64_t>(slices, threads);
  std::vector<std::vector<SliceTask>> chunk_tasks(static_cast<std::size_t>(chunks));
  for_pieces(chunks, threads, [&](std::int64_t chunk, TeamRank) {
    TaskWriter writer(process.units().size(), slices_of_task<Real>);
    for (std::int64_t s = slices * chunk / chunks; s < slices * (chunk + 1) / chunks; ++s) {
      writer.add(begin[s], static_cast<std::int32_t>(s));
    }
    chunk_tasks[chunk] = writer.tasks();
  });
  std::vector<SliceTask> result;
  for (const auto& tasks : chunk_tasks) result.insert(result.end(), tasks.begin(), tasks.end());
  return result;
}

template std::vector<SliceTask> make_slice_tasks(const PackedProcess<float>&, std::int32_t);
template std::vector<SliceTask> make_slice_tasks(const PackedProcess<double>&, std::int32_t);

}  // namespace tidewise::mdp
