#include "kernels/compile/texts.h"

#include "kernels/source/notation/probes.h"

namespace lanescope::compile {

Texts texts_of(const source::Source& source, Variant variant) {
  const bool plain = variant == Variant::plain;
  Texts out{.main = plain ? source.device_text : source.probed_text, .headers = {}};
  for (const source::SourceHeader& h : source.headers) out.headers.push_back(plain ? h.device_text : h.probed_text);
  return out;
}

bool drop_probes(Texts& texts, const std::vector<int>& ids) {
  bool dropped = false;
  const auto drop = [&](std::string& text) {
    std::string fewer = source::without_probes(text, ids);
    dropped = dropped || fewer != text;
    text = std::move(fewer);
  };
  drop(texts.main);
  for (std::string& text : texts.headers) drop(text);
  return dropped;
}

}  // namespace lanescope::compile
