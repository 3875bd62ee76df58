#include "kernels/compile/calls/answers.h"

#include "kernels/compile/calls/answer_cache.h"
#include "kernels/compile/calls/nvrtc_library.h"
#include "kernels/compile/calls/workers.h"

namespace lanescope::compile {

Answer answer_of(const Call& call, bool cached, std::size_t worker) {
  const std::filesystem::path folder = cached ? answer_place().folder : std::filesystem::path();
  const std::optional<std::string> key = folder.empty() ? std::nullopt : key_of(call, nvrtc());
  if (key)
    if (std::optional<Answer> found = find_answer(folder, *key)) return std::move(*found);
  std::optional<Answer> other = answer_of_worker(call, worker);
  Answer out = other ? std::move(*other) : call_here(call);
  // A header that was edited meanwhile: the answer may be of either text.
  if (key && is_of_the_text(out) && key_of(call, nvrtc()) == key) keep_answer(folder, *key, out);
  return out;
}

}  // namespace lanescope::compile
