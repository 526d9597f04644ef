#include "app/batch/pass/progress.h"

#include <algorithm>

namespace tidewise {

namespace {
// Levels backed up, evaluated or flown in the time of counting one, on the published problem.
constexpr std::int64_t counting_weight = 4;
}  // namespace

std::int64_t counting_work(std::int64_t levels, std::size_t solves) {
  return levels * (counting_weight + static_cast<std::int64_t>(solves));
}

std::int64_t evaluating_work(std::int64_t levels, std::size_t missions) {
  return levels * static_cast<std::int64_t>(missions);
}

std::int64_t flying_work(std::int64_t levels) { return levels; }

BatchProgress::BatchProgress(Progress& inner, std::int64_t total) : inner_(inner) {
  inner_.begin("batch", total, "levels");
}

void BatchProgress::advance(std::int64_t levels) {
  const std::lock_guard lock(mutex_);
  done_ += levels;
  inner_.advance_to(done_);
}

void BatchProgress::end() {
  const std::lock_guard lock(mutex_);
  inner_.end();
}

void PassProgress::begin_stage(std::int64_t work, int parts) {
  reach(stage_begin_ + stage_work_);
  stage_begin_ += stage_work_;
  stage_work_ = work;
  parts_ = parts;
  part_ = 0;
}

void PassProgress::complete(std::int64_t work) { reach(work); }

void PassProgress::begin(std::string_view /*work*/, std::int64_t total, std::string_view /*unit*/) {
  total_ = std::max<std::int64_t>(total, 1);
  part_ = std::min(part_ + 1, parts_);
  advance_to(0);
}

void PassProgress::advance_to(std::int64_t done) {
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const double stage = (std::max(part_ - 1, 0) + std::min(share, 1.0)) / parts_;
  reach(stage_begin_ + static_cast<std::int64_t>(stage * static_cast<double>(stage_work_)));
}

void PassProgress::reach(std::int64_t levels) {
  const std::int64_t before = reached_;
  reached_ = std::max(reached_, levels);
  batch_.advance(reached_ - before);
}

}  // namespace tidewise
