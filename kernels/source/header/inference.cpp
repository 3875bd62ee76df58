#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/source/header/completer.h"
#include "kernels/source/header/host_choice.h"
#include "kernels/source/host/host_run.h"

namespace lanescope::source {

Completer::Completer(Header& header, const Lexed& lexed, const Outline& outline, const std::vector<CommentLine>& lines,
                     const std::vector<Claim>& claims, std::string_view file, const LaunchWish& wish,
                     std::vector<KernelInstance>& instances)
    : header_(header),
      lexed_(lexed),
      outline_(outline),
      lines_(lines),
      claims_(claims),
      file_(file),
      wish_(wish),
      instances_(instances) {}

Diagnostics Completer::run() {
  const auto kernels = std::count_if(outline_.functions.begin(), outline_.functions.end(),
                                     [](const FunctionRange& f) { return f.info.is_kernel; });
  if (kernels == 0) return {};  // a file of device functions; the compiler's business
  host_ = cached_host_run(lexed_, outline_, wish_.command_line);
  ask_siblings();
  instances_ = kernel_instances(host_, outline_);
  for (KernelInstance& k : instances_)
    if (sibling_ && k.line > sibling_->own_lines) k.line = 0;
  const std::vector<const HostLaunch*> sequence = launches();
  for (std::size_t i = 0; i < header_.launches.size(); ++i) {
    LaunchSpec& l = header_.launches[i];
    const FunctionRange* f = kernel_of(l, i < sequence.size() ? sequence[i] : nullptr);
    if (f == nullptr) continue;
    const HostLaunch* host = i < sequence.size() ? sequence[i] : host_launch_of(l);
    template_instance(l, *f);
    from_host(l, host);
    block(l, *f);
    grid(l);
    arguments(l, *f, host);
    for (KernelInstance& k : instances_) k.chosen = k.chosen || k.kernel == l.kernel;
  }
  steps(sequence);
  suggest();
  for (BufferSpec& b : header_.buffers) {
    if (b.axes.empty()) axes(b);
    contents_from_host(b);
  }
  sizes();
  assume_contents();
  symbols(sequence);
  report_steps();
  streams(sequence);
  copies_back(sequence);
  notes_of_host(sequence);
  if (!problems_.empty()) return std::move(problems_);
  for (const LaunchSpec& l : header_.launches) offsets(l);
  unused_buffers();
  return std::move(problems_);
}

void Completer::ask_siblings() {
  if (header_.present && !header_.launches.empty()) return;
  if (std::any_of(host_.launches.begin(), host_.launches.end(), [](const HostLaunch& l) { return l.called; })) return;
  sibling_ = host_of_sibling(file_, lexed_, outline_, wish_.command_line);
  if (!sibling_) return;
  host_ = sibling_->run;
  say(fmt::format("Host code: that of {}, which calls functions of this file.", sibling_->file));
}

void Completer::say(std::string sentence) {
  if (sibling_) sentence = with_sibling_lines(sentence, *sibling_);
  if (std::find(header_.inferred.begin(), header_.inferred.end(), sentence) == header_.inferred.end())
    header_.inferred.push_back(std::move(sentence));
}

void Completer::wrong(const TextPlace& at, std::string message, std::string remedy, Severity severity) {
  problems_.push_back({.file = std::string(file_),
                       .line = at.line,
                       .column = at.column,
                       .message = std::move(message),
                       .remedy = std::move(remedy),
                       .severity = severity,
                       .code = DiagnosticCode::launch_header});
}

TextPlace Completer::place_of(const ArgumentSpec& a, const LaunchSpec& l) {
  return a.place.line > 0 ? a.place : l.place_or_line(l.places.arguments);
}

void Completer::assume(Assumption::Code code, const LaunchSpec* l, std::string name, std::string value,
                       std::string because) {
  const auto in_file = [&](const std::string& words) {
    return sibling_ ? with_sibling_lines(words, *sibling_) : words;
  };
  Assumption a{.code = code,
               .launch = l != nullptr ? static_cast<int>(l - header_.launches.data()) : -1,
               .kernel = l != nullptr ? l->kernel : std::string(),
               .name = in_file(name),
               .value = std::move(value),
               .because = in_file(because)};
  if (std::ranges::find(header_.assumed, a) == header_.assumed.end()) header_.assumed.push_back(std::move(a));
}

void Completer::notes_of_host(const std::vector<const HostLaunch*>& sequence) {
  if (sequence.empty()) return;
  if (host_.with_command_line)
    say(fmt::format("Host code: `main` is called with {}, as {} does.", fmt::join(wish_.command_line, " "),
                    wish_.command_line_place));
  for (const Assumption& a : host_.assumed) assume(a.code, nullptr, a.name, a.value, a.because);
  for (const std::string& note : host_.notes) say(fmt::format("Host code, {}.", note));
  for (HostError e : host_.errors) {
    const std::string words = fmt::format("line {}: {}", e.line, e.message);
    if (sibling_) e.line = 0, e.message = with_sibling_lines(words, *sibling_);
    header_.host_errors.push_back(std::move(e));
  }
}

Diagnostics complete_header(Header& header, const Lexed& lexed, const Outline& outline,
                            const std::vector<CommentLine>& lines, const std::vector<Claim>& claims,
                            std::string_view file, const LaunchWish& wish, std::vector<KernelInstance>& instances) {
  return Completer(header, lexed, outline, lines, claims, file, wish, instances).run();
}

}  // namespace lanescope::source
