#include "kernels/source/header/host_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/conditionals.h"

namespace lanescope::source {
namespace {

std::string without_spaces(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!is_blank(c)) out += c;
  return out;
}

const FunctionRange* kernel_of(const Outline& outline, std::string_view instance) {
  for (const FunctionRange& f : outline.functions)
    if (f.info.is_kernel && f.info.name == kernel_name(instance)) return &f;
  return nullptr;
}

std::uint64_t threads_of(const HostLaunch& l) {
  std::uint64_t out = 1;
  for (const auto& e : {l.grid, l.block})
    for (std::size_t i = 0; i < 3 && e; ++i) out = std::min<std::uint64_t>(out * (*e)[i], std::uint64_t{1} << 62);
  return out;
}

/// Buffers that a launch is given, and those of them that the kernel can write.
void buffers_of(const HostLaunch& l, const Outline& outline, std::set<int>& taken, std::set<int>& written) {
  const FunctionRange* f = kernel_called(outline, l.kernel, l.arguments.size());
  for (std::size_t i = 0; i < l.arguments.size(); ++i) {
    const HostArgument& a = l.arguments[i];
    const std::string type = f != nullptr && i < f->info.parameters.size() ? f->info.parameters[i].type : "";
    const bool reads_only = type.find("const") < type.find_first_of("*[");
    const auto add = [&](const HostPointer& p, bool writes) {
      if (p.buffer < 0) return;
      taken.insert(p.buffer);
      if (writes) written.insert(p.buffer);
    };
    if (a.kind == HostArgument::Kind::pointer) add(a.pointer, !reads_only || type.find('*') == std::string::npos);
    for (const HostField& field : a.fields) add(field.pointer, true);
  }
}

/// The launches before `at` whose results it reads, and itself; in order.
std::vector<std::size_t> with_sources(const std::vector<const HostLaunch*>& all, std::size_t at,
                                      const Outline& outline) {
  std::vector<std::size_t> out{at};
  std::set<int> needed, ignored;
  buffers_of(*all[at], outline, needed, ignored);
  for (std::size_t i = at; i-- > 0 && out.size() < most_host_launches;) {
    std::set<int> taken, written;
    buffers_of(*all[i], outline, taken, written);
    const bool feeds = std::any_of(written.begin(), written.end(), [&](int b) { return needed.contains(b); });
    if (!feeds) continue;
    out.insert(out.begin(), i);
    needed.insert(taken.begin(), taken.end());
  }
  return out;
}

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  const std::string e = path.extension().string();
  return e == ".cu" || e == ".cpp" || e == ".cc" || e == ".cxx" || e == ".c";
}

/// Those of the folder, main.* first, then by name.
std::vector<fs::path> candidates(const fs::path& file) {
  std::vector<fs::path> out;
  std::error_code problem;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  constexpr std::size_t most_entries = 4096;
  std::size_t entries = 0;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end && entries < most_entries;
       at.increment(problem), ++entries) {
    if (!is_source(at->path()) || at->path().filename() == file.filename()) continue;
    if (at->is_regular_file(problem) && is_header(at->path()) && at->file_size(problem) <= longest_sibling)
      out.push_back(at->path());
  }
  std::ranges::sort(out, {}, [](const fs::path& p) { return std::pair(p.stem() != "main", p.filename().string()); });
  if (out.size() > most_siblings) out.resize(most_siblings);
  return out;
}

/// Whether the text names a function of this file as a word.
bool names_one_of(std::string_view text, const Outline& outline) {
  for (const FunctionRange& f : outline.functions) {
    const std::string& name = f.info.name;
    if (name.size() < 2 || name == "main" || (f.info.is_device && !f.info.is_kernel)) continue;
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; ++at) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
  }
  return false;
}

/// `both`: the outline of this file, which has `own_lines` lines, and a sibling. A sibling that defines a kernel of the same name
/// launches its own.
bool launches_a_kernel_of(const HostRun& run, const Outline& both, int own_lines) {
  return std::ranges::any_of(run.launches, [&](const HostLaunch& l) {
    bool here = false, there = false;
    for (const FunctionRange& f : both.functions)
      if (f.info.is_kernel && f.info.name == kernel_name(l.kernel))
        (f.info.first_line > own_lines ? there : here) = true;
    return l.called && here && !there;
  });
}

}  // namespace

const FunctionRange* kernel_called(const Outline& outline, std::string_view instance, std::size_t parameters) {
  const FunctionRange* first = nullptr;
  for (const FunctionRange& f : outline.functions) {
    if (!f.info.is_kernel || f.info.name != kernel_name(instance)) continue;
    if (f.info.parameters.size() == parameters) return &f;
    if (first == nullptr) first = &f;
  }
  return first;
}

std::string_view kernel_name(std::string_view instance) {
  instance = instance.substr(0, instance.find('<'));
  if (const std::size_t scope = instance.rfind("::"); scope != std::string_view::npos)
    instance.remove_prefix(scope + 2);
  return trimmed(instance);
}

bool names_instance(std::string_view wanted, std::string_view instance) {
  if (kernel_name(wanted) != kernel_name(instance)) return false;
  const std::size_t open = wanted.find('<');
  return open == std::string_view::npos ||
         without_spaces(wanted.substr(open)) ==
             without_spaces(instance.substr(std::min(instance.find('<'), instance.size())));
}

std::vector<KernelInstance> kernel_instances(const HostRun& run, const Outline& outline) {
  std::vector<KernelInstance> out;
  for (const HostLaunch& l : run.launches) {
    if (kernel_of(outline, l.kernel) == nullptr) continue;
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const KernelInstance& k) { return k.kernel == l.kernel; });
    if (known != out.end()) {
      ++known->launches;
      continue;
    }
    const std::array<std::uint32_t, 3> nothing{0, 0, 0};
    out.push_back({.kernel = l.kernel,
                   .launches = 1,
                   .line = l.line,
                   .grid = l.grid.value_or(nothing),
                   .block = l.block.value_or(nothing),
                   .dynamic_shared_bytes = l.shared_bytes.value_or(0),
                   .certain = l.certain && l.called});
  }
  for (const auto& [kernel, more] : run.not_kept) {
    if (kernel_of(outline, kernel) == nullptr) continue;
    const auto known = std::ranges::find(out, kernel, &KernelInstance::kernel);
    if (known != out.end())
      known->launches += more.launches;
    else
      out.push_back({.kernel = kernel, .launches = more.launches, .line = more.line});
  }
  for (const FunctionRange& f : outline.functions) {
    if (!f.info.is_kernel) continue;
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const KernelInstance& k) { return kernel_name(k.kernel) == f.info.name; });
    if (!known) out.push_back({.kernel = f.info.name, .line = f.info.first_line});
  }
  return out;
}

HostChoice choose_launches(const HostRun& run, const Outline& outline, std::string_view wanted,
                           const std::vector<std::string>& with_claims) {
  HostChoice out;
  std::vector<const HostLaunch*> all;
  const auto gather = [&](auto fits) {
    if (!all.empty()) return;
    for (const HostLaunch& l : run.launches)
      if (kernel_of(outline, l.kernel) != nullptr && fits(l)) all.push_back(&l);
  };
  const auto is_wanted = [&](const HostLaunch& l) { return wanted.empty() || names_instance(wanted, l.kernel); };
  const auto any_wanted = [&](auto fits) {
    return std::any_of(run.launches.begin(), run.launches.end(),
                       [&](const HostLaunch& l) { return fits(l) && is_wanted(l); });
  };
  const auto certain = [](const HostLaunch& l) { return l.called && l.certain; };
  const auto called = [](const HostLaunch& l) { return l.called; };
  const bool first_only = !any_wanted(called);
  if (any_wanted(certain)) gather(certain);
  if (any_wanted(called)) gather(called);
  gather([](const HostLaunch&) { return true; });
  std::set<std::size_t> taken;
  const auto take_target = [&](auto is_target) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_target(*all[i])) continue;
      for (const std::size_t s : first_only ? std::vector<std::size_t>{i} : with_sources(all, i, outline))
        taken.insert(s);
      return;
    }
  };
  if (!wanted.empty()) {
    take_target(is_wanted);
  } else if (!with_claims.empty()) {
    take_target([&](const HostLaunch& l) {
      return std::find(with_claims.begin(), with_claims.end(), kernel_name(l.kernel)) != with_claims.end();
    });
  }
  if (wanted.empty() || !taken.empty()) {
    std::uint64_t threads = 0;
    std::size_t counted = taken.size();
    for (const std::size_t i : taken) threads += i > 0 ? threads_of(*all[i]) : 0;
    // The first launch of each kernel, then others.
    for (const bool first_of_kernel : {true, false})
      for (std::size_t i = 0; i < all.size() && !(first_only && !taken.empty()); ++i) {
        if (taken.contains(i) || !is_wanted(*all[i]) || counted >= most_host_launches) continue;
        const auto same = std::ranges::count_if(taken, [&](std::size_t t) { return all[t]->kernel == all[i]->kernel; });
        if (first_of_kernel && same > 0) continue;
        const std::uint64_t more = taken.empty() ? 0 : threads_of(*all[i]);
        const std::uint64_t most = first_of_kernel ? most_first_threads : most_host_threads;
        if (static_cast<std::size_t>(same) >= most_launches_of_instance || threads + more > most) continue;
        threads += more;
        taken.insert(i);
        ++counted;
      }
  }
  for (const std::size_t i : taken) out.launches.push_back(all[i]);
  const std::uint64_t launches = std::max<std::uint64_t>(run.launch_count, run.launches.size());
  if (!out.launches.empty() && launches > out.launches.size())
    out.left_out = fmt::format(
        "Launches: {} of the {} of the host code run, and results are those after them; --kernel NAME chooses others.",
        out.launches.size(), launches);
  return out;
}

std::optional<SiblingHost> host_of_sibling(std::string_view file, const Lexed& lexed, const Outline& outline,
                                           const std::vector<std::string>& command_line) {
  std::error_code problem;
  const fs::path path(file);
  if (file.empty() || !fs::is_regular_file(path, problem)) return std::nullopt;
  std::size_t interpreted = 0;
  for (const fs::path& sibling : candidates(path)) {
    const Expected<std::string> text = read_file(sibling.string());
    if (!text || text->find('\0') != std::string::npos || !names_one_of(*text, outline)) continue;
    if (++interpreted > most_siblings_interpreted) break;
    const Conditionals active = evaluate_conditionals(sibling.string(), *text, MacroTable{});
    const std::string all = std::string(lexed.text) + "\n" + active.files.front().text;
    const Lexed both = lex(all);
    if (!both.mistakes.empty() || both.too_deep >= 0) continue;
    const Outline parts = source::outline(both);
    if (parts.too_deep >= 0) continue;
    SiblingHost out{
        .run = run_host(both, parts, {}, command_line), .file = sibling.filename().string(), .own_lines = 0};
    out.own_lines = static_cast<int>(std::ranges::count(lexed.text, '\n')) + 1;
    if (launches_a_kernel_of(out.run, parts, out.own_lines)) return out;
  }
  return std::nullopt;
}

std::string with_sibling_lines(const std::string& sentence, const SiblingHost& sibling) {
  std::string out;
  constexpr std::string_view word = "line ";
  std::size_t done = 0;
  for (std::size_t at = 0; (at = sentence.find(word, at)) != std::string::npos; ++at) {
    int line = 0;
    const char* begin = sentence.data() + at + word.size();
    const auto [end, problem] = std::from_chars(begin, sentence.data() + sentence.size(), line);
    if (problem != std::errc() || line <= sibling.own_lines) continue;
    out += sentence.substr(done, at - done) + fmt::format("line {} of {}", line - sibling.own_lines, sibling.file);
    done = static_cast<std::size_t>(end - sentence.data());
  }
  return out + sentence.substr(done);
}

}  // namespace lanescope::source
