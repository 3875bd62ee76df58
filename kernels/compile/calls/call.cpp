#include "kernels/compile/calls/call.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>
#include <charconv>

namespace lanescope::compile {
namespace {

/// Lists of texts, each after its length.
class Packer {
 public:
  void number(std::uint64_t n) {
    for (int byte = 0; byte < 8; ++byte) out_.push_back(static_cast<std::uint8_t>(n >> (8 * byte)));
  }
  void text(std::string_view t) {
    number(t.size());
    out_.insert(out_.end(), t.begin(), t.end());
  }
  void texts(const std::vector<std::string>& list) {
    number(list.size());
    for (const std::string& t : list) text(t);
  }
  Bytes take() { return std::move(out_); }

 private:
  Bytes out_;
};

class Unpacker {
 public:
  explicit Unpacker(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  std::uint64_t number() {
    if (rest_.size() < 8) return fail();
    std::uint64_t n = 0;
    for (unsigned byte = 0; byte < 8; ++byte) n |= std::uint64_t{rest_[byte]} << (8 * byte);
    rest_ = rest_.subspan(8);
    return n;
  }
  std::string text() {
    const std::uint64_t length = number();
    if (length > rest_.size()) return fail(), std::string();
    std::string out(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(length));
    rest_ = rest_.subspan(length);
    return out;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> out;
    for (std::uint64_t left = number(); left > 0 && good_; --left) out.push_back(text());
    return out;
  }
  bool good() const { return good_; }
  bool whole() const { return good_ && rest_.empty(); }

 private:
  std::uint64_t fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }
  std::span<const std::uint8_t> rest_;
  bool good_ = true;
};

constexpr std::string_view descriptors = "/proc/self/fd/";

std::mutex& numbers_in_use() {
  static std::mutex mutex;
  return mutex;
}

/// A path that is no folder: no name leads through it.
int open_nothing() { return ::open("/dev/null", O_PATH | O_CLOEXEC); }

/// Takes all numbers, so that no other code of this process gets one of them.
bool take_numbers() {
  const int nothing = open_nothing();
  if (nothing < 0) return false;
  bool good = ::access(descriptors.data(), X_OK) == 0;
  int taken = 0;
  for (; good && taken < static_cast<int>(most_folders); ++taken) {
    const int got = ::fcntl(nothing, F_DUPFD_CLOEXEC, first_folder + taken);
    good = got == first_folder + taken;
    if (!good && got >= 0) ::close(got);
    if (!good) break;
  }
  for (int k = 0; !good && k < taken; ++k) ::close(first_folder + k);
  ::close(nothing);
  return good;
}

}  // namespace

Bytes packed(const Call& call) {
  Packer out;
  out.text(call.text);
  out.text(call.name);
  out.number(call.headers.size());
  for (const auto& [name, text] : call.headers) {
    out.text(name);
    out.text(text);
  }
  out.texts(call.expressions);
  out.texts(call.options);
  out.texts(call.folders);
  out.text(call.precompiled);
  return out.take();
}

Bytes packed(const Answer& answer) {
  Packer out;
  out.number(static_cast<std::uint64_t>(answer.status));
  out.text(answer.log);
  out.text(answer.ptx);
  out.text(answer.cubin);
  out.texts(answer.lowered);
  return out.take();
}

std::optional<Call> unpacked_call(std::span<const std::uint8_t> bytes) {
  Unpacker in(bytes);
  Call out{.text = in.text(), .name = in.text()};
  for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
    std::string name = in.text();
    out.headers.emplace(std::move(name), in.text());
  }
  out.expressions = in.texts();
  out.options = in.texts();
  out.folders = in.texts();
  out.precompiled = in.text();
  return in.whole() ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Answer> unpacked_answer(std::span<const std::uint8_t> bytes) {
  Unpacker in(bytes);
  Answer out{.status = static_cast<int>(in.number()),
             .log = in.text(),
             .ptx = in.text(),
             .cubin = in.text(),
             .lowered = in.texts()};
  return in.whole() ? std::optional(std::move(out)) : std::nullopt;
}

std::string numbered_folder(std::size_t index) {
  return fmt::format("{}{}", descriptors, static_cast<std::size_t>(first_folder) + index);
}

std::string after_number(std::string_view name, const std::vector<std::string>& folders) {
  if (!name.starts_with(descriptors)) return std::string(name);
  const std::string_view rest = name.substr(descriptors.size());
  int number = 0;
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const std::string_view after = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (problem != std::errc() || number < first_folder || (!after.empty() && after.front() != '/'))
    return std::string(name);
  const auto index = static_cast<std::size_t>(number - first_folder);
  return index < folders.size() ? folders[index] + std::string(after) : std::string(name);
}

bool can_number_folders() {
  static const bool can = take_numbers();
  return can;
}

NumberedFolders::NumberedFolders(const std::vector<std::string>& folders) : alone_(numbers_in_use()) {
  if (!can_number_folders()) return;
  const int nothing = open_nothing();
  for (std::size_t k = 0; k < most_folders; ++k) {
    const int number = first_folder + static_cast<int>(k);
    const int opened = k < folders.size() ? ::open(folders[k].c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    ::dup3(opened < 0 ? nothing : opened, number, O_CLOEXEC);
    if (opened >= 0) ::close(opened);
  }
  ::close(nothing);
}

}  // namespace lanescope::compile
