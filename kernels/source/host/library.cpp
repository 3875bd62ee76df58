#include "kernels/source/host/library.h"

#include <map>
#include <vector>

#include "kernels/base/listed_words.h"

namespace lanescope::source::host {
namespace {

std::optional<Value> vector_of_cuda(Call& c) {
  const Type* t = c.types().named(c.name.substr(std::string_view("make_").size()));
  if (t == nullptr || t->kind != Kind::record) return std::nullopt;
  return c.in.made(t, {c.arguments, true}, 0);
}

using Rows = std::map<std::string_view, std::vector<const LibraryFunction*>>;

const Rows& rows() {
  static const Rows all = [] {
    Rows out;
    for (const auto functions :
         {c_functions(), algorithm_functions(), copy_functions(), stream_functions(), device_functions()})
      for (const LibraryFunction& f : functions)
        for (const std::string_view name : listed_words(f.names)) out[name].push_back(&f);
    return out;
  }();
  return all;
}

const LibraryFunction* function_named(std::string_view name, std::size_t arguments) {
  static constexpr LibraryFunction of_machine{.names = "cuda...", .handler = depends_on_machine},
      vector{.names = "make_...", .handler = vector_of_cuda};
  if (const auto found = rows().find(name); found != rows().end())
    for (const LibraryFunction* f : found->second)
      if (arguments >= f->least && arguments <= f->most) return f;
  if (name.starts_with("make_")) return &vector;
  if (name.starts_with("cuda") && name.size() > 4 && name[4] >= 'A' && name[4] <= 'Z') return &of_machine;
  if (!name.ends_with('f')) return nullptr;
  const auto wide = rows().find(name.substr(0, name.size() - 1));  // sinf is sin of floats
  if (wide == rows().end()) return nullptr;
  const LibraryFunction* f = wide->second.front();
  return (f->of_one != nullptr && arguments == 1) || (f->of_two != nullptr && arguments == 2) ? f : nullptr;
}

}  // namespace

const Library& library() {
  static constexpr Library all{.function = function_named, .method = library_method};
  return all;
}

std::optional<Value> no_effect(Call& c) {
  c.eval_all();
  return c.success();
}

std::optional<Value> depends_on_machine(Call& c) {
  c.in.log.forget_pending();
  c.poison_all(c.reason(fmt::format("`{}` at line {} depends on the machine", c.name, c.line)));
  return c.success();
}

}  // namespace lanescope::source::host
