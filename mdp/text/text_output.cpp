#include "mdp/text/text_output.h"

#include "base/error.h"
#include "base/file/open_file.h"

namespace tidewise::mdp {

TextOutput::TextOutput(const std::filesystem::path& path, Progress* progress)
    : atomic_(path), progress_(progress) {
  file_ = std::fopen(atomic_.temporary_path().c_str(), "wb");
  if (file_ == nullptr) {
    refuse_if_too_many_files(atomic_.final_path());
    fail();
  }
  if (progress_ == nullptr) return;
  progress_->begin("writing " + atomic_.final_path().filename().string(), 0, "MiB");
}

TextOutput::~TextOutput() {
  if (file_ != nullptr) std::fclose(file_);
}

void TextOutput::fail() const {
  throw RunError(fmt::format("{}: writing failed; check the space left on the disk",
                             atomic_.final_path().string()));
}

void TextOutput::flush() {
  if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size()) fail();
  bytes_written_ += static_cast<std::int64_t>(text_.size());
  text_.clear();
  if (progress_ != nullptr) progress_->advance_to(bytes_written_ >> 20);
}

void TextOutput::finish() {
  flush();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  if (progress_ != nullptr) progress_->end();
  atomic_.commit();
}

}  // namespace tidewise::mdp
