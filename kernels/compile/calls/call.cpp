#include "kernels/compile/calls/call.h"

#include <string_view>

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
  Call out;
  out.text = in.text();
  out.name = in.text();
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
  Answer out;
  out.status = static_cast<int>(in.number());
  out.log = in.text();
  out.ptx = in.text();
  out.cubin = in.text();
  out.lowered = in.texts();
  return in.whole() ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace lanescope::compile
