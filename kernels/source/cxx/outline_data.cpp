#include "kernels/source/cxx/outline_data.h"

#include <algorithm>

namespace lanescope::source {

int Outline::function_at(int token) const {
  const auto after =
      std::partition_point(functions.begin(), functions.end(), [&](const FunctionRange& f) { return f.open <= token; });
  const auto i = static_cast<int>(after - functions.begin()) - 1;
  return i >= 0 && token < functions[static_cast<std::size_t>(i)].close ? i : -1;
}

int Outline::block_at(int token) const {
  const auto after =
      std::partition_point(blocks.begin(), blocks.end(), [&](const Block& b) { return b.open <= token; });
  int b = static_cast<int>(after - blocks.begin()) - 1;
  while (b >= 0 && blocks[static_cast<std::size_t>(b)].close <= token) b = blocks[static_cast<std::size_t>(b)].parent;
  return b;
}

const std::vector<int>& Outline::called(std::string_view name) const {
  static const std::vector<int> none;
  const auto found = by_name.find(name);
  return found == by_name.end() ? none : found->second;
}

int Outline::find(std::string_view name, int token) const {
  const std::vector<int>& all = called(name);
  const auto after = std::partition_point(all.begin(), all.end(),
                                          [&](int l) { return locals[static_cast<std::size_t>(l)].token <= token; });
  int l = after == all.begin() ? -1 : *(after - 1);
  // Where one has ended, so have those of its name that end no later.
  while (l >= 0 && locals[static_cast<std::size_t>(l)].scope_end <= token) l = around[static_cast<std::size_t>(l)];
  return l;
}

}  // namespace lanescope::source
