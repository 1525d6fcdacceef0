// Does a reply show a tool call as text instead of making it: the sign of a weak tool-calling stack (spec section 8).
#pragma once

#include <string_view>

namespace pasb {

// True for the markers that models' chat templates use for calls, and for a reply that is nothing but a JSON call, also
// in a code fence. Prose that mentions a tool's name is none. A framework that strips such markers from its replies
// hides them from this, so a count of it is a lower bound.
bool shows_tool_call(std::string_view reply);

}  // namespace pasb
