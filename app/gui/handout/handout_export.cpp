#include "app/gui/handout/handout_export.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "app/handout/write.h"
#include "app/lessons/moments_file.h"
#include "kernels/base/numbers.h"

namespace lanescope::gui {
namespace {

constexpr double seconds_between_answers = 0.05;

std::string handout_error(const Diagnostics& why) {
  if (why.empty()) return "The handout was not written.";
  const Diagnostic& d = why.front();
  return (d.file.empty() ? "" : d.file + ": ") + as_sentence(with_remedy(d.message, d.remedy));
}

Expected<page::Document> moments_document(const std::string& kernel) {
  return lessons::moments_of(kernel).and_then([&](const std::vector<lessons::SavedMoment>& moments) {
    return handout::document_of_moments(moments, lessons::moments_path(kernel).string());
  });
}

Expected<page::Document> run_document(engine::Engine& engine, const HandoutExport::Wanted& wanted) {
  const engine::RunResult result = engine.run(wanted.request);
  if (!result.summary.ok) return tl::unexpected(result.summary.diagnostics);
  return handout::document_of_run(engine, result, wanted.request.text, {.warp = wanted.warp, .at = wanted.moment});
}

using MakeEngine = std::function<std::unique_ptr<engine::Engine>()>;

Expected<page::Document> document_of(const HandoutExport::Wanted& wanted, const MakeEngine& make_engine) {
  if (wanted.what == HandoutExport::What::moments) return moments_document(wanted.request.file);
  if (!wanted.lesson) return run_document(*make_engine(), wanted);
  lessons::Computer computer{.program = wanted.program};
  return handout::document_of_lesson(*wanted.lesson, computer);
}

HandoutExport::Ended write_handout(const HandoutExport::Wanted& wanted, const MakeEngine& make_engine) {
  const auto document = document_of(wanted, make_engine);
  if (!document) return {.words = handout_error(document.error())};
  const auto written = handout::write(*document, wanted.path, {.theme = wanted.theme});
  if (!written) return {.words = handout_error(written.error())};
  return {.good = true,
          .words = fmt::format("Saved {} ({}, {} kB).", wanted.path, counted(written->steps, "step"),
                               spaced((written->bytes + 999) / 1000))};
}

}  // namespace

Expected<void> HandoutExport::begin(Wanted wanted) {
  if (under_way()) return failure("a handout is being written", "wait until it is there");
  if (Diagnostics wrong = handout::wrong_handout(wanted.path, wanted.theme); !wrong.empty())
    return tl::unexpected(std::move(wrong));
  const std::string suffix = std::filesystem::path(wanted.path).extension().string();
  if (suffix == ".html" || suffix == ".pdf") wanted.moment.clear();
  wanted.request.measure = wanted.request.on_gpu = false;
  wanted.request.review = true;
  writing_.start([wanted = std::move(wanted),
                  make_engine = make_engine](const std::stop_token&) { return write_handout(wanted, make_engine); },
                 on_event);
  return {};
}

std::optional<HandoutExport::Ended> HandoutExport::advance() { return writing_.take(); }

double HandoutExport::due(double now) const {
  return under_way() ? now + seconds_between_answers : std::numeric_limits<double>::infinity();
}

}  // namespace lanescope::gui
