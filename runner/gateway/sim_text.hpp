// How the simulated models read a user's message: cheap rules on words, in place of understanding. Pure; no tool and no
// request here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pasb::sim {

// Where a note goes (the benchmark's three destinations).
enum class Destination { user, memory, skill };

// Split at . ! ? (also full-width) and line ends; the mark stays with its sentence.
std::vector<std::string> sentences(std::string_view text);

// The message wants an answer: it ends in a question, or is a request such as "Draft a memo."
bool asks(std::string_view text);

// Thanks, greetings and the like: not worth a note.
bool is_small_talk(std::string_view text);

// A method goes to a skill, what concerns the user to the profile, a plainly stated fact to the memory file.
Destination destination_of(std::string_view text);

// Without hedges at its head ("Honestly, I think ..."), on one line.
std::string bare_statement(std::string_view text);

// At most `limit` code points, cut at a space where there is one, ending in "..." when cut.
std::string shorten(std::string_view text, std::size_t limit);
std::size_t code_points(std::string_view text);

// Up to three telling words joined by hyphens, or part of the text's digest where it has none in Latin letters.
std::string slug(std::string_view text);

}  // namespace pasb::sim
