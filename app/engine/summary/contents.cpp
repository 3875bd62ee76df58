#include "app/engine/summary/contents.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "app/engine/prepare/launch_plan.h"

namespace lanescope::engine {
namespace {

/// The bytes of this buffer at one time; nullptr where there are none or they are of another size.
const trace::Bytes* bytes_at(const std::vector<trace::Buffer>& buffers, std::size_t index, std::size_t bytes) {
  return index < buffers.size() && buffers[index].bytes.size() == bytes ? &buffers[index].bytes : nullptr;
}

std::vector<std::string> words_of(const trace::Buffer& type, const trace::Bytes* bytes, std::uint64_t first,
                                  std::uint64_t count) {
  std::vector<std::string> out;
  if (!bytes) return out;
  out.reserve(count);
  for (std::uint64_t e = first; e < first + count; ++e) out.push_back(element_words(type.element_type, *bytes, e));
  return out;
}

}  // namespace

Differences differences(int element_bits, const trace::Bytes& a, const trace::Bytes& b) {
  Differences out;
  if (a == b) return out;
  const auto add = [&](std::uint64_t element) {
    if (out.count++ == 0) out.first = static_cast<std::int64_t>(element);
  };
  if (element_bits >= 8) {
    const std::size_t each = static_cast<std::size_t>(element_bits) / 8;
    for (std::size_t at = 0; at + each <= a.size(); at += each)
      if (std::memcmp(&a[at], &b[at], each) != 0) add(at / each);
    return out;
  }
  const auto per_byte = static_cast<std::uint64_t>(8 / element_bits);
  const unsigned mask = (1u << element_bits) - 1;
  for (std::size_t at = 0; at < a.size(); ++at) {
    const unsigned changed = std::to_integer<unsigned>(a[at] ^ b[at]);
    for (std::uint64_t n = 0; changed != 0 && n < per_byte; ++n)
      if ((changed >> (n * static_cast<unsigned>(element_bits)) & mask) != 0) add(at * per_byte + n);
  }
  return out;
}

namespace {

/// The first buffer whose bytes differ between two times.
std::optional<std::size_t> first_other(const std::vector<trace::Buffer>& a, const std::vector<trace::Buffer>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (a[i].bytes != b[i].bytes) return i;
  return std::nullopt;
}

std::size_t chosen_buffer(const BufferTimes& times, int asked) {
  if (asked >= 0) return static_cast<std::size_t>(asked);
  if (const auto differs = first_other(times.emulated, times.gpu)) return *differs;
  return first_other(times.before, times.gpu.empty() ? times.emulated : times.gpu).value_or(0);
}

}  // namespace

results::Contents contents_of(const BufferTimes& times, const ContentsRequest& request) {
  results::Contents out;
  const std::size_t index = chosen_buffer(times, request.buffer);
  if (index >= times.before.size()) return out;
  const trace::Buffer& buffer = times.before[index];
  const auto bits = static_cast<std::uint64_t>(std::max(buffer.element_bits, 1));
  out.name = buffer.name, out.element_type = buffer.element_type, out.buffer = static_cast<int>(index);
  out.elements = buffer.bytes.size() * 8 / bits;
  out.count = std::min({request.count, most_contents, out.elements});
  out.first = std::min(request.first, out.elements - out.count);
  const auto* emulated = bytes_at(times.emulated, index, buffer.bytes.size());
  const auto* gpu = bytes_at(times.gpu, index, buffer.bytes.size());
  out.before = words_of(buffer, &buffer.bytes, out.first, out.count);
  out.emulated = words_of(buffer, emulated, out.first, out.count);
  out.partial = times.partial;
  if (!out.partial.empty())
    for (std::size_t i = 0; i < out.emulated.size(); ++i)
      if (out.emulated[i] == out.before[i]) out.emulated[i] = results::not_computed;
  out.gpu = words_of(buffer, gpu, out.first, out.count);
  if (out.elements == 0) return out;
  if (const auto* after = gpu ? gpu : emulated)
    out.written = differences(static_cast<int>(bits), buffer.bytes, *after).count;
  if (emulated && gpu) {
    const Differences d = differences(static_cast<int>(bits), *emulated, *gpu);
    out.different = d.count, out.first_different = d.first;
  }
  return out;
}

}  // namespace lanescope::engine
