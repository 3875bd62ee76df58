#pragma once
// What is wrong with a command line, where the parser takes it or has no good words for it.

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lanescope::cli {

/// CLI11 reads -4 as 18446744073709551612 where a number without a sign is required, cuts what is too large, takes nan for a
/// number, and an empty text for one that was not given. After this it refuses them, in every subcommand.
void refuse_odd_values(CLI::App& app);
/// The mistake in words; of an option that there is not, with the one that was meant.
std::string words_of_mistake(const CLI::App& app, const CLI::ParseError& mistake);

}  // namespace lanescope::cli
