#include "kernels/ptx/parser.h"

#include <algorithm>

#include "kernels/base/plain_name.h"

namespace lanescope::ptx {

void put_into_unit_lines(Module& module, const SourceLines& lines) {
  if (lines.files.size() < 2) return;
  const std::string own = plain_name(lines.files.front().path);
  std::vector<int> added(module.files.size(), 0);  // to the lines of each file
  for (std::size_t k = 1; k < lines.files.size(); ++k) {
    const std::string name = plain_name(lines.files[k].path);
    for (std::size_t f = 0; f < module.files.size(); ++f)
      if (module.files[f] == name) added[f] = lines.files[k].first_line - 1;
  }
  auto main = static_cast<std::size_t>(std::ranges::find(module.files, own) - module.files.begin());
  if (main == module.files.size()) module.files.push_back(own);
  const auto move = [&](int& file, int& line) {
    if (file < 0 || static_cast<std::size_t>(file) >= added.size() || line <= 0) return;
    const int more = added[static_cast<std::size_t>(file)];
    if (more == 0) return;
    line += more;
    file = static_cast<int>(main);
  };
  for (Entry& entry : module.entries)
    for (Instruction& i : entry.code) {
      move(i.position.file, i.position.line);
      move(i.position.inner_file, i.position.inner_line);
    }
}

}  // namespace lanescope::ptx
