#include "app/terminal/terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "app/terminal/outlet.h"
#include "base/current.h"
#include "base/error.h"
#include "base/printable.h"

namespace tidewise {
namespace {

[[noreturn]] void fail_to_print(int reason) {
  throw RunError(
      fmt::format("the results could not be written to standard output ({}); check where it leads",
                  std::strerror(reason)));
}

}  // namespace

void hold_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() returns the lowest free descriptor. It opens for reading only, so that writing to a
    // closed stream fails as before.
    (void)!::open("/dev/null", O_RDONLY);
  }
  ::signal(SIGPIPE, SIG_IGN);
}

void print_text(std::string_view text) {
  const std::string safe = printable(text);
  if (Outlet* outlet = current<Outlet>()) {
    outlet->print(safe);
    return;
  }
  if (std::fwrite(safe.data(), 1, safe.size(), stdout) != safe.size()) fail_to_print(errno);
}

bool give_figures(const nlohmann::ordered_json& figures) {
  Outlet* outlet = current<Outlet>();
  return outlet != nullptr && outlet->take(figures);
}

void print_figures(const nlohmann::ordered_json& figures) {
  if (give_figures(figures)) return;
  print("{}\n", figures.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "_-./,:=+@%^~";
  const bool is_plain = std::all_of(text.begin(), text.end(), [&](unsigned char letter) {
    return letter >= 0x80 || std::isalnum(letter) != 0 ||
           plain.find(static_cast<char>(letter)) != plain.npos;
  });
  if (is_plain && !text.empty() && text.front() != '~') return text;
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? "'\\''" : std::string(1, letter);
  return word + "'";
}

void finish_printing() {
  if (current<Outlet>() != nullptr) return;
  // An earlier flush may have failed unnoticed, so that its text is lost.
  if (std::fflush(stdout) != 0) fail_to_print(errno);
  if (std::ferror(stdout) != 0) fail_to_print(EIO);
}

void print_to_stderr(std::string_view text) noexcept {
  try {
    print_raw_to_stderr(printable(text));
  } catch (const std::exception&) {  // no memory for the escaped text
    print_raw_to_stderr(text);
  }
}

void print_raw_to_stderr(std::string_view text) noexcept {
  if (current<Outlet>() != nullptr) return;  // an outlet has its own warnings and progress
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

}  // namespace tidewise
