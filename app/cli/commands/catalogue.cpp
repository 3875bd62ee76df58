// The kernels of the catalogue, all of them or those that fit some words.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/catalogue/catalogue.h"
#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "kernels/base/json_fields.h"
#include "kernels/resources/resources.h"

namespace lanescope::cli {
namespace {

void say_whole(const catalogue::Kernel& k) {
  say("{} ({})\n\n{}\n\n", k.name, k.topic, k.explanation);
  if (!k.expects.empty()) say("the review finds: {}\n", fmt::join(k.expects, ", "));
  say("{}\n", k.path);
}

void say_list(const std::vector<const catalogue::Kernel*>& kernels, bool by_topic) {
  std::size_t width = 0;
  for (const catalogue::Kernel* k : kernels) width = std::max(width, k->name.size());
  std::string topic;
  for (const catalogue::Kernel* k : kernels) {
    if (by_topic && k->topic != topic) say("{}{}\n", topic.empty() ? "" : "\n", topic = k->topic);
    say("{:<{}}  {}\n", k->name, width, k->summary.empty() ? "without an explanation" : k->summary);
  }
}

}  // namespace

int list_catalogue(const CatalogueOptions& options) {
  nlohmann::json out = fields("kernels", nlohmann::json::array());
  const auto fail = [&](const Diagnostics& why) {
    return print({.status = bad_input, .diagnostics = why, .json = out}, options.json);
  };
  const auto all = catalogue::read(resources::assets_directory() / "kernels");
  if (!all) return fail(all.error());
  const std::string query = fmt::format("{}", fmt::join(options.words, " "));
  const std::vector<const catalogue::Kernel*> found = catalogue::search(*all, query);
  if (found.empty())
    return fail(
        {{.message = all->empty() ? "the catalogue has no kernels" : fmt::format("no kernel fits \"{}\"", query),
          .remedy = all->empty() ? "set LANESCOPE_ASSETS to the assets folder of the sources"
                                 : "use fewer words, or the beginning of a word"}});
  if (options.json) {
    for (const catalogue::Kernel* k : found)
      out["kernels"].push_back(fields("name", k->name, "file", k->path, "topic", k->topic, "explanation",
                                      k->explanation, "expects", k->expects));
    say(out);
  } else if (found.size() == 1 || found.front()->name == query) {
    say_whole(*found.front());
  } else {
    say_list(found, query.empty());
  }
  return all_good;
}

}  // namespace lanescope::cli
