#include "app/gui/handout/handout_export.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <limits>

#include "app/engine/remote/engine.h"
#include "app/handout/write.h"
#include "app/lessons/moments_file.h"
#include "kernels/base/numbers.h"

namespace lanescope::gui {
namespace {

constexpr double seconds_between_answers = 0.05;

std::string words_of(const Diagnostics& why) {
  if (why.empty()) return "The handout was not written.";
  const Diagnostic& d = why.front();
  return (d.file.empty() ? "" : d.file + ": ") + as_sentence(with_remedy(d.message, d.remedy));
}

Expected<page::Document> moments_document(const std::string& kernel) {
  return lessons::moments_of(kernel).and_then([&](const std::vector<lessons::SavedMoment>& moments) {
    return handout::document_of_moments(moments, lessons::moments_path(kernel).string());
  });
}

Expected<page::Document> run_document(const HandoutExport::Wanted& wanted) {
  const auto engine = engine::engine_here();
  const engine::RunResult result = engine->run(wanted.request);
  if (!result.summary.ok) return tl::unexpected(result.summary.diagnostics);
  return handout::document_of_run(*engine, result, wanted.request.text, {.warp = wanted.warp, .at = wanted.moment});
}

Expected<page::Document> document_of(const HandoutExport::Wanted& wanted) {
  if (wanted.what == HandoutExport::What::moments) return moments_document(wanted.request.file);
  if (!wanted.lesson) return run_document(wanted);
  lessons::Computer computer;
  computer.program = wanted.program;
  return handout::document_of_lesson(*wanted.lesson, computer);
}

HandoutExport::Ended write_handout(const HandoutExport::Wanted& wanted) {
  const auto document = document_of(wanted);
  if (!document) return {.words = words_of(document.error())};
  const auto written = handout::write(*document, wanted.path, {.theme = wanted.theme});
  if (!written) return {.words = words_of(written.error())};
  return {.good = true,
          .words = fmt::format("Saved {} ({}, {} kB).", wanted.path, counted(written->steps, "step"),
                               spaced((written->bytes + 999) / 1000))};
}

}  // namespace

HandoutExport::~HandoutExport() {
  if (writing_.valid()) writing_.wait();
}

Expected<void> HandoutExport::begin(Wanted wanted) {
  if (under_way()) return failure("a handout is being written", "wait until it is there");
  if (Diagnostics wrong = handout::wrong_handout(wanted.path, wanted.theme); !wrong.empty())
    return tl::unexpected(std::move(wrong));
  const std::string suffix = std::filesystem::path(wanted.path).extension().string();
  if (suffix == ".html" || suffix == ".pdf") wanted.moment.clear();
  wanted.request.measure = wanted.request.on_gpu = false;
  wanted.request.review = true;
  writing_ = std::async(std::launch::async, [wanted = std::move(wanted), wake = on_event] {
    Ended ended = write_handout(wanted);
    if (wake) wake();
    return ended;
  });
  return {};
}

std::optional<HandoutExport::Ended> HandoutExport::advance() {
  if (!writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
  return writing_.get();
}

double HandoutExport::due(double now) const {
  return writing_.valid() ? now + seconds_between_answers : std::numeric_limits<double>::infinity();
}

}  // namespace lanescope::gui
