#include "bindings/mdp_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "mdp/error/codes.h"

namespace tidewise::python {
namespace {

bool is_excluded(const ProcessHeader& header, std::size_t row) {
  const double worst = header.direction == mdp::Direction::maximize
                           ? -std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::infinity();
  return header.reward[row] == worst;
}

void require_row_starts(const SparseRows& rows, std::size_t count, const std::string& name) {
  const auto entries = static_cast<std::int64_t>(rows.column.size());
  const bool fits = rows.begin.size() == count + 1 &&
                    rows.probability.size() == rows.column.size() && rows.begin.front() == 0 &&
                    rows.begin.back() == entries &&
                    std::is_sorted(rows.begin.begin(), rows.begin.end());
  if (!fits) {
    throw input_error(errors::sparse_rows_invalid, name, count, entries);
  }
}

/// Assembles rows in their order.
class RowAssembler {
 public:
  explicit RowAssembler(const ProcessHeader& header) : header_(header) {
    arrays_.state_count = header.state_count;
    arrays_.action_count = header.action_count;
    arrays_.discount = header.discount;
    arrays_.direction = header.direction;
    arrays_.initial_value.assign(header.terminal_value.begin(), header.terminal_value.end());
    arrays_.row_begin.reserve(header.reward.size() + 1);
    arrays_.row_begin.push_back(0);
    arrays_.reward.assign(header.reward.begin(), header.reward.end());
  }
  void reserve(std::size_t entries) {
    arrays_.successor.reserve(entries);
    arrays_.probability.reserve(entries);
  }
  bool is_next_excluded() const { return is_excluded(header_, arrays_.row_begin.size() - 1); }
  void add(std::int32_t successor, double probability) {
    if (probability == 0) return;
    const std::size_t begin = static_cast<std::size_t>(arrays_.row_begin.back());
    ascends_ =
        ascends_ && (arrays_.successor.size() == begin || arrays_.successor.back() < successor);
    arrays_.successor.push_back(successor);
    arrays_.probability.push_back(probability);
  }
  void end_row() {
    if (is_next_excluded()) arrays_.reward[arrays_.row_begin.size() - 1] = 0;
    if (!ascends_) sort_row();
    ascends_ = true;
    arrays_.row_begin.push_back(static_cast<std::int64_t>(arrays_.successor.size()));
  }
  mdp::Process finish() { return mdp::Process(std::move(arrays_)); }

 private:
  /// Sorts the columns of the row that was added last, and merges repeated ones.
  void sort_row() {
    const auto begin = static_cast<std::size_t>(arrays_.row_begin.back());
    row_.clear();
    for (std::size_t n = begin; n < arrays_.successor.size(); ++n) {
      row_.emplace_back(arrays_.successor[n], arrays_.probability[n]);
    }
    std::stable_sort(row_.begin(), row_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t end = begin;
    for (const auto& [successor, probability] : row_) {
      if (end > begin && arrays_.successor[end - 1] == successor) {
        arrays_.probability[end - 1] += probability;
      } else {
        arrays_.successor[end] = successor;
        arrays_.probability[end++] = probability;
      }
    }
    arrays_.successor.resize(end);
    arrays_.probability.resize(end);
  }

  const ProcessHeader& header_;
  mdp::ProcessArrays arrays_;
  bool ascends_ = true;
  std::vector<std::pair<std::int32_t, double>> row_;
};

void add_row(const SparseRows& rows, std::size_t row, RowAssembler& assembler) {
  if (!assembler.is_next_excluded()) {
    const auto end = static_cast<std::size_t>(rows.begin[row + 1]);
    for (auto n = static_cast<std::size_t>(rows.begin[row]); n < end; ++n) {
      assembler.add(rows.column[n], rows.probability[n]);
    }
  }
  assembler.end_row();
}

}  // namespace

bool can_be_read_in_place(const ProcessHeader& header, const SparseRows& rows) {
  require_row_starts(rows, header.reward.size(), "P");
  for (std::size_t row = 0; row < header.reward.size(); ++row) {
    if (is_excluded(header, row)) return false;
    const auto end = static_cast<std::size_t>(rows.begin[row + 1]);
    const auto begin = static_cast<std::size_t>(rows.begin[row]);
    for (std::size_t n = begin; n < end; ++n) {
      if (rows.probability[n] == 0) return false;
      if (n > begin && rows.column[n] <= rows.column[n - 1]) return false;
    }
  }
  return true;
}

mdp::Process process_of(const ProcessHeader& header, const std::vector<SparseRows>& matrices) {
  const auto states = static_cast<std::size_t>(header.state_count);
  const auto actions = static_cast<std::size_t>(header.action_count);
  const bool is_stacked = matrices.size() == 1;
  RowAssembler assembler(header);
  std::size_t entries = 0;
  for (std::size_t n = 0; n < matrices.size(); ++n) {
    require_row_starts(matrices[n], is_stacked ? states * actions : states,
                       is_stacked ? "P" : fmt::format("P of action {}", n));
    entries += matrices[n].column.size();
  }
  assembler.reserve(entries);
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t a = 0; a < actions; ++a) {
      if (is_stacked) {
        add_row(matrices[0], s * actions + a, assembler);
      } else {
        add_row(matrices[a], s, assembler);
      }
    }
  }
  return assembler.finish();
}

mdp::Process process_of(const ProcessHeader& header, const DenseActions& dense) {
  RowAssembler assembler(header);
  for (std::int64_t s = 0; s < header.state_count; ++s) {
    for (std::int64_t a = 0; a < header.action_count; ++a) {
      const double* const row = dense.probability + a * dense.action_stride + s * dense.from_stride;
      const std::int32_t end = assembler.is_next_excluded() ? 0 : header.state_count;
      for (std::int32_t to = 0; to < end; ++to) assembler.add(to, row[to * dense.to_stride]);
      assembler.end_row();
    }
  }
  return assembler.finish();
}

}  // namespace tidewise::python
